"""What the cache of compiled code promises, shown on a small copy of the package in fresh processes."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COPIED = ("__init__", "cache_facts", "cache_store", "cache_units", "compiling", "flavour")
HEADER = "from hisshi.core.kernel.compiling import compiled\n"
KERNEL_FILES = {
    "sizes": "STEP = 1\n",
    "steps": HEADER
    + "from hisshi.core.kernel.sizes import STEP\n\n@compiled\ndef step(x):\n    return x + STEP\n\n"
    + "@compiled\ndef depth(n):\n    if n == 0:\n        return 0\n    return 1 + depth(n - 1)\n",
}
PLUGIN = HEADER + "from hisshi.core.kernel.steps import step\n\n@compiled\ndef run(x):\n    return 10 * step(x)\n"
SHARED = "import numpy as np\nfrom hisshi.core.kernel.compiling import compile_log, store\n"
REPORT = (
    "\nimport json\nprint(json.dumps({'result': result, 'compiled': sorted(compile_log.names),"
    " 'loaded': compile_log.loaded, 'saved': compile_log.saved,"
    " 'uncached': compile_log.uncached, 'home': str(store().home)}))\n"
)
USE_ALL = (
    "from hisshi.core.kernel.steps import depth\nfrom hisshi.plugins import one, two\n"
    "result = [int(one.run(1)), int(two.run(2)), int(depth(5))]"
)
ONE, TWO = "hisshi.plugins.one.run", "hisshi.plugins.two.run"
STEP, DEPTH = "hisshi.core.kernel.steps.step", "hisshi.core.kernel.steps.depth"


class Tree:
    """A small hisshi on disk, with a cache of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.cache, self.temporary = root, root / "cache", root / "temporary"
        spec = importlib.util.find_spec("hisshi.core.kernel")
        assert spec is not None and spec.origin is not None
        original = Path(spec.origin).parent
        self.kernel, self.plugins = root / "lib/hisshi/core/kernel", root / "lib/hisshi/plugins"
        for folder in (self.kernel, self.plugins, self.temporary):
            folder.mkdir(parents=True)
        (self.kernel.parent / "__init__.py").touch()
        (self.plugins / "__init__.py").touch()
        for name in COPIED:
            shutil.copy(original / f"{name}.py", self.kernel)
        for name, text in KERNEL_FILES.items():
            (self.kernel / f"{name}.py").write_text(text)
        for name in ("one", "two"):
            (self.plugins / f"{name}.py").write_text(PLUGIN)

    def start(self, code: str, **environment: str) -> subprocess.Popen[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "COV_"))}
        kept |= {"HISSHI_CACHE_DIR": str(self.cache), "TMPDIR": str(self.temporary), "TEMP": str(self.temporary)}
        kept |= {"PYTHONPATH": str(self.root / "lib"), "PYTHONDONTWRITEBYTECODE": "1"}
        program = SHARED + code + REPORT
        command, pipe = [sys.executable, "-c", program], subprocess.PIPE
        return subprocess.Popen(command, env=kept | environment, cwd=self.root, stdout=pipe, stderr=pipe, text=True)

    def run(self, code: str = USE_ALL, **environment: str) -> dict[str, Any]:
        return finish(self.start(code, **environment))

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.root / "lib" / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def saved_files(self) -> list[Path]:
        return sorted(self.cache.rglob("*.nbc"))


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return json.loads(out.splitlines()[-1]) | {"errors": errors}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_a_second_process_compiles_nothing_and_self_recursion_is_loaded_too(tree: Tree) -> None:
    first, second = tree.run(), tree.run()
    assert first["result"] == second["result"] == [20, 30, 5]
    assert first["compiled"] == [DEPTH, STEP, ONE, TWO] and first["saved"] == 4
    assert second["compiled"] == [] and second["loaded"] == 3 and second["errors"] == ""  # step is inside its callers


