"""Steps, actions and turns of the later sets as text, and why an action is not legal."""

import re

import pytest
from mixed import MIXED_BOARD, mixed_position
from positions import random_positions

from kbai import content
from kbai._fast import Step
from kbai.core.errors import IllegalActionError, NotationError
from kbai.game.cells import format_cell
from kbai.game.setup import setup_of
from kbai.game.steps import draw_step, next_steps, pack_step
from kbai.notation.actions import format_action, format_step, legal_actions, parse_step
from kbai.notation.illegal import apply_action, why_illegal
from kbai.notation.names import parse_cell
from kbai.notation.positions import format_line, parse_position
from kbai.notation.turns import Turn, format_turn, parse_turn, play_turn


def test_every_cell_of_the_island_comes_back_from_its_text():
    texts = [format_cell(cell) for cell in range(400, 450)]
    assert [parse_cell(text) for text in texts] == list(range(400, 450))
    assert parse_cell("~b3") == 400 + 2 * 10 + 1
    assert parse_cell(" ~J05 ") == 449


@pytest.mark.parametrize("text", ["~", "~k1", "~a6", "~a0", "~~a1", "~t1", "a~1", "~a"])
def test_what_is_no_cell_of_the_island_is_refused(text):
    with pytest.raises(NotationError, match="expected a cell from"):
        parse_cell(text)


CELL = parse_cell("c7")
# Text of the step; the kind, the tile whose slot it has, and the cell of the kernel's step.
STEPS = {
    "~b3": (Step.BUILD, None, 421),
    "foresters_lodge:c7": (Step.BUILD, "foresters_lodge", CELL),
    "monastery:~b3": (Step.BUILD, "monastery", 421),
    "refuge:c7-": (Step.LIFT, "refuge", CELL),
    "cave:c7-": (Step.LIFT, "cave", CELL),
    "farmland:c7": (Step.BUILD, "farmland", CELL),
    "fort": (Step.DECLARE, "fort", 0),
    "fort:c7": (Step.BUILD, "fort", CELL),
    "barracks:c7": (Step.BUILD, "barracks", CELL),
    "barracks:back@c7": (Step.BACK, "barracks", CELL),
    "wagon:back@~b3": (Step.BACK, "wagon", 421),
    "wagon:c7-": (Step.LIFT, "wagon", CELL),
    "city_hall:c7": (Step.BUILD, "city_hall", CELL),
    "temple:c7": (Step.REMOVE, "temple", CELL),
    "canoe:red@c7": (Step.BUILD, "canoe", CELL),
    "pass:red": (Step.PASS, None, 0),
    "bazaar:fort": (Step.REPEAT, "bazaar", "fort"),
    "scout_cabin:c7": (Step.SCOUT, "scout_cabin", CELL),
    "cathedral:take": (Step.TAKE, "cathedral", 0),
    "cathedral:c7": (Step.BUILD, "cathedral", CELL),
    "silo:c7": (Step.BUILD, "silo", CELL),
    "silo:c7-": (Step.LIFT, "silo", CELL),
    "choose:flower": (Step.CHOOSE, None, 3 * 16 + 3),
    "choose:flower/desert": (Step.CHOOSE, None, 3 * 16 + 2),
    "choose:marsh_grass/marsh": (Step.CHOOSE, None, 5 * 16 + 5),
    "choose:marsh_forest/forest": (Step.CHOOSE, None, 9 * 16 + 4),
    "=marsh_canyon": (None, None, 6),
}
GIFTS_A = "refuge,fort,barracks,wagon,city_hall"
GIFTS_B = "foresters_lodge,monastery,bazaar,fort,scout_cabin"


@pytest.mark.parametrize(("text", "step"), STEPS.items())
def test_steps_are_written_as_in_the_table_of_the_forms(text, step):
    kind, tile, cell = step
    for gifts in (GIFTS_A, GIFTS_B):
        current = mixed_position(f"red=a1/gifts={gifts} blue=- turn=red card=flower")
        kinds = setup_of(current).tile_kinds
        if tile is None or tile in kinds:
            break
    slot = kinds.index(tile) + 1 if tile else 0
    number = kinds.index(cell) + 1 if isinstance(cell, str) else cell
    expected = draw_step(number) if kind is None else pack_step(kind, slot, number)
    assert parse_step(current, text) == expected
    assert parse_step(current, f" {text.upper()} ") == expected
    assert format_step(current, expected) == text


