"""Telling logs from kbai's own forms, without what it takes to read a log."""

from __future__ import annotations

import re

BLANKS = "\ufeff \t\r\n"
# How an answer of the site begins; no position in JSON has such keys.
_ANSWER = re.compile(r'\{\s*"(?:status|error|data|logs)"\s*:|\[\s*\{')
_PAGE = re.compile(r"<(?:!doctype html|html\b|!--)", re.IGNORECASE)
WEB_ARCHIVE = re.compile(r"(?:From: <Saved by|MIME-Version:)", re.IGNORECASE)


def is_log(text: str) -> bool:
    """Tell whether a text is meant as a log or a replay page, not as one of kbai's own forms."""
    head = text[:2000].lstrip(BLANKS)
    if any(form.match(head) for form in (_PAGE, WEB_ARCHIVE, _ANSWER)):
        return True
    return head.startswith(("{", "<")) and '"packet_id"' in text
