--- Asks the server, after edits and when the editor gets the focus back, which items of the pack still hold.
local client = require('repo_context.client')
local packs = require('repo_context.pack')

local M = {}

local GROUP = vim.api.nvim_create_augroup('repo_context.freshness', { clear = true })

--- Quiet time after an edit, in milliseconds.
local QUIET = 150

local timer = assert(vim.uv.new_timer())

---@param on_verdicts fun() called after the marks have changed
function M.verify(on_verdicts)
  local pack, running = packs.state.pack, client.get()
  if not pack or #pack.items == 0 or not running then
    return
  end
  local items = vim.tbl_map(function(item)
    return { id = item.id, path = item.path, lines = item.lines, contentHash = item.contentHash }
  end, pack.items)
  running:request('context/verify', { items = items }, function(err, answer)
    if not err and answer and packs.state.pack == pack then
      packs.take_verdicts(answer.items)
      on_verdicts()
    end
  end)
end

--- Keeps asking for the last pack; a later call takes the place of this one.
---@param on_verdicts fun()
function M.watch(on_verdicts)
  local function soon(event)
    if event.buf and vim.bo[event.buf].buftype ~= '' and event.event ~= 'FocusGained' then
      return
    end
    timer:start(QUIET, 0, vim.schedule_wrap(function()
      M.verify(on_verdicts)
    end))
  end
  vim.api.nvim_clear_autocmds({ group = GROUP })
  vim.api.nvim_create_autocmd(
    { 'TextChanged', 'TextChangedI', 'TextChangedP', 'BufReadPost', 'BufWritePost', 'FileChangedShellPost', 'BufUnload', 'FocusGained' },
    { group = GROUP, callback = soon }
  )
end

return M
