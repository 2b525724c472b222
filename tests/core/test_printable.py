"""Foreign text is shown, and does nothing else to a terminal or a page."""

import pytest

from kbai.core.printable import MAX_MESSAGE, printable, printable_lines, printable_message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("Zoë, 李 and 👩‍🌾", "Zoë, 李 and 👩‍🌾"),
        ("a\x1b[2J", "a\\x1b[2J"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x00\x07\x7f\x9b", "\\x00\\x07\\x7f\\x9b"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\u2028\u2029\x85", "\\u2028\\u2029\\x85"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_cannot_be_shown_becomes_an_escape(text, shown):
    assert printable(text) == shown
    assert printable(shown) == shown


def test_lines_stay_lines():
    assert printable_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\r\n"


def test_a_message_is_one_line_and_not_endless():
    assert printable_message("a\nb") == "a\\nb"
    assert printable_message("x" * MAX_MESSAGE) == "x" * MAX_MESSAGE
    assert len(printable_message("\x1b" * 10**6)) < 1_100
    half = MAX_MESSAGE // 2
    assert printable_message("a" * 10**6 + "z" * 10**6) == "a" * half + "..." + "z" * half
