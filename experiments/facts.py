"""What was said of each position, and which of it cannot all be true."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from oracles import Claim

from hisshi.core.kernel.table import DISPROVEN, PROVEN


@dataclass(frozen=True)
class Answer:
    """One verdict of one setting; `plies` is a mate's length, `is_shortest` that no shorter one is said to exist."""

    setting: str
    verdict: int
    plies: int = 0
    is_shortest: bool = False


@dataclass
class Place:
    """One position: what the sets, the oracles and the settings say of it."""

    id: str
    sfen: str
    group: str
    shortest: int = 0  # a mate's length that is established, 0 if none is
    claimed: int = 0  # a mate's length that the set's source claims
    claims: list[Claim] = field(default_factory=list)
    later: "list[Place]" = field(default_factory=list)  # positions some checks and evasions later
    proven: Answer | None = None  # of the shortest mate so far
    exact: Answer | None = None  # one that says "shortest"
    disproven: Answer | None = None
    checked: Answer | None = None  # the shortest of those whose proof the checker accepted


class Facts:
    """All contradictions, each once, in the order in which they were met."""

    def __init__(self) -> None:
        self.contradictions: list[tuple[Place, str]] = []
        self.open: list[tuple[Place, str]] = []  # against a source or another program: to be looked at
        self._told: dict[tuple[str, str], int] = defaultdict(int)

    def _contradict(self, place: Place, kind: str, text: str) -> None:
        self._told[place.sfen, kind] += 1
        if self._told[place.sfen, kind] == 1:  # one is enough: what follows is mostly the same
            self.contradictions.append((place, f"{kind}: {text}"))

    def add(self, place: Place, answer: Answer) -> int:
        """Take one answer in; return how many contradictions it makes."""
        before = len(self.contradictions)
        if answer.verdict == DISPROVEN:
            place.disproven = place.disproven or answer
        elif answer.verdict == PROVEN:
            if answer.plies < 1 or answer.plies % 2 == 0:
                self._contradict(place, "no length of a mate", f"{answer.plies} plies by {answer.setting}")
            if place.proven is None or answer.plies < place.proven.plies:
                place.proven = answer
            if answer.is_shortest:
                if place.exact is not None and place.exact.plies != answer.plies:
                    self._contradict(place, "two shortest lengths", told(place.exact, answer))
                place.exact = place.exact or answer
        if place.proven and place.disproven:
            self._contradict(place, "proven and disproven", told(place.proven, place.disproven))
        if place.proven and place.exact and place.proven.plies < place.exact.plies:
            self._contradict(place, "proven in less than the shortest length", told(place.proven, place.exact))
        if place.shortest and place.disproven:
            self._contradict(place, "disproven, but known to be a mate", told(place.disproven))
        if place.shortest and place.proven and place.proven.plies < place.shortest:
            self._contradict(place, f"shortest is known to be {place.shortest}", told(place.proven))
        if place.shortest and place.exact and place.exact.plies != place.shortest:
            self._contradict(place, f"shortest is known to be {place.shortest}", told(place.exact))
        return len(self.contradictions) - before

    def refuse(self, place: Place, answer: Answer, problems: tuple[str, ...]) -> None:
        """Take in that the checker did not accept a proof."""
        self._contradict(place, "proof not accepted", f"{told(answer)}: {'; '.join(problems[:3])}")

    def compare(self, place: Place) -> None:
        """Compare all answers with the oracles and with what the set's source claims."""
        for claim in place.claims:
            for problem in disagreement(place, claim):
                if claim.who == "brute force":
                    self._contradict(place, "against brute force", problem)
                else:
                    self.open.append((place, problem))
        if place.claimed and place.disproven:
            self.open.append((place, f"its source claims {place.claimed} plies; {told(place.disproven)}"))
        if place.claimed and place.proven and place.proven.plies < place.claimed:
            self.open.append((place, f"its source claims {place.claimed} plies; {told(place.proven)}"))


def disagreement(place: Place, claim: Claim) -> Iterator[str]:
    """Yield what is wrong if `claim` is right."""
    if not claim.is_mate:
        if place.proven and place.proven.plies <= claim.plies:
            checked = place.checked is not None and place.checked.plies <= claim.plies
            if claim.who == "brute force" or not checked:  # an accepted proof settles it: the other program is wrong
                yield f"{claim.who}: no mate within {claim.plies}; {told(place.proven)}"
        return
    if place.disproven:
        yield f"{claim.who}: a mate within {claim.plies}; {told(place.disproven)}"
    if place.exact and place.exact.plies > claim.plies:
        yield f"{claim.who}: a mate within {claim.plies}; {told(place.exact)}"
    if claim.who == "brute force" and place.proven and place.proven.plies < claim.plies:
        yield f"{claim.who}: shortest is {claim.plies}; {told(place.proven)}"


def told(*answers: Answer) -> str:
    return "; ".join(
        f"{'disproven' if answer.verdict == DISPROVEN else f'proven in {answer.plies}'}"
        f"{' (shortest)' if answer.is_shortest else ''} by [{answer.setting}]"
        for answer in answers
    )
