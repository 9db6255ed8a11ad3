; ModuleID = '/tmp/symcute-5z271wqf/in.ll'
source_filename = "/tmp/symcute-5z271wqf/source.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Three = type { [3 x i32] }
%struct.Pair = type { float, float }
%struct.Flag = type { i8 }

@__const._Z10one_of_twoPii.a = private unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4
@__const._Z10one_of_twoPii.b = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@_ZL3few = internal addrspace(4) constant [4 x i32] [i32 0, i32 1, i32 2, i32 3], align 4
@_ZZ18waited_for_by_somePfE1s = internal addrspace(3) global [64 x float] undef, align 4
@_ZZ14not_waited_forPfE1s = internal addrspace(3) global [64 x float] undef, align 4
@_ZZ17bytes_out_of_stepPfE1s = internal addrspace(3) global [160 x float] undef, align 16
@_ZZ27a_shared_vector_out_of_stepPfE1s = internal addrspace(3) global [160 x float] undef, align 16

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20behind_a_local_arrayPi(ptr noundef %y) #0 !dbg !37 {
entry:
  %v = alloca [4 x i32], align 4
  call void @symcute.hold(ptr %v)
  %any.v = call [4 x i32] @symcute.any.0()
  %any.v.fca.0.extract = extractvalue [4 x i32] %any.v, 0
  %any.v.fca.0.gep = getelementptr inbounds [4 x i32], ptr %v, i32 0, i32 0
  store i32 %any.v.fca.0.extract, ptr %any.v.fca.0.gep, align 4
  %any.v.fca.1.extract = extractvalue [4 x i32] %any.v, 1
  %any.v.fca.1.gep = getelementptr inbounds [4 x i32], ptr %v, i32 0, i32 1
  store i32 %any.v.fca.1.extract, ptr %any.v.fca.1.gep, align 4
  %any.v.fca.2.extract = extractvalue [4 x i32] %any.v, 2
  %any.v.fca.2.gep = getelementptr inbounds [4 x i32], ptr %v, i32 0, i32 2
  store i32 %any.v.fca.2.extract, ptr %any.v.fca.2.gep, align 4
  %any.v.fca.3.extract = extractvalue [4 x i32] %any.v, 3
  %any.v.fca.3.gep = getelementptr inbounds [4 x i32], ptr %v, i32 0, i32 3
  store i32 %any.v.fca.3.extract, ptr %any.v.fca.3.gep, align 4
  br label %for.cond, !dbg !41

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ], !dbg !42
  %cmp = icmp slt i32 %k.0, 4, !dbg !43
  br i1 %cmp, label %for.body, label %for.end, !dbg !44

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %k.0 to i64, !dbg !45
  %arrayidx = getelementptr inbounds [4 x i32], ptr %v, i64 0, i64 %idxprom, !dbg !45
  store volatile i32 %k.0, ptr %arrayidx, align 4, !dbg !46
  br label %for.inc, !dbg !45

for.inc:                                          ; preds = %for.body
  %inc = add nsw i32 %k.0, 1, !dbg !47
  br label %for.cond, !dbg !44, !llvm.loop !48

for.end:                                          ; preds = %for.cond
  %arrayidx1 = getelementptr i8, ptr %v, i64 16, !dbg !51
  store volatile i32 1, ptr %arrayidx1, align 4, !dbg !52
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !53
  %and = and i32 %0, 3, !dbg !57
  %idxprom2 = zext i32 %and to i64, !dbg !58
  %arrayidx3 = getelementptr inbounds [4 x i32], ptr %v, i64 0, i64 %idxprom2, !dbg !58
  %1 = load volatile i32, ptr %arrayidx3, align 4, !dbg !58
  %2 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !59
  %idxprom5 = zext i32 %2 to i64, !dbg !61
  %arrayidx6 = getelementptr inbounds i32, ptr %y, i64 %idxprom5, !dbg !61
  store volatile i32 %1, ptr %arrayidx6, align 4, !dbg !62
  ret void, !dbg !63
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z3putR5Threei(ptr noundef nonnull align 4 dereferenceable(12) %t, i32 noundef %k) #1 !dbg !64 {
entry:
  %v = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, !dbg !65
  %idxprom = sext i32 %k to i64, !dbg !66
  %arrayidx = getelementptr inbounds [3 x i32], ptr %v, i64 0, i64 %idxprom, !dbg !66
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !67
  ret void, !dbg !68
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z27behind_an_array_in_a_structPi(ptr noundef %y) #0 !dbg !69 {
entry:
  %t = alloca %struct.Three, align 4
  call void @symcute.hold(ptr %t)
  %any.t = call %struct.Three @symcute.any.4()
  %any.t.fca.0.0.extract = extractvalue %struct.Three %any.t, 0, 0
  %any.t.fca.0.0.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 0
  store i32 %any.t.fca.0.0.extract, ptr %any.t.fca.0.0.gep, align 4
  %any.t.fca.0.1.extract = extractvalue %struct.Three %any.t, 0, 1
  %any.t.fca.0.1.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 1
  store i32 %any.t.fca.0.1.extract, ptr %any.t.fca.0.1.gep, align 4
  %any.t.fca.0.2.extract = extractvalue %struct.Three %any.t, 0, 2
  %any.t.fca.0.2.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 2
  store i32 %any.t.fca.0.2.extract, ptr %any.t.fca.0.2.gep, align 4
  %arrayidx.i = getelementptr i8, ptr %t, i64 12, !dbg !70
  store volatile i32 1, ptr %arrayidx.i, align 4, !dbg !72
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !73
  %idxprom = zext i32 %0 to i64, !dbg !75
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !75
  store volatile i32 0, ptr %arrayidx, align 4, !dbg !76
  ret void, !dbg !77
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z17read_and_not_usedPKfPf(ptr noundef %x, ptr noundef %y) #0 !dbg !78 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !79
  %idxprom = zext i32 %0 to i64, !dbg !81
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom, !dbg !81
  %1 = load volatile float, ptr %arrayidx, align 4, !dbg !81
  %2 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !82
  %idxprom2 = zext i32 %2 to i64, !dbg !84
  %arrayidx3 = getelementptr inbounds float, ptr %y, i64 %idxprom2, !dbg !84
  store volatile float 0.000000e+00, ptr %arrayidx3, align 4, !dbg !85
  ret void, !dbg !86
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z19copied_and_not_usedPK4PairPf(ptr noundef %x, ptr noundef %y) #0 !dbg !87 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !88
  %idxprom = zext i32 %0 to i64, !dbg !90
  %arrayidx = getelementptr inbounds %struct.Pair, ptr %x, i64 %idxprom, !dbg !90
  %copy.0.6.0.from = getelementptr i8, ptr %arrayidx, i64 0, !dbg !90
  %copy.0.6.0 = load volatile float, ptr %copy.0.6.0.from, align 4, !dbg !90
  %copy.0.6.4.from = getelementptr i8, ptr %arrayidx, i64 4, !dbg !90
  %copy.0.6.4 = load volatile float, ptr %copy.0.6.4.from, align 4, !dbg !90
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !91
  %idxprom2 = zext i32 %1 to i64, !dbg !93
  %arrayidx3 = getelementptr inbounds float, ptr %y, i64 %idxprom2, !dbg !93
  store volatile float 0.000000e+00, ptr %arrayidx3, align 4, !dbg !94
  ret void, !dbg !95
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z13written_twicePi(ptr noundef %y) #0 !dbg !96 {
entry:
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 0, !dbg !97
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !98
  %arrayidx1 = getelementptr inbounds i32, ptr %y, i64 0, !dbg !99
  store volatile i32 2, ptr %arrayidx1, align 4, !dbg !100
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !101
  %cmp = icmp eq i32 %0, 0, !dbg !103
  br i1 %cmp, label %if.then, label %if.end, !dbg !104

