"""The public names and where they are defined: loaded on first use, and read by type checkers."""

from .claims import (
    Aligned as Aligned,
    Apart as Apart,
    BankConflict as BankConflict,
    Bijective as Bijective,
    Claim as Claim,
    Coalesced as Coalesced,
    Compact as Compact,
    Compatible as Compatible,
    Complement as Complement,
    Composition as Composition,
    Counterexample as Counterexample,
    Covers as Covers,
    Disjoint as Disjoint,
    Equal as Equal,
    Holds as Holds,
    InBounds as InBounds,
    Increasing as Increasing,
    Injective as Injective,
    LeftInverse as LeftInverse,
    Monotone as Monotone,
    NoOverflow as NoOverflow,
    Partition as Partition,
    PartitionExact as PartitionExact,
    PrintsAs as PrintsAs,
    Refines as Refines,
    RightInverse as RightInverse,
    SameElements as SameElements,
    SameImage as SameImage,
    Sectors as Sectors,
    Table as Table,
    Vectorizable as Vectorizable,
)
from .claims.language import (
    evaluate as evaluate,
    read_claim as read_claim,
)
from .codegen.forms import to_text as to_text
from .codegen.index import (
    c_expression as c_expression,
    python_expression as python_expression,
)
from .errors import (
    InputError as InputError,
    LaunchRefused as LaunchRefused,
    NotAdmissible as NotAdmissible,
    SymcuteError as SymcuteError,
    TextError as TextError,
    Undecided as Undecided,
    UndecidedLaunch as UndecidedLaunch,
)
from .expr.assumptions import (
    Assumptions as Assumptions,
    assuming as assuming,
    dims as dims,
)
from .expr.basis import (
    ArithmeticTuple as ArithmeticTuple,
    E as E,
    ScaledBasis as ScaledBasis,
    make_basis_like as make_basis_like,
)
from .expr.expression import (
    floor_div as floor_div,
    mod as mod,
)
from .expr.formula import (
    Formula as Formula,
    all_of as all_of,
    any_of as any_of,
    divides as divides,
    eq as eq,
    ge as ge,
    gt as gt,
    implies as implies,
    le as le,
    lt as lt,
    ne as ne,
    not_ as not_,
)
from .frontends.cutedsl.checking import (
    check_cute as check_cute,
)
from .hardware.access import (
    Access as Access,
)
from .hardware.architecture import (
    Architecture as Architecture,
    architecture as architecture,
)
from .interop import *
from .kernel.findings import (
    Finding as Finding,
    Findings as Findings,
)
from .kernel.launch.guard import (
    Guarded as Guarded,
    guard as guard,
)
from .kernel.launch.sources import (
    check_kernel as check_kernel,
)
from .layout.algebra import *
from .layout.algebra.alignment import (
    max_alignment as max_alignment,
)
from .layout.atoms import (
    CopyOp as CopyOp,
    MmaAtom as MmaAtom,
    atom as atom,
    atom_layout as atom_layout,
    copy_ops as copy_ops,
    mma_atoms as mma_atoms,
    smem_layout_atom as smem_layout_atom,
)
from .layout.coordinates import (
    crd2idx as crd2idx,
    idx2crd as idx2crd,
)
from .layout.f2 import (
    BitMatrix as BitMatrix,
    from_f2 as from_f2,
    to_f2 as to_f2,
)
from .layout.layout import (
    Layout as Layout,
    make_layout as make_layout,
)
from .layout.linear import (
    Conversion as Conversion,
    LinearLayout as LinearLayout,
    conversion as conversion,
    from_linear as from_linear,
    to_linear as to_linear,
)
from .layout.measures import (
    coshape as coshape,
    cosize as cosize,
    depth as depth,
    rank as rank,
    shape as shape,
    size as size,
    stride as stride,
)
from .layout.slices import (
    slice_ as slice_,
    slice_and_offset as slice_and_offset,
)
from .layout.swizzle import (
    ComposedLayout as ComposedLayout,
    Swizzle as Swizzle,
    UnswizzledLayout as UnswizzledLayout,
    get_nonswizzle_portion as get_nonswizzle_portion,
    get_swizzle_portion as get_swizzle_portion,
    make_swizzle as make_swizzle,
)
from .layout.tv import *
from .prover import (
    Verdict as Verdict,
    check as check,
    prove as prove,
)
from .prover.suggestion import (
    Suggestion as Suggestion,
    suggest as suggest,
)
from .prover.theorems import (
    Theorem as Theorem,
    TheoremResult as TheoremResult,
    theorem as theorem,
)
from .report.notebooks import (
    to_html as to_html,
    to_latex as to_latex,
)
from .report.pictures import (
    tilings_to_svg as tilings_to_svg,
    to_svg as to_svg,
)
from .report.requests import (
    request_to_svg as request_to_svg,
)
from .report.swizzled import (
    swizzling_to_svg as swizzling_to_svg,
)
from .synthesis import (
    Padding as Padding,
    Swizzling as Swizzling,
    find_padding as find_padding,
    find_swizzle as find_swizzle,
)

__all__: list[str]
__version__: str

_: None
