"""Agents by spec string: what is found, how it is named, and what each mistake says."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from mancala_rl import make_agent, roster, variant
from mancala_rl.errors import AgentError, CheckpointError, RulesError
from mancala_rl.roster import available_agents
from mancala_rl.search import Greedy, Uniform

KALAH = variant("kalah")

PLAYER = '''"""A player with options of every type.

More about it.
"""

from __future__ import annotations

from dataclasses import dataclass

from mancala_rl.search import Uniform


@dataclass
class Settings:
    width: int
    rate: float
    loud: bool
    title: str
    limit: int | None


class Player(Uniform):
    def __init__(self, rules, settings, path=None):
        super().__init__(rules)
        self.settings = settings
        self.path = path


def make(rules, width: int = 3, rate: float = 0.5, loud: bool = False, title: str = "x", limit: int | None = None):
    return Player(rules, Settings(width, rate, loud, title, limit))
'''

LOADER = '''"""Loads folders."""


from mancala_rl.errors import CheckpointError
from mancala_rl.search import Uniform


def make(rules, path: str, heat: float = 0.0):
    if heat < 0:
        raise CheckpointError("the weights are damaged; export the agent again")
    agent = Uniform(rules)
    agent.made_from = path, heat
    return agent
'''


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A roster of our own: two files, a trained agent, and things that are no agents."""
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "player.py").write_text(PLAYER, encoding="utf-8")
    (folder / "network.py").write_text(LOADER, encoding="utf-8")
    (folder / "_draft.py").write_text("", encoding="utf-8")
    (folder / "__pycache__").mkdir()
    trained(folder / "champion", description="a trained one")
    monkeypatch.setattr(roster, "roster_folder", lambda: folder)
    return folder


def trained(folder: Path, **config: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def refusal(spec: object, rules: object = KALAH) -> str:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, rules)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_shipped_agents_are_there_with_a_description() -> None:
    shipped = available_agents()
    assert {"uniform", "greedy", "minimax", "mcts", "perfect", "easy", "medium", "hard"} <= set(shipped)
    assert list(shipped) == sorted(shipped)
    for description in shipped.values():
        assert description.endswith(".")
        assert "cannot be read" not in description


@pytest.mark.parametrize(
    "spec, name",
    [
        ("uniform", "uniform"),
        (" greedy ", "greedy"),
        ("minimax", "minimax:depth=4"),
        ("minimax:depth=2", "minimax:depth=2"),
        ("minimax: depth = 02", "minimax:depth=2"),
        ("minimax:nodes=50", "minimax:nodes=50"),
        ("minimax:time=0.50", "minimax:time=0.5"),
        ("minimax:nodes=50,time=2,depth=04", "minimax:depth=4,time=2.0,nodes=50"),
        ("minimax:nodes=50,random_ties=on", "minimax:random_ties=true,nodes=50"),
        ("minimax:depth=none,nodes=50", "minimax:nodes=50"),
        ("mcts", "mcts:simulations=400"),
        ("perfect:stones=5", "perfect:stones=5"),
        ("mcts:rollouts=2", "mcts:simulations=400,rollouts=2"),
        ("mcts:reward=margin,exploration=2,simulations=9", "mcts:simulations=9,exploration=2.0,reward=margin"),
        ("mcts:reward=outcome,rollouts=1", "mcts:simulations=400"),
        ("hard", "hard"),
    ],
)
def test_an_agent_is_called_by_its_canonical_spec(spec: str, name: str) -> None:
    agent = make_agent(spec, "kalah:pits=4")
    assert agent.name == name
    assert agent.rules == variant("kalah:pits=4")
    assert make_agent(agent.name, agent.rules).name == name


def test_an_agent_object_is_returned_as_it_is() -> None:
    agent = Greedy(KALAH, name="mine")
    assert make_agent(agent, KALAH) is agent
    assert agent.name == "mine"