if.then:                                          ; preds = %entry
  %arrayidx2 = getelementptr inbounds i32, ptr %y, i64 1, !dbg !105
  store volatile i32 3, ptr %arrayidx2, align 4, !dbg !106
  br label %if.end, !dbg !105

if.end:                                           ; preds = %if.then, %entry
  ret void, !dbg !107
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z9never_setPii(ptr noundef %y, i32 noundef %n) #0 !dbg !108 {
entry:
  %any.i = call i32 @symcute.any.1()
  %cmp = icmp sgt i32 %n, 5, !dbg !109
  br i1 %cmp, label %if.then, label %if.end, !dbg !110

if.then:                                          ; preds = %entry
  br label %if.end, !dbg !111

if.end:                                           ; preds = %if.then, %entry
  %i.0 = phi i32 [ 0, %if.then ], [ %any.i, %entry ]
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !112
  %cmp1 = icmp eq i32 %0, 0, !dbg !114
  br i1 %cmp1, label %if.then2, label %if.end3, !dbg !115

if.then2:                                         ; preds = %if.end
  %idxprom = sext i32 %i.0 to i64, !dbg !116
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !116
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !117
  br label %if.end3, !dbg !116

if.end3:                                          ; preds = %if.then2, %if.end
  ret void, !dbg !118
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22compared_with_the_nextPii(ptr noundef %y, i32 noundef %n) #0 !dbg !119 {
entry:
  %add = add nsw i32 %n, 1, !dbg !120
  %cmp = icmp sgt i32 %add, %n, !dbg !121
  br i1 %cmp, label %if.then, label %if.end, !dbg !122

if.then:                                          ; preds = %entry
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !123
  %idxprom = zext i32 %0 to i64, !dbg !125
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !125
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !126
  br label %if.end, !dbg !125

if.end:                                           ; preds = %if.then, %entry
  ret void, !dbg !127
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z13tested_beforePii(ptr noundef %y, i32 noundef %n) #0 !dbg !128 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !129
  %cmp = icmp slt i32 %0, %n, !dbg !131
  br i1 %cmp, label %land.lhs.true, label %if.end, !dbg !132

land.lhs.true:                                    ; preds = %entry
  %idxprom = sext i32 %0 to i64, !dbg !133
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !133
  %1 = load volatile i32, ptr %arrayidx, align 4, !dbg !133
  %cmp1 = icmp sgt i32 %1, 0, !dbg !134
  br i1 %cmp1, label %if.then, label %if.end, !dbg !135

if.then:                                          ; preds = %land.lhs.true
  %idxprom2 = sext i32 %0 to i64, !dbg !136
  %arrayidx3 = getelementptr inbounds i32, ptr %y, i64 %idxprom2, !dbg !136
  store volatile i32 1, ptr %arrayidx3, align 4, !dbg !137
  br label %if.end, !dbg !136

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  ret void, !dbg !138
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z10one_of_twoPii(ptr noundef %y, i32 noundef %n) #0 !dbg !139 {
entry:
  %a = alloca [2 x i32], align 4
  call void @symcute.hold(ptr %a)
  %any.a = call [2 x i32] @symcute.any.5()
  %any.a.fca.0.extract = extractvalue [2 x i32] %any.a, 0
  %any.a.fca.0.gep = getelementptr inbounds [2 x i32], ptr %a, i32 0, i32 0
  store i32 %any.a.fca.0.extract, ptr %any.a.fca.0.gep, align 4
  %any.a.fca.1.extract = extractvalue [2 x i32] %any.a, 1
  %any.a.fca.1.gep = getelementptr inbounds [2 x i32], ptr %a, i32 0, i32 1
  store i32 %any.a.fca.1.extract, ptr %any.a.fca.1.gep, align 4
  %b = alloca [4 x i32], align 4
  call void @symcute.hold(ptr %b)
  %any.b = call [4 x i32] @symcute.any.0()
  %any.b.fca.0.extract = extractvalue [4 x i32] %any.b, 0
  %any.b.fca.0.gep = getelementptr inbounds [4 x i32], ptr %b, i32 0, i32 0
  store i32 %any.b.fca.0.extract, ptr %any.b.fca.0.gep, align 4
  %any.b.fca.1.extract = extractvalue [4 x i32] %any.b, 1
  %any.b.fca.1.gep = getelementptr inbounds [4 x i32], ptr %b, i32 0, i32 1
  store i32 %any.b.fca.1.extract, ptr %any.b.fca.1.gep, align 4
  %any.b.fca.2.extract = extractvalue [4 x i32] %any.b, 2
  %any.b.fca.2.gep = getelementptr inbounds [4 x i32], ptr %b, i32 0, i32 2
  store i32 %any.b.fca.2.extract, ptr %any.b.fca.2.gep, align 4
  %any.b.fca.3.extract = extractvalue [4 x i32] %any.b, 3
  %any.b.fca.3.gep = getelementptr inbounds [4 x i32], ptr %b, i32 0, i32 3
  store i32 %any.b.fca.3.extract, ptr %any.b.fca.3.gep, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @__const._Z10one_of_twoPii.a, i64 8, i1 false), !dbg !140
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 @__const._Z10one_of_twoPii.b, i64 16, i1 false), !dbg !141
  %cmp = icmp sgt i32 %n, 3, !dbg !142
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !143

cond.true:                                        ; preds = %entry
  %arraydecay = getelementptr i8, ptr %a, i64 0, !dbg !144
  br label %cond.end, !dbg !143

cond.false:                                       ; preds = %entry
  %arraydecay1 = getelementptr i8, ptr %b, i64 0, !dbg !145
  br label %cond.end, !dbg !143

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %arraydecay, %cond.true ], [ %arraydecay1, %cond.false ], !dbg !143
  %arrayidx = getelementptr inbounds i32, ptr %cond, i64 3, !dbg !146
  %0 = load volatile i32, ptr %arrayidx, align 4, !dbg !146
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !147
  %idxprom = zext i32 %1 to i64, !dbg !149
  %arrayidx2 = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !149
  store volatile i32 %0, ptr %arrayidx2, align 4, !dbg !150
  ret void, !dbg !151
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22through_a_null_pointerPii(ptr noundef %y, i32 noundef %n) #0 !dbg !152 {
entry:
  %cmp = icmp sgt i32 %n, 3, !dbg !153
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !154

cond.true:                                        ; preds = %entry
  br label %cond.end, !dbg !154

