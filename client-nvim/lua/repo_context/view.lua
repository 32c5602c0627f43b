--- Scratch splits: the rendered pack with a fold per item and headings one can go to.
local config = require('repo_context.config')
local freshness = require('repo_context.freshness')
local packs = require('repo_context.pack')

local M = {}

local MARKS = vim.api.nvim_create_namespace('repo_context')

--- The buffer of a name; made when it is not there yet.
---@param name string
---@return integer
local function scratch(name)
  local full = 'repo-context://' .. name
  local bufnr = vim.fn.bufnr('^' .. vim.fn.escape(full, '\\[]*?{}') .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, full)
  end
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'hide'
  vim.bo[bufnr].swapfile = false
  return bufnr
end

---@param bufnr integer
---@param text string
local function fill(bufnr, text)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Shows the buffer in the window it already has, else in a split.
---@param bufnr integer
---@return integer window
local function show(bufnr)
  local window = vim.fn.bufwinid(bufnr)
  if window < 0 then
    vim.cmd(config.options.split .. ' split')
    window = vim.api.nvim_get_current_win()
    vim.api.nvim_win_set_buf(window, bufnr)
  else
    vim.api.nvim_set_current_win(window)
  end
  return window
end

--- Markdown with its code blocks coloured: the languages that occur in the text, for this buffer alone.
---@param bufnr integer
---@param text string
local function colour_markdown(bufnr, text)
  local languages = {}
  for info in text:gmatch('\n```+(%w+)\n') do
    local filetype = vim.filetype.match({ filename = 'x.' .. info })
    if filetype and #vim.api.nvim_get_runtime_file('syntax/' .. filetype .. '.vim', false) > 0 then
      languages[info .. '=' .. filetype] = true
    end
  end
  local before = vim.g.markdown_fenced_languages
  vim.g.markdown_fenced_languages = vim.tbl_keys(languages)
  vim.bo[bufnr].filetype = ''
  vim.bo[bufnr].filetype = 'markdown'
  vim.bo[bufnr].syntax = 'markdown'
  vim.g.markdown_fenced_languages = before
end

--- A text in a read-only scratch split.
---@param name string
---@param text string
---@param filetype string
---@return integer bufnr, integer window
function M.open(name, text, filetype)
  local bufnr = scratch(name)
  fill(bufnr, text)
  local window = show(bufnr)
  if filetype == 'markdown' then
    colour_markdown(bufnr, text)
  else
    vim.bo[bufnr].filetype = filetype
  end
  vim.wo[window][0].linebreak = true
  vim.keymap.set('n', 'q', '<cmd>close<cr>', { buffer = bufnr, nowait = true, desc = 'Close' })
  return bufnr, window
end

--- Finds each item's heading: items come in layout order, so a heading-like line inside code is never taken for one.
---@param lines string[]
---@param pack table
---@return table<integer, table> items by the line of their heading, 1-based
function M.headings(lines, pack)
  local found, row = {}, 1
  for _, item in ipairs(packs.laid_out(pack)) do
    local place = ('%s:%d-%d'):format(item.path, item.lines.start, item.lines['end'])
    local single = ('%s:%d`'):format(item.path, item.lines.start)
    for at = row, #lines do
      local line = lines[at]
      if vim.startswith(line, '#') and (line:find(place, 1, true) or line:find(single, 1, true)) then
        found[at] = item
        row = at + 1 + select(2, item.content:gsub('\n', ''))
        break
      end
    end
  end
  return found
end

--- The item under a row and the source line it stands for.
---@param bufnr integer
---@param row integer 1-based
---@return table? item, integer? line
function M.item_at(bufnr, row)
  local headings = M.by_buffer[bufnr]
  for at = row, 1, -1 do
    local item = headings and headings[at]
    if item then
      -- Heading, reason, fence, then the code.
      local fence = at
      local lines = vim.api.nvim_buf_get_lines(bufnr, at - 1, row, false)
      for offset, text in ipairs(lines) do
        if text:match('^```') then
          fence = at + offset - 1
          break
        end
      end
      local line = fence > at and row > fence and item.lines.start + row - fence - 1 or item.lines.start
      return item, math.min(line, item.lines['end'])
    end
  end
end

--- Items by heading row, for each pack buffer.
---@type table<integer, table<integer, table>>
M.by_buffer = {}

