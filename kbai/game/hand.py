"""The card in the mover's hand, turned down again."""

from __future__ import annotations

from kbai._fast import Draw, Phase, Position


def before_card(position: Position) -> Position | None:
    """Return the position before the mover turned up its card; None if it has done more since.

    The card may then be any that nobody has seen, and the one that was turned up is among them.
    """
    fields = position.fields()
    mover = fields["seats"][fields["mover"]]
    is_begun = (
        fields["phase"] != Phase.PRE
        or any(fields["hand"])
        or any(mover["used"])
        or any(mover["fresh"])
        or fields["doing"] is not None
        or fields["lift"] is not None
        or bool(fields["reacting"] or fields["outpost"] or fields["repeat"] or fields["moved"])
    )
    card = fields["card"]
    if is_begun or card < 0 or fields["draw"] != Draw.NONE:
        return None
    fields["card"] = fields["terrain"] = -1
    fields["draw"] = Draw.REVEAL
    fields["unseen"][card] += 1
    mover["hidden"] += 1
    return Position.from_fields(position.board, fields)