def test_an_edit_in_core_is_seen_at_once_and_reverting_it_finds_the_old_code(tree: Tree) -> None:
    tree.run()
    tree.edit("hisshi/core/kernel/sizes.py", "STEP = 1", "STEP = 5")  # a file without compiled functions
    edited = tree.run()
    assert edited["result"] == [60, 70, 5] and edited["compiled"] == [DEPTH, STEP, ONE, TWO]
    tree.edit("hisshi/core/kernel/sizes.py", "STEP = 5", "STEP = 1")
    assert (reverted := tree.run())["result"] == [20, 30, 5] and reverted["compiled"] == []


def test_an_edit_in_a_plugin_recompiles_that_plugin_alone(tree: Tree) -> None:
    tree.run()
    tree.edit("hisshi/plugins/two.py", "10 *", "100 *")
    edited = tree.run()
    assert edited["result"] == [20, 300, 5] and edited["compiled"] == [TWO]


def test_an_edit_anywhere_in_a_third_party_package_recompiles_that_package(tree: Tree) -> None:
    package = tree.root / "lib/other/inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    (package.parent / "factors.py").write_text("FACTOR = 7\n")
    (package / "kernels.py").write_text(
        HEADER + "from other.factors import FACTOR\n@compiled\ndef times(x):\n    return FACTOR * x\n"
    )
    code = (
        "from other.inner.kernels import times\nfrom hisshi.plugins import one\n"
        "result = [int(times(2)), int(one.run(1))]"
    )
    tree.run(code)
    assert tree.run(code)["compiled"] == []
    tree.edit("other/factors.py", "7", "8")
    edited = tree.run(code)
    assert edited["result"] == [16, 20] and edited["compiled"] == ["other.inner.kernels.times"]


def test_bounds_checking_ignores_a_warm_cache_and_does_not_poison_it(tree: Tree) -> None:
    (tree.plugins / "reader.py").write_text(HEADER + "@compiled\ndef read(a, i):\n    return a[i]\n")
    code = (
        "from hisshi.plugins.reader import read\na = np.arange(8)[:3]\n"
        "try:\n    result = int(read(a, 5))\nexcept IndexError:\n    result = 'IndexError'"
    )
    assert tree.run(code)["result"] == 5
    assert tree.run(code, NUMBA_BOUNDSCHECK="1")["result"] == "IndexError"
    again = tree.run(code)
    assert again["result"] == 5 and again["compiled"] == []
    in_process = tree.run(
        "from numba import config\nconfig.BOUNDSCHECK = 1\n" + code
    )  # set too late for the folder's name
    assert in_process["result"] == "IndexError" and in_process["saved"] == 0
    assert tree.run(code, NUMBA_BOUNDSCHECK="1")["compiled"] == []


def test_damaged_files_are_compiled_again_and_rewritten(tree: Tree) -> None:
    tree.run()
    files = tree.saved_files()
    assert len(files) == 4
    for number, file in enumerate(files):
        content = file.read_bytes()
        file.write_bytes([content[:100], b"", content[:-1], content[:200] + b"?" + content[201:]][number])
    damaged = tree.run()
    assert damaged["result"] == [20, 30, 5] and len(damaged["compiled"]) == 4
    assert tree.run()["compiled"] == []


def test_processes_compiling_at_once_never_mix_up_signatures(tree: Tree) -> None:
    code = USE_ALL + "\nresult += [float(one.run(VALUE))]"
    values = {"1.5": 25.0, "np.float32(0.5)": 15.0, "np.int8(3)": 40.0, "np.uint16(4)": 50.0}
    started = [(value, tree.start(code.replace("VALUE", value))) for value in (*values, "1.5")]  # one of them twice
    for value, process in started:
        assert finish(process)["result"] == [20, 30, 5, values[value]]
    together = "from hisshi.plugins import one\nresult = [float(one.run(x)) for x in (" + ", ".join(values) + ")]"
    after = tree.run(together)
    assert after["result"] == list(values.values()) and after["compiled"] == [] and not list(tree.cache.rglob("*.tmp"))


