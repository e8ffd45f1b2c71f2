"""The roster: agents by spec string.

A spec is one of

    NAME[:key=value,...]     a file agents/NAME.py or a folder agents/NAME, in a checkout or inside the wheel
    FOLDER[:key=value,...]   a folder with a config.json, which is what training exports
    package.module:factory   anything importable that makes an agent from rules

An agent's file has a function `make(rules, **options)`; its signature says which options there are and of which type
(int, float, bool or str, or one of them `| None`). A folder is made by the file that its config.json names as "loader",
"network" if it names none, with the folder as the option `path`.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mancala_rl.agent import Agent, spell
from mancala_rl.errors import AgentError, BadInputError, CheckpointError, RulesError
from mancala_rl.rules import Rules, variant
from mancala_rl.rules.registry import parse_options, suggest

_PACKAGE = Path(__file__).resolve().parent
_TYPE_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_TRUTH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


def make_agent(spec: str | os.PathLike[str] | Agent, rules: Rules | str) -> Agent:
    """Return the agent that a spec names, for the given rules; an agent object is returned as it is.

    The agent's `name` is its canonical spec: the one that it calls itself by, or else options in the order of the
    factory's signature, defaults spelled out for agents of the roster.

    Raises:
        AgentError: an unknown agent or option, a value of the wrong type, a folder without a usable config.json, or a
            factory that cannot be imported or does not make an agent.
        RulesError: unknown rules.
    """
    if not isinstance(spec, str | os.PathLike):
        return _checked(spec, repr(spec))
    rules = variant(rules)
    text = os.fspath(spec).strip()
    name, options = _split(text)
    files = _files()
    if name in files:
        return _from_roster(name, files[name], options, rules)
    if _is_folder(name):
        return _from_folder(str(Path(name)), Path(name), options, rules)
    if re.fullmatch(r"[\w.]+:[\w.]+", text):
        return _from_module(text, rules)
    if re.search(r"[/\\]", name):
        raise AgentError(f"no folder {name!r}: expected a trained agent's folder, one with a config.json")
    raise AgentError(
        f"unknown agent {name!r}; {suggest(name, files)}; or give a trained agent's folder or package.module:factory"
    )


def available_agents() -> dict[str, str]:
    """Return the agents of the roster by name, each with its one-line description. No agent is loaded for this."""
    return {name: _description(path) for name, path in _files().items()}


def roster_folder() -> Path:
    """Return the folder of named agents: inside the installed package, or at the top of a checkout."""
    packed = _PACKAGE / "_agents"
    return packed if packed.is_dir() else _PACKAGE.parent / "agents"


def _files() -> dict[str, Path]:
    """Return the file or folder of each named agent; a name that starts with an underscore or a dot is no agent."""
    folder = roster_folder()
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    kept = [path for path in entries if path.suffix == ".py" or (path / "config.json").is_file()]
    return {path.name.removesuffix(".py"): path for path in kept if path.name[0] not in "._"}


def _split(text: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options of a spec as text; all of it is the name where nothing looks like an option."""
    match = re.fullmatch(r"(.+?):(\s*\w+\s*=.*)", text)
    if match and not _is_folder(text):
        name, options = match[1].strip(), match[2]
    elif text.partition(":")[0] in _files():
        name, _, options = text.partition(":")
    else:
        return text, {}
    try:
        return name, parse_options(options)
    except RulesError:
        raise AgentError(f"agent {text!r}: expected options as key=value, each once, as in minimax:depth=6") from None


def _is_folder(text: str) -> bool:
    try:
        return bool(text) and Path(text).is_dir()
    except OSError:  # a text too long for a path
        return False


def _from_roster(name: str, path: Path, options: dict[str, str], rules: Rules) -> Agent:
    """Make a named agent; the defaults of its options are part of its name."""
    if path.is_dir():
        return _from_folder(name, path, options, rules)
    make = _factory(path)
    values = _converted(name, make, options)
    shown = {key: values.get(key, p.default) for key, p in _parameters(make).items()}
    return _made(spell(name, shown), make, rules, values)


def _from_folder(name: str, folder: Path, options: dict[str, str], rules: Rules) -> Agent:
    """Make a trained agent by the roster file its config.json names."""
    loader = _config(folder).get("loader", "network")
    files = _files()
    if not isinstance(loader, str) or loader not in files or files[loader].is_dir():
        raise AgentError(f"{folder / 'config.json'}: unknown loader {loader!r}; {suggest(str(loader), files)}")
    if "path" in options:
        raise AgentError(f"agent {name!r}: the option path is the folder itself; leave it out")
    make = _factory(files[loader])
    values = _converted(name, make, {**options, "path": str(folder)})
    return _made(spell(name, {key: values[key] for key in values if key != "path"}), make, rules, values)