cond.false:                                       ; preds = %entry
  br label %cond.end, !dbg !154

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %y, %cond.true ], [ null, %cond.false ], !dbg !154
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !155
  %idxprom = zext i32 %0 to i64, !dbg !157
  %arrayidx = getelementptr inbounds i32, ptr %cond, i64 %idxprom, !dbg !157
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !158
  ret void, !dbg !159
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z17behind_a_constantPi(ptr noundef %y) #0 !dbg !160 {
entry:
  %0 = load volatile i32, ptr getelementptr inbounds ([4 x i32], ptr addrspacecast (ptr addrspace(4) @_ZL3few to ptr), i64 0, i64 4), align 4, !dbg !161
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !162
  %idxprom = zext i32 %1 to i64, !dbg !164
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !164
  store volatile i32 %0, ptr %arrayidx, align 4, !dbg !165
  ret void, !dbg !166
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20a_vector_out_of_stepPKfPf(ptr noundef %x, ptr noundef %y) #0 !dbg !167 {
entry:
  %add.ptr = getelementptr inbounds float, ptr %x, i64 1, !dbg !168
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !169
  %idx.ext = zext i32 %0 to i64, !dbg !171
  %add.ptr1 = getelementptr inbounds float, ptr %add.ptr, i64 %idx.ext, !dbg !171
  %copy.0.7.0.from = getelementptr i8, ptr %add.ptr1, i64 0, !dbg !172
  %copy.0.7.0 = load volatile <4 x float>, ptr %copy.0.7.0.from, align 16, !dbg !172
  %v.sroa.0.0.vec.extract = extractelement <4 x float> %copy.0.7.0, i32 0, !dbg !173
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !174
  %idxprom = zext i32 %1 to i64, !dbg !176
  %arrayidx = getelementptr inbounds float, ptr %y, i64 %idxprom, !dbg !176
  store volatile float %v.sroa.0.0.vec.extract, ptr %arrayidx, align 4, !dbg !177
  ret void, !dbg !178
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z18waited_for_by_somePf(ptr noundef %y) #0 !dbg !179 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !180
  %idxprom = zext i32 %0 to i64, !dbg !182
  %arrayidx = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ18waited_for_by_somePfE1s to ptr), i64 0, i64 %idxprom, !dbg !182
  store volatile float 0.000000e+00, ptr %arrayidx, align 4, !dbg !183
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !184
  %cmp = icmp ult i32 %1, 48, !dbg !186
  br i1 %cmp, label %if.then, label %if.end, !dbg !187

if.then:                                          ; preds = %entry
  call void @llvm.nvvm.barrier0(), !dbg !188
  br label %if.end, !dbg !188

if.end:                                           ; preds = %if.then, %entry
  %2 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !189
  %idxprom3 = zext i32 %2 to i64, !dbg !191
  %arrayidx4 = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ18waited_for_by_somePfE1s to ptr), i64 0, i64 %idxprom3, !dbg !191
  %3 = load volatile float, ptr %arrayidx4, align 4, !dbg !191
  %4 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !192
  %idxprom6 = zext i32 %4 to i64, !dbg !194
  %arrayidx7 = getelementptr inbounds float, ptr %y, i64 %idxprom6, !dbg !194
  store volatile float %3, ptr %arrayidx7, align 4, !dbg !195
  ret void, !dbg !196
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z14not_waited_forPf(ptr noundef %y) #0 !dbg !197 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !198
  %idxprom = zext i32 %0 to i64, !dbg !200
  %arrayidx = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14not_waited_forPfE1s to ptr), i64 0, i64 %idxprom, !dbg !200
  store volatile float 0.000000e+00, ptr %arrayidx, align 4, !dbg !201
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !202
  %sub = sub i32 63, %1, !dbg !204
  %idxprom2 = zext i32 %sub to i64, !dbg !205
  %arrayidx3 = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14not_waited_forPfE1s to ptr), i64 0, i64 %idxprom2, !dbg !205
  %2 = load volatile float, ptr %arrayidx3, align 4, !dbg !205
  %3 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !206
  %idxprom5 = zext i32 %3 to i64, !dbg !208
  %arrayidx6 = getelementptr inbounds float, ptr %y, i64 %idxprom5, !dbg !208
  store volatile float %2, ptr %arrayidx6, align 4, !dbg !209
  ret void, !dbg !210
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z14there_and_backi(i32 noundef %x) #1 !dbg !211 {
entry:
  %add = add nsw i32 %x, 1, !dbg !212
  %sub = sub nsw i32 %add, 1, !dbg !213
  ret i32 %sub, !dbg !214
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z5timesii(i32 noundef %x, i32 noundef %y) #1 !dbg !215 {
entry:
  %add = add nsw i32 %x, 1, !dbg !216
  %mul = mul nsw i32 %add, %y, !dbg !217
  ret i32 %mul, !dbg !218
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef signext i8 @_Z6narrowi(i32 noundef %x) #1 !dbg !219 {
entry:
  %conv = trunc i32 %x to i8, !dbg !220
  ret i8 %conv, !dbg !221
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20wraps_and_wraps_backPii(ptr noundef %y, i32 noundef %n) #0 !dbg !222 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !223
  %add.i = add nsw i32 %n, 1, !dbg !225
  %sub.i = sub nsw i32 %add.i, 1, !dbg !227
  %add = add i32 %0, %sub.i, !dbg !228
  %idxprom = zext i32 %add to i64, !dbg !229
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !229
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !230
  ret void, !dbg !231
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20wraps_before_nothingPii(ptr noundef %y, i32 noundef %n) #0 !dbg !232 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !233
  %add.i = add nsw i32 %n, 1, !dbg !235
  %mul.i = mul nsw i32 %add.i, 0, !dbg !237
  %add = add i32 %0, %mul.i, !dbg !238
  %idxprom = zext i32 %add to i64, !dbg !239
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !239
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !240
  ret void, !dbg !241
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z19too_much_for_a_bytePi(ptr noundef %y) #0 !dbg !242 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !243
  %conv.i = trunc i32 300 to i8, !dbg !245
  %conv = sext i8 %conv.i to i32, !dbg !247
  %add = add i32 %0, %conv, !dbg !248
  %idxprom = zext i32 %add to i64, !dbg !249
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !249
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !250
  ret void, !dbg !251
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z23square_of_what_is_knownPi(ptr noundef %y) #0 !dbg !252 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !253
  %mul = mul i32 65536, 65536, !dbg !255
  %add = add i32 %0, %mul, !dbg !256
  %idxprom = zext i32 %add to i64, !dbg !257
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !257
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !258
  ret void, !dbg !259
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20a_bit_without_a_signPi(ptr noundef %y) #0 !dbg !260 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !261
  %shl = shl i32 1, %0, !dbg !263
  %idxprom = zext i32 %shl to i64, !dbg !264
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !264
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !265
  ret void, !dbg !266
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z18divided_by_nothingPi(ptr noundef %y) #0 !dbg !267 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !268
  %add = add i32 %0, poison, !dbg !270
  %idxprom = zext i32 %add to i64, !dbg !271
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !271
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !272
  ret void, !dbg !273
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z14flag_never_setPii(ptr noundef %y, i32 noundef %n) #0 !dbg !274 {
entry:
  %any.f = call %struct.Flag @symcute.any.15()
  %any.f.fca.0.extract = extractvalue %struct.Flag %any.f, 0
  %cmp = icmp sgt i32 %n, 3, !dbg !275
  br i1 %cmp, label %if.then, label %if.end, !dbg !276

if.then:                                          ; preds = %entry
  br label %if.end, !dbg !277

if.end:                                           ; preds = %if.then, %entry
  %f.sroa.0.0 = phi i8 [ 0, %if.then ], [ %any.f.fca.0.extract, %entry ]
  %loadedv = trunc i8 %f.sroa.0.0 to i1, !dbg !278
  br i1 %loadedv, label %if.then2, label %if.end3, !dbg !279

if.then2:                                         ; preds = %if.end
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !280
  %add = add i32 %0, 1, !dbg !282
  %idxprom = zext i32 %add to i64, !dbg !283
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !283
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !284
  br label %if.end3, !dbg !283

if.end3:                                          ; preds = %if.then2, %if.end
  ret void, !dbg !285
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z6loadedPKi(ptr noundef %p) #1 !dbg !286 {
entry:
  %0 = call i32 asm sideeffect "ld.global.u32 $0, [$1];", "=r,l"(ptr %p) #9, !dbg !287, !srcloc !288
  ret i32 %0, !dbg !289
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z7nothingPKi(ptr noundef %p) #1 !dbg !290 {
entry:
  %call = call noundef i32 @_Z9looked_upPKi(ptr noundef %p) #10, !dbg !291
  ret i32 0, !dbg !292
}