def test_a_process_killed_while_saving_does_no_harm(tree: Tree) -> None:
    die = "import os\nfrom hisshi.core.kernel import cache_store\ncache_store.os.replace = lambda *_: os._exit(9)\n"
    tree.run("store()\nresult = 0")  # makes the folder
    process = tree.start(die + USE_ALL)
    process.communicate(timeout=60)
    assert process.returncode == 9 and list(tree.cache.rglob("*.tmp"))
    assert tree.run()["result"] == [20, 30, 5]
    assert tree.run()["compiled"] == []


def test_an_unwritable_cache_folder_falls_back_to_a_private_temporary_one(tree: Tree) -> None:
    (tree.root / "file").touch()
    nowhere = str(tree.root / "file" / "below")
    first = tree.run(HISSHI_CACHE_DIR=nowhere)
    second = tree.run(HISSHI_CACHE_DIR=nowhere)
    assert first["result"] == second["result"] == [20, 30, 5] and second["compiled"] == []
    assert first["home"].startswith(str(tree.temporary)) and first["errors"].count("cannot be saved") == 1
    private = Path(first["home"]).parent
    shutil.rmtree(private)
    private.touch()  # now that one cannot be used either
    assert tree.run(HISSHI_CACHE_DIR=nowhere)["result"] == [20, 30, 5]


def test_a_full_disk_loses_caching_and_warns_once(tree: Tree) -> None:
    full = (
        "import errno\nfrom hisshi.core.kernel import cache_store\ndef fail(path, body):\n"
        "    raise OSError(errno.ENOSPC, 'No space left on device')\ncache_store.write_checked = fail\n"
    )
    answer = tree.run(full + USE_ALL)
    assert answer["result"] == [20, 30, 5] and answer["saved"] == 0 and answer["errors"].count("No space left") == 1


@pytest.mark.skipif(os.name != "posix", reason="owners and modes are a POSIX matter")
def test_code_that_another_user_could_have_written_is_refused(tree: Tree) -> None:
    tree.run()
    for file in tree.saved_files():
        file.chmod(0o666)
    assert len(tree.run()["compiled"]) == 4  # and rewritten, private again
    assert tree.run()["compiled"] == []
    (version,) = (path for path in tree.cache.iterdir() if path.is_dir())
    version.chmod(0o777)
    refused = tree.run()
    assert len(refused["compiled"]) == 4 and "refused" in refused["errors"]
    if os.geteuid() == 0:
        version.chmod(0o700)
        os.chown(version, 12345, 12345)
        shutil.rmtree(next(tree.temporary.glob("hisshi-cache-*")))
        owned = tree.run()
        assert owned["home"].startswith(str(tree.temporary)) and "refused" in owned["errors"]


def test_functions_of_core_outside_the_kernel_are_refused(tree: Tree) -> None:
    (tree.kernel.parent / "extra.py").write_text(HEADER + "@compiled\ndef f(x):\n    return x\n")
    code = "try:\n    import hisshi.core.extra\nexcept TypeError as error:\n    result = str(error)"
    for environment in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        assert tree.run(code, **environment)["result"].startswith(
            "hisshi.core.extra.f: compiled functions of core belong"
        )


def test_main_executed_code_and_closures_are_compiled_without_cache(tree: Tree) -> None:
    (tree.plugins / "made.py").write_text(
        HEADER + "def make(n):\n    @compiled\n    def f(x):\n        return x + n\n    return f\n"
    )
    code = (
        "from hisshi.core.kernel.compiling import compiled\nfrom hisshi.plugins.made import make\n"
        "@compiled\ndef typed(x):\n    return x + 1\n"
        "space = {'compiled': compiled, '__name__': 'executed'}\n"
        "exec('@compiled\\ndef f(x):\\n    return x + 2', space)\n"
        "result = [int(f(0)) for f in (typed, space['f'], make(3), make(4))]"
    )
    for _ in range(2):
        answer = tree.run(code)
        assert answer["result"] == [1, 2, 3, 4] and answer["uncached"] == 4 and tree.saved_files() == []


