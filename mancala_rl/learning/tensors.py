"""`TensorVectorEnv`: a vector environment whose arrays are PyTorch tensors, on the processor or on a GPU."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from gymnasium.vector import VectorEnv, VectorWrapper
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError

Arrays = dict[str, NDArray[Any]]
Tensors = dict[str, torch.Tensor]

TOLD = ("action_mask", "to_move")  # the infos that a learner needs where it computes
ALIGNMENT = 16  # bytes; each tensor of a buffer starts at a multiple, whatever its type


class TensorVectorEnv(VectorWrapper):
    """Wraps a vector environment; what it returns are tensors on one device, and it takes actions from any.

    | what | tensor |
    |---|---|
    | observations | int16[B, D] as the environment makes them, or of `dtype` |
    | `infos["action_mask"]` | bool[B, A] |
    | `infos["to_move"]`, where the environment tells it | int64[B] |
    | rewards | float32[B], float32[B, P] where every seat has its own |
    | terminations, truncations | bool[B] |

    Every other entry of `infos`, `final_obs` among them, stays as the environment made it, and what else the
    environment can do is found in `unwrapped`.

    On the processor nothing is copied but the rewards, and the observations if `dtype` is another type: the tensors
    are the environment's own arrays, and where it was made with `copy=False` they change with the next step as those
    do. On a GPU every step is one transfer out of page-locked memory, which the processor does not wait for; the
    tensors are fresh every time, and belong to the stream that was current in the call.

    Args:
        env: a vector environment with an `action_mask` in its infos, int8[B, A] of 0 and 1.
        device: "cpu", "cuda", or "cuda:1" and so on.
        dtype: of the observations, such as `torch.float32`; they are converted on the device. None leaves them as
            they are.

    Raises:
        BadInputError: no vector environment, a device that is not there, or a dtype that is none.
    """

    def __init__(
        self, env: VectorEnv[Any, Any, Any], device: str | torch.device = "cpu", dtype: torch.dtype | None = None
    ) -> None:
        if not isinstance(env, VectorEnv):
            raise BadInputError(f"env={env!r}: expected a vector environment, such as SelfPlayVectorEnv('kalah', 64)")
        if not isinstance(dtype, torch.dtype | None):
            raise BadInputError(f"dtype={dtype!r}: expected a type of PyTorch, such as torch.float32, or None")
        super().__init__(env)
        self.device, self.dtype = checked_device(device), dtype
        self._send = share if self.device.type == "cpu" else Staging(CudaLink(self.device)).send

    def reset(  # type: ignore[override]
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """Start new games; arguments and errors are those of the environment.

        Args:
            seed: see the environment.
            options: see the environment; a `reset_mask` may be a tensor on any device.

        Returns:
            Observations[B, D] and infos, as the class describes them.
        """
        if isinstance(options, Mapping):
            options = {name: array_of(option) for name, option in options.items()}
        observations, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        return self._seen(self._send({"observations": observations, **told(infos)}), infos)

    def step(  # type: ignore[override]
        self, actions: torch.Tensor | NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]:
        """Play one action in every game; errors are those of the environment.

        Args:
            actions: whole numbers[B], a tensor on any device or an array.

        Returns:
            Observations[B, D], rewards, terminations, truncations and infos, as the class describes them.
        """
        observations, rewards, terminations, truncations, infos = self.env.step(actions_of(actions))
        sent = self._send(
            {
                "observations": observations,
                "rewards": rewards.astype(np.float32),
                "terminations": terminations,
                "truncations": truncations,
                **told(infos),
            }
        )
        seen, infos = self._seen(sent, infos)
        return seen, sent["rewards"], sent["terminations"], sent["truncations"], infos

    def _seen(self, sent: Tensors, infos: dict[str, Any]) -> tuple[torch.Tensor, dict[str, Any]]:
        """Return observations and infos as they are given out."""
        observations = sent["observations"]
        if self.dtype is not None:
            observations = observations.to(self.dtype)
        return observations, {**infos, **{name: sent[name] for name in TOLD if name in sent}}


def checked_device(device: str | torch.device) -> torch.device:
    """Return a device that this machine has.

    Raises:
        BadInputError: neither the processor nor a CUDA device that PyTorch can see.
    """
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError):
        found = torch.device("meta")
    if found.type not in ("cpu", "cuda"):
        raise BadInputError(f"device={str(device)!r}: expected cpu, cuda, or cuda:1 and so on")
    seen = torch.cuda.device_count() if found.type == "cuda" else 1
    if (found.index or 0) >= seen:
        raise BadInputError(f"device={str(device)!r}: PyTorch sees {seen} CUDA devices here; use one of them, or cpu")
    return found


def array_of(value: Any) -> Any:
    """Return a tensor as an array, waiting for what is still to be computed; anything else as it is."""
    return value.detach().cpu().numpy() if isinstance(value, torch.Tensor) else value


def actions_of(actions: torch.Tensor | NDArray[Any]) -> NDArray[Any]:
    """Return actions as an array, whole numbers as int64[B]; whatever else is the environment's to refuse."""
    array = np.asarray(array_of(actions))
    return array.astype(np.int64, copy=False) if array.dtype.kind in "iu" else array


