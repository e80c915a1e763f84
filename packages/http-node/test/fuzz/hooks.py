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
        if case.operation.path.endswith("/statistiques") and "du" in case.query:
            case.query["au"] = KNOWN["values"]["au"]
    if is_right(ParameterLocation.BODY) and isinstance(case.body, dict):
        case.body = {name: known(name, value) for name, value in case.body.items()}
        if "/planning" in case.operation.path:
            case.body = fitting(case.body, case.operation.path)
        for ending, fields in NEEDED.items():
            if case.operation.path.endswith(ending):
                case.body = {**case.body, **fields}
        if case.operation.path.endswith("/cloturer") and "rdv_id" not in case.body:
            case.body = {name: value for name, value in case.body.items() if name not in OF_VISIT}
        if case.operation.path.endswith("/utilisateurs") and case.body.get("role") == "poseur":
            case.body["poseur_id"] = KNOWN["values"]["poseur_id"]
    if is_right(ParameterLocation.QUERY) and case.query and "/planning" in case.operation.path:
        case.query = {name: value for name, value in case.query.items() if name not in ELSEWHERE}


# What stands instead of something else of the same call, and so not beside it.
ELSEWHERE = ("sav_id", "lat", "lon", "ville", "jeton", "fin", "fenetre_client", "version")
# Of a close, beside the visit that it ends.
OF_VISIT = ("resultat", "pieces")
# Of the work at a visit: what names files, slots and signatures that are there.
OF_WORK = ("photos", "prochain", "cloture")
OF_STATUT = {"motif_annulation": "annule", "resultat": "realise", "compte_rendu": "realise", "pieces": "realise"}


# Where it depends on what is stored, or on the service, which body is right.
NEEDED = {"/cloturer": {"resolution": "Charnière remplacée."}, "/inviter": {"canal": "lien"}}


def fitting(body, path):
    """Fields of the planning that go together, which the schema tells in words alone."""
    if path.endswith("/annuler"):
        return body
    fits = {name: value for name, value in body.items() if name not in ELSEWHERE}
    if path.endswith("/intervention"):
        return {name: value for name, value in fits.items() if name not in OF_WORK}
    fits = {name: value for name, value in fits.items() if OF_STATUT.get(name, fits.get("statut")) == fits.get("statut")}
    if fits.get("statut") == "annule":
        fits.setdefault("motif_annulation", "Absent")
    if "mode" in fits:
        fits["mode"] = "apercu"
    if path.endswith("/planning/rdv"):
        fits = {"duree_minutes": 60, **fits, "client_id": KNOWN["values"]["client_id"]}
        fits["poseur_id"], fits["debut"] = KNOWN["values"]["poseur_id"], KNOWN["values"]["debut"]
    return fits if fits.keys() - {"prevenir"} else {**fits, "notes": "Sonner deux fois."}


def known(name, value):
    """What the schema cannot say: no text has a NUL, or nothing but blanks."""
    return KNOWN["values"][name] if name in KNOWN["values"] and value is not None else printable(value)


def printable(value):
    if isinstance(value, list):
        return [printable(each) for each in value]
    if isinstance(value, dict):
        return {name: printable(each) for name, each in value.items()}
    if not isinstance(value, str):
        return value
    return "".join("x" if each.isspace() or not each.isprintable() else each for each in value)