; Function Attrs: convergent nounwind willreturn
declare dso_local noundef i32 @_Z9looked_upPKi(ptr noundef) #4

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z21assembly_and_not_usedPi(ptr noundef %y) #0 !dbg !293 {
entry:
  %add.ptr = getelementptr inbounds i32, ptr %y, i64 1, !dbg !294
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !295
  %idx.ext = zext i32 %0 to i64, !dbg !297
  %add.ptr1 = getelementptr inbounds i32, ptr %add.ptr, i64 %idx.ext, !dbg !297
  %1 = call noundef i32 asm sideeffect "ld.global.u32 $0, [$1];", "=r,l"(ptr %add.ptr1) #9, !dbg !298, !srcloc !288
  ret void, !dbg !300
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22elsewhere_and_not_usedPi(ptr noundef %y) #0 !dbg !301 {
entry:
  %add.ptr = getelementptr inbounds i32, ptr %y, i64 1, !dbg !302
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !303
  %idx.ext = zext i32 %0 to i64, !dbg !305
  %add.ptr1 = getelementptr inbounds i32, ptr %add.ptr, i64 %idx.ext, !dbg !305
  %call.i = call noundef i32 @_Z9looked_upPKi(ptr noundef %add.ptr1) #10, !dbg !306
  ret void, !dbg !308
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z13twice_as_widei(i32 noundef %x) #1 !dbg !309 {
entry:
  %x.addr = alloca i32, align 4
  call void @symcute.hold(ptr %x.addr)
  store i32 %x, ptr %x.addr, align 4
  %0 = load volatile i64, ptr %x.addr, align 4, !dbg !310
  ret void, !dbg !311
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z21wider_than_a_variablePi(ptr noundef %y) #0 !dbg !312 {
entry:
  %x.addr.i = alloca i32, align 4
  call void @symcute.hold(ptr %x.addr.i)
  store i32 3, ptr %x.addr.i, align 4
  %0 = load volatile i64, ptr %x.addr.i, align 4, !dbg !313
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !315
  %idxprom = zext i32 %1 to i64, !dbg !317
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !317
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !318
  ret void, !dbg !319
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z17bytes_out_of_stepPf(ptr noundef %y) #0 !dbg !320 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !321
  %mul = mul i32 4, %0, !dbg !323
  %add = add i32 %mul, 1, !dbg !324
  %idxprom = zext i32 %add to i64, !dbg !325
  %arrayidx = getelementptr inbounds [160 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ17bytes_out_of_stepPfE1s to ptr), i64 0, i64 %idxprom, !dbg !325
  %copy.0.8.0.from = getelementptr i8, ptr %arrayidx, i64 0, !dbg !326
  %copy.0.8.0 = load volatile i8, ptr %copy.0.8.0.from, align 1, !dbg !326
  %1 = bitcast float undef to i32, !dbg !326
  %v.sroa.0.0.insert.ext = zext i8 %copy.0.8.0 to i32, !dbg !326
  %v.sroa.0.0.insert.mask = and i32 %1, -256, !dbg !326
  %v.sroa.0.0.insert.insert = or i32 %v.sroa.0.0.insert.mask, %v.sroa.0.0.insert.ext, !dbg !326
  %2 = bitcast i32 %v.sroa.0.0.insert.insert to float, !dbg !326
  %copy.0.8.1.from = getelementptr i8, ptr %arrayidx, i64 1, !dbg !326
  %copy.0.8.1 = load volatile i8, ptr %copy.0.8.1.from, align 1, !dbg !326
  %3 = bitcast float %2 to i32, !dbg !326
  %v.sroa.0.1.insert.ext = zext i8 %copy.0.8.1 to i32, !dbg !326
  %v.sroa.0.1.insert.shift = shl i32 %v.sroa.0.1.insert.ext, 8, !dbg !326
  %v.sroa.0.1.insert.mask = and i32 %3, -65281, !dbg !326
  %v.sroa.0.1.insert.insert = or i32 %v.sroa.0.1.insert.mask, %v.sroa.0.1.insert.shift, !dbg !326
  %4 = bitcast i32 %v.sroa.0.1.insert.insert to float, !dbg !326
  %copy.0.8.2.from = getelementptr i8, ptr %arrayidx, i64 2, !dbg !326
  %copy.0.8.2 = load volatile i8, ptr %copy.0.8.2.from, align 1, !dbg !326
  %5 = bitcast float %4 to i32, !dbg !326
  %v.sroa.0.2.insert.ext = zext i8 %copy.0.8.2 to i32, !dbg !326
  %v.sroa.0.2.insert.shift = shl i32 %v.sroa.0.2.insert.ext, 16, !dbg !326
  %v.sroa.0.2.insert.mask = and i32 %5, -16711681, !dbg !326
  %v.sroa.0.2.insert.insert = or i32 %v.sroa.0.2.insert.mask, %v.sroa.0.2.insert.shift, !dbg !326
  %6 = bitcast i32 %v.sroa.0.2.insert.insert to float, !dbg !326
  %copy.0.8.3.from = getelementptr i8, ptr %arrayidx, i64 3, !dbg !326
  %copy.0.8.3 = load volatile i8, ptr %copy.0.8.3.from, align 1, !dbg !326
  %7 = bitcast float %6 to i32, !dbg !326
  %v.sroa.0.3.insert.ext = zext i8 %copy.0.8.3 to i32, !dbg !326
  %v.sroa.0.3.insert.shift = shl i32 %v.sroa.0.3.insert.ext, 24, !dbg !326
  %v.sroa.0.3.insert.mask = and i32 %7, 16777215, !dbg !326
  %v.sroa.0.3.insert.insert = or i32 %v.sroa.0.3.insert.mask, %v.sroa.0.3.insert.shift, !dbg !326
  %8 = bitcast i32 %v.sroa.0.3.insert.insert to float, !dbg !326
  %copy.0.8.4.from = getelementptr i8, ptr %arrayidx, i64 4, !dbg !326
  %copy.0.8.4 = load volatile i8, ptr %copy.0.8.4.from, align 1, !dbg !326
  %copy.0.8.5.from = getelementptr i8, ptr %arrayidx, i64 5, !dbg !326
  %copy.0.8.5 = load volatile i8, ptr %copy.0.8.5.from, align 1, !dbg !326
  %copy.0.8.6.from = getelementptr i8, ptr %arrayidx, i64 6, !dbg !326
  %copy.0.8.6 = load volatile i8, ptr %copy.0.8.6.from, align 1, !dbg !326
  %copy.0.8.7.from = getelementptr i8, ptr %arrayidx, i64 7, !dbg !326
  %copy.0.8.7 = load volatile i8, ptr %copy.0.8.7.from, align 1, !dbg !326
  %copy.0.8.8.from = getelementptr i8, ptr %arrayidx, i64 8, !dbg !326
  %copy.0.8.8 = load volatile i8, ptr %copy.0.8.8.from, align 1, !dbg !326
  %copy.0.8.9.from = getelementptr i8, ptr %arrayidx, i64 9, !dbg !326
  %copy.0.8.9 = load volatile i8, ptr %copy.0.8.9.from, align 1, !dbg !326
  %copy.0.8.10.from = getelementptr i8, ptr %arrayidx, i64 10, !dbg !326
  %copy.0.8.10 = load volatile i8, ptr %copy.0.8.10.from, align 1, !dbg !326
  %copy.0.8.11.from = getelementptr i8, ptr %arrayidx, i64 11, !dbg !326
  %copy.0.8.11 = load volatile i8, ptr %copy.0.8.11.from, align 1, !dbg !326
  %copy.0.8.12.from = getelementptr i8, ptr %arrayidx, i64 12, !dbg !326
  %copy.0.8.12 = load volatile i8, ptr %copy.0.8.12.from, align 1, !dbg !326
  %copy.0.8.13.from = getelementptr i8, ptr %arrayidx, i64 13, !dbg !326
  %copy.0.8.13 = load volatile i8, ptr %copy.0.8.13.from, align 1, !dbg !326
  %copy.0.8.14.from = getelementptr i8, ptr %arrayidx, i64 14, !dbg !326
  %copy.0.8.14 = load volatile i8, ptr %copy.0.8.14.from, align 1, !dbg !326
  %copy.0.8.15.from = getelementptr i8, ptr %arrayidx, i64 15, !dbg !326
  %copy.0.8.15 = load volatile i8, ptr %copy.0.8.15.from, align 1, !dbg !326
  %9 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !330
  %idxprom3 = zext i32 %9 to i64, !dbg !332
  %arrayidx4 = getelementptr inbounds float, ptr %y, i64 %idxprom3, !dbg !332
  store volatile float %8, ptr %arrayidx4, align 4, !dbg !333
  ret void, !dbg !334
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z27a_shared_vector_out_of_stepPf(ptr noundef %y) #0 !dbg !335 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !336
  %mul = mul i32 4, %0, !dbg !338
  %add = add i32 %mul, 1, !dbg !339
  %idxprom = zext i32 %add to i64, !dbg !340
  %arrayidx = getelementptr inbounds [160 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ27a_shared_vector_out_of_stepPfE1s to ptr), i64 0, i64 %idxprom, !dbg !340
  %copy.0.8.0.from = getelementptr i8, ptr %arrayidx, i64 0, !dbg !341
  %copy.0.8.0 = load volatile <4 x float>, ptr %copy.0.8.0.from, align 4, !dbg !341
  %v.sroa.0.0.vec.extract = extractelement <4 x float> %copy.0.8.0, i32 0, !dbg !342
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !343
  %idxprom2 = zext i32 %1 to i64, !dbg !345
  %arrayidx3 = getelementptr inbounds float, ptr %y, i64 %idxprom2, !dbg !345
  store volatile float %v.sroa.0.0.vec.extract, ptr %arrayidx3, align 4, !dbg !346
  ret void, !dbg !347
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22many_bytes_out_of_stepPKcPc(ptr noundef %x, ptr noundef %y) #0 !dbg !348 {
entry:
  %add.ptr = getelementptr inbounds i8, ptr %y, i64 1, !dbg !349
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !350
  %mul = mul i32 256, %0, !dbg !352
  %idx.ext = zext i32 %mul to i64, !dbg !353
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 %idx.ext, !dbg !353
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %add.ptr1, ptr align 1 %x, i64 256, i1 false), !dbg !354
  ret void, !dbg !356
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z14many_bytes_setPc(ptr noundef %y) #0 !dbg !357 {
entry:
  %add.ptr = getelementptr inbounds i8, ptr %y, i64 1, !dbg !358
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !359
  %mul = mul i32 256, %0, !dbg !361
  %idx.ext = zext i32 %mul to i64, !dbg !362
  %add.ptr1 = getelementptr inbounds i8, ptr %add.ptr, i64 %idx.ext, !dbg !362
  %1 = trunc i32 0 to i8, !dbg !363
  call void @llvm.memset.p0.i64(ptr align 1 %add.ptr1, i8 %1, i64 256, i1 false), !dbg !363
  ret void, !dbg !366
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #5

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #6