def test_every_legal_step_of_every_set_comes_back_from_its_text():
    seen = set()
    for current in random_positions(45, share=0.04):
        for step in next_steps(current):
            text = format_step(current, step)
            assert parse_step(current, text) == step
            assert format_action(text) == text
            seen.add(re.split("[:@]", text)[0] if ":" in text else text[:1])
    # Not all of them are met in so few games, but most.
    assert len(seen & {*content.load().tiles}) > 30
    assert {"choose", "="} <= seen


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("Choose:Marsh_Grass/GRASS", "choose:marsh_grass/grass"), ("choose:Flowers", "choose:flower"),
     ("choose:flower/flower", "choose:flower"), ("BARRACKS:Back@C07", "barracks:back@c7"),
     ("Wagon:C7-D07", "wagon:c7-d7"), ("Canoe:Blue@C7", "canoe:blue@c7"),
     ("PASS:Blue", "pass:blue"),
     ("Cathedral:TAKE", "cathedral:take"), ("Bazaar:Tower", "bazaar:tower"), ("FORT", "fort"),
     ("=Marsh-Grass", "=marsh_grass"), ("silo:~A03-~b1", "silo:~a3-~b1"), ("-~B3", "-~b3")],
)  # fmt: skip
def test_an_action_has_one_canonical_text(text, canonical):
    assert format_action(text) == canonical
    assert format_action(canonical) == canonical


MALFORMED = {
    "choose:marsh_grass": (
        "expected the half as well, choose:marsh_grass/marsh or choose:marsh_grass/grass, got"
    ),
    "choose:gress": "unknown card 'gress'; did you mean 'grass'?",
    "choose:grass/lava": "unknown terrain 'lava'",
    "choose:": "unknown card ''",
    "choose": "expected a cell",
    "pass": "expected the seat that does not react, as in pass:blue, got 'pass'",
    "pass:": "unknown seat ''",
    "pass:blu": "unknown seat 'blu'; did you mean 'blue'?",
    "canoe:c7": "expected the seat that reacts and the cell, as in canoe:blue@c7, got 'canoe:c7'",
    "wagon:back": "expected the cell of the figure, as in wagon:back@c7, got 'wagon:back'",
    "barn:back@c7": "expected a cell",
    "cathedral:tak": "expected a cell",
    "bazaar:c7": "unknown tile 'c7'",
    "bazaar:": "unknown tile ''",
    "temple:blue@c7": "expected a cell",
    "~z3": "expected a cell from ~a1 to ~j5, got '~z3'",
    "barn:c7-~k9": "expected a cell from ~a1 to ~j5, got '~k9'",
}


@pytest.mark.parametrize(("text", "sentence"), MALFORMED.items())
def test_what_is_no_action_is_refused(text, sentence):
    with pytest.raises(NotationError) as caught:
        apply_action(mixed_position("red=- blue=- turn=red card=flower"), text)
    assert sentence in str(caught.value)


def actions(position, start=""):
    return [action for action in legal_actions(position) if action.startswith(start)]


def test_a_step_of_a_wagon_is_one_action():
    red = "red=-/gifts=wagon/wagon=a13 blue=- turn=red card=flower"
    current = mixed_position(red)
    assert actions(current, "wagon") == ["wagon:a13-b13", "wagon:a13-a14", "wagon:back@a13"]
    apply_action(current, "wagon:a13-b13")
    assert format_line(current).endswith("/wagon=b13 blue=- turn=red card=flower doing=wagon:2")
    apply_action(current, "wagon:b13-c13")
    apply_action(current, "stop")
    assert "doing" not in format_line(current)


def test_a_fort_draws_and_builds():
    current = mixed_position("red=a1/gifts=fort blue=- turn=red card=flower")
    for action in ("fort", "=canyon", "fort:a20"):
        apply_action(current, action)
    assert format_line(current).endswith(
        "red=a1,a20/used=fort/gifts=fort/roved=3/gold=rovers:1 blue=- turn=red card=flower "
        "discard=canyon:1"
    )


