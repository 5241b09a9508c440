"""The places of all nodes of a tree, in one pass: a tenth of what libcst's position metadata costs.

The tree is written out as text, which is the text that it was parsed from, and the length written so far is noted
where a node says that its syntax begins and ends.  A body that is left for later is passed over in one step, and gets a
pass of its own when it has been parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst._nodes.internal import CodegenState

if TYPE_CHECKING:
    from .syntax import LaterBlock

Places = dict[cst.CSTNode, tuple[int, int]]


def places(module: cst.Module) -> Places:
    """Start and end of every node of a tree, as offsets into its text, without surrounding white space."""
    state = Recorder(module)
    module._codegen(state)
    return state.found


def places_within(block: LaterBlock, module: cst.Module) -> Places:
    """Start and end of every node inside a body of the module that was left for later and has been parsed."""
    state = Recorder(module, block.place.start)
    state.indent_tokens += [module.default_indent] * block.place.depth
    cst.IndentedBlock._codegen_impl(block, state)
    return state.found


class _Syntax:
    """Notes the extent of what is written inside the block; one object serves all blocks, as they nest."""

    __slots__ = ("_open", "_recorder")

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._open: list[tuple[cst.CSTNode, int, cst.CSTNode | None, cst.CSTNode | None]] = []

    def begin(self, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None) -> None:
        self._open.append((node, self._recorder.offset, start_node, end_node))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        node, start, start_node, end_node = self._open.pop()
        found, end = self._recorder.found, self._recorder.offset
        if start_node is not None:
            start = found[start_node][0]
        if end_node is not None:
            end = found[end_node][1]
        found[node] = (start, end)


class Recorder(CodegenState):
    """Receives the text of a tree token by token and keeps only its length."""

    def __init__(self, module: cst.Module, offset: int = 0) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.found: Places = {}
        self.offset = offset
        self._starts: list[int] = []
        self._syntax = _Syntax(self)

    def add_token(self, value: str) -> None:
        self.offset += len(value)

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.offset += len(token)

    def pass_over(self, block: LaterBlock) -> None:
        """Notes the extent of a body as a whole."""
        self.found[block] = (self.offset, self.offset + block.place.stop - block.place.start)
        self.offset += block.place.end - block.place.start

    def pop_trailing_newline(self) -> None:
        pass

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(self.offset)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self._starts.pop()
        if node not in self.found:
            self.found[node] = (start, self.offset)

    def record_syntactic_position(self, node: cst.CSTNode, **ends: Any) -> Any:
        self._syntax.begin(node, ends.get("start_node"), ends.get("end_node"))
        return self._syntax
