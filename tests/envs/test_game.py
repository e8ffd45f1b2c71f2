"""`Game`, the running game inside the environments: rewards and masks."""

import numpy as np
import pytest

from mancala_rl import variant
from mancala_rl.envs import game
from mancala_rl.envs.game import Game, Masks, masks_for
from mancala_rl.envs.reward import rewards

SPECS = [
    "kalah:pits=3,stones=2",
    "kalah:pits=2,stones=2,leftovers=unscored",
    "oware:pits=3,stones=3,max_plies=9",
    "toguz_korgool:pits=3,stones=3",
    "japanese:pits=2,stones=2",
    "japanese:players=3,pits=2,stones=2,resign=true",
    "japanese:players=4,pits=3,stones=2,max_plies=17",
    "avalanche:pits=3,stones=2",
]


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_are_those_of_a_batch_after_every_move(spec):
    rules, rng = variant(spec), np.random.default_rng(3)
    paid = 0
    for _ in range(10):
        running = Game(rules)
        running.begin(rules.start().row)
        while running.bits:
            legal = np.flatnonzero(running.info["action_mask"])
            running.play(int(rng.choice(legal)))
            for kind in ("outcome", "margin") if rules.goal == "most" else ("outcome",):
                expected = rewards(running.rows[:1], kind, rules)[0].tolist()
                assert running.worth(margins=kind == "margin") == pytest.approx(expected)
                paid += any(expected)
    assert paid


@pytest.mark.parametrize("actions", [1, 6, 61])
def test_a_mask_shows_its_bits_is_shared_and_read_only(actions):
    for bits in (0, 1, (1 << actions) - 1, 1 << actions - 1):
        mask = masks_for(actions)[bits]
        assert mask.dtype == np.int8 and mask.shape == (actions,)
        assert sum(int(entry) << action for action, entry in enumerate(mask)) == bits
        assert masks_for(actions)[bits] is mask
        assert not mask.flags.writeable


def test_masks_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(game, "MOST_MASKS", 5)
    masks = Masks(10)
    kept = masks[3]
    for bits in range(100):
        assert masks[bits].sum() == bits.bit_count()
        assert len(masks) <= 5
    assert kept.tolist() == masks[3].tolist() == [1, 1] + [0] * 8