def test_a_reaction_names_who_reacts():
    current = mixed_position("red=- blue=o2/tiles=canoe@n2 green=- turn=red card=grass")
    apply_action(current, "r3")  # takes the outpost from q2
    assert " phase=build2 reacting=red:blue gone=q2" in format_line(current)
    assert "pass:blue" in legal_actions(current)
    assert {action.split(":")[0] for action in legal_actions(current)} == {"canoe", "pass"}
    apply_action(current, "canoe:blue@a10")
    assert "reacting" not in format_line(current)
    assert "blue=o2,a10/tiles=canoe@n2/used=canoe" in format_line(current)


# Rest of the position, action, part of the sentence.
CHOOSE = "red=-/gifts=crossroads blue=- turn=red card=choose hand=grass:1,marsh_flower:1"
REACT = "red=r3 blue=o2/tiles=canoe@n2 green=- turn=red card=grass phase=build2 reacting=red:blue"
SILO = "red=a1,e8 blue=- turn=red phase=silo"
ILLEGAL = {
    "sea": ("red=- blue=- turn=red card=flower", "~a1", "there is no hex ~a1 on this board (R1.1)"),
    "silo space": ("red=- blue=- turn=red card=desert", "f8", "f8 is a silo space (R1.8)"),
    "palace space": ("red=- blue=- turn=red card=desert", "c8", "c8 is a palace space (R1.8)"),
    "beside a warrior": (
        "red=- blue=-/gifts=barracks/warriors=c13 turn=red card=flower", "b13",
        "a warrior of blue on c13 blocks b13 (R6.3)",
    ),
    "on a warrior": (
        "red=- blue=-/gifts=barracks/warriors=c13 turn=red card=flower", "c13",
        "a warrior of blue stands on c13 (R4.1)",
    ),
    "on a city hall": (
        "red=- blue=-/gifts=city_hall/hall=d17 turn=red card=forest", "d16",
        "a city hall of blue stands on d16 (R4.1)",
    ),
    "on a scout": (
        "red=a14/used=scout_cabin/gifts=scout_cabin blue=- turn=red card=flower scouts=b14", "b14",
        "a scout stands on b14 (R6.5)",
    ),
    "card not chosen": (
        CHOOSE, "a1", "first choose the card, as in choose:grass (R3.6)",
    ),
    "half not chosen": (
        "red=- blue=- turn=red card=marsh_grass", "a1",
        "first choose the card, as in choose:marsh_grass/grass (R3.6)",
    ),
    "card not turned up": (
        CHOOSE, "choose:desert", "red has no desert card turned up (R3.6)",
    ),
    "half not on the card": (
        CHOOSE, "choose:marsh_flower/grass",
        "the card marsh_flower shows marsh and flower, not grass (R3.6)",
    ),
    "card chosen already": (
        "red=- blue=- turn=red card=flower", "choose:flower",
        "the card of this turn has already been chosen (R3.6)",
    ),
    "another card than the one played": (
        "red=- blue=- turn=red card=marsh_grass", "choose:flower", "the card is marsh_grass (R3.6)",
    ),
    "no card to choose": (
        "red=- blue=- turn=red card=none", "choose:flower", "red has no card to choose (R3.5)",
    ),
    "chosen half": (
        "red=- blue=- turn=red card=marsh_grass terrain=marsh", "a1",
        "a1 is grass, the terrain of this turn is marsh (R3.2)",
    ),
    "lodge elsewhere": (
        "red=a1/gifts=foresters_lodge blue=- turn=red card=flower", "foresters_lodge:b1",
        "b1 is grass, the foresters_lodge tile needs forest (R6.3)",
    ),
    "fort without a draw": (
        "red=-/gifts=fort blue=- turn=red card=flower", "fort:a1",
        "first draw a card with the word fort (R6.3)",
    ),
    "fort pending": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:draw", "a13",
        "first draw a card for the fort, as in =flower (R6.3)",
    ),
    "fort of another terrain": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:grass", "fort:a13",
        "a13 is flower, the card drawn for the fort is grass (R6.3)",
    ),
    "house within a fort": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:grass", "a13",
        "first build a house with the fort, as in fort:c7 (R6.3)",
    ),
    "fort without a house": (
        "red=-/gifts=fort/supply=0 blue=- turn=red card=flower phase=post", "fort",
        "there is no house left in the supply (R4.5)",
    ),
    "third warrior": (
        "red=-/gifts=barracks/warriors=a1,d1 blue=- turn=red card=flower", "barracks:g1",
        "both warriors of red are on the board (R6.3)",
    ),
    "no warrior there": (
        "red=a1/gifts=barracks blue=- turn=red card=flower", "barracks:back@a1",
        "there is no warrior of red on a1 (R6.3)",
    ),
    "warrior moved by its tile": (
        "red=-/gifts=barracks/warriors=a1 blue=- turn=red card=flower", "barracks:a1-b1",
        "the barracks tile places a warrior or takes one back, as in barracks:c7 and",
    ),
    "wagon on water": (
        "red=-/gifts=wagon blue=- turn=red card=flower", "wagon:a11",
        "a11 is water, the wagon tile needs a buildable hex or a mountain (R6.3)",
    ),
    "wagon twice": (
        "red=-/gifts=wagon/wagon=a1 blue=- turn=red card=flower", "wagon:b1",
        "the wagon of red is already on a1 (R6.3)",
    ),
    "wagon too far": (
        "red=-/gifts=wagon/wagon=a1 blue=- turn=red card=flower", "wagon:a1-c1",
        "c1 is not beside the piece (R6.3)",
    ),
    "house moved by the wagon": (
        "red=b1/gifts=wagon/wagon=a1 blue=- turn=red card=flower", "wagon:b1-c1",
        "the wagon tile moves the wagon, which is not on b1 (R6.3)",
    ),
    "wagon taken back on its way": (
        "red=-/used=wagon/gifts=wagon/wagon=a1 blue=- turn=red card=flower doing=wagon:1",
        "wagon:back@a1", "the wagon is on its way and cannot be taken back this turn (R6.3)",
    ),
    "house within a wagon's way": (
        "red=-/used=wagon/gifts=wagon/wagon=a1 blue=- turn=red card=flower doing=wagon:1",
        "a13", "first finish the wagon, or end it with the word stop (R3.3)",
    ),
    "ship on land": (
        "red=-/gifts=lighthouse blue=- turn=red card=flower", "lighthouse:a1",
        "a1 is grass, the lighthouse tile needs water (R6.3)",
    ),
    "city hall on water": (
        "red=a13/gifts=city_hall blue=- turn=red card=flower", "city_hall:d13",
        "c12 is water, the city hall needs buildable hexes (R6.3)",
    ),
    "city hall on the edge": (
        "red=a13/gifts=city_hall blue=- turn=red card=flower", "city_hall:a15",
        "a15 is not the centre of seven hexes (R6.3)",
    ),
    "city hall in the sea": (
        "red=a13/gifts=city_hall blue=- turn=red card=flower", "city_hall:~j3",
        "there is no hex ~j3 on this board (R1.1)",
    ),
    "city hall far away": (
        "red=a13/gifts=city_hall blue=- turn=red card=flower", "city_hall:n16",
        "a city hall around n16 is not beside any of your settlements (R6.3)",
    ),
    "city hall over a house": (
        "red=d15/gifts=city_hall blue=- turn=red card=flower", "city_hall:d16",
        "a settlement of red stands on d15 (R4.1)",
    ),
    "second city hall": (
        "red=-/gifts=city_hall/hall=d17 blue=- turn=red card=flower", "city_hall:n17",
        "the city hall of red already stands around d17 (R6.3)",
    ),
    "city hall moved": (
        "red=-/gifts=city_hall,refuge/hall=d17 blue=- turn=red card=flower", "refuge:d17-d15",
        "the city hall is never moved (R4.4)",
    ),
    "crossroads used": (
        "red=-/gifts=crossroads blue=- turn=red card=flower", "crossroads:a1",
        "the crossroads tile is never used: it brings one more card at the end of each turn (R6.3)",
    ),
    "temple without a house": (
        "red=f2 blue=- turn=red card=flower", "temple:a1", "there is no house of red on a1 (R6.4)",
    ),
    "temple for a figure": (
        "red=f2/gifts=wagon/wagon=a1 blue=- turn=red card=flower", "temple:a1",
        "the temple tile takes a house, but a wagon stands on a1 (R6.4)",
    ),
    "temple bonus used": (
        "red=f2,i2 blue=- turn=red card=flower", "temple_bonus:a1",
        "the temple_bonus tile is never used: it frees the first house of each mandatory action",
    ),
    "refuge by two": (
        "red=a1/gifts=refuge blue=- turn=red card=flower", "refuge:a1-c1",
        "c1 is not beside the piece (R6.4)",
    ),
    "refuge bonus over a free hex": (
        "red=a1/gifts=refuge_bonus blue=- turn=red card=flower", "refuge_bonus:a1-c1",
        "c1 is not the nearest free buildable hex of a direction (R6.4)",
    ),
    "fountain among two": (
        "red=a13,c13/gifts=fountain blue=- turn=red card=flower", "fountain:b13",
        "b13 is not beside exactly one of your settlements and none of another seat (R6.4)",
    ),
    "fountain on a mountain": (
        "red=k13/gifts=fountain blue=- turn=red card=flower", "fountain:k12",
        "k12 is mountain, the fountain tile needs a buildable hex (R6.4)",
    ),
    "canoe bonus on grass": (
        "red=a1/gifts=canoe_bonus blue=- turn=red card=flower", "canoe_bonus:b1",
        "b1 is grass, the canoe_bonus tile needs marsh or water (R6.4)",
    ),
    "canoe bonus not beside": (
        "red=a12/gifts=canoe_bonus blue=- turn=red card=flower", "canoe_bonus:e10",
        "it has to be beside your own settlements if possible, such as a4 (R4.2)",
    ),
    "canoe without an interruption": (
        "red=o2 blue=- turn=red card=flower", "canoe:red@a12",
        "a canoe is used only when another seat takes a last tile (R6.4)",
    ),
    "pass without an interruption": (
        "red=- blue=- turn=red card=flower", "pass:red", "nobody is asked to react now (R6.4)",
    ),
    "house before a reaction": (
        REACT, "s3", "blue is asked first whether to react, canoe:blue@c7 or pass:blue (R6.4)",
    ),
    "end before a reaction": (
        REACT, "end", "blue is asked first whether to react, canoe:blue@c7 or pass:blue (R6.4)",
    ),
    "another seat reacts": (
        REACT, "pass:green", "blue is asked to react now, not green (R6.4)",
    ),
    "reaction on land": (
        REACT, "canoe:blue@a1", "a1 is grass, the canoe tile needs marsh or water (R6.4)",
    ),
    "farmland not beside": (
        "red=a1 blue=- turn=red card=flower", "farmland:t5",
        "t5 is not beside any of your settlements (R6.5)",
    ),
    "farmland on grass": (
        "red=a1 blue=- turn=red card=flower", "farmland:b1",
        "b1 is grass, the farmland needs farmland (R6.5)",
    ),
    "farmland twice": (
        "red=t4/used=farmland blue=- turn=red card=flower", "farmland:t5",
        "red has already used the farmland action this turn (R6.5)",
    ),
    "bazaar of what is not used": (
        "red=a1/gifts=tower,bazaar blue=- turn=red card=flower", "bazaar:tower",
        "red has not used a tower tile this turn (R6.5)",
    ),
    "bazaar of itself": (
        "red=a1/used=bazaar/gifts=bazaar,bazaar blue=- turn=red card=flower", "bazaar:bazaar",
        "the bazaar tile is never repeated (R6.5)",
    ),
    "bazaar of farmland": (
        "red=t4/used=farmland/gifts=bazaar blue=- turn=red card=flower", "bazaar:farmland",
        "only location tiles are repeated, not farmland (R6.5)",
    ),
    "bazaar of what has no step": (
        "red=a1/used=tavern/gifts=tavern,bazaar blue=- turn=red card=flower", "bazaar:tavern",
        "there is nothing to do with the tavern tile now (R6.5)",
    ),
    "bazaar of a cathedral without tokens": (
        "red=a1/used=cathedral/gifts=bazaar,cathedral/tokens=0 blue=- turn=red card=flower",
        "bazaar:cathedral", "a bazaar brings no token, and red has none to build with (R6.5)",
    ),
    "token by a bazaar": (
        "red=a1/used=bazaar/gifts=bazaar,cathedral/tokens=1 blue=- turn=red card=grass "
        "repeat=cathedral", "cathedral:take",
        "a bazaar brings no token, the cathedral can only build (R6.5)",
    ),
    "no token left": (
        "red=a1/gifts=cathedral/tokens=18 blue=- turn=red card=flower", "cathedral:take",
        "all 18 tokens are taken (R6.5)",
    ),
    "ship by a barn": (
        "red=a13/gifts=barn,lighthouse/ship=a12 blue=- turn=red card=flower", "barn:a12-b13",
        "a ship stands on water only, and the barn tile leads to land (R4.4)",
    ),
    "ship by a cave": (
        "red=-/gifts=lighthouse/ship=j11 blue=- turn=red card=flower", "cave:j11-k13",
        "a ship stands on water only, and the cave action leads to land (R4.4)",
    ),
    "wagon by a harbor": (
        "red=-/gifts=harbor,wagon/wagon=k12 blue=- turn=red card=flower", "harbor:k12-j12",
        "a wagon never stands on water, and the harbor tile leads to water (R4.4)",
    ),
    "warrior by a harbor": (
        "red=-/gifts=harbor,barracks/warriors=a13 blue=- turn=red card=flower", "harbor:a13-a12",
        "a warrior stands on buildable hexes only, and the harbor tile leads to water (R4.4)",
    ),
    "bazaar of no tile": (
        "red=a1/gifts=bazaar blue=- turn=red card=flower", "bazaar:tower",
        "there is no tower tile in this game (R3.3)",
    ),
    "something else than what is repeated": (
        "red=a1/used=bazaar/gifts=tower,bazaar blue=- turn=red card=flower repeat=tower", "a13",
        "first use the tower tile, which the bazaar repeats (R6.5)",
    ),
    "mill in the dry": (
        "red=a1/gifts=water_mill blue=- turn=red card=flower", "water_mill:b1",
        "b1 is not beside water (R6.5)",
    ),
    "station on the plain": (
        "red=a1/gifts=mountain_station blue=- turn=red card=flower", "mountain_station:b1",
        "b1 is not beside a mountain (R6.5)",
    ),
    "university in the wild": (
        "red=a1/gifts=university blue=- turn=red card=flower", "university:a20",
        "a20 is not beside a location, castle or other space (R6.5)",
    ),
    "watchtower alone": (
        "red=a1/gifts=watchtower blue=a5 turn=red card=flower", "watchtower:b1",
        "b1 is not beside a settlement of another seat (R6.5)",
    ),
    "palisade away": (
        "red=a1,b1/gifts=palisade blue=- turn=red card=flower", "palisade:a1-a20",
        "a20 is not beside the rest of the piece's settlement area (R6.5)",
    ),
    "scout far away": (
        "red=a1/gifts=scout_cabin blue=- turn=red card=flower", "scout_cabin:a20",
        "a20 is not beside any of your settlements (R6.5)",
    ),
    "cathedral without tokens": (
        "red=a13/gifts=cathedral blue=- turn=red card=flower", "cathedral:b13",
        "red has no token to give back (R6.5)",
    ),
    "cathedral on another terrain": (
        "red=a13/gifts=cathedral/tokens=1 blue=- turn=red card=flower", "cathedral:a1",
        "a1 is grass, the card is flower (R3.2)",
    ),
    "token while building": (
        "red=a13/used=cathedral/gifts=cathedral/tokens=1 blue=- turn=red card=flower "
        "doing=cathedral:1", "cathedral:take",
        "the cathedral is building and takes no token this turn (R6.5)",
    ),
    "rope bridge to grass": (
        "red=a1/gifts=rope_bridge blue=- turn=red card=flower", "rope_bridge:a1-b1",
        "b1 is grass, the rope_bridge tile needs canyon (R6.6)",
    ),
    "cave from elsewhere": (
        "red=a1 blue=- turn=red card=flower", "cave:a1-b1",
        "the piece on a1 has nowhere to go with the cave (R4.4)",
    ),
    "silo before the end": (
        "red=e8 blue=- turn=red card=flower", "silo:e7",
        "silos are used after the last turn (R9.2)",
    ),
    "house after the last turn": (
        SILO, "a2", "after the last turn only silos are used, as in silo:c7 (R9.2)",
    ),
    "tile after the last turn": (
        "red=a1,e8/gifts=tower blue=- turn=red phase=silo", "tower:a2",
        "after the last turn only silos are used, as in silo:c7 (R9.2)",
    ),
    "silo not beside": (SILO, "silo:t20", "t20 is not beside any of your settlements (R9.2)"),
    "silo on water": (SILO, "silo:a11", "a11 is water, the silo needs a buildable hex (R9.2)"),
    "silo mixed": (
        f"{SILO} doing=silo_build:1 silos=0", "silo:a1-b1",
        "this silo action builds, until the word stop (R9.2)",
    ),
    "no silo action left": (
        f"{SILO} silos=0", "silo:a2", "red has no silo action left (R9.2)",
    ),
    "turn ended within a silo action": (
        f"{SILO} doing=silo_build:1 silos=0", "end",
        "first finish the silo, or end it with the word stop (R3.3)",
    ),
    "sword at a city hall": (
        "red=a1/nomads=sword blue=t20/gifts=city_hall/hall=d17 turn=red card=flower",
        "sword:blue@d17", "the city hall on d17 is never taken (R7.1)",
    ),
    "outpost for a city hall": (
        "red=a13/nomads=outpost/gifts=city_hall blue=- turn=red card=flower outpost=true gone=q2",
        "city_hall:n17", "first place the house that the outpost was declared for",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rest", "action", "reason"), ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_action_is_refused_with_its_rule(rest, action, reason):
    with pytest.raises(IllegalActionError) as caught:
        apply_action(mixed_position(rest), action)
    assert str(caught.value).startswith(f"'{action}' is not possible: {reason}")


def test_a_figure_may_be_moved_only_by_its_own_tile():
    rest = "red=-/gifts=wagon,refuge/wagon=a1 blue=- turn=red card=flower"
    apply_action(mixed_position(rest), "refuge:a1-b1")
    current = mixed_position(rest, options="figure_moves:own_tile")
    with pytest.raises(IllegalActionError, match="a wagon is moved only by its own tile"):
        apply_action(current, "refuge:a1-b1")


def test_a_marsh_half_cannot_be_chosen_where_it_is_full():
    rows = ["S" + "G" * 19] + ["G" * 20] * 19
    start = f"kb1 map={'/'.join(rows)} cards=lords red=a1 blue=- turn=red card=marsh_grass"
    current = parse_position(start)
    with pytest.raises(IllegalActionError, match=r"no marsh hex is free \(R3.6\)"):
        apply_action(current, "choose:marsh_grass/marsh")
    assert actions(current, "choose") == ["choose:marsh_grass/grass"]


@pytest.mark.slow
def test_every_step_is_explained_exactly_if_it_is_illegal():
    for current in random_positions(27, share=0.003):
        legal = {*next_steps(current)}
        slots = range(1, len(current.board.tiles) + 1)
        steps = [pack_step(kind) for kind in (Step.END, Step.STOP, Step.PASS)]
        steps += [pack_step(Step.CHOOSE, 0, cell) for cell in range(160)]
        for slot in slots:
            steps += [pack_step(kind, slot) for kind in (Step.DECLARE, Step.TAKE)]
            steps += [pack_step(Step.REPEAT, slot, other) for other in slots]
        steps += map(draw_step, range(10))
        cells = (*range(0, 400, 7), *range(400, 450, 3))
        standing = [c for seat in current.fields()["seats"] for c in (*seat["cells"], seat["hall"])]
        for cell in {*cells, *standing[::5]} - {-1}:
            steps += [pack_step(Step.BUILD, slot, cell) for slot in (0, *slots)]
            steps.append(pack_step(Step.PUT, 0, cell))
            for kind in (Step.LIFT, Step.WALL, Step.REMOVE, Step.BACK, Step.SCOUT):
                steps += [pack_step(kind, slot, cell) for slot in slots]
        for step in steps:
            reason = why_illegal(current, step)
            assert bool(reason) == (step not in legal), (format_line(current), step)
            assert not reason or re.search(r"\(R\d+\.\d\)$", reason), reason


@pytest.mark.parametrize(
    "line",
    [
        "12 red flower+marsh_grass: choose:flower n16 o15 o17",
        "13 blue grass: c1 canoe:red@d2 pass:green c3 c4",
        "14 red marsh_forest: fort =canyon fort:c7 choose:marsh_forest/marsh ~b3 c1",
        "15 red grass+grass+desert: bazaar:tower tower:a1 ...",
        "80 red silo: silo:c7 silo:d7 stop",
        "81 blue silo: silo:c7-d7 stop silo:~b1",
        "82 red grass: barracks:back@c7 wagon:c7-d7 wagon:d7-e7 stop cathedral:take temple:c9",
    ],
)
def test_a_turn_comes_back_from_its_line(line):
    assert format_turn(parse_turn(line)) == line


def test_a_turn_is_read_forgivingly():
    turn = Turn(12, "red", "flower+marsh_grass", ("choose:flower", "~b3"))
    assert parse_turn("12. RED Flower field + Marsh Grass: CHOOSE:flower, ~B03 end") == turn


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1 red flower+none: a1", "unknown card 'none'"),
        ("1 red silo+grass: a1", "unknown card 'silo'"),
        ("1 red flower+: a1", "unknown card ''"),
    ],
)
def test_what_is_no_turn_is_refused(line, sentence):
    with pytest.raises(NotationError) as caught:
        parse_turn(line)
    assert sentence in str(caught.value)


