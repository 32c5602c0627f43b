-- What a pack is built from: a register, the quickfix list, the cursor's line, a task, lines.
local harness = dofile(vim.env.HARNESS)

local TRACEBACK = [[
Traceback (most recent call last):
  File "cart.py", line 10, in total
    result += price_of(article) * count
TypeError: price_of() missing 1 required positional argument: 'currency'
]]

local function build(command)
  local packs = require('repo_context.pack')
  packs.state = { root = '' }
  vim.cmd(command)
  harness.wait(command, function()
    return packs.state.pack ~= nil
  end)
  vim.cmd('wincmd p')
  return packs.state.pack
end

local function has(pack, path)
  return vim.iter(pack.items):any(function(item)
    return item.path == path
  end)
end

harness.run(function()
  local cart = harness.start('cart.py')

  vim.fn.setreg('t', TRACEBACK)
  local pack = build('RepoContext build register t')
  harness.check(#pack.failures == 1 and has(pack, 'cart.py'), 'register: ' .. vim.inspect(pack.failures))

  vim.fn.setqflist({ { bufnr = cart, lnum = 10, col = 19, text = 'missing argument', type = 'E' } })
  pack = build('RepoContext build quickfix')
  harness.check(#pack.failures == 1 and has(pack, 'cart.py'), 'quickfix: ' .. vim.inspect(pack.failures))

  harness.diagnose(cart, 10, 'missing argument', 18)
  vim.api.nvim_win_set_cursor(vim.fn.bufwinid(cart), { 10, 0 })
  pack = build('RepoContext build cursor')
  harness.check(#pack.failures == 1, 'cursor: ' .. vim.inspect(pack.failures))

  pack = build('RepoContext build task let price_of accept several currencies')
  harness.check(has(pack, 'prices.py'), 'task: ' .. vim.inspect(pack.items))

  pack = build('6,8RepoContext build')
  harness.check(has(pack, 'cart.py'), 'lines: ' .. vim.inspect(pack.items))

  harness.check(#vim.fn.getcompletion('RepoContext build ', 'cmdline') == 7, 'completion of sources')
end)
