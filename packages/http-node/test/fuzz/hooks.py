"""What Schemathesis cannot guess: the time, ids of things that are there, and images that are images."""

import json
import os

import schemathesis
from schemathesis.core.parameters import ParameterLocation

KNOWN = json.loads(os.environ["SAV_FUZZ_KNOWN"])

# A request of the caller's that depends on what was asked before; each has tests of its own.
CONDITIONS = ("Idempotency-Key", "If-Match", "If-Range", "Range")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Leaves alone whatever is meant to be wrong."""
    def is_right(part):
        return case.meta is not None and not case.meta.is_negative_at(part)

    # A number cannot be sent as a header: the client of Schemathesis breaks on it.
    if case.headers and not isinstance(case.headers.get("X-Request-Id", ""), str):
        case.headers.pop("X-Request-Id")
    if is_right(ParameterLocation.HEADER) and case.headers:
        for name in CONDITIONS:
            case.headers.pop(name, None)
        if "X-Request-Timestamp" in case.headers:
            case.headers["X-Request-Timestamp"] = KNOWN["timestamp"]
    if is_right(ParameterLocation.PATH) and case.path_parameters:
        ids = next((ids for start, ids in KNOWN["ids"] if case.operation.path.startswith(start)), {})
        case.path_parameters.update({name: ids[name] for name in case.path_parameters if name in ids})
    if is_right(ParameterLocation.QUERY) and case.query:
        case.query.pop("curseur", None)
        case.query.update({name: known(name, value) for name, value in case.query.items()})
    if is_right(ParameterLocation.BODY) and isinstance(case.body, dict):
        case.body = {name: known(name, value) for name, value in case.body.items()}


def known(name, value):
    """What the schema cannot say: no text has a NUL, or nothing but blanks."""
    if name in KNOWN["values"] and value is not None:
        return KNOWN["values"][name]
    if isinstance(value, list):
        return [known(name, each) for each in value]
    if not isinstance(value, str):
        return value
    return "".join("x" if each.isspace() or not each.isprintable() else each for each in value)
