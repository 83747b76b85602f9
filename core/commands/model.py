"""``treeline model``: test the endpoint of a language model; and the options by which one is asked."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any, get_args, get_origin

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.model_settings import EFFORTS, FORMS, ModelSettings, headers_in
from treeline.core.settings import Endpoint

_CHOICES: dict[str, tuple[str, ...]] = {"form": FORMS, "effort": EFFORTS[1:]}
# Options whose names are those of other things too; the seed is declared with the disclosure.
_NAMES = {"form": "--exchange", "effort": "--reasoning-effort", "headers": "--header"}
_ELSEWHERE = ("seed",)


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "model", COMMANDS["model"].summary, run)
    parser.add_argument("--url", default="", help="address of the endpoint (default: OPENAI_BASE_URL)")
    parser.add_argument("--model", default="", help="name of the model (default: TREELINE_MODEL)")
    add_model(parser)


def add_model(parser: argparse.ArgumentParser) -> None:
    """Declare how a language model is asked: an option for each setting."""
    group = parser.add_argument_group("language model")
    for name, field in ModelSettings.model_fields.items():
        if name in _ELSEWHERE:
            continue
        option = _NAMES.get(name, f"--{name.replace('_', '-')}")
        more: dict[str, Any] = {"dest": f"model_{name}", "help": field.description}
        if name == "headers":
            group.add_argument(option, action="append", metavar="NAME: VALUE", **more)
        elif field.annotation is bool:
            group.add_argument(option, action="store_const", const=True, **more)
        elif name in _CHOICES:
            group.add_argument(option, choices=_CHOICES[name], **more)
        else:
            group.add_argument(option, type=_type_of(field.annotation), metavar="N", **more)


def _type_of(annotation: Any) -> type:
    """Return the type of number that a setting is, which may be left out."""
    kinds = get_args(annotation) if get_origin(annotation) else (annotation,)
    return int if int in kinds else float


def model_settings(options: argparse.Namespace) -> ModelSettings:
    """Return the settings that :func:`add_model` declares.

    Raises
    ------
    InputError
    """
    given = {name: getattr(options, f"model_{name}", None) for name in ModelSettings.model_fields}
    given["seed"] = getattr(options, "seed", None)
    given["headers"] = headers_in("\n".join(given["headers"] or ()))
    return ModelSettings.of(given)


def chosen_endpoint(options: argparse.Namespace) -> Endpoint | None:
    """Return the endpoint of the environment with the settings that were chosen; ``None`` for no model."""
    if options.policy != "language":
        return None
    return replace(Endpoint.from_environment(), settings=model_settings(options))


def run(options: argparse.Namespace) -> Outcome:
    """List the endpoint's models and try one call."""
    from treeline.core.policies.language.probing import probe

    own = Endpoint.from_environment()
    endpoint = Endpoint.of_visitor(options.url, options.model) if options.url else own
    named = replace(endpoint, model=options.model or endpoint.model, settings=model_settings(options))
    found = probe(named)
    lines = [f"Models: {', '.join(found.models) or 'none listed'}"]
    lines += [f"{found.model} called a function in {found.seconds:.2g} s."] if found.calls else []
    return Outcome(found.to_json(), "\n".join([*lines, *found.problems]), 0 if found.works else 2)
