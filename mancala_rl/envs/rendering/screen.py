"""`Screen`: what an environment draws its game on, whatever its render mode."""

from collections.abc import Sequence
from typing import Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.options import choice
from mancala_rl.envs.rendering import raster, vector
from mancala_rl.envs.rendering.board import scene
from mancala_rl.envs.rendering.extra import need
from mancala_rl.envs.rendering.text import board_text
from mancala_rl.envs.rendering.window import Window, load_pygame
from mancala_rl.rules import Position

RenderMode = Literal["ansi", "human", "rgb_array", "svg"]
RENDER_MODES = ["ansi", "human", "rgb_array", "svg"]
FPS = 2  # moves a second in a window: one can follow them
RENDERING = {"render_modes": RENDER_MODES, "render_fps": FPS}  # what an environment's metadata tell


class Screen:
    """Draws games in one way.

    Args:
        mode: "ansi" for text, "rgb_array" for pixels, "svg" for an SVG document, "human" for a window, or None.
        title: what stands above a window, after the name of this package.

    Raises:
        BadInputError: another mode.
        ModuleNotFoundError: a package that the mode needs is missing; names the extra that brings it.
    """

    def __init__(self, mode: RenderMode | None, title: str) -> None:
        choice("render_mode", mode, (None, *RENDER_MODES))
        if mode in ("human", "rgb_array"):
            need("PIL")
        if mode == "human":
            load_pygame()
        self._mode = mode
        self._window = Window(f"mancala-rl: {title}")

    def draw(
        self, position: Position, names: Sequence[str], seat: int = 0, *, forfeited: bool = False
    ) -> str | NDArray[np.uint8] | None:
        """Return the picture of a game, uint8[H, W, 3] or text; None if it is shown in a window.

        Args:
            position: the game; its last move is marked.
            names: one a seat.
            seat: whose side is at the bottom.
            forfeited: the seat to move has lost by an illegal move.
        """
        if self._mode is None:
            gymnasium.logger.warn('render() draws nothing without a render mode: make it with render_mode="ansi"')
            return None
        if self._mode == "ansi":
            return board_text(position, names, seat, forfeited=forfeited)
        drawing = scene(position, names, seat, forfeited=forfeited)
        if self._mode == "svg":
            return vector.paint(drawing)
        picture = raster.paint(drawing)
        if self._mode == "rgb_array":
            return picture
        self._window.show(picture, FPS)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._window.close()
