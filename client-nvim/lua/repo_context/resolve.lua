--- Answers the server's `context/resolveDefinition` from the other language servers of this session.
local client_module = require('repo_context.client')
local config = require('repo_context.config')

local M = {}

local METHOD = 'textDocument/definition'

--- A column in another encoding.
---@param bufnr integer
---@param position lsp.Position
---@param from string
---@param to string
---@return lsp.Position
local function recode(bufnr, position, from, to)
  if from == to then
    return position
  end
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, false)[1] or ''
  local byte = vim.str_byteindex(line, from, position.character, false)
  return { line = position.line, character = vim.str_utfindex(line, to, byte, false) }
end

--- Location or LocationLink, one or many, as Locations in the encoding `to`.
---@return lsp.Location[]
local function locations(result, from, to)
  if not result then
    return {}
  end
  if result.uri or result.targetUri then
    result = { result }
  end
  return vim.tbl_map(function(one)
    local uri, range = one.targetUri or one.uri, one.targetSelectionRange or one.range
    local bufnr = vim.fn.bufnr(vim.uri_to_fname(uri))
    if bufnr >= 0 and vim.api.nvim_buf_is_loaded(bufnr) then
      range = { start = recode(bufnr, range.start, from, to), ['end'] = recode(bufnr, range['end'], from, to) }
    end
    return { uri = uri, range = range }
  end, result)
end

--- Asks for one position; `done` is called once a client that answers.
---@return integer asked
local function ask(position, encoding, answer, done)
  local bufnr = vim.fn.bufnr(vim.uri_to_fname(position.uri))
  if bufnr < 0 or not vim.api.nvim_buf_is_loaded(bufnr) then
    return 0
  end
  local asked = 0
  for _, other in ipairs(vim.lsp.get_clients({ bufnr = bufnr, method = METHOD })) do
    if other.name ~= client_module.NAME then
      asked = asked + 1
      other:request(METHOD, {
        textDocument = { uri = position.uri },
        position = recode(bufnr, position.position, encoding, other.offset_encoding),
      }, function(_, result)
        local found = locations(result, other.offset_encoding, encoding)
        if #found > 0 and #answer.locations == 0 then
          answer.provider, answer.locations = other.name, found
        end
        done()
      end, bufnr)
    end
  end
  return asked
end

--- Handler of the server's request. Runs in Neovim's coroutine for requests, so waiting does not block the editor.
function M.handle(_, params, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local answers, pending, over = {}, 0, false
  local running = coroutine.running()
  local waiting = false
  local function finish()
    if not over then
      over = true
      if waiting and running then
        coroutine.resume(running)
      end
    end
  end
  local function done()
    pending = pending - 1
    if pending == 0 then
      finish()
    end
  end
  for index, position in ipairs(params.positions) do
    answers[index] = { provider = '', locations = {} }
    pending = pending + ask(position, client.offset_encoding, answers[index], done)
  end
  local deadline = params.deadlineMs or config.options.resolve_deadline
  if pending > 0 and not over then
    if running then
      vim.defer_fn(finish, deadline)
      waiting = true
      coroutine.yield()
    else
      vim.wait(deadline, function()
        return over
      end, 5)
    end
  end
  return { definitions = answers }
end

return M
