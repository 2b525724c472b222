"""What tests expect of an error about a position."""

import pytest

from kbai.core.errors import NotationError
from kbai.notation.schema import position_from_dict


def check_refused(data, path, token, sentence):
    """Check that a dict is refused with this key, this word and this part of a sentence."""
    with pytest.raises(NotationError) as caught:
        position_from_dict(data)
    assert sentence in str(caught.value)
    assert (caught.value.path, caught.value.token) == (path, token)
    assert str(caught.value).endswith(".")