def test_unknown_rules_are_an_error_of_the_rules() -> None:
    with pytest.raises(RulesError, match="unknown variant 'kahla'"):
        make_agent("uniform", "kahla")


def test_the_roster_lists_files_and_trained_folders(agents: Path) -> None:
    assert available_agents() == {
        "champion": "a trained one",
        "network": "Loads folders.",
        "player": "A player with options of every type.",
    }


def test_a_broken_entry_does_not_hide_the_others(agents: Path) -> None:
    (agents / "broken.py").write_text("def make(:", encoding="utf-8")
    (agents / "champion" / "config.json").write_text("{", encoding="utf-8")
    listing = available_agents()
    assert listing["broken"].startswith("cannot be read: SyntaxError")
    assert listing["champion"].startswith("cannot be read: AgentError")
    assert listing["network"] == "Loads folders."


def test_options_are_read_by_their_annotation(agents: Path) -> None:
    agent = make_agent("player:title=a,b,loud=on,width=7,rate=1e-3,limit=9", KALAH)
    settings = agent.settings  # type: ignore[attr-defined]
    assert vars(settings) == {"width": 7, "rate": 0.001, "loud": True, "title": "a,b", "limit": 9}
    assert agent.name == "player:width=7,rate=0.001,loud=true,title=a,b,limit=9"
    assert make_agent(agent.name, KALAH).name == agent.name
    assert make_agent("player", KALAH).name == "player:width=3,rate=0.5,title=x"
    assert make_agent("player:limit=none", KALAH).settings.limit is None  # type: ignore[attr-defined]


def test_an_agent_module_is_out_of_the_way_of_every_other(agents: Path) -> None:
    make_agent("player", KALAH)
    assert "player" not in sys.modules
    assert "agents" not in sys.modules


@pytest.mark.parametrize(
    "spec, message",
    [
        ("", "unknown agent ''; expected one of: champion, network, player"),
        ("palyer", "unknown agent 'palyer'; did you mean 'player'? expected one of: champion, network, player"),
        ("player:widht=3", "agent 'player' has no option 'widht'; did you mean 'width'?"),
        ("player:width=wide", "agent 'player': width=wide: expected a whole number"),
        ("player:width=1.5", "agent 'player': width=1.5: expected a whole number"),
        ("player:rate=fast", "agent 'player': rate=fast: expected a number"),
        ("player:loud=maybe", "agent 'player': loud=maybe: expected true or false"),
        ("player:7", "agent 'player:7': expected options as key=value, each once"),
        ("player:width=1,width=2", "agent 'player:width=1,width=2': expected options as key=value, each once"),
        ("player:width=", "expected options as key=value"),
        ("network", "agent 'network' needs the option path, as in network:path=..."),
        ("runs/none/agent", "no folder 'runs/none/agent': expected a trained agent's folder"),
        ("x" * 5000, "unknown agent"),
        ("nowhere.at_all:make", "cannot import it (ModuleNotFoundError: No module named 'nowhere')"),
        ("json:nothing", "cannot import it (AttributeError: module 'json' has no attribute 'nothing')"),
        ("math:pi", "agent 'math:pi': expected a factory that takes rules, got float"),
        ("json:loads", "agent 'json:loads': its factory failed (TypeError:"),
        ("builtins:repr", "expected an object with act(batch, seeds) and name, it has no act"),
    ],
)
def test_a_bad_spec_says_what_was_expected(agents: Path, spec: str, message: str) -> None:
    assert message in refusal(spec)


def test_options_of_an_agent_without_any(agents: Path) -> None:
    (agents / "plain.py").write_text("def make(rules): ...", encoding="utf-8")
    assert refusal("plain:depth=3") == "agent 'plain' has no option 'depth'; it has no other"


