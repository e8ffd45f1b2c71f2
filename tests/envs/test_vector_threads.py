"""Threads share the games of a batch; nobody can tell how many there are."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv
from mancala_rl.envs.vector.threads import Workers
from tests.envs.batched import RECORDS, RECORDS_FOR_TWO, transcript

GAMES = 10  # which 3 and 7 do not divide
CASES = [
    (SelfPlayVectorEnv, {"rules": "kalah:pits=3,stones=2"}),
    (SelfPlayVectorEnv, {"rules": RECORDS, "records": "random", "observation": "tactical"}),
    (SelfPlayVectorEnv, {"rules": RECORDS_FOR_TWO, "observation": "lookahead", "copy": False}),
    (SelfPlayVectorEnv, {"rules": "japanese:players=4,pits=2,stones=1,resign=true", "opening_plies": (0, 5)}),
    (MancalaVectorEnv, {"rules": "oware:pits=3,stones=2", "opponent": "greedy", "reward": "margin"}),
    (MancalaVectorEnv, {"rules": RECORDS, "observation": "tactical", "first": "random", "autoreset_mode": "NEXT_STEP"}),
]


def played(kind, options, threads):
    env = kind(num_envs=GAMES, threads=threads, **options)
    env.reset(seed=3)
    views = transcript(env, 40)
    assert env.threads == threads
    env.close()
    return views


def workers():
    return {thread for thread in threading.enumerate() if thread.name.startswith("mancala-games")}


@pytest.mark.parametrize("kind, options", CASES, ids=[f"{kind.__name__}-{len(o)}" for kind, o in CASES])
def test_any_number_of_threads_gives_the_same(kind, options):
    alone = played(kind, options, 1)
    for threads in (2, 3, 7, 64):
        assert played(kind, options, threads) == alone


def test_threads_end_with_close_and_the_games_go_on():
    env = SelfPlayVectorEnv("kalah", 8, threads=3)
    twin = SelfPlayVectorEnv("kalah", 8)
    before = workers()
    env.reset(seed=0)
    own = workers() - before
    assert 0 < len(own) < 3, "this thread is the third, and one may have been quick enough for two"
    twin.reset(seed=0)
    assert transcript(env, 3) == transcript(twin, 3)
    env.close()
    assert not own & workers()
    assert transcript(env, 3, first=3) == transcript(twin, 3, first=3)


def test_one_thread_starts_none():
    before = workers()
    env = SelfPlayVectorEnv("kalah", 8)
    env.reset(seed=0)
    env.step(env.sample_actions())
    assert workers() <= before
    assert len(Workers(3, 8)._ranges) == 3


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_an_error_in_any_thread_is_raised_when_all_are_done(broken):
    pool, done, late = Workers(9, 3), [], threading.Event()

    def work(lo, hi):
        if lo // 3 == broken:
            late.set()
            raise ValueError(f"range {lo} to {hi}")
        late.wait(1)
        done.append(lo)

    with pytest.raises(ValueError, match=f"range {3 * broken} to {3 * broken + 3}"):
        pool.run(work)
    assert sorted(done) == [lo for lo in (0, 3, 6) if lo // 3 != broken], "no thread writes on behind the error"
    pool.run(lambda lo, hi: done.append(lo))
    assert sorted(done[2:]) == [0, 3, 6]
    pool.close()


def test_an_error_in_a_thread_surfaces_from_the_step(monkeypatch):
    env = SelfPlayVectorEnv("kalah:pie=true", 8, threads=2)  # observations that every range makes for itself
    env.reset(seed=0)
    observe = env._padding.observe

    def broken(rows, seats, record, rules):
        if threading.current_thread() is not threading.main_thread():
            raise MemoryError("no room")
        return observe(rows, seats, record, rules)

    monkeypatch.setattr(env._padding, "observe", broken)
    with pytest.raises(MemoryError, match="no room"):
        env.step(env.sample_actions())
    monkeypatch.undo()
    env.reset(seed=1)
    assert env.step(env.sample_actions())[0].shape == (8, 15)


FORK = """
import os, signal, warnings
import numpy as np
from mancala_rl import SelfPlayVectorEnv
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of every fork beside threads
env = SelfPlayVectorEnv("kalah", 8, threads=2)
env.reset(seed=0)
actions = env.sample_actions()
child = os.fork()
if not child:
    signal.alarm(60)
    env.step(actions)
    env.close()
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
env.step(actions)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_process_starts_threads_of_its_own():
    """It has none of its parent's: work given to them would wait for ever."""
    run = subprocess.run([sys.executable, "-W", "error", "-c", FORK], capture_output=True, text=True, check=False)
    assert (run.stdout.split(), run.stderr) == (["7"], "")


def test_threads_of_python_may_step_environments_of_their_own():
    results = {}

    def work(number):
        env = SelfPlayVectorEnv(RECORDS_FOR_TWO, 5, observation="lookahead", threads=2)
        env.reset(seed=1)
        results[number] = transcript(env, 15)
        env.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[1] == results[2]
    assert len(results) == 3 and np.array(results[0][0][0]).shape[0] == 5