def _from_module(spec: str, rules: Rules) -> Agent:
    """Make an agent by a factory that can be imported."""
    module, _, name = spec.partition(":")
    try:
        make = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"agent {spec!r}: cannot import it ({_line(error)}); is it installed or on PYTHONPATH?"
        ) from error
    if not callable(make):
        raise AgentError(f"agent {spec!r}: expected a factory that takes rules, got {type(make).__name__}")
    return _made(spec, make, rules, {})


def _made(spec: str, make: Callable[..., Any], rules: Rules, values: dict[str, Any]) -> Agent:
    """Call a factory and give the agent its name."""
    try:
        agent = _checked(make(rules, **values), spec)
        agent.name = _name(agent, spec)
    except (AgentError, CheckpointError):
        raise
    except BadInputError as error:
        raise AgentError(f"agent {spec!r}: {error}") from error
    except (Exception, SystemExit) as error:  # a stranger's factory may raise anything
        raise AgentError(f"agent {spec!r}: its factory failed ({_line(error)}){_remedy(error)}") from error
    return agent


def _name(agent: Agent, spec: str) -> str:
    """Return the agent's own name if it is a spec of the same name: then it knows which of its options count."""
    name = spec.partition(":")[0]
    return agent.name if isinstance(agent.name, str) and agent.name.startswith(f"{name}:") else spec


def _checked(agent: Any, what: str) -> Agent:
    """Return what should be an agent if it is one."""
    for attribute, right in (("act", callable(getattr(agent, "act", None))), ("name", hasattr(agent, "name"))):
        if not right:
            raise AgentError(f"agent {what}: expected an object with act(batch, seeds) and name, it has no {attribute}")
    return typing.cast(Agent, agent)


@functools.cache
def _factory(path: Path) -> Callable[..., Any]:
    """Return the function `make` of an agent's file, loaded under a name that no other package can have."""
    module_name = f"_mancala_rl_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
        make = module.make
    except (Exception, SystemExit) as error:  # an agent's file may raise anything while it is loaded
        del sys.modules[module_name]
        raise AgentError(f"agent {path.stem!r}: cannot load {path} ({_line(error)}){_remedy(error)}") from error
    return typing.cast(Callable[..., Any], make)


def _parameters(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the options of a factory: its named parameters after the rules."""
    _, *options = inspect.signature(make, eval_str=True).parameters.items()
    return {key: p for key, p in options if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}


def _converted(name: str, make: Callable[..., Any], options: dict[str, str]) -> dict[str, Any]:
    """Return the options in the types of the factory's signature and in its order."""
    parameters = _parameters(make)
    unknown = [key for key in options if key not in parameters]
    if unknown:
        open_to = [key for key in parameters if key not in options]
        remedy = suggest(unknown[0], open_to) if open_to else "it has no other"
        raise AgentError(f"agent {name!r} has no option {unknown[0]!r}; {remedy}")
    missing = [key for key, p in parameters.items() if p.default is p.empty and key not in options]
    if missing:
        raise AgentError(f"agent {name!r} needs the option {missing[0]}, as in {name}:{missing[0]}=...")
    return {key: _read(name, key, options[key], p.annotation) for key, p in parameters.items() if key in options}


def _read(name: str, key: str, text: str, annotation: Any) -> Any:
    """Return the text of an option as a value of its declared type."""
    kinds = typing.get_args(annotation) or (annotation,)
    if type(None) in kinds and text.lower() == "none":
        return None
    kind = next((kind for kind in (bool, int, float) if kind in kinds), str)
    try:
        return _TRUTH[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise AgentError(f"agent {name!r}: {key}={text}: expected {_TYPE_NAMES[kind]}") from None


def _config(folder: Path) -> dict[str, Any]:
    """Return the config.json of a trained agent's folder."""
    path = folder / "config.json"
    if not path.is_file():
        raise AgentError(f"{folder}: no config.json in this folder; expected one that training has exported")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AgentError(f"{path}: cannot be read ({_line(error)}); export the agent again") from error
    if not isinstance(config, dict):
        raise AgentError(f"{path}: expected an object, got {type(config).__name__}; export the agent again")
    return config


def _description(path: Path) -> str:
    """Return the first line of an agent's docstring, or what a trained one says of itself."""
    try:
        if path.is_dir():
            return str(_config(path).get("description", "a trained agent"))
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    except (AgentError, OSError, SyntaxError, ValueError) as error:
        return f"cannot be read: {_line(error)}"
    return (docstring or "").partition("\n")[0]


def _line(error: BaseException) -> str:
    """Return an error of somebody else's code in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _remedy(error: BaseException) -> str:
    """Return what to do about it where that is known: most packages an agent lacks come with training."""
    return "; install what training needs: pip install 'mancala-rl[train]'" if isinstance(error, ImportError) else ""
