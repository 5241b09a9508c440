"""`tracetrap view`: one HTML page, with nothing outside it, that shows what is static and what is traced.

    files = gather([Path("model.py")], SettingsFinder())
    html = page(files, "model.py")

The source is a tree of nested `span` elements, each with the binding time of its expression and the number of its
value; values and steps of provenance stand once each, in one JSON table at the end of the page.
"""

from __future__ import annotations

from .contents import ViewedFile
from .gather import gather
from .page import page

__all__ = ["ViewedFile", "gather", "page"]
