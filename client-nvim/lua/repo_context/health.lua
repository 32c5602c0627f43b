--- `:checkhealth repo_context`
local client = require('repo_context.client')

local M = {}

local function check_server()
  local found = vim.lsp.config[client.NAME]
  local cmd = found and found.cmd
  if type(cmd) ~= 'table' then
    vim.health.info('the command is a function: it is not checked here')
    return
  end
  if vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(('"%s" is not executable'):format(cmd[1]), {
      'Install the server: python3 -m pip install . in a clone of the repository',
      'or name it: vim.lsp.config("repo_context", { cmd = { "/path/to/repo-context-lsp" } })',
    })
    return
  end
  vim.health.ok(('server: %s'):format(vim.fn.exepath(cmd[1])))
end

local function check_client()
  local running = client.get()
  if not running then
    local enabled = vim.lsp.is_enabled(client.NAME)
    vim.health.warn(
      enabled and 'enabled, but not running in this session' or 'not enabled',
      enabled and { 'Open a file below a folder with .git or another root marker' } or { 'vim.lsp.enable("repo_context")' }
    )
    return
  end
  vim.health.ok(('running in %s, positions in %s'):format(client.root(running), running.offset_encoding))
  local answer = running:request_sync('context/status', vim.empty_dict(), 10000)
  local status = answer and answer.result
  if not status then
    vim.health.warn('the server does not say its status: ' .. vim.inspect(answer and answer.err or 'no answer'))
    return
  end
  vim.health.ok(('%s files, %s symbols, revision %s'):format(status.files, status.symbols, status.revision))
  for _, one in ipairs(status.quarantined or {}) do
    vim.health.warn(('set aside: %s: %s'):format(one.path, one.reason))
  end
  if status.lastError and status.lastError ~= vim.NIL then
    vim.health.warn('last error: ' .. vim.inspect(status.lastError))
  end
end

local function check_others()
  local others = {}
  for _, other in ipairs(vim.lsp.get_clients({ method = 'textDocument/definition' })) do
    if other.name ~= client.NAME then
      table.insert(others, other.name)
    end
  end
  if #others > 0 then
    vim.health.ok('exact definitions come from ' .. table.concat(others, ', '))
  else
    vim.health.info('no other language server runs: definitions come from the syntactic index')
  end
end

function M.check()
  vim.health.start('repo_context')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.11 or later is needed')
  end
  check_server()
  check_client()
  check_others()
end

return M
