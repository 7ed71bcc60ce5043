"""A solution tree as text: a line runs on while there is one reply, each of several begins a line of its own."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from hisshi.core.proof_form import follow_reference, numbered_nodes
from hisshi.lab import deep_json
from hisshi.lab.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

MOST_LINES = 200
CUT = "…"  # behind a move whose replies are not, or not all, in the tree


def print_tree(outcome: Outcome, console: "Console") -> None:
    """Print the solution tree, if there is one, and what its report says."""
    if outcome.tree_json is None or outcome.tree_report is None:
        return
    for line in tree_lines(outcome.tree_json):
        console.print(line, soft_wrap=True)
    first, second = outcome.tree_report["seconds"]
    said = f"shorter variations taken out: {outcome.tree_report['removed']}; {first:.2f} s and {second:.2f} s"
    console.print(f"{said}{'' if outcome.tree_report['complete'] else '; the tree is not complete'}", soft_wrap=True)


def tree_lines(tree_json: str, most: int = MOST_LINES) -> list[str]:
    """Return the tree, at most `most` lines of it and a last one that says so; each ply has its number once a line."""
    lines = deep_json.run_deep(lambda: list(islice(_lines(deep_json.loads(tree_json)), most + 1)))
    return lines if len(lines) <= most else [*lines[:most], f"{CUT} more lines; --json FILE has all of it"]


def _lines(tree: dict[str, Any]) -> Iterator[str]:
    numbered = numbered_nodes(tree)
    waiting: list[tuple[str, int, int, Any]] = [("", 0, 1, tree)]  # reply, indent, number of the next ply, node
    while waiting:
        reply, indent, ply, node = waiting.pop()
        moves = [f"{ply}.", *([reply] if reply else [])]
        ply += bool(reply)
        while True:
            node = cast("dict[str, Any]", follow_reference(node, numbered))
            replies = list(node["replies"].items())
            moves.append(node["move"])
            ply += 1
            if node.get("cut"):
                moves.append(CUT)
            if len(replies) != 1:
                break
            reply, node = replies[0]
            moves.append(reply)
            ply += 1
        yield "  " * indent + " ".join(moves)
        waiting += reversed([(reply, indent + 1, ply, child) for reply, child in replies])
