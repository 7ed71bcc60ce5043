"""Wrong plugin files: each mistake is named with the plugin, the hook, what was got and what is wanted."""

import textwrap

import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import PluginError, SearchFailedError
from hisshi.core.kernel.compiling import compile_log

MATE_IN_THREE = "6k2/9/9/7+R1/9/9/9/9/9 b G 1"
HEAD = "from hisshi.core import Option, compiled, hookimpl, implements\n"
HOOK = "\n@hookimpl\ndef hisshi_king_freedom():\n    return mine\n"
DECLARED = '@implements("king_freedom")\ndef mine(context, position, colour):\n'


@pytest.fixture
def compose(tmp_path):
    """Compose a run whose king freedom is a plugin file with this text."""

    def composed(text, name="my_plugin.py", more=""):
        (tmp_path / name).write_text(textwrap.dedent(text))
        (tmp_path / "mine.toml").write_text(f"[run.x]\nextends = 'mate'\nking_freedom = {{ path = '{name}'{more} }}\n")
        return Registry.load(tmp_path / "mine.toml").compose("x")

    return composed


@pytest.fixture
def refused(compose):
    """Return the text of the error that composing, or else compiling, such a run ends with."""

    def text_of(text, **more):
        with pytest.raises(PluginError) as caught:
            compose(text, **more).warm()
        return str(caught.value)

    return text_of


# What is seen without compiling.


def test_arguments_are_counted(refused):
    error = refused(HEAD + '@implements("king_freedom")\ndef mine(context, position):\n    return 3\n' + HOOK)
    assert error == (
        "plugin 'my_plugin', hook hisshi_king_freedom: kernel 'mine' takes (context, position), "
        "the contract wants (context, position, colour)"
    )


def test_a_misspelled_hook_is_an_error_with_the_nearest_name(refused):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("freedom()", "fredom()"))
    assert "unknown hook 'hisshi_king_fredom'; there are: hisshi_attack_candidates" in error
    assert error.endswith("(did you mean 'hisshi_king_freedom'?)") and "my_plugin" in error


def test_a_hook_that_asks_for_arguments_is_an_error(refused):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("freedom()", "freedom(config)"))
    assert error.startswith("plugin 'my_plugin'") and "config" in error and "hisshi_king_freedom" in error


@pytest.mark.parametrize("returned", ["None", "3", "'mine'", "lambda *a: 3", "Option", "[3]"])
def test_a_hook_must_return_a_kernel(refused, returned):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("return mine", f"return {returned}"))
    assert error.startswith("plugin 'my_plugin', hook hisshi_king_freedom: returns ")
    assert 'wants a kernel; decorate the function with @implements("king_freedom")' in error


def test_a_hook_that_returns_no_kernel_at_all_offers_nothing(refused):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("return mine", "return []"))
    assert error.endswith("my_plugin.py offers no 'king_freedom' plugin; it offers: none")


def test_a_hook_without_its_marker_is_pointed_out(refused):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("@hookimpl", ""))
    assert "hisshi_king_freedom is not marked; write @hookimpl above it" in error


def test_a_kernel_may_be_called_like_a_hook(compose):
    text = HEAD + DECLARED + "    return 3\n" + HOOK
    run = compose(text.replace("mine", "hisshi_mine"))
    assert "hisshi-mine" in {instance.plugin.name for instance in run.instances}


def test_a_hook_that_raises_is_named_with_its_line(refused):
    error = refused(HEAD + DECLARED + "    return 3\n" + HOOK.replace("return mine", "return 1 // 0"))
    assert error.startswith("plugin 'my_plugin', hook hisshi_king_freedom: raised ZeroDivisionError: ")
    assert error.endswith("(my_plugin.py, line 8)")


def test_a_kernel_of_another_role_is_refused(refused):
    error = refused(HEAD + DECLARED.replace("king_freedom", "stop") + "    return 3\n" + HOOK)
    assert "kernel 'mine' is declared with role 'stop', the hook wants 'king_freedom'" in error


