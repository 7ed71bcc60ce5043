"""Files of results with proof trees, read line by line and given to the independent checker."""

import lzma
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hisshi.core.checker import check_line, check_line_of_proof, check_mate_proof
from hisshi.core.hisshi_checker import check_hisshi_proof
from hisshi.core.results import SHORTEST, USELESS_LEFT_OUT
from hisshi.lab import deep_json
from hisshi.lab.problem import located, printable

_SHOWN_FAULTS = 5
_LONGEST_LINE = 1 << 28  # bytes; more is no result of ours, and a path may name something that never ends


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checker says of one line: `is_claim` if the line claims a mate, and then whether it `holds`."""

    text: str
    is_claim: bool = False
    holds: bool = False
    is_unreadable: bool = False


def verify_file(file: str) -> Iterator[Verdict]:
    """Yield a verdict for each line of `file`; an unreadable file is one unreadable verdict.

    It is unpacked if its name ends in ``.xz``.
    """
    name = "standard input" if file == "-" else printable(file)
    found = False
    try:
        with _open(file) as stream:
            for verdict in _verify_lines(stream, name):
                found = True
                yield verdict
    except (OSError, ValueError, EOFError, lzma.LZMAError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        yield Verdict(f"error: {name}: cannot be read: {reason}", is_unreadable=True)
    else:
        if not found:
            yield Verdict(f"error: {name}: empty; expected lines from 'hisshi solve --json'", is_unreadable=True)


def _open(file: str) -> AbstractContextManager[IO[bytes]]:
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    return lzma.open(file) if file.endswith(".xz") else Path(file).open("rb")


def _verify_lines(stream: IO[bytes], name: str) -> Iterator[Verdict]:
    for number, raw in enumerate(iter(lambda: stream.readline(_LONGEST_LINE + 1), b""), start=1):
        if len(raw) > _LONGEST_LINE:
            text = located(name, number, f"longer than {_LONGEST_LINE:,} bytes; the rest of the file is not read")
            yield Verdict(f"error: {text}", is_unreadable=True)
            return
        if not raw.strip():
            continue
        try:
            row = deep_json.loads(raw.decode("utf-8-sig"))
        except RecursionError:
            text = located(name, number, f"nested deeper than {deep_json.DEEPEST} levels; no proof tree is")
            yield Verdict(f"error: {text}", is_unreadable=True)
            continue
        except ValueError as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
            yield Verdict(f"error: {located(name, number, f'not JSON: {error}')}", is_unreadable=True)
            continue
        yield _verify_row(row, name, number)


def _verify_row(row: Any, name: str, number: int) -> Verdict:
    if not isinstance(row, dict) or "verdict" not in row:
        text = located(name, number, "not a result; expected an object as written by 'hisshi solve --json'")
        return Verdict(f"error: {text}", is_unreadable=True)
    place = located(name, number, printable(str(row.get("id"))[:200]))
    if row["verdict"] != "proven":
        return Verdict(f"{place}: nothing to verify, verdict {printable(str(row['verdict'])[:40])}")
    if not row.get("proof"):
        text = "proven, but no proof is stored; solve again with --proof"
        return Verdict(f"{place}: {text}", is_claim=True)
    sfen, plies = row.get("sfen"), row.get("plies")
    if not isinstance(sfen, str) or not (plies is None or type(plies) is int):
        text = located(name, number, "'sfen' must be text and 'plies' a whole number or null")
        return Verdict(f"error: {text}", is_unreadable=True)
    if (rules := _hisshi_rules(row)) is not None:
        return _verify_hisshi(row, place, *rules)
    length_is = str(row.get("length_is"))
    left_out = length_is.endswith(USELESS_LEFT_OUT)
    report = check_mate_proof(sfen, row["proof"], plies=plies, useless_left_out=left_out)
    faults = list(report.problems)
    if report.ok and length_is.removesuffix(USELESS_LEFT_OUT) == SHORTEST and plies != report.plies:
        faults.append(f"the proof mates in {report.plies} plies, {plies} are claimed to be the shortest")
    if row.get("moves"):
        if not left_out:
            faults += [f"in 'moves': {fault}" for fault in check_line(sfen, row["moves"]).problems]
        elif fault := check_line_of_proof(row["moves"], row["proof"]):
            faults.append(f"in 'moves': {fault}")
    if not faults:
        count = USELESS_LEFT_OUT if left_out else ""
        return Verdict(f"{place}: ok, mate in {report.plies} plies{count}, {report.nodes:,} moves replayed", True, True)
    return _wrong(place, faults)


def _wrong(place: str, faults: list[str]) -> Verdict:
    more = [f"and {len(faults) - _SHOWN_FAULTS} more"] if len(faults) > _SHOWN_FAULTS else []
    return Verdict(f"{place}: WRONG: {'; '.join([*faults[:_SHOWN_FAULTS], *more])}", is_claim=True)


def _hisshi_rules(row: dict[str, Any]) -> tuple[str, str] | None:
    """Return the rules of a hisshi's row, which replies and which delays count; None for a row of another goal."""
    try:
        if row["provenance"]["goal"] != "hisshi":
            return None
        search = row["provenance"]["search"]
        return str(search["parts"]["hisshi_rule"]["plugin"]), str(search["options"].get("useless_delays", "off"))
    except (AttributeError, KeyError, TypeError):
        return None


def _verify_hisshi(row: dict[str, Any], place: str, rule: str, delays: str) -> Verdict:
    report = check_hisshi_proof(row["sfen"], row["proof"], rule=rule, useless_delays=delays, plies=row.get("plies"))
    faults = list(report.problems)
    is_shortest = str(row.get("length_is")).startswith(SHORTEST)
    if report.ok and is_shortest and row.get("plies") != report.plies:
        faults.append(f"the proof has {report.plies} plies, {row.get('plies')} are claimed to be the shortest")
    if faults:
        return _wrong(place, faults)
    what = f"hisshi of {report.plies} plies by the rule '{printable(rule[:40])}'" if report.plies else "a mate"
    if report.plies and delays != "off":
        what += f", useless delays left out ('{printable(delays[:40])}')"
    return Verdict(f"{place}: ok, {what}, {report.nodes:,} moves replayed", True, True)
