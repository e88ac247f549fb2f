-- For lazy.nvim: put it into `lua/plugins/pathfinder.lua`.
return {
  'pathfinder-dev/pathfinder',
  event = { 'BufReadPre', 'BufNewFile' },
  config = function(plugin)
    vim.opt.rtp:append(plugin.dir .. '/server/editors/neovim')
    vim.lsp.enable('pathfinder')
  end,
}
