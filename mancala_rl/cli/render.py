"""The command about pictures: `render`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import arg

from mancala_rl.cli.game import parse_moves, replay
from mancala_rl.cli.output import check_writable, show, show_json
from mancala_rl.cli.rules import JsonOption, StartOption
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, variant

if TYPE_CHECKING:
    from mancala_rl.envs.rendering.film import Pictures

_STILLS, _FILMS = (".svg", ".png"), (".gif", ".mp4")
_SIZES, _SPEEDS = (100, 4096), (0.1, 50.0)


@dataclass(frozen=True)
class Render:
    """Draw a game: its last position as .svg or .png, all of it as .gif or .mp4."""

    variant: Annotated[str, arg(metavar="V", help="what is played, as in kalah:stones=6")]
    out: Annotated[Path, arg(metavar="FILE", help="its suffix decides: .svg, .png, .gif or .mp4")]
    moves: Annotated[str, arg(metavar='"2 5 0"', help="pit numbers, swap or resign, between spaces or commas")] = ""
    start: StartOption = None
    ply: Annotated[
        int | None, arg(metavar="N", help="draw the position after N moves", help_behavior_hint="(default: all)")
    ] = None
    seat: Annotated[int, arg(metavar="S", help="whose side is at the bottom")] = 0
    names: Annotated[
        str | None, arg(metavar='"A,B"', help="one a seat, between commas", help_behavior_hint="(default: seat 0, ...)")
    ] = None
    size: Annotated[
        int | None, arg(metavar="PIXELS", help="the longer side", help_behavior_hint="(default: as the board needs)")
    ] = None
    fps: Annotated[
        float | None, arg(metavar="F", help="moves a second in a .gif or .mp4", help_behavior_hint="(default: 1)")
    ] = None
    overwrite: Annotated[bool, arg(help="replace FILE if it exists")] = False
    json: JsonOption = False

    def run(self) -> None:
        """Draw, write the file and say what it shows."""
        self._check()
        rules = variant(self.variant)
        start = rules.start() if self.start is None else Position.parse(self.start, rules)
        plies = replay(start, parse_moves(self.moves, rules))
        positions = [start, *(ply.after for ply in plies)]
        names = self._names(rules.players)
        if self._suffix in _FILMS:
            facts = self._film(positions, names)
        else:
            facts = self._still(positions, names)
        if self.json:
            show_json({"rules": str(rules), "out": str(self.out), **facts})
        else:
            show(f"{self.out}: {facts['width']} x {facts['height']} pixels, {facts['frames']} position(s) of {rules}")

    @property
    def _suffix(self) -> str:
        return self.out.suffix.lower()

    def _check(self) -> None:
        """Refuse what cannot be done before anything is drawn."""
        if self._suffix not in _STILLS + _FILMS:
            raise BadInputError(f"--out {self.out}: expected a name that ends in {', '.join(_STILLS + _FILMS)}")
        if self._suffix in _FILMS and self.ply is not None:
            raise BadInputError(f"--ply {self.ply}: {self._suffix} shows every position; leave it out, or take .png")
        if self._suffix in _STILLS and self.fps is not None:
            raise BadInputError(f"--fps {self.fps:g}: {self._suffix} does not move; leave it out, or take .gif")
        if self.size is not None and not _SIZES[0] <= self.size <= _SIZES[1]:
            raise BadInputError(f"--size {self.size}: expected {_SIZES[0]} to {_SIZES[1]} pixels")
        if self.fps is not None and not _SPEEDS[0] <= self.fps <= _SPEEDS[1]:
            raise BadInputError(f"--fps {self.fps:g}: expected {_SPEEDS[0]:g} to {_SPEEDS[1]:g} moves a second")
        if self.out.exists() and not self.out.is_dir() and not self.overwrite:
            raise BadInputError(f"--out {self.out}: exists; choose another name or add --overwrite")
        check_writable("--out", self.out)

    def _names(self, players: int) -> list[str]:
        if not 0 <= self.seat < players:
            raise BadInputError(f"--seat {self.seat}: expected a seat from 0 to {players - 1}")
        if self.names is None:
            return [f"seat {seat}" for seat in range(players)]
        names = [name.strip() for name in self.names.split(",")]
        if len(names) != players:
            raise BadInputError(f"--names {self.names!r}: expected {players} names between commas, got {len(names)}")
        return names

    def _still(self, positions: list[Position], names: list[str]) -> dict[str, Any]:
        from mancala_rl.envs.rendering import film, raster, vector
        from mancala_rl.envs.rendering.board import scene

        last = len(positions) - 1
        ply = last if self.ply is None else self.ply
        if not 0 <= ply <= last:
            raise BadInputError(f"--ply {self.ply}: expected 0 to {last}, the number of moves")
        drawing = scene(positions[ply], names, self.seat)
        if self._suffix == ".svg":
            data = vector.paint(drawing, self.size).encode()
        else:
            data = film.png(raster.paint(drawing, self.size))
        self.out.write_bytes(data)
        width, height = drawing.pixels(self.size)
        return {"width": width, "height": height, "frames": 1, "position": str(positions[ply])}

    def _film(self, positions: list[Position], names: list[str]) -> dict[str, Any]:
        from mancala_rl.envs.rendering import film, rgb_array

        make: Callable[[Pictures, float], bytes] = film.gif if self._suffix == ".gif" else film.mp4
        pictures = [rgb_array(position, names, self.seat, self.size) for position in positions]
        self.out.write_bytes(make(pictures, self.fps or film.FPS))
        height, width = pictures[0].shape[:2]
        if self._suffix == ".mp4":  # its sides are even
            height, width = height + height % 2, width + width % 2
        return {"width": width, "height": height, "frames": len(pictures), "position": str(positions[-1])}