def test_a_part_of_an_unknown_role_is_refused_with_the_nearest_name(refused):
    error = refused(HEAD + DECLARED.replace('")', '", parts=["check"])') + "    return 3\n" + HOOK)
    assert "part 'check' of kernel 'mine' has the unknown role 'check' (did you mean 'checks'?)" in error


def test_a_part_named_after_a_role_has_that_role(refused):
    error = refused(HEAD + DECLARED.replace('")', '", parts={"checks": "evasions"})') + "    return 3\n" + HOOK)
    assert "part 'checks' of kernel 'mine' is named after a role, but its role is 'evasions'" in error


def test_a_part_shared_under_one_name_has_one_role(tmp_path):
    (tmp_path / "odd.py").write_text(
        HEAD + "@implements('king_freedom', parts={'inner': 'checks'})\n"
        "def mine(context, position, colour):\n    return 0\n"
        "@implements('move_order', parts={'inner': 'evasions', 'king_freedom': 'king_freedom'})\n"
        "def order(context, position, moves, keys, start, end):\n    return 0\n"
        + HOOK + "@hookimpl\ndef hisshi_move_order():\n    return order\n"
    )  # fmt: skip
    (tmp_path / "mine.toml").write_text(
        "[run.x]\nextends = 'mate'\nking_freedom = { path = 'odd.py' }\nmove_order = { path = 'odd.py' }\ninner = 'all'"
    )
    with pytest.raises(
        PluginError.__base__, match="needs a part 'inner' of role 'checks', where the run's 'inner' is a"
    ):
        Registry.load(tmp_path / "mine.toml").compose("x")


def test_what_goes_wrong_at_import_is_given_with_its_line(refused):
    for text, says in [
        ("x = 1\ny = x.z\n", "AttributeError: 'int' object has no attribute 'z' (my_plugin.py, line 2)"),
        ("x = 1\ndef f(:\n", "SyntaxError: "),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module' (my_plugin.py, line 1)"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3 (my_plugin.py, line 2)"),
    ]:  # fmt: skip
        error = refused(text)
        assert "plugin file my_plugin.py cannot be imported: " in error and says in error
    assert "line 2" in refused("x = 1\ndef f(:\n")


def test_a_plugin_without_any_hook_offers_nothing(refused):
    assert refused("x = 1\n").endswith("my_plugin.py offers no 'king_freedom' plugin; it offers: none")


TWO = (
    HEAD
    + "".join(
        f'@implements("king_freedom")\ndef {name}(context, position, colour):\n    return {value}\n'
        for name, value in (("one", 1), ("two", 2))
    )
    + "@hookimpl\ndef hisshi_king_freedom():\n    return [one, two]\n"
)


def test_of_two_plugins_in_a_file_the_registry_says_which(refused, compose):
    assert "offers several 'king_freedom' plugins (one, two); add use = \"NAME\"" in refused(TWO)
    run = compose(TWO, more=", use = 'two'")
    assert run.root.parts["move_order"].parts["king_freedom"].plugin.name == "two"
    error = refused(TWO, more=", use = 'three'")
    assert error.endswith("my_plugin.py offers no 'king_freedom' plugin named 'three'; it offers: one, two")


def test_two_plugins_of_a_role_may_not_share_a_name(refused):
    error = refused(TWO.replace('@implements("king_freedom")', '@implements("king_freedom", name="same")'))
    assert error.startswith("two 'king_freedom' plugins are named 'same': ")
    assert error.count("my_plugin.py") == 2 and "line 2)" in error and "line 5)" in error


