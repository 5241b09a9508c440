"""A real editor: headless Neovim, set up as the documentation says, shows a finding, applies its fix, and saves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from editor_setups import run, setup_of
from pitfall_file import PITFALL

SCRIPT = """
vim.cmd('edit model.py')
local buffer = vim.api.nvim_get_current_buf()
local function found() return vim.diagnostic.get(buffer) end
local function act(title)
  vim.wait(60000, function() return #found() > 0 end, 20)
  local first = found()[1]
  io.stdout:write(string.format('%d:%d %s\\n', first.lnum + 1, first.col + 1, first.message))
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', params, 60000)) do
    for _, action in ipairs(answer.result) do
      if action.title:find(title, 1, true) then
        vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
        break
      end
    end
  end
  vim.wait(60000, function() return #found() == 0 end, 20)
  io.stdout:write(#found() .. ' left\\n')
  vim.cmd('write')
end
act('jnp.where')
mended = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
vim.cmd('undo')
act('disable for this line')
vim.fn.writefile(mended, 'mended.py')
vim.cmd('qall!')
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_a_finding_and_mends_or_disables_it(folder: Path) -> None:
    (folder / "model.py").write_text(PITFALL)
    (folder / "setup.lua").write_text(setup_of("Neovim", "lua"))
    (folder / "script.lua").write_text(SCRIPT)

    said = run(
        ["nvim", "--headless", "--clean", "-c", "luafile setup.lua", "-c", "luafile script.lua"], folder
    )

    assert said.count("6:8 if on a traced value") == 2, said
    assert said.count("0 left") == 2, said
    assert "jnp.where(x > threshold" in (folder / "mended.py").read_text()
    assert "threshold:  # noqa: TRC101\n" in (folder / "model.py").read_text()
