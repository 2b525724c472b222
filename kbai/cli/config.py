"""Defaults of options that the user has written down: in a file, or as variables ``KBAI_...``.

The file is ``config.toml`` in the configuration folder of kbai, or what ``KBAI_CONFIG`` names. It
has a table for each command, with the options by their long names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import click
from click.core import ParameterSource

VARIABLE = "KBAI_CONFIG"
NAME = "config.toml"
_PREFIX = "KBAI"
# Variables that are no options: the file, and those of kbai/__init__.py and setup.py.
_OTHERS = (VARIABLE, "KBAI_BASELINE", "KBAI_CFLAGS")
_MOST = 1_000_000
"""Bytes that are read of the file."""


class ConfigError(click.ClickException):
    """One sentence about the file, with the place."""

    exit_code = 2


class Config(NamedTuple):
    """What the file says, and the file itself to find places in it."""

    path: str = ""
    text: str = ""
    tables: Mapping[str, object] = MappingProxyType({})

    def error(self, message: str, *keys: str) -> ConfigError:
        """Return an error about the value with these keys."""
        from kbai.core.errors import PlacedError
        from kbai.notation.spans import line_and_column, scan_toml

        spans = scan_toml(self.text).known
        # A table without a head, as in 'suggest.top = 3', is where its first key is.
        places = [span.key for path, span in spans.items() if path[: len(keys)] == keys]
        line = line_and_column(self.text, min(places))[0] if places else None
        return ConfigError(str(PlacedError(message, file=self.path, line=line)))


def name_variables(command: click.Command, name: str) -> None:
    """Give every option the variable ``KBAI_COMMAND_OPTION``."""
    for param in command.params:
        if isinstance(param, click.Option):
            words = (_PREFIX, name, _long_name(param))
            param.envvar = "_".join(words).upper().replace("-", "_")


def unknown_variables(
    command: click.Command, name: str, commands: Mapping[str, object]
) -> list[str]:
    """Return a phrase about each variable ``KBAI_...`` that no option has.

    Those of other commands are not looked at: that would take their modules.
    """
    found: list[str] = []
    for variable in os.environ:
        if not variable.startswith(f"{_PREFIX}_") or variable in _OTHERS:
            continue
        called = variable.split("_")[1].lower()
        own = [str(param.envvar) for param in command.params if isinstance(param, click.Option)]
        if variable in own or (called in commands and called != name):
            continue
        from kbai.core.errors import suggest_name

        if called == name:
            found.append(suggest_name("variable", variable, own))
        else:
            found.append(f"{variable}: {suggest_name('command', called, commands)}")
    return found


def _long_name(param: click.Parameter) -> str:
    return next(text for text in param.opts if text.startswith("--")).strip("-")


def read_config() -> Config:
    """Return the file of the user; an empty one if there is none."""
    named = os.environ.get(VARIABLE)
    path = named or os.path.join(click.get_app_dir("kbai"), NAME)
    if not named and not os.path.exists(path):
        return Config()
    from kbai.core.errors import KbaiError
    from kbai.core.texts import read_file
    from kbai.core.toml import TomlError, parse_toml

    shown = click.format_filename(path)
    try:
        text = read_file(path, _MOST, shown)
        return Config(shown, text, parse_toml(text))
    except TomlError as error:
        place = f", line {error.line}" if error.line else ""
        raise ConfigError(f"{shown}{place}: expected TOML: {error}.") from error
    except KbaiError as error:
        raise ConfigError(str(error)) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"expected a configuration file, got {shown!r}: {reason}."
        raise ConfigError(message) from error


def defaults_of(
    config: Config, command: click.Command, name: str, commands: dict[str, tuple[str, str]]
) -> dict[str, object]:
    """Return the defaults that the file gives to the options of a command, by parameter."""
    from kbai.core.errors import quote, suggest_name

    for key, table in config.tables.items():
        if key not in commands:
            raise config.error(f"{suggest_name('command', key, commands)}.", key)
        if not isinstance(table, dict):
            message = f"expected a table [{key}] with options, got {quote(table)}."
            raise config.error(message, key)
    options = {
        _key(text): param
        for param in command.params
        if isinstance(param, click.Option)
        for text in param.opts
        if text.startswith("--")
    }
    found: dict[str, object] = {}
    table = config.tables.get(name, {})
    for key, value in table.items() if isinstance(table, dict) else ():
        param = options.get(_key(key))
        if param is None:
            raise config.error(f"{suggest_name('option', key, options)}.", name, key)
        found[str(param.name)] = _default(config, param, value, (name, key))
    return found


def _key(text: str) -> str:
    return text.strip("-").replace("-", "_")


def _default(config: Config, param: click.Option, value: object, keys: tuple[str, str]) -> object:
    """Return a value as the command line would give it."""
    from kbai.core.errors import quote

    items = value if isinstance(value, list) else [value]
    if param.is_flag and not isinstance(value, bool):
        raise config.error(f"expected true or false for {keys[1]}, got {quote(value)}.", *keys)
    if param.is_flag:
        return value
    if not all(type(item) in (str, int, float) for item in items):
        message = f"expected a text or a number for {keys[1]}, got {_shown(value)}."
        raise config.error(message, *keys)
    texts = [str(item) for item in items]
    return texts if param.multiple else ",".join(texts)


def _shown(value: object) -> str:
    from kbai.core.errors import quote

    return quote(value) if isinstance(value, dict | list) else str(value).lower()


def blame_source(error: click.UsageError, config: Config) -> click.ClickException:
    """Return an error that says where a wrong value comes from if it was not typed."""
    context = error.ctx
    if not isinstance(error, click.BadParameter) or context is None:
        return error
    hints = [error.param_hint] if isinstance(error.param_hint, str) else error.param_hint or []
    names = {hint.strip("'") for hint in hints} | {*(error.param.opts if error.param else ())}
    param = next((p for p in context.command.params if names & {*p.opts}), None)
    source = param and param.name and context.get_parameter_source(param.name)
    if param is None or source not in (ParameterSource.DEFAULT_MAP, ParameterSource.ENVIRONMENT):
        return error
    if source is ParameterSource.ENVIRONMENT:
        return ConfigError(f"{param.envvar}: {error.message}")
    command = str(context.info_name)
    table = config.tables.get(command)
    keys = {_key(opt) for opt in param.opts}
    key = next((key for key in table if _key(key) in keys), "") if isinstance(table, dict) else ""
    return config.error(f"{key}: {error.message}", command, key)
