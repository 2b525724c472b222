"""Names in the languages of the rule books lead to the rows they are printed on."""

import difflib
import unicodedata

import pytest
from commands import run

from kbai import content
from kbai.core.errors import NotationError
from kbai.notation.games import format_game, parse_game
from kbai.notation.names import parse_card, parse_name
from kbai.notation.positions import format_line, parse_position

# As on the boxes: English, Dutch, German, Spanish; '-' if no rule book of that language has it,
# '/' between names of the same thing. Then what it is here, if that is another word.
TABLES = {
    "tiles": """
        Oracle; Orakel; Orakel; Oráculo
        Farm; Boerderij; Farm; Granja
        Tavern; Herberg; Taverne; Taberna
        Tower; Toren; Turm; Torre
        Harbor / Harbour; Haven; Hafen; Puerto
        Paddock; Weide; Koppel; Cercado
        Barn; Schuur; Scheune; Granero
        Oasis; Oase; Oase; Oasis
        Quarry; Steengroeve; -; Cantera
        Caravan; Karavaan; -; Caravana
        Village; Dorp; -; Pueblo
        Garden; Tuin; -; Jardín
        Lighthouse; Vuurtoren; -; Faro
        Forester's lodge; Boshut; -; Cabaña forestal; foresters_lodge
        Barracks; Kazerne; -; Barracón
        Crossroads; Kruispunt; -; Cruce
        City hall; Raadshuis / Stedentegel; -; Concejo / Ciudad; city_hall
        Fort; Buitenpost; -; Puesto de avanzada
        Monastery; Klooster; -; Monasterio
        Wagon; Koets / Wagen; -; Carreta
        Temple; Tempel; -; Templo
        Refuge; Schuilplaats; -; Refugio
        Canoe; Kano; -; Canoa
        Fountain; Fontein; -; Fuente
        Bazaar; Bazaar; -; Bazar
        Water mill; Watermolen; -; Molino; water_mill
        Mountain station; Bergstation; -; Refugio de montaña; mountain_station
        Scout cabin; Verkennershut; -; Cabaña de explorador; scout_cabin
        Cathedral; Kathedraal; -; Catedral
        Watchtower; Uitkijktoren; -; Atalaya
        University; Universiteit; -; Universidad
        Palisade; Palissade; -; Empalizada
        Rope bridge; Touwbrug; Hängebrücke; Puente colgante; rope_bridge
        Tree house; Boomhut; Baumhaus; Casa árbol; tree_house
        Donation grass; Gift gras; -; Regalo hierba; donation_grass
        Donation mountain; Gift berg; -; Regalo montaña; donation_mountain
        Resettlement; Verhuizen; -; Traslado
        Outpost; Voorposten; -; Avanzadilla
        Sword; Zwaard; -; Mandoble
        Treasure; Schat; -; Tesoro
        Silo; Silo; -; Silo
        Caves; Grotten; Höhlen; Cuevas; cave
        Farmland; Landbouwgrond; -; -
    """,
    "cards": """
        Fishermen; Vissers; Fischer; Pescadores
        Merchants; Handelaren; Händler; Comerciantes
        Discoverers; Ontdekkers; Entdecker; Descubridores
        Hermits; Kluizenaars; Einsiedler; Ermitaños
        Citizens; Burgers; Bürger; Ciudadanos
        Miners; Mijnwerkers; Bergleute; Mineros
        Workers; Arbeiders; Arbeiter; Obreros
        Knights; Ridders; Ritter; Caballeros
        Lords; Lords; Lords; Lords
        Farmers; Boeren; Bauern; Campesinos
        Families; Gezinnen; -; Familias
        Shepherds; Herders; -; Pastores
        Ambassadors; Ambassadeur; -; Embajadores
        Geologists; Geologen; -; Geólogos
        Messengers; Koeriers; -; Mensajeros
        Noblewomen; Jonkvrouwen; -; -
        Vassals; Vazallen; -; Vasallos
        Captains; Kapiteins; -; Capitanes
        Scouts; Verkenners; -; -
        Rangers; Woudloper; -; -
        Mayors; Burgemeester; -; Alcaldes
        Rovers; Vagebond; -; Trotamundos
        Travelers / Travellers; Avonturier; -; -
        Chainers; Waard; -; Taberneros
        Homesteaders; Landeigenaar; -; -
    """,
    "tasks": """
        Home country; Vaderland; -; Patria; home_country
        Fortress; Vesting; -; Fortaleza
        Road; Straat; -; Vía
        Place of refuge; Toevluchtsoord; -; Refugio; place_of_refuge
        Advance; Vooruitgang; -; Avance
        Compass points; Windrichtingen; -; Puntos cardinales; compass_points
    """,
    "rules": """
        Castle; Kasteel / Burcht; Burg; Castillo; castles
        Palace; Paleis; -; Palacio; palaces
        Capitol; Hoofdstad; Kapitol; Capitolio; capitols
    """,
    "sets": """
        Capitol; Hoofdstad; Kapitol; Capitolio
        Caves; Grotten; Höhlen; Cuevas
        Island; Eiland / Island; Insel; Isla
    """,
    "words": """
        Grass / Grassland; Gras; Gras; Hierba
        Canyon; Ravijn; Canyon; Barranco
        Desert; Woestijn; Wüste; Desierto
        Flower field / Flowers; Bloemen; Blumen; Flores; flower
        Forest / Woods; Bos; Wald; Bosque
        Water; Water; Wasser; Agua
        Mountain; Berg; Berg; Montaña
        Marsh / Swamp; Moeras; -; Pantano
        Farmland; Landbouwgrond; -; Granja
        Nomad space; Nomadenveld; Nomadenfeld; Casilla de nómadas; nomad
        Warrior; Soldaat; -; Guerrero
        Wagon; Koets; -; Carreta
        Ship; Schip; -; Barco
    """,
}
WORDS = (*content.TERRAINS, "nomad", "warrior", "wagon", "ship")