def test_what_is_no_agent_is_refused(agents: Path) -> None:
    (agents / "nothing.py").write_text("def make(rules): ...", encoding="utf-8")
    assert "expected an object with act(batch, seeds) and name, it has no act" in refusal("nothing")
    assert "it has no act" in refusal(3)

    class Nameless:
        def act(self, batch: object, seeds: object) -> None: ...

    assert "it has no name" in refusal(Nameless())


def test_an_agent_file_that_fails_is_named(agents: Path) -> None:
    (agents / "broken.py").write_text("def make(:", encoding="utf-8")
    (agents / "empty.py").write_text("", encoding="utf-8")
    (agents / "needy.py").write_text("import surely_not_installed", encoding="utf-8")
    assert "agent 'broken': cannot load" in refusal("broken")
    assert "has no attribute 'make'" in refusal("empty")
    assert "No module named 'surely_not_installed'); install what training needs: pip install" in refusal("needy")
    assert "_mancala_rl_agent_needy" not in sys.modules


def test_a_value_the_agent_itself_refuses_names_the_agent() -> None:
    assert refusal("minimax:depth=0") == (
        "agent 'minimax:depth=0': depth=0: expected a whole number of plies from 1 to 1000"
    )


def test_a_trained_agent_is_its_folder(agents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = trained(tmp_path / "runs" / "one" / "agent", loader="network")
    for spec in (folder, str(folder), f"{folder}/"):
        agent = make_agent(spec, KALAH)
        assert agent.name == str(folder)
        assert agent.made_from == (str(folder), 0.0)  # type: ignore[attr-defined]
    warm = make_agent(f"{folder}:heat=0.5", KALAH)
    assert (warm.name, warm.made_from) == (f"{folder}:heat=0.5", (str(folder), 0.5))  # type: ignore[attr-defined]
    monkeypatch.chdir(tmp_path)
    assert make_agent("runs/one/agent", KALAH).name == "runs/one/agent"
    assert make_agent("network:path=runs/one/agent", KALAH).name == "network:path=runs/one/agent,heat=0.0"


def test_a_trained_agent_of_the_roster_goes_by_its_name(agents: Path) -> None:
    agent = make_agent("champion:heat=1", KALAH)
    assert (agent.name, agent.made_from) == ("champion:heat=1.0", (str(agents / "champion"), 1.0))  # type: ignore[attr-defined]


def test_a_broken_folder_says_what_is_wrong(agents: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert refusal(empty) == f"{empty}: no config.json in this folder; expected one that training has exported"
    foreign = trained(tmp_path / "foreign", loader="ppo")
    assert "unknown loader 'ppo'; expected one of: champion, network, player" in refusal(foreign)
    assert "unknown loader ['a']" in refusal(trained(tmp_path / "list", loader=["a"]))
    assert "the option path is the folder itself" in refusal(f"{agents / 'champion'}:path=x")
    assert refusal("champion:cold=1") == "agent 'champion' has no option 'cold'; expected one of: heat"
    for text in ("{", "[]", "\udcff"):
        (empty / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
        assert "export the agent again" in refusal(empty)


def test_a_damaged_agent_stays_an_error_of_its_checkpoint(agents: Path) -> None:
    with pytest.raises(CheckpointError, match="the weights are damaged"):
        make_agent("champion:heat=-1", KALAH)


def test_a_factory_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agents_for_a_test.py").write_text("from mancala_rl.search import Greedy as Best", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    agent = make_agent("my_agents_for_a_test:Best", KALAH)
    assert agent.name == "my_agents_for_a_test:Best"
    batch = KALAH.batch(2)
    assert agent.act(batch, np.arange(2)).tolist() == Greedy(KALAH).act(batch, np.arange(2)).tolist()
    assert isinstance(make_agent("mancala_rl.search:Uniform", KALAH), Uniform)


def test_every_agent_file_is_short_and_has_one_factory() -> None:
    for path in sorted(roster.roster_folder().glob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 60, path
        assert len(re.findall(r"^def make\(\s*rules: Rules", text, re.MULTILINE)) == 1, path
