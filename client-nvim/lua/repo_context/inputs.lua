--- What a pack is built from: diagnostics, quickfix entries, registers, tasks, selections.
local config = require('repo_context.config')

local M = {}

--- `vim.diagnostic` as LSP's Diagnostic. The whole original is kept where a language server gave it.
---@param one vim.Diagnostic
---@return lsp.Diagnostic
local function lsp_diagnostic(one)
  local original = vim.tbl_get(one, 'user_data', 'lsp')
  if original and original.range then
    return { range = original.range, message = original.message, severity = original.severity, code = original.code,
      source = original.source, tags = original.tags, relatedInformation = original.relatedInformation }
  end
  return {
    range = {
      start = { line = one.lnum, character = one.col },
      ['end'] = { line = one.end_lnum or one.lnum, character = one.end_col or one.col },
    },
    message = one.message,
    severity = one.severity,
    code = one.code,
    source = one.source,
  }
end

---@param found vim.Diagnostic[]
---@param least vim.diagnostic.Severity
---@return table[]
local function inputs(found, least)
  local result = {}
  for _, one in ipairs(found) do
    if one.severity <= least and vim.api.nvim_buf_is_valid(one.bufnr) then
      table.insert(result, {
        uri = vim.uri_from_bufnr(one.bufnr),
        version = vim.lsp.util.buf_versions[one.bufnr],
        diagnostic = lsp_diagnostic(one),
      })
    end
  end
  return result
end

local function least_severity()
  return config.options.warnings and vim.diagnostic.severity.WARN or vim.diagnostic.severity.ERROR
end

---@return table? params, string? complaint
local function of_diagnostics(found, least, complaint)
  local diagnostics = inputs(found, least)
  if #diagnostics == 0 then
    return nil, complaint
  end
  return { diagnostics = diagnostics }
end

function M.buffer()
  return of_diagnostics(vim.diagnostic.get(0), least_severity(), 'there are no errors in this buffer')
end

--- All buffers; the present one first, because the order of failing files is the order of the pack.
function M.workspace()
  local here = vim.api.nvim_get_current_buf()
  local found = vim.diagnostic.get(nil)
  table.sort(found, function(a, b)
    if a.bufnr ~= b.bufnr then
      return a.bufnr == here or (b.bufnr ~= here and a.bufnr < b.bufnr)
    end
    return a.lnum < b.lnum
  end)
  return of_diagnostics(found, least_severity(), 'there are no errors')
end

--- The problems of the cursor's line, whatever their severity: the user points at them.
function M.cursor()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params, complaint = of_diagnostics(
    vim.diagnostic.get(0, { lnum = line }),
    vim.diagnostic.severity.HINT,
    'there is no problem on this line'
  )
  for _, one in ipairs(params and params.diagnostics or {}) do
    one.diagnostic.severity = vim.diagnostic.severity.ERROR
  end
  return params, complaint
end

--- Quickfix entries with a place are diagnostics; the rest is read as raw output.
function M.quickfix()
  local diagnostics, text = {}, {}
  for _, entry in ipairs(vim.fn.getqflist()) do
    if entry.valid == 1 and entry.bufnr > 0 and entry.lnum > 0 then
      local from = { line = entry.lnum - 1, character = math.max(entry.col - 1, 0) }
      table.insert(diagnostics, {
        uri = vim.uri_from_bufnr(entry.bufnr),
        diagnostic = {
          range = { start = from, ['end'] = from },
          message = entry.text,
          severity = entry.type == 'W' and vim.diagnostic.severity.WARN or vim.diagnostic.severity.ERROR,
          source = 'quickfix',
        },
      })
    else
      table.insert(text, entry.text)
    end
  end
  local raw = vim.trim(table.concat(text, '\n'))
  if #diagnostics == 0 and raw == '' then
    return nil, 'the quickfix list is empty'
  end
  return {
    diagnostics = #diagnostics > 0 and diagnostics or nil,
    failureOutput = raw ~= '' and { { text = raw } } or nil,
  }
end

---@param name string?
function M.register(name)
  local text = vim.fn.getreg(name or '"')
  if vim.trim(text) == '' then
    return nil, ('register %s is empty'):format(name or '"')
  end
  return { failureOutput = { { text = text } } }
end

---@param text string
function M.task(text)
  if vim.trim(text) == '' then
    return nil, 'say what is to be done: :RepoContext build task …'
  end
  return { task = text }
end

--- Lines of the present buffer as a mention.
---@param first integer 1-based
---@param last integer
function M.lines(first, last)
  local text = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  return {
    mentions = { { uri = vim.uri_from_bufnr(0), lines = { start = first, ['end'] = last } } },
    task = table.concat(text, '\n'):sub(1, 2000),
  }
end

--- Where the cursor is and which files are open.
---@param client vim.lsp.Client
function M.hints(client)
  local open = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[bufnr].buflisted and vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= '' then
      table.insert(open, vim.uri_from_bufnr(bufnr))
    end
  end
  local hints = { openDocuments = #open > 0 and open or nil }
  if vim.bo.buftype == '' and vim.api.nvim_buf_get_name(0) ~= '' then
    local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
    hints.cursor = { uri = at.textDocument.uri, position = at.position }
  end
  return hints
end

return M