def told(infos: dict[str, Any]) -> Arrays:
    """Return what becomes a tensor of the infos; the mask, int8[B, A] of 0 and 1, as bool[B, A] in the same memory."""
    arrays = {name: infos[name] for name in TOLD if name in infos}
    arrays["action_mask"] = arrays["action_mask"].view(np.bool_)
    return arrays


def share(arrays: Arrays) -> Tensors:
    """Return tensors in the memory of the arrays; one that must not be written to is copied."""
    return {name: torch.from_numpy(a if a.flags.writeable else a.copy()) for name, a in arrays.items()}


class Pending(Protocol):
    """A transfer under way."""

    def synchronize(self) -> None:
        """Wait for its end."""


class Link(Protocol):
    """The way to a device."""

    def allocate(self, size: int) -> torch.Tensor:
        """Return host memory that transfers can start from, uint8[size]."""

    def transfer(self, host: torch.Tensor) -> tuple[torch.Tensor, Pending]:
        """Begin to copy `host: uint8[N]`; return the copy, a fresh tensor on the device, and the transfer."""


class CudaLink:
    """The way to a CUDA device, on the stream that is current in each call.

    Args:
        device: where to.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def allocate(self, size: int) -> torch.Tensor:
        """Return page-locked memory, uint8[size]: without it a transfer would wait."""
        return torch.empty(size, dtype=torch.uint8, pin_memory=True)

    def transfer(self, host: torch.Tensor) -> tuple[torch.Tensor, Pending]:
        """Begin to copy `host: uint8[N]`; what is done with the copy on the same stream comes after it."""
        copy = host.to(self.device, non_blocking=True)
        return copy, torch.cuda.current_stream(self.device).record_event()


@dataclass
class Buffer:
    """Host memory, and the last transfer out of it."""

    memory: torch.Tensor
    transfer: Pending | None = None


class Staging:
    """Sends arrays to a device, all of a call in one transfer that the caller does not wait for.

    A buffer is written to again only when the last transfer out of it has ended. With two of them the next arrays can
    be made and laid down while the last ones are on their way.

    Args:
        link: the way to the device.
        buffers: how many to take in turns.
    """

    def __init__(self, link: Link, buffers: int = 2) -> None:
        self._link = link
        self._buffers = [Buffer(link.allocate(0)) for _ in range(buffers)]

    def send(self, arrays: Arrays) -> Tensors:
        """Return copies of the arrays on the device, fresh tensors of the same types and shapes."""
        starts, size = {}, 0
        for name, array in arrays.items():
            starts[name] = size
            size += -(-array.nbytes // ALIGNMENT) * ALIGNMENT
        host = self._write(arrays, starts, size)
        copy, host.transfer = self._link.transfer(host.memory[:size])
        return {name: _part(copy, starts[name], array) for name, array in arrays.items()}

    def _write(self, arrays: Arrays, starts: dict[str, int], size: int) -> Buffer:
        """Lay the arrays down in the buffer whose turn it is."""
        host = self._buffers.pop(0)
        self._buffers.append(host)
        if host.transfer is not None:
            host.transfer.synchronize()
        if len(host.memory) < size:
            host.memory = self._link.allocate(size)
        for name, array in arrays.items():
            np.copyto(_part(host.memory, starts[name], array).numpy(), array)
        return host


def _part(memory: torch.Tensor, start: int, array: NDArray[Any]) -> torch.Tensor:
    """Return the part of `memory: uint8[N]` from `start` on as a tensor like the array."""
    kind = torch.from_numpy(np.empty(0, array.dtype)).dtype
    return memory[start : start + array.nbytes].view(kind).view(array.shape)