def rows():
    for family, table in TABLES.items():
        for line in table.strip().splitlines():
            cells = [cell.strip() for cell in line.split(";")]
            row = cells[4] if len(cells) > 4 else cells[0].split("/")[0].strip().lower()
            for language, cell in zip(("en", "nl", "de", "es"), cells, strict=False):
                for name in cell.split("/"):
                    if name.strip() != "-":
                        yield family, language, name.strip(), row


ROWS = list(rows())


def known_in(family):
    return WORDS if family == "words" else getattr(content.load(), family)


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def spelled_out(text):
    return text.translate(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"}))


@pytest.mark.parametrize(("family", "language", "name", "row"), ROWS)
def test_a_name_of_a_rule_book_leads_to_its_row(family, language, name, row):
    known = known_in(family)
    spellings = [name, plain(name), spelled_out(name)]
    spellings += [s.replace(" ", "_").replace("'", "") for s in spellings]
    spellings += [s.replace(" ", "").replace("_", "") for s in spellings]
    for spelling in spellings:
        for text in (spelling, spelling.upper(), spelling.lower()):
            assert parse_name("thing", text, known) == row, text


def test_every_row_of_the_boxes_has_a_name_in_every_language_of_its_rule_books():
    every = content.load()
    named = {(row, language) for _, language, _, row in ROWS}
    for family in ("locations", "cards", "tasks"):
        for row in getattr(every, family):
            assert (row, "en") in named and (row, "nl") in named, row


@pytest.mark.parametrize(
    ("text", "known", "row"),
    [
        ("outpost", "nomads", "outpost"),
        ("outpost", "tiles", "outpost"),
        ("granja", "tiles", "farm"),
        ("outpost", "locations", "fort"),
        ("refugio", "locations", "refuge"),
        ("refugio", "tasks", "place_of_refuge"),
    ],
)
def test_a_name_of_two_things_means_the_one_that_is_expected(text, known, row):
    assert parse_name("thing", text, getattr(content.load(), known)) == row


def test_a_name_that_two_cards_share_is_not_guessed():
    with pytest.raises(NotationError, match="'Nobles' may mean 'noblewomen' or 'lords'"):
        parse_name("card", "Nobles", content.load().cards)
    with pytest.raises(NotationError, match="'Exploradores' may mean 'scouts' or 'rangers'"):
        parse_name("card", "Exploradores", content.load().cards)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("bloemen", "flower"),
        ("Flower Field", "flower"),
        ("Wüste", "desert"),
        ("wueste", "desert"),
        ("moeras gras", "marsh_grass"),
        ("grass/marsh", "marsh_grass"),
        ("Pantano-bosque", "marsh_forest"),
    ],
)
def test_terrain_cards_have_names_in_every_language(text, card):
    assert parse_card(text) == card


