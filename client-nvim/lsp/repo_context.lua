-- The server's configuration: `vim.lsp.enable("repo_context")` works with this file alone.
-- Change it with `vim.lsp.config("repo_context", { cmd = { "/path/to/repo-context-lsp" } })`.

---@type vim.lsp.Config
return {
  cmd = { 'repo-context-lsp' },
  root_markers = {
    '.repo-context.toml',
    '.git',
    { 'pyproject.toml', 'package.json', 'tsconfig.json', 'go.mod', 'Cargo.toml', 'pom.xml', 'Gemfile', 'composer.json' },
  },
  -- Without a root there is nothing to index: a lone file in the home folder must not start a scan of it.
  workspace_required = true,
  init_options = { notifications = { 'statusChanged', 'resolveDefinition' } },
  capabilities = {
    experimental = { context = { statusChanged = true, resolveDefinition = true } },
  },
  -- The light bulb's command is run here: its result is a pack to show.
  commands = {
    ['repoContext.build'] = function(command)
      require('repo_context').build((command.arguments or {})[1] or {})
    end,
  },
  handlers = {
    ['context/resolveDefinition'] = function(...)
      return require('repo_context.resolve').handle(...)
    end,
    ['context/statusChanged'] = function(...)
      return require('repo_context.client').on_status(...)
    end,
  },
}