HIDDEN = "red=-/gifts=crossroads/hidden=2 blue=- turn=red card=hidden"


def test_all_cards_are_turned_up_before_the_first_action():
    current = mixed_position(HIDDEN)
    play_turn(current, parse_turn("1 red flower+grass: choose:grass a1 b1 a2"))
    # With the crossroads two cards are drawn again.
    assert format_line(current).endswith(
        "red=a1,b1,a2/gifts=crossroads/hidden=2/gold=rovers:1 blue=- turn=blue card=hidden "
        "discard=grass:1,flower:1"
    )


def test_cards_that_lie_there_are_named_in_any_order():
    shown = "red=-/gifts=crossroads blue=- turn=red card=choose hand=grass:1,flower:1"
    for cards in ("grass+flower", "flower+grass"):
        current = mixed_position(shown)
        play_turn(current, parse_turn(f"1 red {cards}: choose:grass a1 ..."))
    half = "red=-/gifts=crossroads blue=- turn=red card=hidden hand=grass:1"
    current = mixed_position(half)
    play_turn(current, parse_turn("1 red grass+flower: choose:grass a1 ..."))
    assert "hand=flower:1" in format_line(current)


@pytest.mark.parametrize(
    ("start", "line", "sentence"),
    [
        (HIDDEN, "1 red flower: a13", "turn 1: expected cards to turn up: 2, got 1 (flower; R3.6)"),
        (HIDDEN, "1 red flower+grass+grass: a1", "expected cards to turn up: 2, got 3"),
        (HIDDEN, "1 red silo: silo:a1", "red has a card to turn up, got silo (R3.1)"),
        (f"{HIDDEN} discard=marsh_grass:1", "1 red flower+marsh_grass: a1",
         "turn 1: no marsh_grass card is left to turn up (R2.1)"),
        ("red=-/gifts=crossroads blue=- turn=red card=hidden hand=grass:1",
         "1 red flower+flower: a13", "turn 1: expected the card grass as well, got flower+flower"),
        ("red=-/gifts=crossroads blue=- turn=red card=grass hand=flower:1", "1 red grass: a1",
         "turn 1: expected the card grass+flower, got grass"),
        (SILO, "1 red grass: silo:a2", "turn 1: expected the card silo, got grass"),
        (SILO, "1 red silo: silo:a2", "turn 1 cannot end here: first finish the silo"),
        ("red=- blue=- turn=red card=grass", "1 red silo: a1", "expected the card grass, got silo"),
    ],
)  # fmt: skip
def test_a_turn_against_the_rules_is_refused(start, line, sentence):
    with pytest.raises(IllegalActionError) as caught:
        play_turn(mixed_position(start), parse_turn(line))
    assert sentence in str(caught.value)


def test_a_silo_turn_is_played():
    current = mixed_position("red=a1,e8 blue=- turn=red phase=silo final=true")
    play_turn(current, parse_turn("1 red silo: silo:a2 silo:b1 stop"))
    assert format_line(current).startswith(f"{MIXED_BOARD} ")
    assert "red=a1,b1,a2,e8" in format_line(current)
    assert current.is_over  # blue has no silo
