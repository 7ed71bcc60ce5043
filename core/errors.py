"""Errors that reach a user: each says what, where, what it got, what it wanted, and the next step."""


class HisshiError(Exception):
    """A mistake in what hisshi was given; the command line prints its text without a traceback."""


class InvalidPositionError(HisshiError):
    """A text is not a position, or the position breaks a rule."""


class IllegalMoveError(HisshiError):
    """A move is not legal in the position it was given for."""


class ProblemFileError(HisshiError):
    """A problem file, or one line of it, cannot be read."""


class RegistryError(HisshiError):
    """registry.toml or a user's registry names something that does not exist, or a value out of range."""


class PluginError(HisshiError):
    """A plugin cannot be loaded, or a kernel of it breaks its contract."""


class WrongGoalError(HisshiError):
    """A run looks for something else than what it was asked for: a mate, a hisshi, a move to play."""


class RunInUseError(HisshiError):
    """A composed run was asked for a second search while it searches: its tables and counters are for one at a time."""


class SearchFailedError(HisshiError):
    """An exception was raised inside a kernel while a search ran; there is no verdict."""


class Interrupted(KeyboardInterrupt):
    """The user stopped a search; `result` says how far it was."""

    def __init__(self, result: object) -> None:
        super().__init__("stopped")
        self.result = result
