"""`symcute atoms`: the catalogue of instructions, and what is proved of each."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.completion import architectures, atom_names
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.layout.atoms import CopyOp, MmaAtom

__all__ = ["atoms_command"]


@click.command("atoms", short_help="List instructions with their layouts, or show one.")
@click.argument("name", required=False, shell_complete=atom_names)
@click.option(
    "--arch",
    metavar="ARCH",
    shell_complete=architectures,
    help="List only atoms of this architecture, such as sm80.",
)
@click.option(
    "--kind",
    type=click.Choice(["mma", "copy"]),
    help="List only MMA atoms, or only copy instructions.",
)
@options.svg
@options.json_flag
@click.option(
    "--quiet", "-q", is_flag=True, help="Print only names, and layouts that are not exact."
)
def atoms_command(
    name: str | None,
    arch: str | None,
    kind: str | None,
    svg: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """List MMA atoms and copy instructions, or show the one called NAME.

    NAME is the name of CuTe's struct, or a pattern with * that selects from the list. For one atom
    the thread-value layouts are shown, and for each the verdict of partition_exact: that every
    element of the tile belongs to exactly one (thread, value), or to the number that is shown.

    \b
    symcute atoms
    symcute atoms --arch sm80
    symcute atoms "SM90_64x128x16_*"
    symcute atoms SM80_16x8x16_F32F16F16F32_TN
    symcute atoms SM80_16x8x16_F32F16F16F32_TN --svg operands.svg

    Exit codes: 0 done, 1 a layout is no exact partition, 2 bad input, 3 internal error.
    """
    if name is not None and "*" not in name:
        from symcute.layout.atoms import atom

        if arch is not None or kind is not None:
            raise InputError(
                f"--{'kind' if arch is None else 'arch'} with the name of one atom",
                f"leave it out, or give a pattern such as {name[:4]}*",
            )
        if svg is not None:
            _draw(atom(name), svg)
        return _show(atom(name), as_json, quiet)
    if svg is not None:
        raise InputError("--svg without the name of an atom", "symcute atoms NAME --svg FILE")
    found = _selected(name, arch, kind)
    if as_json:
        options.print_json("atoms", {"atoms": [_fields(x) for x in found]})
    elif quiet:
        click.echo("\n".join(x.name for x in found))
    elif name is None and arch is None:
        click.echo("\n".join(_counts(found)))
    else:
        click.echo("\n".join(_line(x) for x in found))
    return EXPECTED


def _selected(pattern: str | None, arch: str | None, kind: str | None) -> list[MmaAtom | CopyOp]:
    from symcute.layout.atoms import copy_ops, mma_atoms

    found: list[MmaAtom | CopyOp] = []
    found += mma_atoms(arch) if kind != "copy" else ()
    found += copy_ops(arch) if kind != "mma" else ()
    found = [x for x in found if pattern is None or fnmatchcase(x.name, pattern)]
    if not found:
        asked = " ".join(x for x in (pattern, arch, kind) if x)
        raise InputError(f"no atom is selected by {asked}", "symcute atoms counts what there is")
    return found


def _counts(found: list[MmaAtom | CopyOp]) -> list[str]:
    """Return how many there are of each architecture and kind."""
    from symcute.layout.atoms import ARCHITECTURES, MmaAtom

    lines = [f"{'':10}{'MMA':>6}{'copy':>6}"]
    for arch in ARCHITECTURES:
        kinds = [isinstance(x, MmaAtom) for x in found if x.arch == arch]
        if kinds:
            lines.append(f"{arch:10}{sum(kinds):6}{len(kinds) - sum(kinds):6}")
    return [*lines, "symcute atoms --arch sm80 lists those of an architecture"]


def _line(x: MmaAtom | CopyOp) -> str:
    from symcute.layout.atoms import MmaAtom

    if isinstance(x, MmaAtom):
        return f"{x.name}  {'x'.join(map(str, x.shape_mnk))}  {' '.join(x.types)}"
    return f"{x.name}  {x.thr_id.size()} threads"


def _fields(x: MmaAtom | CopyOp) -> dict[str, Any]:
    from symcute.layout.atoms import MmaAtom

    told: dict[str, Any] = {"name": x.name, "arch": x.arch, "source": x.source}
    if isinstance(x, MmaAtom):
        told |= {"kind": "mma", "shape_mnk": list(x.shape_mnk)}
        told |= {"types": dict(zip("DABC", x.types, strict=True)), "note": x.note}
    else:
        told |= {"kind": "copy"}
    told["threads"] = str(x.thr_id)
    told["layouts"] = {k: str(layout) for k, (layout, _) in x.layouts().items()}
    return told


def _draw(x: MmaAtom | CopyOp, path: Path) -> None:
    """Draw the layouts of an atom; those too large for a picture are left out, and named."""
    from symcute.report.pictures import tilings_to_svg

    drawn, too_large = {}, []
    for key, tiling in x.layouts().items():
        try:
            tilings_to_svg({key: tiling}, x.name)
            drawn[key] = tiling
        except InputError as error:
            too_large.append(key)
            what = error.what
    if not drawn:
        raise InputError(what, f"no picture shows it; symcute atoms {x.name} prints its layouts")
    options.write_text(path, tilings_to_svg(drawn, x.name))
    if too_large:
        options.notice(f"too large for a picture, and left out: {', '.join(too_large)}")


def _show(x: MmaAtom | CopyOp, as_json: bool, quiet: bool) -> int:
    """Print an atom and the verdict on each of its layouts."""
    from symcute.claims import PartitionExact, repetitions
    from symcute.prover import prove

    told, verdicts = _fields(x), {}
    for key, (layout, tile) in x.layouts().items():
        verdicts[key] = prove(PartitionExact(layout, tile, repetitions(layout)))
    if as_json:
        told["claims"] = {k: v.to_json() for k, v in verdicts.items()}
        options.print_json("atom", told)
    else:
        about = [f"{x.arch}, {x.source}", f"threads  {x.thr_id}"]
        lines = [_line(x), *([] if quiet else about)]
        for key, v in verdicts.items():
            if quiet and v.status == "proved":
                continue
            lines += [f"{key:8} {x.layouts()[key][0]}", f"         {v.status.upper()}  {v.claim}"]
            if v.counterexample:
                lines.append(f"         {v.counterexample}")
        note = told.get("note")
        click.echo("\n".join([*lines, *([f"note     {note}"] if note and not quiet else [])]))
    return EXPECTED if all(v.status == "proved" for v in verdicts.values()) else UNEXPECTED