# What the compiler sees.


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("2.7", "float64"),
        ("None", "none"),
        ("(1, 2)", "UniTuple(int64 x 2)"),
        ("colour == 1", "bool"),
        ("np.int32(1)", "int32"),
        ("np.uint64(1)", "uint64"),
        ("position", "position record"),
        ("'x'", "unicode_type"),
        ("(yield 1)", "Literal[int](1) generator"),
        ("colour if colour else 1.5", "float64"),
    ],
)
def test_the_type_that_a_kernel_returns_is_checked_not_converted(refused, value, got):
    error = refused("import numpy as np\n" + HEAD + DECLARED + f"    return {value}\n" + HOOK)
    assert error.startswith(f"plugin 'mine', hook hisshi_king_freedom: kernel 'mine' returns {got}")
    assert (
        ", the contract wants int64; the contract is (context: context record, position: position record, colour"
        in error
    )


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    return 0.5\n", "mend what it returns in my_plugin.py, line 4"),
        (
            "    if colour:\n        return 1.5\n    return (\n        3\n    )\n",
            "mend what it returns in my_plugin.py, lines 5, 6",
        ),
        ("    pass\n", "it never returns anything in my_plugin.py, from line 2 on; end it with a return"),
    ],
)
def test_a_wrong_type_is_given_with_the_lines_that_return(refused, body, says):
    assert refused(HEAD + DECLARED + body + HOOK).endswith(f"-> int64; {says}")


@pytest.mark.compiled
@pytest.mark.parametrize(
    "value", ["3", "colour", "-colour", "context.options[0]", "abs(colour)", "len(context.options)"]
)
def test_whole_numbers_of_the_contracts_type_are_accepted(compose, value):
    compose(HEAD + DECLARED + f"    return {value}\n" + HOOK).warm()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    a = 1\n    return a + no_such_name\n", ["no_such_name", "line 5"]),
        ("    a = 1\n    return position.no_such_field\n", ["a record has no field 'no_such_field'", "line 5"]),
        ("    if colour:\n        return 1\n    return (1,)\n", ["unify", "line"]),
        ("    x = {}\n    return 1\n", ["line"]),
        ("    return [1][colour:][0:1]['a']\n", ["line 4"]),
    ],
)
def test_a_kernel_that_does_not_compile_is_named_with_file_and_line_and_a_way_on(refused, body, says):
    error = refused(HEAD + DECLARED + body + HOOK)
    assert error.startswith("plugin 'mine', hook hisshi_king_freedom: kernel 'mine' (")
    assert "my_plugin.py, line 2" in error
    assert error.endswith("To step through it as plain Python, set NUMBA_DISABLE_JIT=1.")
    for words in says:
        assert words in error
    assert len(error.splitlines()) < 20


@pytest.mark.compiled
def test_a_typo_in_a_function_that_the_kernel_calls_is_found_too(refused):
    error = refused(
        HEAD + "@compiled\ndef inner(x):\n    return x.nothing\n" + DECLARED + "    return inner(colour)\n" + HOOK
    )
    assert "kernel 'mine'" in error and "nothing" in error and "line 4" in error


@pytest.mark.compiled
def test_an_authors_mistake_is_found_before_the_large_kernels_are_compiled(refused):
    before = len(compile_log.names)
    refused(HEAD + DECLARED + "    return 0.5\n" + HOOK)
    assert not any("mate_depth_first" in name for name in compile_log.names[before:])


# What is seen when it runs.


@pytest.mark.parametrize("error", ["ValueError", "ZeroDivisionError", "RuntimeError"])
def test_an_exception_in_a_kernel_is_an_error_and_never_a_verdict(compose, error):
    """Two calls through addresses lie between the search and this kernel: move order, king freedom."""
    run = compose(
        HEAD + DECLARED + f'    if colour >= 0:\n        raise {error}("three levels deep")\n    return 3\n' + HOOK
    )
    with pytest.raises(SearchFailedError) as caught:
        solve(Position.from_sfen(MATE_IN_THREE), run)
    assert (
        "an exception was raised inside a kernel, there is no verdict: "
        f"{error}: three levels deep (my_plugin.py, line 5); position "
    ) in str(caught.value)
    assert MATE_IN_THREE in str(caught.value) and "run 'x'" in str(caught.value)


def test_a_run_can_be_used_again_after_a_kernel_raised(compose):
    text = HEAD + DECLARED + '    if colour == 1:\n        raise ValueError("white")\n    return 3\n' + HOOK
    run = compose(text)
    with pytest.raises(SearchFailedError):
        solve(Position.from_sfen(MATE_IN_THREE), run)
    turned = "9/9/9/9/9/1+r7/9/9/2K6 w g 1"
    assert solve(Position.from_sfen(turned), run).verdict == "proven"
