-- `vim.lsp.enable("repo_context")` with the folder on the runtimepath is all there is to it; the light bulb shows a pack.
local harness = dofile(vim.env.HARNESS)

harness.run(function()
  vim.env.PATH = vim.env.SERVER_FOLDER .. ':' .. vim.env.PATH
  vim.opt.runtimepath:append(vim.env.PLUGIN)
  vim.cmd('filetype on')
  vim.lsp.enable('repo_context')
  vim.cmd.edit(vim.env.WORKSPACE .. '/cart.py')
  local cart = vim.api.nvim_get_current_buf()
  local client
  harness.wait('the server is attached', function()
    client = vim.lsp.get_clients({ bufnr = cart, name = 'repo_context' })[1]
    return client and client.initialized
  end)
  -- Before that the pack says what is known so far.
  harness.wait('the index is ready', function()
    local answer = client:request_sync('context/status', vim.empty_dict(), 1000)
    return answer and answer.result and answer.result.phase == 'ready'
  end)

  -- Neovim hands a server its own diagnostics alone: those of others are given by hand.
  vim.api.nvim_win_set_cursor(0, { 10, 20 })
  local range = { start = { line = 9, character = 18 }, ['end'] = { line = 9, character = 26 } }
  vim.lsp.buf.code_action({
    context = { diagnostics = { { range = range, message = 'Argument missing for parameter "currency"', severity = 1 } } },
    filter = function(action)
      return vim.startswith(action.title, 'Build context for: ')
    end,
    apply = true,
  })
  harness.wait('the pack is shown', function()
    local pack = harness.buffer('repo-context://pack')
    return pack and harness.text(pack):find('def price_of', 1, true) ~= nil
  end)
end)
