"""How much of a folder of CUDA files is understood: `python -m tests.access.survey DIR`.

For every `.cu` file: whether it is read, how many kernels it has, and what in them was not
understood, by reason. Annotations of GPUVerify are taken as macros that say nothing.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from symcute.errors import SymcuteError
from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Kernel, NotUnderstood

HERE = Path(__file__).parent
#: GPUVerify's tests say in their second line how they are run.
DEFINE = re.compile(r"-D(\w+)=(\w+)")
HEAD = '#include "gpuverify.h"\n#line 1\n'


def unsupported(kernel: Kernel) -> Counter[str]:
    """Return the reasons for which something in a kernel was not understood."""
    return Counter(s.reason for s in every(kernel.body) if isinstance(s, NotUnderstood))


def survey(folder: Path, include: Sequence[Path], verbose: bool) -> int:
    """Print what is read of a folder, and return how many files failed."""
    files = sorted(folder.rglob("*.cu"))
    failed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    kernels = clear = total = 0
    slowest: tuple[float, Path] = (0.0, folder)
    started = time.monotonic()
    for file in files:
        before = time.monotonic()
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
            defines = dict(DEFINE.findall("".join(text.splitlines(True)[:3])))
            folders = [HERE, file.parent, *include]
            source = read_kernels(HEAD + text, defines=defines, include_dirs=folders)
        except SymcuteError as error:
            failed[re.sub(r"^\S+:\d+:\d+: ", "", error.what)] += 1
            if verbose:
                print(f"FAILED {file}: {error}")
            continue
        slowest = max(slowest, (time.monotonic() - before, file))
        for kernel in source.kernels.values():
            kernels += 1
            found = unsupported(kernel)
            total += sum(1 for _ in every(kernel.body))
            clear += not found
            reasons.update(found)
            if verbose and found:
                print(f"{file}: {kernel.name}: {dict(found)}")
    seconds = time.monotonic() - started
    bad = sum(failed.values())
    print(f"{len(files)} files, {len(files) - bad} read, {bad} not; {seconds:.1f} s")
    print(f"slowest {slowest[0]:.2f} s: {slowest[1]}")
    print(f"{kernels} kernels, {clear} of them wholly understood")
    print(f"{total} statements, {sum(reasons.values())} not understood")
    for title, counts in (("files not read", failed), ("not understood", reasons)):
        if counts:
            print(f"\n{title}:")
        for reason, count in counts.most_common(40):
            print(f"{count:6}  {reason}")
    return bad


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    if not arguments:
        sys.exit("usage: python -m tests.access.survey DIR [INCLUDE...] [--verbose]")
    where, *others = (Path(a) for a in arguments)
    survey(where, others, "--verbose" in sys.argv)
