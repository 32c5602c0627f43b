--- The last pack, what can be asked of it without the server, and what the user pinned or excluded.
local M = {}

--- Ids of the last pack's items whose text has changed or gone, by the server's word (`context/verify`).
---@type table<string, boolean>
M.stale = {}

--- Where items stand now whose text has moved, by id.
---@type table<string, { start: integer, end: integer }>
M.moved = {}

---@class repo_context.State
---@field pack table? the last pack
---@field params table? what it was built from
---@field again (fun(): table?, string?)? gathers what it was built from anew
---@field root string
M.state = { pack = nil, params = nil, again = nil, root = '' }

---@param number integer
---@return string
local function thousands(number)
  local text, count = tostring(number), 0
  repeat
    text, count = text:gsub('^(-?%d+)(%d%d%d)', '%1,%2')
  until count == 0
  return text
end

--- One line over the pack: cost, items, omissions and what a reader must know.
---@param pack table
---@param stale integer items that changed since the build
---@return string
function M.summary(pack, stale)
  local words = {
    ('%s/%s tokens'):format(thousands(pack.used), thousands(pack.budget)),
    ('%d items'):format(#pack.items),
    ('%d omitted'):format(#pack.omitted),
  }
  if pack.missingCritical then
    table.insert(words, 'FAILING CODE MISSING')
  end
  local pending = vim.tbl_get(pack, 'freshness', 'pendingFiles') or 0
  if pending > 0 then
    table.insert(words, ('%s files not indexed yet'):format(thousands(pending)))
  end
  if stale > 0 then
    table.insert(words, ('%d changed since'):format(stale))
  end
  return table.concat(words, ' · ')
end

--- Items in reading order.
---@param pack table
---@return table[]
function M.laid_out(pack)
  local by_id, result = {}, {}
  for _, item in ipairs(pack.items) do
    by_id[item.id] = item
  end
  for _, id in ipairs(pack.layout) do
    table.insert(result, by_id[id])
  end
  return result
end

---@param pack table
---@return integer
function M.count_stale(pack)
  return #vim.tbl_filter(function(item)
    return M.stale[item.id] == true
  end, pack.items)
end

--- Takes the server's verdicts on the last pack. Text that has only moved is not stale.
---@param items table[]
function M.take_verdicts(items)
  M.stale, M.moved = {}, {}
  for _, one in ipairs(items) do
    if one.state == 'moved' then
      M.moved[one.id] = one.now
    elseif one.state ~= 'same' then
      M.stale[one.id] = true
    end
  end
end

local CAUSES = {
  policy = 'the privacy rules keep it back',
  missing = 'it was no longer there',
  unreadable = 'it could not be read',
  stale = 'it changed while the pack was built',
  duplicate = 'another item is the same text at the same place',
  overlap = 'a better item overlaps it',
  ['max-items'] = 'the pack has as many items as it may',
  ['file-quota'] = 'there was enough from this file',
  ['source-quota'] = 'there was enough from this source',
  budget = 'it was over the budget',
  group = 'its group did not fit whole',
}

--- Why a line is in the last pack, or not.
---@param pack table
---@param uri string
---@param path string
---@param line integer 1-based
---@return string
function M.why(pack, uri, path, line)
  local covers = function(lines)
    return lines.start <= line and line <= lines['end']
  end
  for _, item in ipairs(pack.items) do
    if (item.uri == uri or item.path == path) and covers(item.lines) then
      return ('%s:%d is in the pack, rank %d: %s'):format(path, line, item.rank, item.why)
    end
  end
  for _, one in ipairs(pack.omitted) do
    if one.path == path and covers(one.lines) then
      local text = ('%s:%d was found (%s) and left out: %s'):format(path, line, one.source, CAUSES[one.cause] or one.cause)
      if one.blockedBy then
        text = text .. (' (%s)'):format(one.blockedBy)
      end
      return one.needs and text .. (', %s more tokens would admit it'):format(thousands(one.needs)) or text
    end
  end
  return ('%s:%d was not found by any source'):format(path, line)
end

return M
