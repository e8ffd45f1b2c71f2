"""Pictures of a game: as text, as SVG, as pixels, in a window and as a film.

One scene (`board.py`) of plain shapes is drawn by two painters, `vector.py` and `raster.py`, so their pictures agree.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.rendering import raster, vector
from mancala_rl.envs.rendering.board import scene
from mancala_rl.envs.rendering.text import board_text, status
from mancala_rl.rules import Position

__all__ = ["board_text", "rgb_array", "scene", "status", "svg"]


def svg(position: Position, names: Sequence[str] = (), seat: int = 0, size: int | None = None) -> str:
    """Return the picture of a game as an SVG document.

    Args:
        position: the game; its last move is marked.
        names: one a seat; "seat 0", "seat 1" ... if left out.
        seat: whose side is at the bottom.
        size: the longer side in pixels; the natural size, which grows with the board, if left out.
    """
    return vector.paint(scene(position, names, seat), size)


def rgb_array(
    position: Position, names: Sequence[str] = (), seat: int = 0, size: int | None = None
) -> NDArray[np.uint8]:
    """Return the picture of a game as pixels, uint8[H, W, 3]; the arguments are those of `svg`.

    Raises:
        ModuleNotFoundError: Pillow is missing; names the extra that brings it.
    """
    return raster.paint(scene(position, names, seat), size)
