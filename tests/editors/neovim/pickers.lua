-- Search, map, status, pick, budget, copy and refresh; pickers go through vim.ui.
local harness = dofile(vim.env.HARNESS)

harness.run(function()
  local cart = harness.start('cart.py')
  local asked, choose
  vim.ui.select = function(items, options, on_choice)
    asked = { prompt = options.prompt, lines = vim.tbl_map(options.format_item or tostring, items) }
    on_choice(choose(items))
  end
  vim.ui.input = function(_, on_input)
    on_input('price of article')
  end
  local function ask(command, choice)
    asked, choose = nil, choice
    vim.cmd(command)
    harness.wait(command, function()
      return asked ~= nil
    end)
    return asked
  end

  ask('RepoContext search', function(hits)
    return vim.iter(hits):find(function(hit)
      return hit.symbol == 'price_of'
    end)
  end)
  harness.check(vim.iter(asked.lines):any(function(line)
    return line:find('prices.py:', 1, true) ~= nil
  end), vim.inspect(asked))
  harness.check(vim.endswith(vim.api.nvim_buf_get_name(0), '/prices.py'), 'search did not open the hit')
  vim.cmd.buffer(cart)

  vim.cmd('RepoContext map')
  harness.wait('the map', function()
    local map = harness.buffer('repo-context://map')
    return map and harness.text(map):find('def price_of', 1, true) ~= nil
  end)
  vim.cmd('close')
  vim.cmd('RepoContext status')
  harness.wait('the status', function()
    local status = harness.buffer('repo-context://status')
    return status and harness.text(status):find('phase = "ready"', 1, true) ~= nil
  end)
  vim.cmd('close')

  harness.diagnose(cart, 10, 'Argument missing for parameter "currency"', 18)
  vim.cmd('RepoContext build workspace')
  local packs = require('repo_context.pack')
  harness.wait('a pack', function()
    return packs.state.pack ~= nil
  end)
  local first = packs.state.pack
  ask('RepoContext pick', function(items)
    return vim.iter(items):find(function(item)
      return item.path == 'prices.py'
    end)
  end)
  harness.check(asked.prompt:find('tokens', 1, true), asked.prompt)
  harness.check(vim.endswith(vim.api.nvim_buf_get_name(0), '/prices.py'), 'pick did not open the item')

  ask('RepoContext budget', function(budgets)
    return budgets[1]
  end)
  harness.wait('a pack of the other budget', function()
    return packs.state.pack ~= first and packs.state.pack.budget == 2000
  end)
  vim.cmd('RepoContext copy a')
  harness.check(vim.fn.getreg('a') == packs.state.pack.rendered, 'copied something else')

  -- Refresh asks for the problems as they are now.
  vim.diagnostic.reset(nil, cart)
  local said
  vim.notify = function(message)
    said = message
  end
  vim.cmd('RepoContext refresh')
  harness.check(said and said:find('no errors', 1, true), 'refresh says: ' .. tostring(said))

  vim.cmd('RepoContext search qqqq zzzz')
  said = nil
  harness.wait('nothing is found, and that is said', function()
    return said ~= nil and said:find('nothing found', 1, true) ~= nil
  end)
  vim.cmd('RepoContext nonsense')
  harness.check(said:find('no "nonsense"', 1, true), said)
end)
