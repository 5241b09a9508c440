"""A real editor: headless Neovim opens a file, shows the diagnostics, disables the finding, and saves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pitfall_file import PITFALL

SCRIPT = """
vim.cmd('edit model.py')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'tracetrap', cmd = { PYTHON, '-m', 'tracetrap.linter', 'server' },
                                      root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, client)
vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
local found = vim.diagnostic.get(buffer)[1]
io.stdout:write(string.format('%d:%d %s\\n', found.lnum + 1, found.col + 1, found.message))
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', params, 60000)
for _, action in ipairs(answers[client].result) do
  if action.title:find('disable for this line') then vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
end
vim.wait(60000, function() return #vim.diagnostic.get(buffer) == 0 end, 20)
io.stdout:write(#vim.diagnostic.get(buffer) .. ' left\\n')
vim.cmd('write')
vim.cmd('qall!')
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_a_finding_and_disables_it(folder: Path) -> None:
    (folder / "model.py").write_text(PITFALL)
    (folder / "script.lua").write_text(SCRIPT.replace("PYTHON", repr(sys.executable)))

    ran = subprocess.run(
        ["nvim", "--headless", "--clean", "-c", "luafile script.lua"],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )

    assert "6:8 if on a traced value" in ran.stdout, ran.stderr
    assert "0 left" in ran.stdout
    assert "threshold:  # noqa: TRC101\n" in (folder / "model.py").read_text()
