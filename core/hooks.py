"""The marker with which a plugin offers what it has.

What each hook returns is specified beside its role, in `hisshi.core.kernel.roles`.
"""

import pluggy

PROJECT = "hisshi"

hookimpl = pluggy.HookimplMarker(PROJECT)
