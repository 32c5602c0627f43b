--- `:RepoContext`: its words and their completion.
local client = require('repo_context.client')

local M = {}

---@param source string
---@param rest string
---@param command table
---@return function? gather
local function source_of(source, rest, command)
  local inputs = require('repo_context.inputs')
  local known = {
    buffer = inputs.buffer,
    workspace = inputs.workspace,
    cursor = inputs.cursor,
    quickfix = inputs.quickfix,
    register = function()
      return inputs.register(rest ~= '' and rest or nil)
    end,
    task = function()
      return inputs.task(rest)
    end,
    lines = function()
      return inputs.lines(command.line1, command.line2)
    end,
  }
  return known[source]
end

local SOURCES = { 'buffer', 'workspace', 'cursor', 'quickfix', 'register', 'task', 'lines' }

local function build(rest, command)
  local source, more = rest:match('^(%S*)%s*(.*)$')
  if source == '' then
    source = command.range > 0 and 'lines' or 'workspace'
  end
  local gather = source_of(source, more, command)
  if not gather then
    client.notify(('cannot build from "%s"; one of %s'):format(source, table.concat(SOURCES, ', ')), vim.log.levels.ERROR)
    return
  end
  local params, complaint = gather()
  if not params then
    client.notify(complaint)
    return
  end
  local again
  if vim.list_contains({ 'buffer', 'workspace', 'quickfix' }, source) then
    local bufnr = vim.api.nvim_get_current_buf()
    again = function()
      local fresh, missing
      vim.api.nvim_buf_call(vim.api.nvim_buf_is_valid(bufnr) and bufnr or 0, function()
        fresh, missing = gather()
      end)
      return fresh, missing
    end
  end
  require('repo_context').build(params, { quickfix = command.bang, again = again })
end

local ACTIONS = {
  build = build,
  refresh = function()
    require('repo_context').refresh()
  end,
  map = function()
    require('repo_context').map()
  end,
  search = function(rest)
    if rest ~= '' then
      require('repo_context').search(rest)
      return
    end
    vim.ui.input({ prompt = 'Search code: ' }, function(query)
      if query and query ~= '' then
        require('repo_context').search(query)
      end
    end)
  end,
  why = function()
    require('repo_context').why()
  end,
  status = function()
    require('repo_context').status()
  end,
  quickfix = function()
    local pack = require('repo_context.pack').state.pack
    if pack then
      require('repo_context.view').to_quickfix(pack)
      vim.cmd('botright copen')
    else
      client.notify('nothing has been built yet', vim.log.levels.WARN)
    end
  end,
  pick = function()
    require('repo_context').pick()
  end,
  budget = function()
    require('repo_context').budget()
  end,
  copy = function(rest)
    require('repo_context').copy(rest ~= '' and rest or nil)
  end,
  reindex = function()
    client.request('context/reindex', {}, function()
      client.notify('indexing again')
    end)
  end,
}

---@param command table the argument of a user command's callback
function M.run(command)
  local action, rest = command.args:match('^(%S*)%s*(.*)$')
  local run = ACTIONS[action == '' and 'build' or action]
  if run then
    run(rest, command)
  else
    client.notify(('no "%s"; one of %s'):format(action, table.concat(vim.fn.sort(vim.tbl_keys(ACTIONS)), ', ')), vim.log.levels.ERROR)
  end
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(line:gsub('^.-RepoContext!?%s+', ''), '%s+')
  local candidates = {}
  if #words <= 1 then
    candidates = vim.tbl_keys(ACTIONS)
  elseif #words == 2 and words[1] == 'build' then
    candidates = vim.deepcopy(SOURCES)
  end
  table.sort(candidates)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, candidates)
end

return M