def test_equal_names_from_different_processes_keep_their_own_code(tree: Tree) -> None:
    """numba numbers functions per process; the address of one plugin's kernel must not become that of another's."""
    load = (
        "import importlib.util, sys\nfrom numba import int64\n"
        "from numba.experimental.function_type import _get_jit_address\nmodules, result = [], []\n"
        "for path in PATHS:\n    spec = importlib.util.spec_from_file_location('mine', path)\n"
        "    module = sys.modules['mine'] = importlib.util.module_from_spec(spec)\n"
        "    spec.loader.exec_module(module)\n"
        "    modules.append(module)\n    result.append(int(module.f(1)))\n"
        "assert len({_get_jit_address(m.f, int64(int64)) for m in modules}) == len(modules)"
    )
    paths = []
    for number in (1, 2):
        path = tree.root / f"{number}" / "mine.py"
        path.parent.mkdir()
        path.write_text(HEADER + f"@compiled\ndef f(x):\n    return x * {number}\n")
        paths.append(str(path))
        tree.run(load.replace("PATHS", repr([str(path)])))
    both = tree.run(load.replace("PATHS", repr(paths)))
    assert both["result"] == [1, 2] and both["compiled"] == []


def test_constants_are_part_of_the_key_wherever_they_come_from(tree: Tree) -> None:
    (tree.kernel.parent / "settings.py").write_text("LIMIT = 3\nTABLE = (1, 2)\n")  # in no unit
    (tree.plugins / "limited.py").write_text(
        HEADER + "from hisshi.core import settings\nfrom hisshi.core.settings import LIMIT\n"
        "@compiled\ndef inner(x):\n    return x * LIMIT + settings.TABLE[1]\n"
        "@compiled\ndef f(x):\n    return inner(x)\n"
    )
    code = "from hisshi.plugins import limited\nresult = int(limited.f(10))"
    assert tree.run(code)["result"] == 32 and tree.run(code)["compiled"] == []
    tree.edit("hisshi/core/settings.py", "LIMIT = 3", "LIMIT = 4")
    assert tree.run(code)["result"] == 42
    tree.edit("hisshi/core/settings.py", "(1, 2)", "(1, 5)")
    assert tree.run(code)["result"] == 45
    patched = code.replace("result", "limited.LIMIT = 7\nresult")
    assert tree.run(patched)["result"] == 75
    assert (again := tree.run(code))["result"] == 45 and again["compiled"] == []


def test_functions_that_call_each_other_are_compiled_in_each_process(tree: Tree) -> None:
    """numba would load them, and crash: each refers to the other's symbol."""
    (tree.plugins / "mutual.py").write_text(
        HEADER + "@compiled\ndef even(n):\n    if n == 0:\n        return True\n    return odd(n - 1)\n"
        "@compiled\ndef odd(n):\n    if n == 0:\n        return False\n    return even(n - 1)\n"
        "@compiled\ndef caller(n):\n    return even(n)\n"
    )
    for _ in range(2):
        answer = tree.run("from hisshi.plugins.mutual import caller\nresult = bool(caller(10))")
        assert answer["result"] is True and answer["uncached"] == 3 and answer["errors"].count("call each other") == 1


