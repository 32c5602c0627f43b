--- What the commands do, as functions.
local client = require('repo_context.client')
local config = require('repo_context.config')
local inputs = require('repo_context.inputs')
local packs = require('repo_context.pack')
local view = require('repo_context.view')

local M = {}

---@param options repo_context.Options?
function M.setup(options)
  config.setup(options)
end

---@class repo_context.BuildOptions
---@field quickfix boolean? show the pack as a quickfix list, not as a split
---@field again (fun(): table?, string?)? gathers anew at a refresh; nil to use the same params
---@field on_pack fun(pack: table)? called with the pack, instead of showing it

--- Builds a pack from `params` (see `repo_context.inputs`) and shows it.
---@param params table
---@param options repo_context.BuildOptions?
function M.build(params, options)
  options = options or {}
  local running = client.get()
  local request = vim.tbl_extend('keep', {
    budget = config.options.budget and { maxTokens = config.options.budget } or nil,
    policy = config.options.policy,
    render = { format = 'markdown' },
    explain = true,
  }, params, running and inputs.hints(running) or {})
  client.request('context/build', request, function(pack, asked)
    packs.state = { pack = pack, params = params, again = options.again, root = client.root(asked) }
    packs.take_verdicts({})
    if options.on_pack then
      options.on_pack(pack)
    elseif options.quickfix then
      view.to_quickfix(pack)
      vim.cmd('botright copen')
    else
      view.show_pack(pack)
    end
  end)
end

--- Builds the last pack again. What it was built from is asked anew when it were diagnostics.
function M.refresh()
  local params, again = packs.state.params, packs.state.again
  local complaint = 'nothing has been built yet'
  if again then
    params, complaint = again()
  end
  if params then
    M.build(params, { again = again })
  else
    client.notify(complaint, vim.log.levels.WARN)
  end
end

--- Ranked outline of the repository.
function M.map()
  local name = vim.api.nvim_buf_get_name(0)
  local running = client.get()
  local focus = {}
  if vim.bo.buftype == '' and name ~= '' and running then
    local path = vim.fs.relpath(client.root(running), name)
    focus = path and { path } or {}
  end
  client.request('context/map', { focus = #focus > 0 and focus or nil }, function(map)
    view.open('map', map.rendered, 'text')
  end)
end

--- Ranked search; the hits go to `vim.ui.select`.
---@param query string
function M.search(query)
  client.request('context/search', { query = query, limit = 50 }, function(result)
    if #result.hits == 0 then
      client.notify('nothing found for ' .. query)
      return
    end
    vim.ui.select(result.hits, {
      prompt = 'Repo Context: ' .. query,
      kind = 'repo_context.search',
      format_item = function(hit)
        local first = hit.matches and hit.matches[1]
        return ('%s:%d  %s'):format(hit.path, hit.lines.start, vim.trim(first and first.text or hit.symbol or ''))
      end,
    }, function(hit)
      if hit then
        local first = hit.matches and hit.matches[1]
        view.jump(hit.uri, first and first.line or hit.lines.start)
      end
    end)
  end)
end

--- Why the line of the cursor is in the last pack, or not.
function M.why()
  local pack = packs.state.pack
  if not pack then
    client.notify('nothing has been built yet', vim.log.levels.WARN)
    return
  end
  local name = vim.api.nvim_buf_get_name(0)
  local path = vim.fs.relpath(packs.state.root, name) or name
  local line, uri = vim.api.nvim_win_get_cursor(0)[1], vim.uri_from_bufnr(0)
  if not client.offers('context/explain') then
    client.notify(packs.why(pack, uri, path, line))
    return
  end
  client.request('context/explain', { uri = uri, line = line, fingerprint = pack.fingerprint }, function(answer)
    client.notify(answer.explanation)
  end)
end

--- Index and server in a split.
function M.status()
  client.request('context/status', {}, function(status)
    view.open('status', vim.inspect(status), 'lua')
  end)
end

--- Chooses among the items of the last pack.
function M.pick()
  local pack = packs.state.pack
  if not pack then
    client.notify('nothing has been built yet', vim.log.levels.WARN)
    return
  end
  vim.ui.select(packs.laid_out(pack), {
    prompt = 'Repo Context: ' .. packs.summary(pack, packs.count_stale(pack)),
    kind = 'repo_context.item',
    format_item = function(item)
      return ('%s  %s:%d-%d  %s'):format(item.reason, item.path, item.lines.start, item.lines['end'], item.why)
    end,
  }, function(item)
    if item then
      view.jump(item.uri, item.lines.start)
    end
  end)
end

--- Chooses the budget and builds again.
function M.budget()
  vim.ui.select({ 2000, 4000, 8000, 16000, 32000, 64000 }, { prompt = 'Budget in tokens' }, function(budget)
    if budget then
      config.options.budget = budget
      if packs.state.params then
        M.refresh()
      end
    end
  end)
end

--- Puts the rendered pack into a register.
---@param register string?
function M.copy(register)
  local pack = packs.state.pack
  if pack then
    vim.fn.setreg(register or '+', pack.rendered or '')
  else
    client.notify('nothing has been built yet', vim.log.levels.WARN)
  end
end

return M
