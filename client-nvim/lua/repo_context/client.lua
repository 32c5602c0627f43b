--- The running server of this session: finding it, asking it, its last status.
local M = {}

M.NAME = 'repo_context'

--- The last `context/statusChanged`, by client id.
---@type table<integer, table>
M.status = {}

---@param params table
function M.on_status(_, params, ctx)
  M.status[ctx.client_id] = params
end

--- The client for a buffer, or else any of this session.
---@param bufnr integer?
---@return vim.lsp.Client?
function M.get(bufnr)
  local attached = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr or 0 })[1]
  return attached or vim.lsp.get_clients({ name = M.NAME })[1]
end

--- True if the server says that it has this method.
---@param method string
---@return boolean
function M.offers(method)
  local client = M.get()
  local methods = client and vim.tbl_get(client.server_capabilities or {}, 'experimental', 'context', 'methods')
  return vim.list_contains(methods or {}, method)
end

---@param message string
---@param level integer?
function M.notify(message, level)
  vim.notify('repo_context: ' .. message, level or vim.log.levels.INFO)
end

--- Sends a request; `callback` gets the result alone, errors are shown.
---@param method string
---@param params table
---@param callback fun(result: table, client: vim.lsp.Client)
function M.request(method, params, callback)
  local client = M.get()
  if not client then
    M.notify('the server is not running here; see :checkhealth repo_context', vim.log.levels.WARN)
    return
  end
  if next(params) == nil then
    params = vim.empty_dict()
  end
  client:request(method, params, function(err, result)
    if err then
      M.notify(err.message or vim.inspect(err), vim.log.levels.ERROR)
    elseif result then
      callback(result, client)
    end
  end)
end

--- The workspace folder that a pack's relative paths start from.
---@param client vim.lsp.Client?
---@return string
function M.root(client)
  return client and client.root_dir or vim.fn.getcwd()
end

return M
