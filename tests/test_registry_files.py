"""What a registry may say, and what it is told when it says something else: place, found, wanted, near names."""

import pytest

from hisshi.core import Registry
from hisshi.core.errors import HisshiError, PluginError, RegistryError
from hisshi.core.kernel.compiling import compile_log

# A plugin file: a king freedom that counts nothing, with one option of each kind.
PLUGIN = '''
from hisshi.core import Option, hookimpl, implements

@implements("king_freedom", options=[
    Option("whole", 3, low=1, high=9), Option("share", 0.5, low=0, high=1), Option("free", 0.0), Option("on", True),
    Option("kind", "near", choices=("near", "far")), Option("any", 0),
])
def mine(context, position, colour):
    """Mine."""
    return context.options[0]

@hookimpl
def hisshi_king_freedom():
    return mine
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory with the plugin file my_plugin.py."""
    (tmp_path / "my_plugin.py").write_text(PLUGIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(folder):
    """Compose run "x" of a registry's text, and return the error's; nothing is compiled before it is known."""

    def compose(text, overrides=None):
        (folder / "mine.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        before = compile_log.compiled
        with pytest.raises(HisshiError) as caught:
            Registry.load("mine.toml").compose("x", overrides)
        assert compile_log.compiled == before
        assert len(str(caught.value)) < 1500
        return str(caught.value)

    return compose


def options_of(run, role="king_freedom"):
    return next(each for each in run.instances if each.plugin.role == role).options


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[run.x", ["mine.toml: is not valid TOML", "end of document"]),
        ("[run.x]\nsearch = 'a'\nsearch = 'b'", ["is not valid TOML"]),
        ("\0", ["is not valid TOML"]),
        ("[run.x]\nstop = { max_plies = " + "9" * 5000 + " }", ["is not valid TOML"]),
        ("[run.x]\nsearch = " + "[" * 5000, ["is not valid TOML"]),
        ("[runs.x]\nsearch = 'a'", ["unknown table [runs]", "did you mean 'run'?"]),
        ("run = 3", ["'run' must hold tables"]),
        ("[run]\nx = 3", ["'run' must hold tables"]),
        ("[[run.x]]", ["'run' must hold tables"]),
        ("[run.x]\nextends = 5", ["mine.toml, [run.x]", "expected a text, got 5", "extends"]),
        ("[run.x]\ngoal = true", ["[run.x]", "expected a text, got True", "goal"]),
        ("[run.x]\ngoal = 'mates'", ["[run.x]: goal is 'mates', expected one of: mate, hisshi, play"]),
        ("[run.x]\nextends = 'mat'", ["[run.x]: extends 'mat'", "no such run", "did you mean 'mate'?"]),
        ("[run.x]\nextends = 'x'", ["[run.x]: extends 'x'", "no such run"]),
        ("[run.x]\nextends = 'y'\n[run.y]\nextends = 'x'", ["'extends' goes in a circle: x -> y -> x"]),
        ("[run.x]\nextends = 'y'\n[run.y]\nextends = 'z'\n[run.z]\nextends = 'y'", ["circle", "y -> z -> y"]),
        ("[run.y]\nextends = 'mate'", ["no run named 'x'", "registry.toml, mine.toml"]),
        ("[run.x]\n", ["mine.toml, [run.x]: names no 'search'; installed:", "mate-depth-first"]),
        ("[run.x]\nextends = 'mate'\ntabel = 'two-level'", ["[run.x]: unknown key 'tabel'", "did you mean 'table'?"]),
        ("[run.x]\nextends = 'mate'\ntable = 3", ["[run.x]: 'table' is 3; expected a plugin's name or a table"]),
        ("[run.x]\nextends = 'mate'\ntable = ['two-level']", ["'table' is ['two-level']; expected"]),
        ("[run.x]\nextends = 'mate'\ntable = { use = 3 }", ["'table.use' is 3, expected a text"]),
        ("[run.x]\nextends = 'mate'\ntable = { path = 3 }", ["'table.path' is 3, expected a text"]),
        ("[run.x]\nextends = 'mate'\nstop.a" + ".a" * 30 + " = 1", ["[run.x]: 'stop.a.a", "more than 8 deep"]),
        ("[run.x]\nextends = 'mate'\nstop = " + "9" * 4000, ["'stop' is a number of 13", "bits; expected"]),
        ("[run.x]\nextends = 'mate'\nstop = '" + "9" * 4000 + "'", ["no 'stop' plugin named"]),
    ],
)
def test_a_registry_that_is_not_well_formed_is_refused_with_its_place(refused, text, says):
    error = refused(text)
    for words in says:
        assert words in error


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (
            "table = 'two_teir'",
            "no 'table' plugin named 'two_teir'; installed: always-replace, depth-preferred, effort, effort-preferred, "
            "hit-count, keep-oldest, two-level, two-level-effort (did you mean 'two-level'?)",
        ),
        ("table = { megabyte = 3 }", "'table' plugin 'two-level' has no option 'megabyte'; it has: megabytes (did you"),
        ("table = { megabytes = 0 }", "table.megabytes is 0, out of range: expected 0.001 to 1048576.0"),
        ("table = { megabytes = nan }", "table.megabytes is nan, expected a number 0.001 to"),
        ("table = { megabytes = inf }", "table.megabytes is inf, expected a number 0.001 to"),
        ("table = { megabytes = 1e400 }", "table.megabytes is inf, expected a number"),
        ("table = { megabytes = '16' }", "table.megabytes is '16', expected a number 0.001 to"),
        ("table = { megabytes = true }", "table.megabytes is True, expected a number"),
        ("table = { megabytes = 2020-01-01 }", "table.megabytes is datetime.date(2020, 1, 1), expected a number"),
        ("table = { megabytes = { a = 1 } }", "table.megabytes is a table, expected a number"),
        ("stop = { max_plies = 9.0 }", "stop.max_plies is 9.0, expected a whole number 1 to 1999"),
        ("stop = { max_plies = 2000 }", "stop.max_plies is 2000, out of range: expected 1 to 1999"),
        ("stop = { max_plies = [] }", "stop.max_plies is [], expected a whole number"),
        (
            "stop = { max_plies = " + "9" * 4000 + " }",
            "stop.max_plies is a number of 13288 bits, expected a number 1 to",
        ),
        ("search = { mate_in_one = 1 }", "search.mate_in_one is 1, expected true or false"),
        (
            "king_freedom = { path = 'my_plugin.py', kind = 'fat' }",
            "king_freedom.kind is 'fat', expected one of: near, far",
        ),
        ("king_freedom = { path = 'my_plugin.py', kind = 1 }", "king_freedom.kind is 1, expected one of: near, far"),
        ("king_freedom = { path = 'my_plugin.py', kind = [] }", "king_freedom.kind is [], expected one of: near, far"),
        (
            "king_freedom = { path = 'my_plugin.py', share = 1.5 }",
            "king_freedom.share is 1.5, out of range: expected 0 to 1",
        ),
        (
            "king_freedom = { path = 'my_plugin.py', any = 9223372036854775808 }",
            "king_freedom.any is 9223372036854775808",
        ),
        ("legal_moves = { use = 'all', skip = true }", "'legal_moves' plugin 'all' has no option 'skip'"),  # unused
        ("legal_moves = 'al'", "no 'legal_moves' plugin named 'al'"),
        ("move_order = { king_freedom = 'classic' }", "no 'king_freedom' plugin named 'classic'; installed: classical"),
        ("move_order = { king_freedom = 3 }", "'move_order.king_freedom' is 3, expected a plugin's name or a table"),
        ("move_order = { king_freedom = { x = 3 } }", "'move_order.king_freedom' plugin 'modified' has no option 'x'"),
    ],
)
def test_a_wrong_plugin_option_or_value_is_named_with_what_there_is(refused, part, says):
    error = refused(f"[run.x]\nextends = 'mate'\n{part}")
    assert error.startswith("mine.toml, [run.x]: ")
    assert says in error


def test_a_part_that_a_plugin_needs_and_the_run_lacks_is_asked_for(refused):
    parts = "checks = 'all'\nevasions = 'all'\nmove_order = 'king-freedom'\nstop = 'depth'"
    error = refused(f"[run.x]\nsearch = 'mate-depth-first'\n{parts}\ntable = 'two-level'")
    assert error.startswith("mine.toml, [run.x]: move_order 'king-freedom' needs a part 'king_freedom'; add")
    assert error.endswith("installed: classical, modified, reachable")
    parts = parts.replace("king-freedom", "generated")
    error = refused(f"[run.x]\nsearch = 'mate-depth-first'\n{parts}\ntable = {{ megabytes = 1 }}")
    assert error.startswith(
        "mine.toml, [run.x]: 'table' names no plugin; add use = \"NAME\"; installed: always-replace"
    )


def test_a_file_that_cannot_be_read_is_named(folder):
    with pytest.raises(RegistryError, match=r"registry missing\.toml: no such file"):
        Registry.load("missing.toml")
    with pytest.raises(RegistryError, match="cannot be read"):
        Registry.load(folder)
    with pytest.raises(RegistryError, match="cannot be read"):
        Registry.load("a\0b")
    (folder / "latin.toml").write_bytes(b"[run.x]\nsummary = '\xe9'\n")
    with pytest.raises(RegistryError, match=r"registry latin\.toml: cannot be read: 'utf-8'"):
        Registry.load("latin.toml")
    (folder / "mark.toml").write_bytes(b"\xef\xbb\xbf[run.x]\nextends = 'mate'\n")
    assert Registry.load("mark.toml").compose("x").name == "x"


def test_a_long_chain_of_runs_is_refused_not_a_crash(refused):
    runs = "".join(f"[run.x{n}]\nextends = 'x{n + 1}'\n" for n in range(3000))
    assert "more than 50 runs" in refused(f"[run.x]\nextends = 'x0'\n{runs}[run.x3000]\nextends = 'mate'")


def test_hisshi_toml_in_the_working_directory_extends_the_bundled_runs(folder):
    (folder / "hisshi.toml").write_text("[run.mine]\nextends = 'mate'\nstop = { max_plies = 9 }\n")
    registry = Registry.load()
    assert registry.files == ["registry.toml", "hisshi.toml"]
    assert options_of(registry.compose("mine"), "stop")["max_plies"] == 9
    (folder / "other.toml").write_text("[run.other]\nextends = 'mate'\n")
    assert "mine" not in Registry.load("other.toml").runs  # a file that is named takes its place


def test_a_users_run_of_a_bundled_name_extends_the_bundled_one(folder):
    (folder / "hisshi.toml").write_text(
        "[run.mate]\nextends = 'mate'\ntable = { megabytes = 2 }\n[run.more]\nextends = 'mate'\n"
    )
    registry = Registry.load()
    for name in ("mate", "more"):
        run = registry.compose(name)
        assert options_of(run, "table") == {"megabytes": 2.0}
        assert run.root.parts["table"].plugin.name == "two-level"
    assert options_of(registry.compose("mate-classical"), "table") == {"megabytes": 64.0}


def test_a_table_of_options_changes_those_and_keeps_the_rest_of_the_extended_run(folder):
    (folder / "hisshi.toml").write_text(
        "[run.a]\nextends = 'mate'\nking_freedom = { path = 'my_plugin.py', whole = 5, on = false }\n"
        "[run.b]\nextends = 'a'\nking_freedom = { share = 0.25, on = true }\n"
        "[run.c]\nextends = 'b'\nking_freedom = 'classical'\n"
    )
    registry = Registry.load()
    assert options_of(registry.compose("b")) == {
        "whole": 5, "share": 0.25, "free": 0.0, "on": True, "kind": "near", "any": 0,
    }  # fmt: skip
    assert options_of(registry.compose("a"))["share"] == 0.5
    assert options_of(registry.compose("c")) == {}


def test_the_same_plugin_serves_twice_with_different_options(folder):
    (folder / "hisshi.toml").write_text(
        "[run.x]\nextends = 'mate'\nking_freedom = { path = 'my_plugin.py', whole = 5 }\n"
        "move_order = { king_freedom = { whole = 7 } }\n"
        "[run.y]\nextends = 'x'\nmove_order = { king_freedom = { share = 0.75 } }\n"
    )
    registry = Registry.load()
    run = registry.compose("y")
    own = run.root.parts["move_order"].parts["king_freedom"]
    assert (own.plugin.name, own.options["whole"], own.options["share"]) == ("mine", 7, 0.75)
    assert (own.context.options[0], own.context.reals[1]) == (7, 0.75)
    assert options_of(registry.compose("x"))["whole"] == 7
    assert registry.compose("x").spec.parts["king_freedom"].settings == {"whole": 5}


def test_a_plugins_path_is_relative_to_the_registry_that_names_it(folder, monkeypatch):
    below = folder / "below"
    below.mkdir()
    (below / "mine.toml").write_text("[run.x]\nextends = 'mate'\nking_freedom = { path = '../my_plugin.py' }\n")
    monkeypatch.chdir("/")
    run = Registry.load(below / "mine.toml").compose("x")
    place = run.root.parts["move_order"].parts["king_freedom"].plugin.distribution
    assert place == str((folder / "my_plugin.py").resolve())


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("nothing.py", "there is no plugin file /"),
        ("a" * 300 + ".py", "aaa.py' is no path of a plugin file: File name too long"),
        ("a\\u0000b.py", "'a\\x00b.py' is no path of a plugin file: embedded null"),
        (".", "there is no plugin file /"),
        ("mine.toml", "mine.toml is not a Python file; a plugin file ends in .py"),
    ],
)
def test_a_plugins_path_that_leads_nowhere_is_named_with_the_run(refused, path, says):
    error = refused(f'[run.x]\nextends = "mate"\nking_freedom = {{ path = "{path}" }}')
    assert error.startswith("mine.toml, [run.x]: ")
    assert says in error


def test_a_catalogue_error_is_a_plugin_error_and_no_registry_error(folder):
    (folder / "mine.toml").write_text("[run.x]\nextends = 'mate'\ntable = 'no'")
    with pytest.raises(PluginError):
        Registry.load("mine.toml").compose("x")
