-- Defines :RepoContext; everything else is loaded when it is first used.
if vim.g.loaded_repo_context then
  return
end
vim.g.loaded_repo_context = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('repo_context needs Neovim 0.11 or later', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('RepoContext', function(command)
  require('repo_context.command').run(command)
end, {
  nargs = '*',
  bang = true,
  range = true,
  desc = 'Build and look at a context pack',
  complete = function(...)
    return require('repo_context.command').complete(...)
  end,
})
