"""Every exception of mancala-rl.

MancalaError
├── BadInputError (also ValueError): the caller gave something unusable; the command line exits with status 2
│   ├── RulesError          an unknown variant or option, a value out of range, options that contradict each other
│   ├── PositionError       a position that cannot be: wrong total, wrong length, unreadable notation
│   ├── IllegalMoveError    a move the rules do not allow in this position
│   │   └── ActionError (also AssertionError): no move at all, it lies outside the action space
│   ├── CallOrderError (also AttributeError, AssertionError): an environment used out of order, such as before reset
│   ├── AgentError          an unknown agent, an unusable option of one, a broken agent folder
│   ├── ConfigError         a run configuration with an unknown key, a wrong type or an impossible value
│   ├── CheckpointError     a damaged or foreign checkpoint
│   ├── DatabaseError       an endgame database that is damaged, unfinished, foreign, for other rules or in use
│   ├── EvaluationError     an evaluation that cannot be made as asked
│   └── TooLargeError       more than can be worked out exactly within the limit given
└── RunError: the input was fine, the run failed (no space, no permission); exit status 1
"""


class MancalaError(Exception):
    """Base class of every error raised by this package on purpose."""


class BadInputError(MancalaError, ValueError):
    """What the caller gave cannot be used; the message says what was expected, what came and what to do."""


class RulesError(BadInputError):
    """An unknown variant or option, or a value that option cannot take."""


class PositionError(BadInputError):
    """A position the rules cannot reach or a notation that cannot be read."""


class IllegalMoveError(BadInputError):
    """A move that is not legal; the message holds the position and the legal moves."""


class ActionError(IllegalMoveError, AssertionError):
    """An action outside the action space; an AssertionError too, as PettingZoo's wrappers raise there."""


class CallOrderError(BadInputError, AttributeError, AssertionError):
    """An environment used out of order; PettingZoo's wrappers raise one or the other of the further bases there."""


class AgentError(BadInputError):
    """An agent that is not there, cannot be built with these options, or whose folder is broken."""


class ConfigError(BadInputError):
    """A run configuration that is not valid; the message names file, key, expected and got."""


class CheckpointError(BadInputError):
    """A checkpoint that is damaged or belongs to another run."""


class DatabaseError(BadInputError):
    """An endgame database that cannot be used: damaged, truncated, unfinished, foreign, for other rules, or in use."""


class EvaluationError(BadInputError):
    """An evaluation that cannot be made as asked."""


class TooLargeError(BadInputError):
    """More than can be worked out exactly within the limit given; an estimate may do."""


class RunError(MancalaError):
    """A run that was asked for correctly but failed, for example for want of disk space or permission."""