declare [4 x i32] @symcute.any.0()

declare i32 @symcute.any.1()



declare %struct.Three @symcute.any.4()

declare [2 x i32] @symcute.any.5()

declare ptr @symcute.any.6()




declare i8 @symcute.any.10()





declare %struct.Flag @symcute.any.15()


declare i64 @symcute.any.17()

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #7

declare void @symcute.hold(ptr)

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-builtin-memcpy" "no-builtin-memmove" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nounwind "frame-pointer"="all" "no-builtin-memcpy" "no-builtin-memmove" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent nounwind willreturn "frame-pointer"="all" "no-builtin-memcpy" "no-builtin-memmove" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nounwind }
attributes #9 = { convergent nounwind }
attributes #10 = { convergent nounwind willreturn "no-builtin-memcpy" "no-builtin-memmove" }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5}
!llvm.dbg.cu = !{!6}
!nvvm.annotations = !{!8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21, !22, !23, !24, !25, !26, !27, !28, !29, !30, !31, !32, !33, !34, !35}
!llvm.ident = !{!36}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 3]}
!1 = !{i32 7, !"Dwarf Version", i32 2}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!7 = !DIFile(filename: "/tmp/symcute-5z271wqf/source.cu", directory: ".")
!8 = !{ptr @_Z20behind_a_local_arrayPi, !"kernel", i32 1}
!9 = !{ptr @_Z27behind_an_array_in_a_structPi, !"kernel", i32 1}
!10 = !{ptr @_Z17read_and_not_usedPKfPf, !"kernel", i32 1}
!11 = !{ptr @_Z19copied_and_not_usedPK4PairPf, !"kernel", i32 1}
!12 = !{ptr @_Z13written_twicePi, !"kernel", i32 1}
!13 = !{ptr @_Z9never_setPii, !"kernel", i32 1}
!14 = !{ptr @_Z22compared_with_the_nextPii, !"kernel", i32 1}
!15 = !{ptr @_Z13tested_beforePii, !"kernel", i32 1}
!16 = !{ptr @_Z10one_of_twoPii, !"kernel", i32 1}
!17 = !{ptr @_Z22through_a_null_pointerPii, !"kernel", i32 1}
!18 = !{ptr @_Z17behind_a_constantPi, !"kernel", i32 1}
!19 = !{ptr @_Z20a_vector_out_of_stepPKfPf, !"kernel", i32 1}
!20 = !{ptr @_Z18waited_for_by_somePf, !"kernel", i32 1}
!21 = !{ptr @_Z14not_waited_forPf, !"kernel", i32 1}
!22 = !{ptr @_Z20wraps_and_wraps_backPii, !"kernel", i32 1}
!23 = !{ptr @_Z20wraps_before_nothingPii, !"kernel", i32 1}
!24 = !{ptr @_Z19too_much_for_a_bytePi, !"kernel", i32 1}
!25 = !{ptr @_Z23square_of_what_is_knownPi, !"kernel", i32 1}
!26 = !{ptr @_Z20a_bit_without_a_signPi, !"kernel", i32 1}
!27 = !{ptr @_Z18divided_by_nothingPi, !"kernel", i32 1}
!28 = !{ptr @_Z14flag_never_setPii, !"kernel", i32 1}
!29 = !{ptr @_Z21assembly_and_not_usedPi, !"kernel", i32 1}
!30 = !{ptr @_Z22elsewhere_and_not_usedPi, !"kernel", i32 1}
!31 = !{ptr @_Z21wider_than_a_variablePi, !"kernel", i32 1}
!32 = !{ptr @_Z17bytes_out_of_stepPf, !"kernel", i32 1}
!33 = !{ptr @_Z27a_shared_vector_out_of_stepPf, !"kernel", i32 1}
!34 = !{ptr @_Z22many_bytes_out_of_stepPKcPc, !"kernel", i32 1}
!35 = !{ptr @_Z14many_bytes_setPc, !"kernel", i32 1}
!36 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!37 = distinct !DISubprogram(name: "behind_a_local_array", scope: !38, file: !38, line: 6, type: !39, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!38 = !DIFile(filename: "kept.cu", directory: ".")
!39 = !DISubroutineType(types: !40)
!40 = !{}
!41 = !DILocation(line: 8, column: 8, scope: !37)
!42 = !DILocation(line: 8, scope: !37)
!43 = !DILocation(line: 8, column: 21, scope: !37)
!44 = !DILocation(line: 8, column: 3, scope: !37)
!45 = !DILocation(line: 8, column: 31, scope: !37)
!46 = !DILocation(line: 8, column: 36, scope: !37)
!47 = !DILocation(line: 8, column: 26, scope: !37)
!48 = distinct !{!48, !44, !49, !50}
!49 = !DILocation(line: 8, column: 38, scope: !37)
!50 = !{!"llvm.loop.mustprogress"}
!51 = !DILocation(line: 9, column: 3, scope: !37)
!52 = !DILocation(line: 9, column: 8, scope: !37)
!53 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !56)
!54 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !55, file: !55, line: 53, type: !39, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!55 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_builtin_vars.h", directory: "")
!56 = distinct !DILocation(line: 10, column: 22, scope: !37)
!57 = !DILocation(line: 10, column: 34, scope: !37)
!58 = !DILocation(line: 10, column: 20, scope: !37)
!59 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !60)
!60 = distinct !DILocation(line: 10, column: 5, scope: !37)
!61 = !DILocation(line: 10, column: 3, scope: !37)
!62 = !DILocation(line: 10, column: 18, scope: !37)
!63 = !DILocation(line: 11, column: 1, scope: !37)
!64 = distinct !DISubprogram(name: "put", scope: !38, file: !38, line: 14, type: !39, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!65 = !DILocation(line: 14, column: 42, scope: !64)
!66 = !DILocation(line: 14, column: 40, scope: !64)
!67 = !DILocation(line: 14, column: 47, scope: !64)
!68 = !DILocation(line: 14, column: 52, scope: !64)
!69 = distinct !DISubprogram(name: "behind_an_array_in_a_struct", scope: !38, file: !38, line: 19, type: !39, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!70 = !DILocation(line: 14, column: 40, scope: !64, inlinedAt: !71)
!71 = distinct !DILocation(line: 21, column: 3, scope: !69)
!72 = !DILocation(line: 14, column: 47, scope: !64, inlinedAt: !71)
!73 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !74)
!74 = distinct !DILocation(line: 22, column: 5, scope: !69)
!75 = !DILocation(line: 22, column: 3, scope: !69)
!76 = !DILocation(line: 22, column: 18, scope: !69)
!77 = !DILocation(line: 23, column: 1, scope: !69)
!78 = distinct !DISubprogram(name: "read_and_not_used", scope: !38, file: !38, line: 29, type: !39, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!79 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !80)
!80 = distinct !DILocation(line: 30, column: 15, scope: !78)
!81 = !DILocation(line: 30, column: 13, scope: !78)
!82 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !83)
!83 = distinct !DILocation(line: 31, column: 5, scope: !78)
!84 = !DILocation(line: 31, column: 3, scope: !78)
!85 = !DILocation(line: 31, column: 18, scope: !78)
!86 = !DILocation(line: 32, column: 1, scope: !78)
!87 = distinct !DISubprogram(name: "copied_and_not_used", scope: !38, file: !38, line: 40, type: !39, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!88 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !89)
!89 = distinct !DILocation(line: 41, column: 14, scope: !87)
!90 = !DILocation(line: 41, column: 12, scope: !87)
!91 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !92)
!92 = distinct !DILocation(line: 42, column: 5, scope: !87)
!93 = !DILocation(line: 42, column: 3, scope: !87)
!94 = !DILocation(line: 42, column: 18, scope: !87)
!95 = !DILocation(line: 43, column: 1, scope: !87)
!96 = distinct !DISubprogram(name: "written_twice", scope: !38, file: !38, line: 48, type: !39, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!97 = !DILocation(line: 49, column: 3, scope: !96)
!98 = !DILocation(line: 49, column: 8, scope: !96)
!99 = !DILocation(line: 50, column: 3, scope: !96)
!100 = !DILocation(line: 50, column: 8, scope: !96)
!101 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !102)
!102 = distinct !DILocation(line: 51, column: 7, scope: !96)
!103 = !DILocation(line: 51, column: 19, scope: !96)
!104 = !DILocation(line: 51, column: 7, scope: !96)
!105 = !DILocation(line: 51, column: 25, scope: !96)
!106 = !DILocation(line: 51, column: 30, scope: !96)
!107 = !DILocation(line: 52, column: 1, scope: !96)
!108 = distinct !DISubprogram(name: "never_set", scope: !38, file: !38, line: 58, type: !39, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!109 = !DILocation(line: 60, column: 9, scope: !108)
!110 = !DILocation(line: 60, column: 7, scope: !108)
!111 = !DILocation(line: 60, column: 14, scope: !108)
!112 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !113)
!113 = distinct !DILocation(line: 61, column: 7, scope: !108)
!114 = !DILocation(line: 61, column: 19, scope: !108)
!115 = !DILocation(line: 61, column: 7, scope: !108)
!116 = !DILocation(line: 61, column: 25, scope: !108)
!117 = !DILocation(line: 61, column: 30, scope: !108)
!118 = !DILocation(line: 62, column: 1, scope: !108)
!119 = distinct !DISubprogram(name: "compared_with_the_next", scope: !38, file: !38, line: 68, type: !39, scopeLine: 68, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!120 = !DILocation(line: 69, column: 9, scope: !119)
!121 = !DILocation(line: 69, column: 13, scope: !119)
!122 = !DILocation(line: 69, column: 7, scope: !119)
!123 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !124)
!124 = distinct !DILocation(line: 69, column: 20, scope: !119)
!125 = !DILocation(line: 69, column: 18, scope: !119)
!126 = !DILocation(line: 69, column: 33, scope: !119)
!127 = !DILocation(line: 70, column: 1, scope: !119)
!128 = distinct !DISubprogram(name: "tested_before", scope: !38, file: !38, line: 76, type: !39, scopeLine: 76, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!129 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !130)
!130 = distinct !DILocation(line: 77, column: 11, scope: !128)
!131 = !DILocation(line: 78, column: 9, scope: !128)
!132 = !DILocation(line: 78, column: 13, scope: !128)
!133 = !DILocation(line: 78, column: 16, scope: !128)
!134 = !DILocation(line: 78, column: 21, scope: !128)
!135 = !DILocation(line: 78, column: 7, scope: !128)
!136 = !DILocation(line: 78, column: 26, scope: !128)
!137 = !DILocation(line: 78, column: 31, scope: !128)
!138 = !DILocation(line: 79, column: 1, scope: !128)
!139 = distinct !DISubprogram(name: "one_of_two", scope: !38, file: !38, line: 85, type: !39, scopeLine: 85, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!140 = !DILocation(line: 86, column: 7, scope: !139)
!141 = !DILocation(line: 86, column: 22, scope: !139)
!142 = !DILocation(line: 87, column: 14, scope: !139)
!143 = !DILocation(line: 87, column: 12, scope: !139)
!144 = !DILocation(line: 87, column: 20, scope: !139)
!145 = !DILocation(line: 87, column: 24, scope: !139)
!146 = !DILocation(line: 88, column: 20, scope: !139)
!147 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !148)
!148 = distinct !DILocation(line: 88, column: 5, scope: !139)
!149 = !DILocation(line: 88, column: 3, scope: !139)
!150 = !DILocation(line: 88, column: 18, scope: !139)
!151 = !DILocation(line: 89, column: 1, scope: !139)
!152 = distinct !DISubprogram(name: "through_a_null_pointer", scope: !38, file: !38, line: 95, type: !39, scopeLine: 95, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!153 = !DILocation(line: 96, column: 14, scope: !152)
!154 = !DILocation(line: 96, column: 12, scope: !152)
!155 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !156)
!156 = distinct !DILocation(line: 97, column: 5, scope: !152)
!157 = !DILocation(line: 97, column: 3, scope: !152)
!158 = !DILocation(line: 97, column: 18, scope: !152)
!159 = !DILocation(line: 98, column: 1, scope: !152)
!160 = distinct !DISubprogram(name: "behind_a_constant", scope: !38, file: !38, line: 105, type: !39, scopeLine: 105, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!161 = !DILocation(line: 105, column: 62, scope: !160)
!162 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !163)
!163 = distinct !DILocation(line: 105, column: 47, scope: !160)
!164 = !DILocation(line: 105, column: 45, scope: !160)
!165 = !DILocation(line: 105, column: 60, scope: !160)
!166 = !DILocation(line: 105, column: 70, scope: !160)
!167 = distinct !DISubprogram(name: "a_vector_out_of_step", scope: !38, file: !38, line: 111, type: !39, scopeLine: 111, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!168 = !DILocation(line: 112, column: 34, scope: !167)
!169 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !170)
!170 = distinct !DILocation(line: 112, column: 40, scope: !167)
!171 = !DILocation(line: 112, column: 38, scope: !167)
!172 = !DILocation(line: 112, column: 14, scope: !167)
!173 = !DILocation(line: 113, column: 22, scope: !167)
!174 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !175)
!175 = distinct !DILocation(line: 113, column: 5, scope: !167)
!176 = !DILocation(line: 113, column: 3, scope: !167)
!177 = !DILocation(line: 113, column: 18, scope: !167)
!178 = !DILocation(line: 114, column: 1, scope: !167)
!179 = distinct !DISubprogram(name: "waited_for_by_some", scope: !38, file: !38, line: 119, type: !39, scopeLine: 119, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!180 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !181)
!181 = distinct !DILocation(line: 121, column: 5, scope: !179)
!182 = !DILocation(line: 121, column: 3, scope: !179)
!183 = !DILocation(line: 121, column: 18, scope: !179)
!184 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !185)
!185 = distinct !DILocation(line: 122, column: 7, scope: !179)
!186 = !DILocation(line: 122, column: 19, scope: !179)
!187 = !DILocation(line: 122, column: 7, scope: !179)
!188 = !DILocation(line: 122, column: 25, scope: !179)
!189 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !190)
!190 = distinct !DILocation(line: 123, column: 22, scope: !179)
!191 = !DILocation(line: 123, column: 20, scope: !179)
!192 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !193)
!193 = distinct !DILocation(line: 123, column: 5, scope: !179)
!194 = !DILocation(line: 123, column: 3, scope: !179)
!195 = !DILocation(line: 123, column: 18, scope: !179)
!196 = !DILocation(line: 124, column: 1, scope: !179)
!197 = distinct !DISubprogram(name: "not_waited_for", scope: !38, file: !38, line: 129, type: !39, scopeLine: 129, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!198 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !199)
!199 = distinct !DILocation(line: 131, column: 5, scope: !197)
!200 = !DILocation(line: 131, column: 3, scope: !197)
!201 = !DILocation(line: 131, column: 18, scope: !197)
!202 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !203)
!203 = distinct !DILocation(line: 132, column: 27, scope: !197)
!204 = !DILocation(line: 132, column: 25, scope: !197)
!205 = !DILocation(line: 132, column: 20, scope: !197)
!206 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !207)
!207 = distinct !DILocation(line: 132, column: 5, scope: !197)
!208 = !DILocation(line: 132, column: 3, scope: !197)
!209 = !DILocation(line: 132, column: 18, scope: !197)
!210 = !DILocation(line: 133, column: 1, scope: !197)
!211 = distinct !DISubprogram(name: "there_and_back", scope: !38, file: !38, line: 135, type: !39, scopeLine: 135, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!212 = !DILocation(line: 135, column: 50, scope: !211)
!213 = !DILocation(line: 135, column: 64, scope: !211)
!214 = !DILocation(line: 135, column: 55, scope: !211)
!215 = distinct !DISubprogram(name: "times", scope: !38, file: !38, line: 136, type: !39, scopeLine: 136, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!216 = !DILocation(line: 136, column: 48, scope: !215)
!217 = !DILocation(line: 136, column: 53, scope: !215)
!218 = !DILocation(line: 136, column: 38, scope: !215)
!219 = distinct !DISubprogram(name: "narrow", scope: !38, file: !38, line: 137, type: !39, scopeLine: 137, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!220 = !DILocation(line: 137, column: 42, scope: !219)
!221 = !DILocation(line: 137, column: 45, scope: !219)
!222 = distinct !DISubprogram(name: "wraps_and_wraps_back", scope: !38, file: !38, line: 143, type: !39, scopeLine: 143, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!223 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !224)
!224 = distinct !DILocation(line: 144, column: 5, scope: !222)
!225 = !DILocation(line: 135, column: 50, scope: !211, inlinedAt: !226)
!226 = distinct !DILocation(line: 144, column: 19, scope: !222)
!227 = !DILocation(line: 135, column: 64, scope: !211, inlinedAt: !226)
!228 = !DILocation(line: 144, column: 17, scope: !222)
!229 = !DILocation(line: 144, column: 3, scope: !222)
!230 = !DILocation(line: 144, column: 38, scope: !222)
!231 = !DILocation(line: 145, column: 1, scope: !222)
!232 = distinct !DISubprogram(name: "wraps_before_nothing", scope: !38, file: !38, line: 151, type: !39, scopeLine: 151, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!233 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !234)
!234 = distinct !DILocation(line: 152, column: 5, scope: !232)
!235 = !DILocation(line: 136, column: 48, scope: !215, inlinedAt: !236)
!236 = distinct !DILocation(line: 152, column: 19, scope: !232)
!237 = !DILocation(line: 136, column: 53, scope: !215, inlinedAt: !236)
!238 = !DILocation(line: 152, column: 17, scope: !232)
!239 = !DILocation(line: 152, column: 3, scope: !232)
!240 = !DILocation(line: 152, column: 32, scope: !232)
!241 = !DILocation(line: 153, column: 1, scope: !232)
!242 = distinct !DISubprogram(name: "too_much_for_a_byte", scope: !38, file: !38, line: 158, type: !39, scopeLine: 158, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!243 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !244)
!244 = distinct !DILocation(line: 159, column: 5, scope: !242)
!245 = !DILocation(line: 137, column: 42, scope: !219, inlinedAt: !246)
!246 = distinct !DILocation(line: 159, column: 19, scope: !242)
!247 = !DILocation(line: 159, column: 19, scope: !242)
!248 = !DILocation(line: 159, column: 17, scope: !242)
!249 = !DILocation(line: 159, column: 3, scope: !242)
!250 = !DILocation(line: 159, column: 32, scope: !242)
!251 = !DILocation(line: 160, column: 1, scope: !242)
!252 = distinct !DISubprogram(name: "square_of_what_is_known", scope: !38, file: !38, line: 165, type: !39, scopeLine: 165, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!253 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !254)
!254 = distinct !DILocation(line: 167, column: 5, scope: !252)
!255 = !DILocation(line: 167, column: 21, scope: !252)
!256 = !DILocation(line: 167, column: 17, scope: !252)
!257 = !DILocation(line: 167, column: 3, scope: !252)
!258 = !DILocation(line: 167, column: 26, scope: !252)
!259 = !DILocation(line: 168, column: 1, scope: !252)
!260 = distinct !DISubprogram(name: "a_bit_without_a_sign", scope: !38, file: !38, line: 172, type: !39, scopeLine: 172, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!261 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !262)
!262 = distinct !DILocation(line: 173, column: 11, scope: !260)
!263 = !DILocation(line: 173, column: 8, scope: !260)
!264 = !DILocation(line: 173, column: 3, scope: !260)
!265 = !DILocation(line: 173, column: 24, scope: !260)
!266 = !DILocation(line: 174, column: 1, scope: !260)
!267 = distinct !DISubprogram(name: "divided_by_nothing", scope: !38, file: !38, line: 179, type: !39, scopeLine: 179, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!268 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !269)
!269 = distinct !DILocation(line: 180, column: 5, scope: !267)
!270 = !DILocation(line: 180, column: 17, scope: !267)
!271 = !DILocation(line: 180, column: 3, scope: !267)
!272 = !DILocation(line: 180, column: 33, scope: !267)
!273 = !DILocation(line: 181, column: 1, scope: !267)
!274 = distinct !DISubprogram(name: "flag_never_set", scope: !38, file: !38, line: 189, type: !39, scopeLine: 189, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!275 = !DILocation(line: 191, column: 9, scope: !274)
!276 = !DILocation(line: 191, column: 7, scope: !274)
!277 = !DILocation(line: 191, column: 14, scope: !274)
!278 = !DILocation(line: 192, column: 9, scope: !274)
!279 = !DILocation(line: 192, column: 7, scope: !274)
!280 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !281)
!281 = distinct !DILocation(line: 192, column: 15, scope: !274)
!282 = !DILocation(line: 192, column: 27, scope: !274)
!283 = !DILocation(line: 192, column: 13, scope: !274)
!284 = !DILocation(line: 192, column: 32, scope: !274)
!285 = !DILocation(line: 193, column: 1, scope: !274)
!286 = distinct !DISubprogram(name: "loaded", scope: !38, file: !38, line: 195, type: !39, scopeLine: 195, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!287 = !DILocation(line: 197, column: 3, scope: !286)
!288 = !{i64 5103}
!289 = !DILocation(line: 198, column: 3, scope: !286)
!290 = distinct !DISubprogram(name: "nothing", scope: !38, file: !38, line: 201, type: !39, scopeLine: 201, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!291 = !DILocation(line: 201, column: 48, scope: !290)
!292 = !DILocation(line: 201, column: 62, scope: !290)
!293 = distinct !DISubprogram(name: "assembly_and_not_used", scope: !38, file: !38, line: 206, type: !39, scopeLine: 206, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!294 = !DILocation(line: 207, column: 12, scope: !293)
!295 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !296)
!296 = distinct !DILocation(line: 207, column: 18, scope: !293)
!297 = !DILocation(line: 207, column: 16, scope: !293)
!298 = !DILocation(line: 197, column: 3, scope: !286, inlinedAt: !299)
!299 = distinct !DILocation(line: 207, column: 3, scope: !293)
!300 = !DILocation(line: 208, column: 1, scope: !293)
!301 = distinct !DISubprogram(name: "elsewhere_and_not_used", scope: !38, file: !38, line: 213, type: !39, scopeLine: 213, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!302 = !DILocation(line: 214, column: 13, scope: !301)
!303 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !304)
!304 = distinct !DILocation(line: 214, column: 19, scope: !301)
!305 = !DILocation(line: 214, column: 17, scope: !301)
!306 = !DILocation(line: 201, column: 48, scope: !290, inlinedAt: !307)
!307 = distinct !DILocation(line: 214, column: 3, scope: !301)
!308 = !DILocation(line: 215, column: 1, scope: !301)
!309 = distinct !DISubprogram(name: "twice_as_wide", scope: !38, file: !38, line: 217, type: !39, scopeLine: 217, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!310 = !DILocation(line: 217, column: 49, scope: !309)
!311 = !DILocation(line: 217, column: 74, scope: !309)
!312 = distinct !DISubprogram(name: "wider_than_a_variable", scope: !38, file: !38, line: 222, type: !39, scopeLine: 222, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!313 = !DILocation(line: 217, column: 49, scope: !309, inlinedAt: !314)
!314 = distinct !DILocation(line: 223, column: 3, scope: !312)
!315 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !316)
!316 = distinct !DILocation(line: 224, column: 5, scope: !312)
!317 = !DILocation(line: 224, column: 3, scope: !312)
!318 = !DILocation(line: 224, column: 18, scope: !312)
!319 = !DILocation(line: 225, column: 1, scope: !312)
!320 = distinct !DISubprogram(name: "bytes_out_of_step", scope: !38, file: !38, line: 229, type: !39, scopeLine: 229, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!321 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !322)
!322 = distinct !DILocation(line: 232, column: 31, scope: !320)
!323 = !DILocation(line: 232, column: 29, scope: !320)
!324 = !DILocation(line: 232, column: 43, scope: !320)
!325 = !DILocation(line: 232, column: 25, scope: !320)
!326 = !DILocation(line: 1550, column: 10, scope: !327, inlinedAt: !329)
!327 = distinct !DISubprogram(name: "memcpy", scope: !328, file: !328, line: 1549, type: !39, scopeLine: 1549, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !6)
!328 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_device_functions.h", directory: "")
!329 = distinct !DILocation(line: 232, column: 3, scope: !320)
!330 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !331)
!331 = distinct !DILocation(line: 233, column: 5, scope: !320)
!332 = !DILocation(line: 233, column: 3, scope: !320)
!333 = !DILocation(line: 233, column: 18, scope: !320)
!334 = !DILocation(line: 234, column: 1, scope: !320)
!335 = distinct !DISubprogram(name: "a_shared_vector_out_of_step", scope: !38, file: !38, line: 239, type: !39, scopeLine: 239, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!336 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !337)
!337 = distinct !DILocation(line: 241, column: 32, scope: !335)
!338 = !DILocation(line: 241, column: 30, scope: !335)
!339 = !DILocation(line: 241, column: 44, scope: !335)
!340 = !DILocation(line: 241, column: 26, scope: !335)
!341 = !DILocation(line: 241, column: 14, scope: !335)
!342 = !DILocation(line: 242, column: 22, scope: !335)
!343 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !344)
!344 = distinct !DILocation(line: 242, column: 5, scope: !335)
!345 = !DILocation(line: 242, column: 3, scope: !335)
!346 = !DILocation(line: 242, column: 18, scope: !335)
!347 = !DILocation(line: 243, column: 1, scope: !335)
!348 = distinct !DISubprogram(name: "many_bytes_out_of_step", scope: !38, file: !38, line: 248, type: !39, scopeLine: 248, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!349 = !DILocation(line: 249, column: 12, scope: !348)
!350 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !351)
!351 = distinct !DILocation(line: 249, column: 24, scope: !348)
!352 = !DILocation(line: 249, column: 22, scope: !348)
!353 = !DILocation(line: 249, column: 16, scope: !348)
!354 = !DILocation(line: 1550, column: 10, scope: !327, inlinedAt: !355)
!355 = distinct !DILocation(line: 249, column: 3, scope: !348)
!356 = !DILocation(line: 250, column: 1, scope: !348)
!357 = distinct !DISubprogram(name: "many_bytes_set", scope: !38, file: !38, line: 254, type: !39, scopeLine: 254, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !6)
!358 = !DILocation(line: 255, column: 12, scope: !357)
!359 = !DILocation(line: 53, column: 3, scope: !54, inlinedAt: !360)
!360 = distinct !DILocation(line: 255, column: 24, scope: !357)
!361 = !DILocation(line: 255, column: 22, scope: !357)
!362 = !DILocation(line: 255, column: 16, scope: !357)
!363 = !DILocation(line: 1553, column: 10, scope: !364, inlinedAt: !365)
!364 = distinct !DISubprogram(name: "memset", scope: !328, file: !328, line: 1552, type: !39, scopeLine: 1552, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !6)
!365 = distinct !DILocation(line: 255, column: 3, scope: !357)
!366 = !DILocation(line: 256, column: 1, scope: !357)
