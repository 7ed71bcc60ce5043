"""How pytest-xdist shares the checks out: those of one group to one process, see `group_of`.

That is what ``--dist loadgroup`` does with the marker `xdist_group`, but not since pytest 9.2, where node ids cannot be
changed any more and xdist 3.8 drops the group in silence (pytest-xdist, issue 1386). The subject is in the id anyway.
"""

from xdist.scheduler import LoadGroupScheduling

from hisshi.conformance.plugin import group_of


class SubjectScheduling(LoadGroupScheduling):  # type: ignore[misc]  # xdist may be missing where types are checked
    """Groups by the marker where xdist knows it, else by what stands in brackets: the subject's name."""

    def _split_scope(self, nodeid: str) -> str:
        scope = str(super()._split_scope(nodeid))
        subject = nodeid.partition("[")[2].removesuffix("]")
        return group_of(subject) if subject and scope == nodeid else scope