def test_a_caller_that_passes_a_literal_to_a_recursive_function_is_compiled_in_each_process(tree: Tree) -> None:
    """numba compiles for the literal, calls the other signature through a symbol of this process, and would crash."""
    (tree.plugins / "literal.py").write_text(
        HEADER
        + "@compiled\ndef down(n, depth):\n    if n == 0:\n        return depth\n    return down(n - 1, depth + 1)\n"
        "@compiled\ndef caller(n):\n    return down(n, 0)\n"
        "@compiled\ndef outer(n):\n    return caller(n) + 1\n"
    )
    for number in range(3):
        answer = tree.run("from hisshi.plugins.literal import outer\nresult = int(outer(10))")
        assert answer["result"] == 11, number
    (tree.plugins / "typed.py").write_text(
        HEADER + "import numpy as np\n@compiled\ndef down(n, depth):\n    if n == 0:\n        return depth\n"
        "    return down(n - 1, depth + 1)\n@compiled\ndef caller(n):\n    return down(n, np.int64(0))\n"
    )
    code = "from hisshi.plugins.typed import caller\nresult = int(caller(10))"
    assert tree.run(code)["result"] == 10
    again = tree.run(code)  # with the type that it calls itself with, it is loaded
    assert again["result"] == 10 and again["compiled"] == []


def test_reloading_an_edited_plugin_runs_and_saves_the_new_code_and_spares_the_old(tree: Tree) -> None:
    code = (
        "import importlib, pathlib\nfrom hisshi.plugins import one, two\nold, result = one.run, [int(one.run(1))]\n"
        "file = pathlib.Path(one.__file__)\nfile.write_text(file.read_text().replace('10 *', '1000 *'))\n"
        "importlib.reload(one)\nresult += [int(one.run(1)), float(old(1.0)), int(two.run(1))]"
    )
    before = (tree.plugins / "one.py").read_text()
    assert tree.run(code)["result"] == [20, 2000, 20.0, 20]
    after = tree.run()
    assert after["result"] == [2000, 30, 5] and ONE not in after["compiled"]
    (tree.plugins / "one.py").write_text(before)
    late = tree.run(
        USE_ALL + "\nresult += [float(one.run(1.0))]"
    )  # the old function, compiled after the edit: not kept
    assert late["result"] == [20, 30, 5, 20.0] and late["compiled"].count(ONE) == 1


def test_an_edit_in_core_while_a_process_runs_is_not_saved_under_the_old_hash(tree: Tree) -> None:
    code = (
        "import pathlib\nimport hisshi.core.kernel.compiling as c\n"
        "file = pathlib.Path(c.__file__).with_name('sizes.py')\n"
        "from hisshi.plugins import one\nfile.write_text('STEP = 9\\n')\n" + USE_ALL
    )
    answer = tree.run(code)
    assert answer["result"] == [20, 30, 5] and answer["saved"] == 0
    assert tree.run()["result"] == [100, 110, 5]
    early = (
        "import pathlib\nimport hisshi.core.kernel.cache_units as c\n"
        "file = pathlib.Path(c.__file__).with_name('sizes.py')\n"
    )
    answer = tree.run(early + "file.write_text('STEP = 4\\n')\n" + USE_ALL)  # before anything was hashed
    assert answer["result"] == [50, 60, 5] and answer["saved"] == 0


def test_numbas_own_caches_and_uncompiled_mode_are_left_alone(tree: Tree) -> None:
    (tree.root / "lib/theirs.py").write_text("from numba import njit\n@njit(cache=True)\ndef f(x):\n    return x\n")
    answer = tree.run("import theirs, pathlib\nresult = pathlib.Path(theirs.f.stats.cache_path).name, int(theirs.f(1))")
    assert answer["result"] == ["__pycache__", 1] and answer["compiled"] == [] and tree.saved_files() == []
    plain = "from hisshi.plugins.one import run\nresult = [type(run).__name__, run(1)]"
    assert tree.run(plain, NUMBA_DISABLE_JIT="1")["result"] == ["function", 20]


@pytest.mark.timing
def test_decorating_a_function_takes_less_than_a_millisecond(tree: Tree) -> None:
    functions = "\n".join(f"@compiled\ndef f{n}(x):\n    return x + {n}\n" for n in range(200))
    (tree.plugins / "many.py").write_text(HEADER + functions)
    code = "import time\nbegun = time.perf_counter()\nimport hisshi.plugins.many\nresult = time.perf_counter() - begun"
    assert tree.run(code)["result"] < 0.2
