"""The board as text."""

import pytest

from mancala_rl import Position, kalah_v0, variant
from mancala_rl.envs.rendering import board_text, status
from mancala_rl.envs.rendering.text import tag
from mancala_rl.envs.single import MancalaEnv

NAMES = ("player_0", "player_1")


def shown(text):
    """A drawing without the indentation it has in a test."""
    return "\n".join(line[4:] for line in text.strip("\n").split("\n"))


def test_the_start():
    text = board_text(variant("kalah").start(), NAMES)
    assert text == shown("""
             5   4   3   2   1   0    player_1
             4   4   4   4   4   4
       0                               0
             4   4   4   4   4   4
             0   1   2   3   4   5    player_0
    player_0 to move""")


def test_the_last_move_is_marked_and_an_extra_turn_said():
    text = board_text(variant("kalah").start().play(2), NAMES)
    assert text == shown("""
             5   4   3   2   1   0    player_1
             4   4   4   4   4   4
       0                              *1
             4   4   0  *5  *5  *5
             0   1   2   3   4   5    player_0
    player_0 to move again""")


def test_the_other_side_of_the_table():
    position = variant("kalah").start().play(2).play(5)
    assert board_text(position, NAMES, seat=1) == shown("""
             5   4   3   2   1   0    player_0
             0   5   5   0   4   4
      *2                               0
            *5  *5  *5  *5   4   4
             0   1   2   3   4   5    player_1
    player_1 to move""")


def test_wide_numbers_stay_in_their_columns():
    rules = variant("kalah:pits=12,stones=20")
    lines = board_text(rules.start().play(0), NAMES).split("\n")
    assert (
        len({len(line.removesuffix("    player_0").removesuffix("    player_1").rstrip()) for line in lines[:2]}) == 1
    )
    assert lines[1].split() == ["20"] * 4 + ["*21"] * 8
    assert lines[4].split() == [*map(str, range(12)), "player_0"]


@pytest.mark.parametrize(
    "text, ended",
    [
        ("0,0,0,0,0,0+22/0,0,0,8,0,0+18 -", "player_1 wins: player_0 22, player_1 26"),
        ("0,0,0,0,0,0+30/0,0,0,0,0,0+18 -", "player_0 wins: player_0 30, player_1 18"),
        ("0,0,0,0,0,0+24/0,0,5,0,0,0+19 -", "a draw: player_0 24, player_1 24"),
    ],
)
def test_the_end_is_told(text, ended):
    assert status(Position.parse(text, variant("kalah")), NAMES) == ended


def test_the_aec_environment_draws_player_0_at_the_bottom():
    env = kalah_v0.env(render_mode="ansi")
    env.reset(seed=0)
    env.step(2)
    env.step(0)
    assert env.render() == board_text(variant("kalah").start().play(2).play(0), NAMES)
    assert env.render().endswith("player_1 to move")


def test_the_aec_environment_tells_who_lost_by_an_illegal_move():
    env = kalah_v0.env(render_mode="ansi")
    env.reset(seed=0)
    env.step(2)
    env.step(2)
    assert env.render().endswith("player_0 loses by an illegal move")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_single_agent_environment_draws_the_learner_at_the_bottom(seat):
    env = MancalaEnv(render_mode="ansi", seat=seat, opponent="greedy")
    env.reset(seed=0)
    names = ["greedy", "greedy"]
    names[seat] = "learner"
    assert env.render() == board_text(env.position, names, seat)
    assert env.render().endswith("learner to move")
    while env.action_masks().all():
        env.step(0)
    env.step(int(env.action_masks().argmin()))
    assert env.render().endswith("learner loses by an illegal move")


# ------------------------------------------------------------------------------------ three and four, closed, claimed


def test_with_more_than_two_the_own_row_is_the_last():
    position = variant("japanese:players=3,pits=4,stones=3").start().play(3)
    assert board_text(position, ("Ann", "Ben", "Cleo"), seat=1) == shown("""
      Cleo:   3   3   3   3  |  0
       Ann:   3   3   3   0  | *1
       Ben:  *4  *4   3   3  |  0
    Ben to move""")
    assert [line.split(":")[0].strip() for line in board_text(position, ("Ann", "Ben", "Cleo")).split("\n")] == [
        "Ben",
        "Cleo",
        "Ann",
        "Ben to move",
    ]


def test_who_is_out_is_crossed_out_and_has_a_place():
    position = Position.parse("0,1+3/x,x+x/1,0+2/0,1+3 0 places=-,1,-,-", variant("japanese:players=4,pits=2,stones=3"))
    assert board_text(position, ("A", "B", "C", "D")) == shown("""
      B:   x   x  |  x, 1st
      C:   1   0  |  2
      D:   0   1  |  3
      A:   0   1  |  3
    A to move""")


def test_a_store_that_was_lifted_with_the_last_stone_in_it_has_no_star():
    position = Position.parse("0,1+5/1,1+4/2,2+2 0", variant("japanese:players=3,pits=2,stones=3")).play(1)
    assert position.places == (1, None, None)
    assert "*" not in board_text(position, ("A", "B", "C"))


def test_a_closed_pit_and_a_tuzdik_are_shown():
    closed = Position(variant("mangala"), [[4] * 6, [0, 4, 4, 4, 4, 4]], [2, 2], closed=[(1, 0)])
    assert board_text(closed, NAMES).split("\n")[1].split() == ["4"] * 5 + ["x"]
    rows = [[9] * 9, [9] * 3 + [0] + [9] * 5]
    claimed = Position(variant("toguz_korgool"), rows, [9, 0], tuzdiks=(3, None))
    assert board_text(claimed, NAMES).split("\n")[4].endswith("player_0, tuzdik in pit 3")


def test_the_end_of_a_race_is_told_by_places():
    over = Position.parse("x,x+x/0,1+9/x,x+x - places=2,3,1", variant("japanese:players=3,pits=2,stones=3"))
    assert status(over, ("A", "B", "C")) == "C wins: A 2nd, B 3rd, C 1st"


def test_a_game_that_was_cut_off_has_no_winner():
    position = variant("oware:max_plies=1").start().play(0)
    assert position.truncated
    assert status(position, NAMES) == "cut off after 1 moves: player_0 24, player_1 24"


def test_who_had_finished_before_a_game_was_cut_off_keeps_the_place():
    position = Position.parse(
        "x,x+x/0,2+0/0,1+1 - places=1,-,-", variant("japanese:players=3,pits=2,stones=1,max_plies=6")
    )
    assert [tag(position, seat)[0] for seat in range(3)] == ["1st place", "cut off", "cut off"]


@pytest.mark.parametrize("make", [kalah_v0.env, MancalaEnv], ids=["AEC", "single"])
def test_without_a_render_mode_nothing_is_drawn_but_a_warning(make):
    env = make()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode="):
        assert env.render() is None
