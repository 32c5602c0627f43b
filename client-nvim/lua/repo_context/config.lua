--- Options of the plugin. The server's own settings go through `vim.lsp.config`.
local M = {}

---@class repo_context.Options
---@field budget integer? tokens a pack may cost; nil for the server's setting
---@field policy string? ranking policy; nil for the server's setting
---@field split string where packs open: a `:split` modifier
---@field warnings boolean count warnings as failures
---@field resolve_deadline integer milliseconds other language servers have to answer, when the server names none

---@type repo_context.Options
local defaults = {
  budget = nil,
  policy = nil,
  split = 'botright vertical',
  warnings = false,
  resolve_deadline = 80,
}

---@type repo_context.Options
M.options = vim.deepcopy(defaults)

---@param options repo_context.Options?
function M.setup(options)
  vim.validate('options', options, 'table', true)
  for name in pairs(options or {}) do
    if defaults[name] == nil and name ~= 'budget' and name ~= 'policy' then
      vim.notify(('repo_context: unknown option "%s"'):format(name), vim.log.levels.WARN)
    end
  end
  M.options = vim.tbl_extend('force', vim.deepcopy(defaults), options or {})
end

return M
