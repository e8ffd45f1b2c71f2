"""A window that shows pictures, through pygame."""

import os
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.rendering.extra import need

if TYPE_CHECKING:
    import pygame


class Window:
    """One window: it opens with the first picture and is gone after `close`.

    Who closes it by hand sees no more pictures until `close` has been called. Where there is no display, pictures go
    nowhere. A copy of it, or one that was pickled, is a window of its own that is not open yet.

    Args:
        title: what stands above the picture.
    """

    # Those on the screen: the last one to go takes the display with it, if one of them brought it.
    _shown: ClassVar[WeakValueDictionary[int, "Window"]] = WeakValueDictionary()
    _brought_display: ClassVar[bool] = False

    def __init__(self, title: str) -> None:
        self._title = title
        self._window: pygame.Window | None = None
        self._clock: pygame.Clock | None = None
        self._dismissed = False

    def show(self, picture: NDArray[np.uint8], fps: float) -> None:
        """Show a picture, uint8[H, W, 3], and wait so long that at most `fps` are shown a second.

        Raises:
            ModuleNotFoundError: pygame is missing; names the extra that brings it.
        """
        if self._dismissed:
            return
        pygame = load_pygame()
        size = (picture.shape[1], picture.shape[0])
        try:
            window = self._window or self._opened(size)
        except pygame.error as error:  # a display that is named but not there; without a name pygame takes none
            gymnasium.logger.warn(f'render_mode="human" shows nothing: {error}')
            self._dismissed = True
            return
        if window.size != size:
            window.size = size
        window.get_surface().blit(pygame.image.frombuffer(picture.tobytes(), size, "RGB"), (0, 0))
        window.flip()
        _listen()
        if self._clock is not None:
            self._clock.tick(fps)

    def _opened(self, size: tuple[int, int]) -> "pygame.Window":
        import pygame

        if not pygame.display.get_init():
            pygame.display.init()
            Window._brought_display = True
        self._window, self._clock = pygame.Window(self._title, size), pygame.Clock()
        Window._shown[self._window.id] = self
        return self._window

    def dismiss(self) -> None:
        """Take the window off the screen and show no more pictures until `close`."""
        self.close()
        self._dismissed = True

    def close(self) -> None:
        """Take the window off the screen; a further picture opens another."""
        self._dismissed = False
        if self._window is None:
            return
        import pygame

        Window._shown.pop(self._window.id, None)
        self._window.destroy()
        self._window = self._clock = None
        if Window._brought_display and not Window._shown:
            pygame.display.quit()
            Window._brought_display = False

    def __getstate__(self) -> dict[str, Any]:
        return {"_title": self._title, "_window": None, "_clock": None, "_dismissed": False}


def _listen() -> None:
    """Take in what the user did to the windows."""
    import pygame

    for event in pygame.event.get():
        window = Window._shown.get(event.window.id) if event.type == pygame.WINDOWCLOSE and event.window else None
        if window is not None:
            window.dismiss()


def load_pygame() -> Any:
    """Import pygame without its greeting.

    Raises:
        ModuleNotFoundError: it is missing; names the extra that brings it.
    """
    greeting = os.environ.get("PYGAME_HIDE_SUPPORT_PROMPT")
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    try:
        return need("pygame")
    finally:
        if greeting is None:
            del os.environ["PYGAME_HIDE_SUPPORT_PROMPT"]
        else:
            os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = greeting
