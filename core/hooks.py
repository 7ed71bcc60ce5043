"""The marker with which a plugin offers what it has; the specifications are with the roles, in `hisshi.core.kernel.roles`."""

import pluggy

PROJECT = "hisshi"

hookimpl = pluggy.HookimplMarker(PROJECT)
