"""Pictures one after the other: an animated GIF, or a video."""

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.rendering.extra import need

FPS = 1.0
PAUSE = 3.0  # seconds that the last picture stays, at least

Pictures = Sequence[NDArray[np.uint8]]


def png(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture, uint8[H, W, 3], as a PNG file.

    Raises:
        ModuleNotFoundError: Pillow is missing; names the extra that brings it.
    """
    need("PIL")
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(pictures: Pictures, fps: float = FPS) -> bytes:
    """Return pictures of one size, each uint8[H, W, 3], as a GIF that begins again after a pause.

    Raises:
        ModuleNotFoundError: Pillow is missing; names the extra that brings it.
    """
    need("PIL")
    from PIL import Image

    # Every frame gets its own colours, without dots that mix them: the areas are plain.
    frames = [Image.fromarray(picture).quantize(dither=Image.Dither.NONE) for picture in pictures]
    durations = [1000 / fps] * (len(frames) - 1) + [1000 * max(PAUSE, 1 / fps)]
    timing = [round(duration, -1) for duration in durations]  # the format counts hundredths of a second
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=timing, loop=0)
    return file.getvalue()


def mp4(pictures: Pictures, fps: float = FPS) -> bytes:
    """Return pictures of one size, each uint8[H, W, 3], as an H.264 video that rests on the last one.

    Raises:
        ModuleNotFoundError: imageio or its ffmpeg is missing; names the extra that brings it.
    """
    for module in ("imageio", "imageio_ffmpeg"):
        need(module)
    import imageio.v3

    rest = [pictures[-1]] * (math.ceil(PAUSE * fps) - 1)
    frames = np.stack([_even(picture) for picture in (*pictures, *rest)])
    options: dict[str, Any] = {"codec": "libx264", "macro_block_size": 2, "quality": 8}
    video: bytes = imageio.v3.imwrite("<bytes>", frames, extension=".mp4", plugin="FFMPEG", fps=fps, **options)
    return video


def _even(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture with a side longer by one where it was odd: players of video need even ones."""
    height, width = picture.shape[:2]
    return np.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
