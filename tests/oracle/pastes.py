"""Layouts as people have them on their screens, and what each of them is.

The texts are of public documentation, sources and issues: what `print` gives, what a kernel says,
what a compiler writes. Beside each stands what it means to CuTe, PyTorch or Triton, with numbers
for the names where there are some.
"""

from __future__ import annotations

#: Text, values of the names, the layout.
Paste = tuple[str, dict[str, int], str]

PRINTED: tuple[Paste, ...] = (
    ("(_128,_64):(_1,_128)", {}, "(128,64):(1,128)"),
    ("_1:_0", {}, "1:0"),
    ("(_4,_8):(_8,_1)", {}, "(4,8):(8,1)"),
    ("((_2,_2),(_2,4)):((_1,_4),(_2,8))", {}, "((2,2),(2,4)):((1,4),(2,8))"),
    ("((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))", {}, "((4,8),(2,2,2)):((32,1),(16,8,128))"),
    ("((_64,_2),(_8,_8),_3):((_1,_512),(_64,_1024),_8192)", {},
     "((64,2),(8,8),3):((1,512),(64,1024),8192)"),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", {}, "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o ((_64,_2),(_8,_8),_3):((_1,_512),(_64,_1024),_8192)", {},
     "Sw<3,3,3> o 0 o ((64,2),(8,8),3):((1,512),(64,1024),8192)"),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o ((_128,_16),_1,_4):((_64,_1),_0,_16)", {},
     "Sw<3,3,3> o 0 o ((128,16),1,4):((64,1),0,16)"),
    ("Sw<2,4,3> o smem_ptr[32b](unset) o (_8,_16):(_16,_1)", {}, "Sw<2,2,3> o 0 o (8,16):(16,1)"),
    ("Sw<3,4,3> o smem_ptr[8b](unset) o (_8,_128):(_128,_1)", {},
     "Sw<3,4,3> o 0 o (8,128):(128,1)"),
    ("Sw<3,4,3> o smem_ptr[4b](unset) o (_8,_256):(_256,_1)", {},
     "Sw<3,5,3> o 0 o (8,256):(256,1)"),
    ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", {}, "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("S<3,4,3> o 0 o (8,64):(64,1)", {}, "Sw<3,4,3> o 0 o (8,64):(64,1)"),
    ("Sw<3,4,3>_smem_ptr[16b](0x7ef800000400) o ((_512,_16),(_1,_3)):((_1,_512),(_0,_8192))", {},
     "Sw<3,3,3> o 0 o ((512,16),(1,3)):((1,512),(0,8192))"),
    ("smem_ptr[16b](0x7f8f00000c00) o Sw<3,3,3> o _0 o (((_64,_256),_2)):(((_1,_64),_16384))", {},
     "Sw<3,3,3> o 0 o (((64,256),2)):(((1,64),16384))"),
    ("gmem_ptr[16b](0x7f61c3e00000) o ((_2,_2),_1,_2):((_1,128),_0,_8)", {},
     "((2,2),1,2):((1,128),0,8)"),
    ("tCgC: gmem_ptr[16b](0x7f877a780000) o ((_2,_2,_8),_2,_2):((512,_8,4096),_64,32768)", {},
     "((2,2,8),2,2):((512,8,4096),64,32768)"),
    ("tCrC: ptr[16b](0x7feee1fffbe0) o ((_2,_2,_8),_2,_2):((_1,_2,_4),_32,_64)", {},
     "((2,2,8),2,2):((1,2,4),32,64)"),
    ("ptr[32b]((nil)) o ((_1,_8),_1,_2):((_0,_1),_0,_2048)", {}, "((1,8),1,2):((0,1),0,2048)"),
    ("tmem_[32b](0x0000.0000) o ((_128,_256),_1,_1):((_65536,_1),_0,_0)", {},
     "((128,256),1,1):((65536,1),0,0)"),
    ("ArithTuple(_0,_0) o (_4,_8):(_1@0,_1@1)", {}, "(4,8):(1@0,1@1)"),
    ("ArithTuple(0,0) o (((_64,_128),_1),_1):(((_1@0,_1@1),_0),_0)", {},
     "(((64,128),1),1):(((1@0,1@1),0),0)"),
    ("mA:   ArithTuple(_0,_0) o (512,256):(_1@1,_1@0)", {}, "(512,256):(1@1,1@0)"),
)  # fmt: skip

