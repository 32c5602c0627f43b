-- What every Neovim scenario needs: a way to wait for a state, to check, and to end with a verdict.
-- SERVER (JSON list), WORKSPACE and PLUGIN come in the environment. Exit 0: passed, 1: failed, 2: timed out.
local M = {}

local started = vim.uv.hrtime()

function M.log(...)
  local words = vim.tbl_map(tostring, { ... })
  io.stderr:write(('[%5d ms] %s\n'):format((vim.uv.hrtime() - started) / 1e6, table.concat(words, ' ')))
end

function M.wait(what, condition, timeout)
  if not vim.wait(timeout or 20000, condition, 20) then
    M.log('TIMED OUT', what)
    vim.cmd('cquit 2')
  end
  M.log('ok', what)
end

function M.check(condition, message)
  if not condition then
    error(message, 2)
  end
end

function M.text(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, false), '\n')
end

function M.buffer(name)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(bufnr) == name then
      return bufnr
    end
  end
end

--- Enables the plugin with the server under test and opens a file of the workspace.
function M.start(file)
  vim.opt.runtimepath:prepend(vim.env.PLUGIN)
  vim.cmd('runtime! plugin/repo_context.lua')
  vim.cmd('filetype on')
  vim.lsp.config('repo_context', { cmd = vim.json.decode(vim.env.SERVER) })
  vim.lsp.enable('repo_context')
  vim.cmd.edit(vim.env.WORKSPACE .. '/' .. file)
  local bufnr = vim.api.nvim_get_current_buf()
  M.wait('the server is attached', function()
    local client = vim.lsp.get_clients({ bufnr = bufnr, name = 'repo_context' })[1]
    return client and client.initialized
  end)
  return bufnr, vim.lsp.get_clients({ name = 'repo_context' })[1]
end

--- An error as a linter or another server would show it.
function M.diagnose(bufnr, row, message, column)
  local namespace = vim.api.nvim_create_namespace('test')
  vim.diagnostic.set(namespace, bufnr, {
    { lnum = row - 1, col = column or 0, end_lnum = row - 1, end_col = 100, message = message, severity = vim.diagnostic.severity.ERROR, source = 'test' },
  })
end

function M.run(scenario)
  local ok, err = xpcall(scenario, debug.traceback)
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop()
  end
  vim.wait(5000, function()
    return #vim.lsp.get_clients() == 0
  end, 20)
  if not ok then
    M.log('FAILED', err)
    vim.cmd('cquit 1')
  end
  M.log('passed')
  vim.cmd('qall!')
end

return M