--- `foldexpr`: a fold starts at each item's heading.
---@return string
function M.fold()
  local headings = M.by_buffer[vim.api.nvim_get_current_buf()] or {}
  if headings[vim.v.lnum] then
    return '>1'
  end
  for at = vim.v.lnum, 1, -1 do
    if headings[at] then
      return '1'
    end
  end
  return '0'
end

--- A window of this tab page that shows a file; made when there is none.
---@return integer window
local function file_window()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.bo[vim.api.nvim_win_get_buf(window)].buftype == '' then
      return window
    end
  end
  vim.cmd('topleft vertical split')
  return vim.api.nvim_get_current_win()
end

--- Opens a place in a window that shows a file, else in a new one. Unsaved text in that window stays as it is.
---@param uri string
---@param line integer 1-based
function M.jump(uri, line)
  local bufnr = vim.fn.bufadd(vim.uri_to_fname(uri))
  vim.bo[bufnr].buflisted = true
  vim.api.nvim_set_current_win(file_window())
  vim.cmd("normal! m'")
  if vim.api.nvim_get_current_buf() ~= bufnr then
    -- Without 'hidden' a modified buffer cannot leave its only window.
    vim.cmd((vim.bo.modified and not vim.o.hidden and 'sbuffer ' or 'buffer ') .. bufnr)
  end
  vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(0)), 0 })
  vim.cmd('normal! zv')
end

---@param bufnr integer
local function go(bufnr)
  local item, line = M.item_at(bufnr, vim.api.nvim_win_get_cursor(0)[1])
  if item and line then
    local now = packs.moved[item.id]
    M.jump(item.uri, now and line + now.start - item.lines.start or line)
  end
end

--- The pack in its split.
---@param pack table
---@return integer bufnr
function M.show_pack(pack)
  local bufnr, window = M.open('pack', pack.rendered or '', 'markdown')
  M.by_buffer[bufnr] = M.headings(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), pack)
  vim.wo[window][0].foldmethod = 'expr'
  vim.wo[window][0].foldexpr = "v:lua.require'repo_context.view'.fold()"
  vim.wo[window][0].foldlevel = 1
  vim.wo[window][0].foldenable = true
  vim.wo[window][0].conceallevel = 0
  vim.bo[bufnr].path = packs.state.root .. ',,'
  for _, key in ipairs({ 'gf', 'gF', '<CR>' }) do
    vim.keymap.set('n', key, function()
      go(bufnr)
    end, { buffer = bufnr, desc = 'Go to the code' })
  end
  vim.keymap.set('n', 'R', '<cmd>RepoContext refresh<cr>', { buffer = bufnr, desc = 'Build again' })
  local function mark()
    M.mark_stale(bufnr)
  end
  mark()
  freshness.watch(mark)
  freshness.verify(mark)
  return bufnr
end

--- Marks the headings of items that have changed, and writes the summary over the pack's window.
---@param bufnr integer
function M.mark_stale(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, MARKS, 0, -1)
  for row, item in pairs(M.by_buffer[bufnr] or {}) do
    if packs.stale[item.id] then
      local text = { { ' changed since the build', 'DiagnosticVirtualTextWarn' } }
      vim.api.nvim_buf_set_extmark(bufnr, MARKS, row - 1, 0, { virt_text = text })
    end
  end
  local window = vim.fn.bufwinid(bufnr)
  local pack = packs.state.pack
  if window >= 0 and pack then
    local text = packs.summary(pack, packs.count_stale(pack))
    vim.wo[window].winbar = 'Repo Context  ' .. text:gsub('%%', '%%%%')
  end
end

--- The items, then what was left out, as a quickfix list.
---@param pack table
function M.to_quickfix(pack)
  local entries = {}
  for _, item in ipairs(packs.laid_out(pack)) do
    table.insert(entries, {
      filename = vim.uri_to_fname(item.uri),
      lnum = item.lines.start,
      end_lnum = item.lines['end'],
      text = ('[%s] %s (%d tokens)'):format(item.reason, item.why, item.cost),
    })
  end
  for _, one in ipairs(pack.omitted) do
    if one.cause ~= 'policy' then
      table.insert(entries, {
        filename = vim.fs.joinpath(packs.state.root, one.path),
        lnum = one.lines.start,
        end_lnum = one.lines['end'],
        text = ('[omitted: %s] %s'):format(one.cause, one.source),
      })
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'Repo Context: ' .. packs.summary(pack, 0), items = entries })
end

return M
