"""Documents: the same blocks as text, Markdown and HTML."""

import pytest
from click.testing import CliRunner

from kbai.cli import main
from kbai.report.document import (
    Column,
    Document,
    Emphasis,
    Heading,
    Kind,
    Lines,
    Picture,
    Row,
    Section,
    Table,
    Terms,
    Text,
    document,
    number_table,
)
from kbai.report.document_formats import DOCUMENT_FORMATS, format_document
from kbai.report.document_html import document_html
from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import WIDTH, document_text

TABLE = Table(
    (Column("turn", Kind.PROSE), Column("win %"), Column("gold")),
    (
        Row(("n16 o15", "5.0", "48.1")),
        Row(("end", "63.6", "7.0"), (Emphasis.BEST, Emphasis.PLAYED)),
    ),
)


WIDE = Table(
    (
        Column("turn"),
        Column("seat", Kind.NAME),
        Column("played", Kind.PROSE),
        Column("win %"),
        Column("+/-"),
    ),
    (Row(("1", "red", "n16 o15 p15 tavern:c7", "61.2", "3.1")),),
)


def test_a_table_that_is_a_little_too_wide_wraps_its_prose():
    assert document_text(document(WIDE), 80) == document_text(document(WIDE))
    assert document_text(document(WIDE), 36).splitlines() == [
        "turn  seat  played        win %  +/-",
        "   1  red   n16 o15 p15    61.2  3.1",
        "            tavern:c7",
    ]


def test_a_table_that_is_far_too_wide_puts_prose_on_a_line_of_its_own():
    assert document_text(document(WIDE), 32).splitlines() == [
        "turn  seat  win %  +/-",
        "      played",
        "   1  red    61.2  3.1",
        "      n16 o15 p15 tavern:c7",
    ]


def test_columns_that_do_not_fit_go_below_and_intervals_stay_beside_their_numbers():
    assert document_text(document(WIDE), 20).splitlines() == [
        "turn  seat",
        "      win %  +/-",
        "      played",
        "   1  red",
        "       61.2  3.1",
        "      n16 o15 p15",
        "      tavern:c7",
    ]


def test_a_folded_row_has_no_empty_lines():
    more = WIDE._replace(rows=(*WIDE.rows, Row(("", "", "or o17", "", ""))))
    lines = document_text(document(more), 32).splitlines()
    assert lines[-2:] == ["      n16 o15 p15 tavern:c7", "      or o17"]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_sentences_turns_and_titles_are_as_wide_as_the_terminal(width):
    found = document(
        Heading("word " * 30, level=1),
        Text("word " * 30),
        Lines(("red flower: " + "tavern:c7 " * 12,)),
        Terms((("win %", "word " * 30), ("a term of many letters, that is", "word " * 9))),
    )
    lines = document_text(found, width).splitlines()
    assert max(map(len, lines)) <= width
    assert sum(line.count("word") for line in lines) == 99
    assert sum(line.count("tavern:c7") for line in lines) == 12


def test_numbers_are_aligned_to_the_right_and_words_to_the_left():
    assert document_text(document(TABLE)).splitlines() == [
        "turn     win %  gold",
        "n16 o15    5.0  48.1",
        "end       63.6   7.0",
    ]


def test_no_line_of_a_table_ends_in_blanks():
    table = Table((Column("bot", Kind.NAME),), (Row(("a",)), Row(("longer",))))
    assert document_text(document(table)).splitlines() == ["bot", "a", "longer"]


def test_a_table_of_numbers_has_names_where_it_is_told():
    table = number_table(("", "bot", "games"), ("1", "greedy", "24"), names=(1,))
    assert [column.kind for column in table.columns] == [Kind.NUMBER, Kind.NAME, Kind.NUMBER]


def test_terms_stand_under_each_other_and_are_wrapped_beside_their_names():
    text = document_text(document(Terms((("win %", "word " * 40), ("+/-", "95 %")))))
    first, *rest, last = text.splitlines()
    assert first.startswith("win %  word word")
    assert all(line.startswith("       word") for line in rest) and rest
    assert last == "+/-    95 %"
    assert max(map(len, text.splitlines())) <= WIDTH


def test_blocks_are_paragraphs_in_their_order():
    found = document(
        Heading("Best turns:", level=1), Text("one\ntwo"), Lines(("red flower: n16",)),
        Picture("The board", "<svg/>"),
    )  # fmt: skip
    assert document_text(found) == ("Best turns:\n\none\ntwo\n\n  red flower: n16\n\n[The board]")
    assert document_markdown(found) == (
        "## Best turns\n\none  \ntwo\n\n```\nred flower: n16\n```\n\n\\[The board\\]"
    )
    assert document_html(found) == (
        "<h2>Best turns</h2>\n<p>one<br>two</p>\n<p>red flower: n16</p>\n<h3>The board</h3><svg/>"
    )


def test_markdown_tables_are_aligned_like_the_text():
    assert document_markdown(document(TABLE)).splitlines()[:3] == [
        "| turn | win % | gold |",
        "| :-- | --: | --: |",
        "| n16 o15 | 5.0 | 48.1 |",
    ]


def test_names_cannot_mark_up_markdown():
    marked = document_markdown(document(Text("a_b *c* `d` <e> #2 ~f1 and ~g1 | [x](y)")))
    assert marked == r"a\_b \*c\* \`d\` \<e\> \#2 \~f1 and \~g1 \| \[x\](y)"
    assert r"bot\|1" in document_markdown(document(number_table(("bot|1",), ("x",))))


def test_names_cannot_mark_up_html():
    for block in (
        Heading("<b>"), Text("<b>"), Lines(("<b>",)), Terms((("<b>", "<b>"),)),
        number_table(("<b>",), ("<b>",)), Picture("<b>", ""),
    ):  # fmt: skip
        shown = document_html(document(block))
        assert "<b>" not in shown and "&lt;b&gt;" in shown


def test_rows_that_stand_out_have_classes():
    shown = document_html(document(TABLE))
    assert '<tr class="is-best is-played"><td class="prose">end</td>' in shown
    assert '<tr><td class="prose">n16 o15</td><td class="number">5.0</td>' in shown


def test_a_warning_stands_out_on_a_page():
    assert document_html(document(Text("oh", is_warning=True))) == '<p class="warning">oh</p>'


def test_sections_are_found_by_their_names():
    found = Document((Section("title", (Heading("It is over.", 1),)), Section("turns", (TABLE,))))
    assert found.title == "It is over"
    assert found.section("turns") == (TABLE,)
    assert found.section("terms") == ()
    assert found.blocks == (Heading("It is over.", 1), TABLE)


def test_every_format_says_all_of_it():
    for form in DOCUMENT_FORMATS:
        shown = format_document(document(Text("words"), TABLE, Terms((("a", "b"),))), form)
        assert all(word in shown for word in ("words", "win %", "n16 o15", "63.6", "a", "b"))


@pytest.mark.parametrize(
    ("command", "head"),
    [
        (("score",), "|  | red | blue |\n| :-- | --: | --: |\n| castles | 0 | 0 |"),
        (("suggest", "--visits", "20", "--seed", "1"), "## Best turns for red with flower (20 vis"),
        (("bench", "--visits", "1"), "| position | visits/s | random playouts/s |\n| :-- | --: |"),
    ],
    ids=lambda value: value[0],
)
def test_commands_print_their_documents_as_markdown(command, head):
    result = CliRunner().invoke(main, [*command, "--format", "markdown"])
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(head)
