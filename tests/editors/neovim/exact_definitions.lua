-- A second, real language server (basedpyright) answers where names are defined; this server is never asked.
local harness = dofile(vim.env.HARNESS)

harness.run(function()
  -- A slow machine must not make the other server late.
  vim.opt.runtimepath:prepend(vim.env.PLUGIN)
  vim.lsp.config('repo_context', { init_options = { settings = { resolveDefinition = { deadlineMilliseconds = 5000 } } } })
  local _, client = harness.start('cart.py')
  vim.lsp.config('basedpyright', { cmd = vim.json.decode(vim.env.PYRIGHT), root_markers = { 'pyproject.toml' }, filetypes = { 'python' } })
  vim.lsp.enable('basedpyright')
  vim.cmd('doautocmd FileType')
  harness.wait('basedpyright is attached', function()
    local other = vim.lsp.get_clients({ bufnr = 0, name = 'basedpyright' })[1]
    return other and other.initialized
  end, 60000)
  harness.wait('basedpyright says what is wrong', function()
    return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) > 0
  end, 60000)

  local row = vim.fn.search('price_of(article)', 'nw')
  local column = vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1]:find('price_of', 1, true) - 1
  local params = {
    positions = { { uri = vim.uri_from_bufnr(0), position = { line = row - 1, character = column } } },
    deadlineMs = 20000,
  }
  local handle = vim.lsp.config.repo_context.handlers['context/resolveDefinition']
  local answer
  coroutine.wrap(function()
    answer = handle(nil, params, { client_id = client.id, method = 'context/resolveDefinition' })
  end)()
  harness.wait('the answer', function()
    return answer ~= nil
  end)
  local found = answer.definitions[1]
  harness.check(found.provider == 'basedpyright', vim.inspect(answer))
  harness.check(#found.locations == 1 and vim.endswith(found.locations[1].uri, '/prices.py'), vim.inspect(answer))

  -- Nobody may keep the server waiting beyond the deadline.
  params.deadlineMs = 0
  local late
  coroutine.wrap(function()
    late = handle(nil, params, { client_id = client.id, method = 'context/resolveDefinition' })
  end)()
  harness.wait('an answer at the deadline', function()
    return late ~= nil
  end)
  harness.check(#late.definitions == 1, vim.inspect(late))

  -- Diagnostics of a real server, into a pack.
  vim.cmd('RepoContext build buffer')
  local packs = require('repo_context.pack')
  harness.wait('the pack', function()
    return packs.state.pack ~= nil
  end)
  local definition = vim.iter(packs.state.pack.items):find(function(item)
    return item.symbol == 'price_of'
  end)
  harness.check(definition, 'price_of is not in the pack')
  -- Another source may have found it too and give the item its name: the score's parts tell who did.
  local parts = definition.parts or {}
  harness.check(definition.source == 'lsp:basedpyright' or parts['lsp:basedpyright'], vim.inspect(definition))
end)