CPP: tuple[Paste, ...] = (
    ("make_layout(Int<8>{})", {}, "8:1"),
    ("make_layout(make_shape(Int<2>{},4))", {}, "(2,4):(1,2)"),
    ("make_layout(make_shape (_2{}, _3{}),\n            make_stride(_3{}, _1{}));", {},
     "(2,3):(3,1)"),
    ("auto layout_2xh4 = make_layout(make_shape(2,make_shape(2,2)),\n"
     "                             make_stride(4,make_stride(2,1)));", {}, "(2,(2,2)):(4,(2,1))"),
    ("make_layout(make_shape(Int<2>{},4), LayoutRight{})", {}, "(2,4):(4,1)"),
    ("make_layout(make_shape(_2{},make_shape(_2{},_3{})), GenRowMajor{})", {},
     "(2,(2,3)):(6,(3,1))"),
    ("Layout<Shape<_4,_8>>{}", {}, "(4,8):(1,4)"),
    ("Layout<_64>{}", {}, "64:1"),
    ("Layout<Shape<_4,_1,_1>>{}", {}, "(4,1,1):(1,0,0)"),
    ("using DstLayout = Layout<Shape<Shape<_16,_4>,Shape<_2,_2>>,\n"
     "                         Stride<Stride<_32,_2048>,Stride<_512,_1024>>>;", {},
     "((16,4),(2,2)):((32,2048),(512,1024))"),
    ("Layout<Shape<Int<64>, Int<16>, Int<1>>, Stride<Int<1>, Int<64>, Int<16384>>>", {},
     "(64,16,1):(1,64,16384)"),
    ("make_layout(make_shape(Int<kTileM>{}, Int<kTileK>{}), make_stride(Int<kTileK>{}, Int<1>{}))",
     {"kTileM": 128, "kTileK": 32}, "(128,32):(32,1)"),
    ("cute::make_layout(cute::make_shape(M, N), cute::make_stride(cute::Int<1>{}, M))",
     {"M": 12, "N": 20}, "(12,20):(1,12)"),
    ("make_layout(make_shape(make_shape(_16{}, _16{}), make_shape(_8{}, _2{})),\n"
     "    make_stride(make_stride(_8{}, _16{} * _8{}), make_stride(_1{}, _128{} * _16{})))", {},
     "((16,16),(8,2)):((8,128),(1,2048))"),
    ("cute::Layout<cute::tuple<cute::C<8>, cute::C<4> >, cute::tuple<cute::C<4>, cute::C<1> > >{}",
     {}, "(8,4):(4,1)"),
    ("make_ordered_layout(make_shape(_4{},_8{}), Step<_1,_0>{})", {}, "(4,8):(8,1)"),
    ("using SmemLayoutAtom_8x64 =\n    decltype(composition(Swizzle<3, 3, 3>{},\n"
     "                         Layout<Shape<_8, _64>, Stride<_64, _1>>{}));", {},
     "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("decltype(composition(Swizzle<2,3,3>{},make_layout(make_shape(Int<8>{}, Int<kTileK>{}),"
     "make_stride(Int<kTileK>{}, Int<1>{}))))", {"kTileK": 32}, "Sw<2,3,3> o 0 o (8,32):(32,1)"),
    ("composition(Swizzle<3,3,3>{}, Int<0>{}, Layout<Shape<_8,_64>,Stride<_64,_1>>{})", {},
     "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("make_layout(Layout<_4,_2>{}, Layout<_8,_16>{})", {}, "(4,8):(2,16)"),
    ("Layout<Shape<_4,_8>,Stride<_m8,_1>>{}", {}, "(4,8):(-8,1)"),
)  # fmt: skip

#: What needs headers of the atoms: a width, and the block of it.
ATOMS: tuple[Paste, ...] = (
    ("GMMA::Layout_K_SW128_Atom<half_t>{}", {}, "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("GMMA::Layout_MN_SW128_Atom<cute::bfloat16_t>{}", {}, "Sw<3,3,3> o 0 o (64,8):(1,64)"),
    ("SM90::GMMA::Layout_K_SW64_Atom<tfloat32_t>{}", {}, "Sw<2,2,3> o 0 o (8,16):(16,1)"),
    ("UMMA::Layout_K_SW128_Atom<float_e4m3_t>{}", {}, "Sw<3,4,3> o 0 o (8,128):(128,1)"),
    ("tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, cute::make_shape(_128{}, _64{}, _3{}))",
     {}, "Sw<3,3,3> o 0 o ((64,2),(8,8),(1,3)):((1,512),(64,1024),(0,8192))"),
)  # fmt: skip

DSL: tuple[Paste, ...] = (
    ("cute.make_layout((8, 64), stride=(64, 1))", {}, "(8,64):(64,1)"),
    ("layout = cute.make_layout(((2, 4), 8), stride=((32, 8), 1))", {}, "((2,4),8):((32,8),1)"),
    ("cute.make_layout((BM, BK), stride=(BK + PAD, 1))", {"BM": 64, "BK": 32, "PAD": 8},
     "(64,32):(40,1)"),
    ("cute.make_layout((W - 1,), stride=(1,))", {"W": 5}, "(4):(1)"),
    ("cute.make_layout((16, 32))", {}, "(16,32):(1,16)"),
    ("cute.make_ordered_layout((8, 32), order=(1, 0))", {}, "(8,32):(32,1)"),
    ("cute.make_composed_layout(\n    cute.make_swizzle(3, 3, 3),\n    0,\n"
     "    cute.make_layout((8, 64), stride=(64, 1)),\n)", {}, "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("cute.make_composed_layout(cute.make_swizzle(2, 4, 3), 0,"
     " cute.make_layout((BK, 1, 8), stride=(1, BK, BK)))", {"BK": 32},
     "Sw<2,4,3> o 0 o (32,1,8):(1,32,32)"),
)  # fmt: skip

PYTHON: tuple[Paste, ...] = (
    ("Layout((4, 8),(8, 1))", {}, "(4,8):(8,1)"),
    ("(4, 8) : (1, 4)", {}, "(4,8):(1,4)"),
    ("Layout(((2, 2), 4), ((1, 4), 2))", {}, "((2,2),4):((1,4),2)"),
    ("torch.Size([4, 8]) (8, 1)", {}, "(4,8):(8,1)"),
    ("(torch.Size([2, 3, 4]), (12, 4, 1))", {}, "(2,3,4):(12,4,1)"),
    ("buf0 = empty_strided_cuda((4, 3, 70, 70), (14700, 4900, 70, 1), torch.float32)", {},
     "(4,3,70,70):(14700,4900,70,1)"),
    ("empty_strided_cuda((s0, 4096), (4096, 1), torch.bfloat16)", {"s0": 6}, "(6,4096):(4096,1)"),
    ("reinterpret_tensor(primals_1, (8192, 64), (1, 8192), 0)", {}, "(8192,64):(1,8192)"),
    ("assert_size_stride(arg0_1, (2000, 2000), (2016, 1))", {}, "(2000,2000):(2016,1)"),
    ("tensor<32x16xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
     "warpsPerCTA = [4, 1], order = [1, 0]}>>", {}, "((4,32),(4)):((128,1),(32))"),
    ("!ttg.memdesc<128x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
     "order = [1, 0]}>, #smem, mutable>", {}, "Sw<3,3,3> o 0 o (128,64):(64,1)"),
)  # fmt: skip

EVERY = (*PRINTED, *CPP, *ATOMS, *DSL, *PYTHON)
