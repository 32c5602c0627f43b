-- :checkhealth and :help, with the server running and with a command that is not there.
local harness = dofile(vim.env.HARNESS)

harness.run(function()
  harness.start('cart.py')
  vim.cmd('checkhealth repo_context')
  local report = harness.text()
  harness.check(report:find('OK running in', 1, true), report)
  harness.check(report:find('symbols, revision', 1, true), report)
  harness.check(not report:find('ERROR', 1, true), report)

  vim.lsp.config('repo_context', { cmd = { 'no-such-server' } })
  vim.cmd('checkhealth repo_context')
  report = harness.text()
  harness.check(report:find('"no-such-server" is not executable', 1, true), report)

  vim.cmd('helptags ' .. vim.env.PLUGIN .. '/doc')
  vim.cmd('help :RepoContext')
  harness.check(vim.api.nvim_buf_get_name(0):find('repo_context.txt', 1, true), 'no help')
  os.remove(vim.env.PLUGIN .. '/doc/tags')
end)