@pytest.mark.parametrize(("family", "language", "name", "row"), [r for r in ROWS if r[1] != "en"])
def test_no_name_gets_a_wrong_suggestion_where_it_is_not_expected(family, language, name, row):
    for other in ("quadrants", "cards", "tasks", "nomads"):
        known = known_in(other)
        try:
            parse_name("thing", name, known)
        except NotationError as error:
            # A suggestion may only be a word that looks the same but for a letter or two.
            if "did you mean" in error.message:
                meant = error.message.split("did you mean '")[1].split("'")[0]
                aliases = [meant, *sum(content.load().names[meant].values(), ())]
                ratio = max(
                    difflib.SequenceMatcher(None, name.lower(), alias.lower()).ratio()
                    for alias in aliases
                )
                assert ratio >= 0.66, (name, meant)


@pytest.mark.parametrize(
    ("text", "known", "row"),
    [("visers", "cards", "fishermen"), ("Handler", "cards", None), ("ridder", "cards", "knights"),
     ("tavernn", "quadrants", "tavern"), ("zwaart", "nomads", "sword")],
)  # fmt: skip
def test_a_misspelt_name_of_any_language_gets_a_suggestion(text, known, row):
    names = getattr(content.load(), known)
    if row is None:
        assert parse_name("thing", text, names) == "merchants"
        return
    with pytest.raises(NotationError, match=f"did you mean '{row}'"):
        parse_name("thing", text, names)


def test_positions_and_games_take_names_of_any_language_and_keep_their_own():
    position = parse_position(
        'board = ["herberg", "weide", "Oase*", "granja"]\n'
        'cards = "Vissers, ridders, Händler"\nturn = "red"\ncard = "bloemen"\n'
        '[seat.red]\nsettlements = ""\n[seat.blue]\nsettlements = ""\n'
    )
    line = format_line(position)
    assert "board=tavern,paddock,oasis*,farm cards=fishermen,knights,merchants" in line
    assert line.endswith("card=flower")
    game = parse_game(
        "Board: Taverne, Koppel, oase*, Farm\nCards: pescadores, Ritter, handelaren\n"
        "Seats: red, blue\n\n1 red Blumen: n16 o15 p15\n2 blue gras: h8 i8 j8\n"
        "3 red hierba: boerderij:l16 l15 m15 m17\n"
    )
    lines = format_game(game).splitlines()
    assert lines[:2] == ["Board: tavern,paddock,oasis*,farm", "Cards: fishermen,knights,merchants"]
    assert lines[-1] == "3 red grass: farm:l16 l15 m15 m17"


def test_names_of_several_words_may_have_spaces_in_lists_and_actions():
    assert content.join_names("City hall: c7, place of refuge") == "City_hall: c7, place_of_refuge"
    assert content.join_names("puente colgante:a1-a2") == "puente_colgante:a1-a2"
    assert content.join_names("forester's lodge:a1") == "forester's_lodge:a1"
    assert content.join_names("red flower: a1 b2") == "red flower: a1 b2"


def test_new_takes_names_of_any_language():
    result = run(
        "new", "--sets", "crossroads", "--board", "vuurtoren,kazerne,city hall*,Klooster",
        "--cards", "Fischer,ridders,obreros", "--tasks", "place of refuge,straat,patria,avance",
        "--seed", 1, "--format", "line",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "board=lighthouse,barracks,city_hall*,monastery" in result.stdout
    assert "cards=fishermen,workers,knights" in result.stdout
    assert "tasks=home_country,road,place_of_refuge,advance" in result.stdout


def test_content_prints_names_in_a_language():
    result = run("content", "fishermen", "Händler", "--lang", "de", "--no-color")
    assert "Fischer (fishermen)" in result.stdout
    assert "Händler (merchants)" in result.stdout
    result = run("content", "citadel", "--lang", "de")
    assert result.exit_code == 1
    json_result = run(
        "content", "herberg", "--kind", "locations", "--lang", "nl", "--format", "json"
    )
    assert '"name": "herberg"' in json_result.stdout
    assert run("content", "exploradores").stdout.count("gold for each") == 2
