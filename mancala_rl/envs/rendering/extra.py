"""The packages that only pictures need."""

import importlib
from types import ModuleType

EXTRA = "pip install 'mancala-rl[render]'"
_PACKAGES = {"PIL": "Pillow", "pygame": "pygame-ce", "imageio": "imageio", "imageio_ffmpeg": "imageio-ffmpeg"}


def need(module: str) -> ModuleType:
    """Import a module of the extra `render`.

    Raises:
        ModuleNotFoundError: it is not installed; names the package and how to get it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ModuleNotFoundError(f"pictures need {_PACKAGES[module]}: {EXTRA}", name=module) from None
