"""A real editor: Emacs with Eglot, set up as the documentation says, shows a finding, applies its fix, and saves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from editor_setups import run, setup_of
from pitfall_file import PITFALL

SCRIPT = """
(require 'cl-lib)
(setq eglot-sync-connect 60 eglot-confirm-server-initiated-edits nil make-backup-files nil)
(find-file "model.py")
(apply #'eglot (eglot--guess-contact))
(defun await (condition)
  (with-timeout (60 (message "in vain"))
    (while (not (funcall condition)) (accept-process-output nil 0.05) (sit-for 0.02))))
(await #'flymake-diagnostics)
(let ((found (car (flymake-diagnostics))))
  (message "%d: %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))
  (goto-char (flymake-diagnostic-beg found))
  (message "hover: %s" (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
  (setq last-nonmenu-event t)  ; asks on the screen otherwise, of which there is none
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ choices &rest _)
               (cl-find-if (lambda (title) (string-match-p "jnp.where" title)) (mapcar #'car choices)))))
    (eglot-code-actions (point) (point) nil t)))
(save-buffer)
(await (lambda () (null (flymake-diagnostics))))
(message "%d left" (length (flymake-diagnostics)))
(kill-emacs 0)
"""


def has_eglot() -> bool:
    command = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    if shutil.which("emacs") is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_eglot(), reason="Emacs with Eglot is not installed")
def test_emacs_shows_a_finding_and_mends_it(folder: Path) -> None:
    (folder / "model.py").write_text(PITFALL)
    (folder / "script.el").write_text(
        f"(package-initialize)\n(require 'eglot)\n{setup_of('Emacs', 'elisp')}\n{SCRIPT}"
    )

    said = run(["emacs", "--batch", "-l", "script.el"], folder)

    assert "6: Tracetrap [TRC101]: if on a traced value" in said, said
    assert "**traced**" in said
    assert "0 left" in said
    assert "jnp.where(x > threshold" in (folder / "model.py").read_text()
