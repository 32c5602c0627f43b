-- From a diagnostic to the pack: split, folds, headings one can go to, quickfix, staleness.
local harness = dofile(vim.env.HARNESS)

harness.run(function()
  local cart = harness.start('cart.py')
  vim.cmd('RepoContext build buffer')
  harness.check(#vim.api.nvim_list_wins() == 1, 'a build without errors must open nothing')

  harness.diagnose(cart, 10, 'Argument missing for parameter "currency"', 18)
  vim.cmd('RepoContext build')
  local view = require('repo_context.view')
  harness.wait('the pack is shown', function()
    return harness.buffer('repo-context://pack') ~= nil
  end)
  local pack = harness.buffer('repo-context://pack')
  local state = require('repo_context.pack').state
  local text = harness.text(pack)
  harness.check(text:find('result += price_of(article)', 1, true), 'the failing line is not in the pack:\n' .. text)
  harness.check(text:find('cart.py:', 1, true), 'no heading names the file:\n' .. text)
  harness.check(not vim.bo[pack].modifiable and vim.bo[pack].buftype == 'nofile', 'the pack is not a read-only scratch buffer')
  harness.check(#vim.api.nvim_list_wins() == 2, 'the pack is not in a split')
  harness.check(vim.wo.winbar:find('tokens', 1, true), 'no summary: ' .. vim.wo.winbar)

  local headings = vim.tbl_count(view.by_buffer[pack])
  harness.check(headings == #state.pack.items, ('%d headings for %d items'):format(headings, #state.pack.items))
  for row, item in pairs(view.by_buffer[pack]) do
    harness.check(vim.fn.foldlevel(row) == 1, 'no fold at ' .. item.id)
  end

  -- On a line of code, gf goes to that very line.
  vim.fn.search('result += price_of', 'w')
  vim.cmd('normal gf')
  harness.check(vim.api.nvim_get_current_buf() == cart, 'gf did not go to the file')
  harness.check(vim.api.nvim_get_current_line():find('result += price_of(article)', 1, true), 'gf went to another line')

  -- On the heading too.
  vim.api.nvim_set_current_win(vim.fn.bufwinid(pack))
  local row, item = next(view.by_buffer[pack])
  vim.api.nvim_win_set_cursor(0, { row, 0 })
  vim.cmd('normal gf')
  harness.check(vim.api.nvim_win_get_cursor(0)[1] == item.lines.start, 'gf on a heading went to another line')
  vim.cmd.edit(vim.fn.fnameescape(vim.api.nvim_buf_get_name(cart)))

  -- why: asked of the server; the pack itself answers when the server cannot.
  vim.api.nvim_win_set_cursor(0, { 10, 0 })
  local said
  vim.notify = function(message)
    said = message
  end
  require('repo_context').why()
  harness.wait('why', function()
    return said ~= nil
  end)
  harness.check(said:find('cart.py', 1, true) or said:find('total', 1, true), 'why says: ' .. said)
  local packs = require('repo_context.pack')
  local why = packs.why(state.pack, vim.uri_from_bufnr(cart), 'cart.py', 10)
  harness.check(why:find('is in the pack', 1, true), why)
  why = packs.why(state.pack, 'file:///other.py', 'other.py', 1)
  harness.check(why:find('not found by any source', 1, true), why)

  -- An edit makes it stale; undo makes it fresh.
  vim.cmd('normal ochanged')
  vim.api.nvim_buf_set_lines(cart, 9, 10, false, { '        result += 1' })
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = cart })
  local window = vim.fn.bufwinid(pack)
  local function said(text)
    return vim.wo[window].winbar:find(text, 1, true) ~= nil
  end
  harness.wait('the mark of an edit', function()
    return said('changed since')
  end)
  local marks = vim.api.nvim_buf_get_extmarks(pack, vim.api.nvim_create_namespace('repo_context'), 0, -1, {})
  harness.check(#marks == 1, 'marked headings: ' .. vim.inspect(marks))
  vim.cmd('silent undo 0')
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = cart })
  harness.wait('no mark after undo', function()
    return not said('changed since')
  end)

  -- Lines above only move an item: it is not called changed, and gf follows it.
  vim.api.nvim_buf_set_lines(cart, 0, 0, false, { '# one', '# two' })
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = cart })
  harness.wait('the item has moved', function()
    return next(packs.moved) ~= nil
  end)
  vim.api.nvim_set_current_win(window)
  vim.fn.search('result += price_of', 'w')
  vim.cmd('normal gf')
  harness.check(vim.api.nvim_get_current_line():find('result += price_of(article)', 1, true), 'gf did not follow the text')
  vim.cmd('silent undo 0')

  -- A file that is not open and changes on disk, seen when the editor gets the focus back.
  local prices = vim.env.WORKSPACE .. '/prices.py'
  local open = vim.fn.bufnr(prices)
  if open >= 0 then
    vim.api.nvim_buf_delete(open, { force = true })
  end
  local bytes = vim.fn.readfile(prices, 'b')
  vim.fn.writefile(vim.list_extend({ '# other' }, vim.tbl_map(function(line)
    return (line:gsub('PRICES', 'TABLE'))
  end, bytes)), prices, 'b')
  vim.api.nvim_exec_autocmds('FocusGained', {})
  harness.wait('the mark of a change on disk', function()
    vim.api.nvim_exec_autocmds('FocusGained', {})
    vim.wait(300)
    return said('changed since')
  end)
  vim.fn.writefile(bytes, prices, 'b')

  vim.cmd('RepoContext quickfix')
  local list = vim.fn.getqflist({ items = 0, title = 0 })
  harness.check(#list.items >= #state.pack.items and list.title:find('Repo Context', 1, true), 'quickfix: ' .. vim.inspect(list))
  vim.cmd('cclose')
end)
