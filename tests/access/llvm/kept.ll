; ModuleID = '/tmp/symcute-2plbbufg/in.ll'
source_filename = "/tmp/symcute-2plbbufg/source.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Three = type { [3 x i32] }
%struct.Pair = type { float, float }

@__const._Z10one_of_twoPii.a = private unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4
@__const._Z10one_of_twoPii.b = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@_ZL3few = internal addrspace(4) constant [4 x i32] [i32 0, i32 1, i32 2, i32 3], align 4
@_ZZ18waited_for_by_somePfE1s = internal addrspace(3) global [64 x float] undef, align 4
@_ZZ14not_waited_forPfE1s = internal addrspace(3) global [64 x float] undef, align 4

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20behind_a_local_arrayPi(ptr noundef %y) #0 !dbg !22 {
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
  %any.k = call i32 @symcute.any.1()
  br label %for.cond, !dbg !26

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ], !dbg !27
  %cmp = icmp slt i32 %k.0, 4, !dbg !28
  br i1 %cmp, label %for.body, label %for.end, !dbg !29

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %k.0 to i64, !dbg !30
  %arrayidx = getelementptr inbounds [4 x i32], ptr %v, i64 0, i64 %idxprom, !dbg !30
  store volatile i32 %k.0, ptr %arrayidx, align 4, !dbg !31
  br label %for.inc, !dbg !30

for.inc:                                          ; preds = %for.body
  %inc = add nsw i32 %k.0, 1, !dbg !32
  br label %for.cond, !dbg !29, !llvm.loop !33

for.end:                                          ; preds = %for.cond
  %arrayidx1 = getelementptr i8, ptr %v, i64 16, !dbg !36
  store i32 1, ptr %arrayidx1, align 4, !dbg !37
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !38
  %and = and i32 %0, 3, !dbg !42
  %idxprom2 = zext i32 %and to i64, !dbg !43
  %arrayidx3 = getelementptr inbounds [4 x i32], ptr %v, i64 0, i64 %idxprom2, !dbg !43
  %1 = load volatile i32, ptr %arrayidx3, align 4, !dbg !43
  %2 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !44
  %idxprom5 = zext i32 %2 to i64, !dbg !46
  %arrayidx6 = getelementptr inbounds i32, ptr %y, i64 %idxprom5, !dbg !46
  store volatile i32 %1, ptr %arrayidx6, align 4, !dbg !47
  ret void, !dbg !48
}

; Function Attrs: convergent mustprogress nounwind
define dso_local void @_Z3putR5Threei(ptr noundef nonnull align 4 dereferenceable(12) %t, i32 noundef %k) #1 !dbg !49 {
entry:
  %v = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, !dbg !50
  %idxprom = sext i32 %k to i64, !dbg !51
  %arrayidx = getelementptr inbounds [3 x i32], ptr %v, i64 0, i64 %idxprom, !dbg !51
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !52
  ret void, !dbg !53
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z27behind_an_array_in_a_structPi(ptr noundef %y) #0 !dbg !54 {
entry:
  %t = alloca %struct.Three, align 4
  call void @symcute.hold(ptr %t)
  %any.t = call %struct.Three @symcute.any.2()
  %any.t.fca.0.0.extract = extractvalue %struct.Three %any.t, 0, 0
  %any.t.fca.0.0.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 0
  store i32 %any.t.fca.0.0.extract, ptr %any.t.fca.0.0.gep, align 4
  %any.t.fca.0.1.extract = extractvalue %struct.Three %any.t, 0, 1
  %any.t.fca.0.1.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 1
  store i32 %any.t.fca.0.1.extract, ptr %any.t.fca.0.1.gep, align 4
  %any.t.fca.0.2.extract = extractvalue %struct.Three %any.t, 0, 2
  %any.t.fca.0.2.gep = getelementptr inbounds %struct.Three, ptr %t, i32 0, i32 0, i32 2
  store i32 %any.t.fca.0.2.extract, ptr %any.t.fca.0.2.gep, align 4
  %arrayidx.i = getelementptr i8, ptr %t, i64 12, !dbg !55
  store i32 1, ptr %arrayidx.i, align 4, !dbg !57
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !58
  %idxprom = zext i32 %0 to i64, !dbg !60
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !60
  store volatile i32 0, ptr %arrayidx, align 4, !dbg !61
  ret void, !dbg !62
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z17read_and_not_usedPKfPf(ptr noundef %x, ptr noundef %y) #0 !dbg !63 {
entry:
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !64
  %idxprom = zext i32 %0 to i64, !dbg !66
  %arrayidx = getelementptr inbounds float, ptr %x, i64 %idxprom, !dbg !66
  %1 = load volatile float, ptr %arrayidx, align 4, !dbg !66
  %2 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !67
  %idxprom2 = zext i32 %2 to i64, !dbg !69
  %arrayidx3 = getelementptr inbounds float, ptr %y, i64 %idxprom2, !dbg !69
  store volatile float 0.000000e+00, ptr %arrayidx3, align 4, !dbg !70
  ret void, !dbg !71
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z19copied_and_not_usedPK4PairPf(ptr noundef %x, ptr noundef %y) #0 !dbg !72 {
entry:
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !73
  %idxprom = zext i32 %0 to i64, !dbg !75
  %arrayidx = getelementptr inbounds %struct.Pair, ptr %x, i64 %idxprom, !dbg !75
  %copy.0.6.0.from = getelementptr i8, ptr %arrayidx, i64 0, !dbg !75
  %copy.0.6.0 = load volatile float, ptr %copy.0.6.0.from, align 4, !dbg !75
  %copy.0.6.4.from = getelementptr i8, ptr %arrayidx, i64 4, !dbg !75
  %copy.0.6.4 = load volatile float, ptr %copy.0.6.4.from, align 4, !dbg !75
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !76
  %idxprom2 = zext i32 %1 to i64, !dbg !78
  %arrayidx3 = getelementptr inbounds float, ptr %y, i64 %idxprom2, !dbg !78
  store volatile float 0.000000e+00, ptr %arrayidx3, align 4, !dbg !79
  ret void, !dbg !80
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z13written_twicePi(ptr noundef %y) #0 !dbg !81 {
entry:
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 0, !dbg !82
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !83
  %arrayidx1 = getelementptr inbounds i32, ptr %y, i64 0, !dbg !84
  store volatile i32 2, ptr %arrayidx1, align 4, !dbg !85
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !86
  %cmp = icmp eq i32 %0, 0, !dbg !88
  br i1 %cmp, label %if.then, label %if.end, !dbg !89

if.then:                                          ; preds = %entry
  %arrayidx2 = getelementptr inbounds i32, ptr %y, i64 1, !dbg !90
  store volatile i32 3, ptr %arrayidx2, align 4, !dbg !91
  br label %if.end, !dbg !90

if.end:                                           ; preds = %if.then, %entry
  ret void, !dbg !92
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z9never_setPii(ptr noundef %y, i32 noundef %n) #0 !dbg !93 {
entry:
  %any.i = call i32 @symcute.any.1()
  %cmp = icmp sgt i32 %n, 5, !dbg !94
  br i1 %cmp, label %if.then, label %if.end, !dbg !95

if.then:                                          ; preds = %entry
  br label %if.end, !dbg !96

if.end:                                           ; preds = %if.then, %entry
  %i.0 = phi i32 [ 0, %if.then ], [ %any.i, %entry ]
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !97
  %cmp1 = icmp eq i32 %0, 0, !dbg !99
  br i1 %cmp1, label %if.then2, label %if.end3, !dbg !100

if.then2:                                         ; preds = %if.end
  %idxprom = sext i32 %i.0 to i64, !dbg !101
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !101
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !102
  br label %if.end3, !dbg !101

if.end3:                                          ; preds = %if.then2, %if.end
  ret void, !dbg !103
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22compared_with_the_nextPii(ptr noundef %y, i32 noundef %n) #0 !dbg !104 {
entry:
  %add = add nsw i32 %n, 1, !dbg !105
  %cmp = icmp sgt i32 %add, %n, !dbg !106
  br i1 %cmp, label %if.then, label %if.end, !dbg !107

if.then:                                          ; preds = %entry
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !108
  %idxprom = zext i32 %0 to i64, !dbg !110
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !110
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !111
  br label %if.end, !dbg !110

if.end:                                           ; preds = %if.then, %entry
  ret void, !dbg !112
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z13tested_beforePii(ptr noundef %y, i32 noundef %n) #0 !dbg !113 {
entry:
  %any.i = call i32 @symcute.any.1()
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !114
  %cmp = icmp slt i32 %0, %n, !dbg !116
  br i1 %cmp, label %land.lhs.true, label %if.end, !dbg !117

land.lhs.true:                                    ; preds = %entry
  %idxprom = sext i32 %0 to i64, !dbg !118
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !118
  %1 = load volatile i32, ptr %arrayidx, align 4, !dbg !118
  %cmp1 = icmp sgt i32 %1, 0, !dbg !119
  br i1 %cmp1, label %if.then, label %if.end, !dbg !120

if.then:                                          ; preds = %land.lhs.true
  %idxprom2 = sext i32 %0 to i64, !dbg !121
  %arrayidx3 = getelementptr inbounds i32, ptr %y, i64 %idxprom2, !dbg !121
  store volatile i32 1, ptr %arrayidx3, align 4, !dbg !122
  br label %if.end, !dbg !121

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  ret void, !dbg !123
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z10one_of_twoPii(ptr noundef %y, i32 noundef %n) #0 !dbg !124 {
entry:
  %a = alloca [2 x i32], align 4
  call void @symcute.hold(ptr %a)
  %any.a = call [2 x i32] @symcute.any.3()
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
  %any.p = call ptr @symcute.any.4()
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @__const._Z10one_of_twoPii.a, i64 8, i1 false), !dbg !125
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 @__const._Z10one_of_twoPii.b, i64 16, i1 false), !dbg !126
  %cmp = icmp sgt i32 %n, 3, !dbg !127
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !128

cond.true:                                        ; preds = %entry
  %arraydecay = getelementptr i8, ptr %a, i64 0, !dbg !129
  br label %cond.end, !dbg !128

cond.false:                                       ; preds = %entry
  %arraydecay1 = getelementptr i8, ptr %b, i64 0, !dbg !130
  br label %cond.end, !dbg !128

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %arraydecay, %cond.true ], [ %arraydecay1, %cond.false ], !dbg !128
  %arrayidx = getelementptr inbounds i32, ptr %cond, i64 3, !dbg !131
  %0 = load volatile i32, ptr %arrayidx, align 4, !dbg !131
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !132
  %idxprom = zext i32 %1 to i64, !dbg !134
  %arrayidx2 = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !134
  store volatile i32 %0, ptr %arrayidx2, align 4, !dbg !135
  ret void, !dbg !136
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z22through_a_null_pointerPii(ptr noundef %y, i32 noundef %n) #0 !dbg !137 {
entry:
  %any.p = call ptr @symcute.any.4()
  %cmp = icmp sgt i32 %n, 3, !dbg !138
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !139

cond.true:                                        ; preds = %entry
  br label %cond.end, !dbg !139

cond.false:                                       ; preds = %entry
  br label %cond.end, !dbg !139

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %y, %cond.true ], [ null, %cond.false ], !dbg !139
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !140
  %idxprom = zext i32 %0 to i64, !dbg !142
  %arrayidx = getelementptr inbounds i32, ptr %cond, i64 %idxprom, !dbg !142
  store volatile i32 1, ptr %arrayidx, align 4, !dbg !143
  ret void, !dbg !144
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z17behind_a_constantPi(ptr noundef %y) #0 !dbg !145 {
entry:
  %0 = load volatile i32, ptr getelementptr inbounds ([4 x i32], ptr addrspacecast (ptr addrspace(4) @_ZL3few to ptr), i64 0, i64 4), align 4, !dbg !146
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !147
  %idxprom = zext i32 %1 to i64, !dbg !149
  %arrayidx = getelementptr inbounds i32, ptr %y, i64 %idxprom, !dbg !149
  store volatile i32 %0, ptr %arrayidx, align 4, !dbg !150
  ret void, !dbg !151
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z20a_vector_out_of_stepPKfPf(ptr noundef %x, ptr noundef %y) #0 !dbg !152 {
entry:
  %add.ptr = getelementptr inbounds float, ptr %x, i64 1, !dbg !153
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !154
  %idx.ext = zext i32 %0 to i64, !dbg !156
  %add.ptr1 = getelementptr inbounds float, ptr %add.ptr, i64 %idx.ext, !dbg !156
  %copy.0.7.0.from = getelementptr i8, ptr %add.ptr1, i64 0, !dbg !157
  %copy.0.7.0 = load volatile <4 x float>, ptr %copy.0.7.0.from, align 16, !dbg !157
  %v.sroa.0.0.vec.extract = extractelement <4 x float> %copy.0.7.0, i32 0, !dbg !158
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !159
  %idxprom = zext i32 %1 to i64, !dbg !161
  %arrayidx = getelementptr inbounds float, ptr %y, i64 %idxprom, !dbg !161
  store volatile float %v.sroa.0.0.vec.extract, ptr %arrayidx, align 4, !dbg !162
  ret void, !dbg !163
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z18waited_for_by_somePf(ptr noundef %y) #0 !dbg !164 {
entry:
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !165
  %idxprom = zext i32 %0 to i64, !dbg !167
  %arrayidx = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ18waited_for_by_somePfE1s to ptr), i64 0, i64 %idxprom, !dbg !167
  store volatile float 0.000000e+00, ptr %arrayidx, align 4, !dbg !168
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !169
  %cmp = icmp ult i32 %1, 48, !dbg !171
  br i1 %cmp, label %if.then, label %if.end, !dbg !172

if.then:                                          ; preds = %entry
  call void @llvm.nvvm.barrier0(), !dbg !173
  br label %if.end, !dbg !173

if.end:                                           ; preds = %if.then, %entry
  %2 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !174
  %idxprom3 = zext i32 %2 to i64, !dbg !176
  %arrayidx4 = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ18waited_for_by_somePfE1s to ptr), i64 0, i64 %idxprom3, !dbg !176
  %3 = load volatile float, ptr %arrayidx4, align 4, !dbg !176
  %4 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !177
  %idxprom6 = zext i32 %4 to i64, !dbg !179
  %arrayidx7 = getelementptr inbounds float, ptr %y, i64 %idxprom6, !dbg !179
  store volatile float %3, ptr %arrayidx7, align 4, !dbg !180
  ret void, !dbg !181
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z14not_waited_forPf(ptr noundef %y) #0 !dbg !182 {
entry:
  %0 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !183
  %idxprom = zext i32 %0 to i64, !dbg !185
  %arrayidx = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14not_waited_forPfE1s to ptr), i64 0, i64 %idxprom, !dbg !185
  store volatile float 0.000000e+00, ptr %arrayidx, align 4, !dbg !186
  %1 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !187
  %sub = sub i32 63, %1, !dbg !189
  %idxprom2 = zext i32 %sub to i64, !dbg !190
  %arrayidx3 = getelementptr inbounds [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ14not_waited_forPfE1s to ptr), i64 0, i64 %idxprom2, !dbg !190
  %2 = load volatile float, ptr %arrayidx3, align 4, !dbg !190
  %3 = call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !191
  %idxprom5 = zext i32 %3 to i64, !dbg !193
  %arrayidx6 = getelementptr inbounds float, ptr %y, i64 %idxprom5, !dbg !193
  store volatile float %2, ptr %arrayidx6, align 4, !dbg !194
  ret void, !dbg !195
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

declare [4 x i32] @symcute.any.0()

declare i32 @symcute.any.1()

declare %struct.Three @symcute.any.2()

declare [2 x i32] @symcute.any.3()

declare ptr @symcute.any.4()

declare void @symcute.hold(ptr)

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!nvvm.annotations = !{!2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15}
!llvm.module.flags = !{!16, !17, !18, !19, !20}
!llvm.ident = !{!21}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "/tmp/symcute-2plbbufg/source.cu", directory: "/work/wt/llvm")
!2 = !{ptr @_Z20behind_a_local_arrayPi, !"kernel", i32 1}
!3 = !{ptr @_Z27behind_an_array_in_a_structPi, !"kernel", i32 1}
!4 = !{ptr @_Z17read_and_not_usedPKfPf, !"kernel", i32 1}
!5 = !{ptr @_Z19copied_and_not_usedPK4PairPf, !"kernel", i32 1}
!6 = !{ptr @_Z13written_twicePi, !"kernel", i32 1}
!7 = !{ptr @_Z9never_setPii, !"kernel", i32 1}
!8 = !{ptr @_Z22compared_with_the_nextPii, !"kernel", i32 1}
!9 = !{ptr @_Z13tested_beforePii, !"kernel", i32 1}
!10 = !{ptr @_Z10one_of_twoPii, !"kernel", i32 1}
!11 = !{ptr @_Z22through_a_null_pointerPii, !"kernel", i32 1}
!12 = !{ptr @_Z17behind_a_constantPi, !"kernel", i32 1}
!13 = !{ptr @_Z20a_vector_out_of_stepPKfPf, !"kernel", i32 1}
!14 = !{ptr @_Z18waited_for_by_somePf, !"kernel", i32 1}
!15 = !{ptr @_Z14not_waited_forPf, !"kernel", i32 1}
!16 = !{i32 7, !"Dwarf Version", i32 2}
!17 = !{i32 2, !"Debug Info Version", i32 3}
!18 = !{i32 1, !"wchar_size", i32 4}
!19 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!20 = !{i32 7, !"frame-pointer", i32 2}
!21 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!22 = distinct !DISubprogram(name: "behind_a_local_array", scope: !23, file: !23, line: 6, type: !24, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!23 = !DIFile(filename: "kept.cu", directory: "/work/wt/llvm")
!24 = !DISubroutineType(types: !25)
!25 = !{}
!26 = !DILocation(line: 8, column: 8, scope: !22)
!27 = !DILocation(line: 8, scope: !22)
!28 = !DILocation(line: 8, column: 21, scope: !22)
!29 = !DILocation(line: 8, column: 3, scope: !22)
!30 = !DILocation(line: 8, column: 31, scope: !22)
!31 = !DILocation(line: 8, column: 36, scope: !22)
!32 = !DILocation(line: 8, column: 26, scope: !22)
!33 = distinct !{!33, !29, !34, !35}
!34 = !DILocation(line: 8, column: 38, scope: !22)
!35 = !{!"llvm.loop.mustprogress"}
!36 = !DILocation(line: 9, column: 3, scope: !22)
!37 = !DILocation(line: 9, column: 8, scope: !22)
!38 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !41)
!39 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !40, file: !40, line: 53, type: !24, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!40 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_builtin_vars.h", directory: "")
!41 = distinct !DILocation(line: 10, column: 22, scope: !22)
!42 = !DILocation(line: 10, column: 34, scope: !22)
!43 = !DILocation(line: 10, column: 20, scope: !22)
!44 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !45)
!45 = distinct !DILocation(line: 10, column: 5, scope: !22)
!46 = !DILocation(line: 10, column: 3, scope: !22)
!47 = !DILocation(line: 10, column: 18, scope: !22)
!48 = !DILocation(line: 11, column: 1, scope: !22)
!49 = distinct !DISubprogram(name: "put", scope: !23, file: !23, line: 14, type: !24, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!50 = !DILocation(line: 14, column: 42, scope: !49)
!51 = !DILocation(line: 14, column: 40, scope: !49)
!52 = !DILocation(line: 14, column: 47, scope: !49)
!53 = !DILocation(line: 14, column: 52, scope: !49)
!54 = distinct !DISubprogram(name: "behind_an_array_in_a_struct", scope: !23, file: !23, line: 19, type: !24, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!55 = !DILocation(line: 14, column: 40, scope: !49, inlinedAt: !56)
!56 = distinct !DILocation(line: 21, column: 3, scope: !54)
!57 = !DILocation(line: 14, column: 47, scope: !49, inlinedAt: !56)
!58 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !59)
!59 = distinct !DILocation(line: 22, column: 5, scope: !54)
!60 = !DILocation(line: 22, column: 3, scope: !54)
!61 = !DILocation(line: 22, column: 18, scope: !54)
!62 = !DILocation(line: 23, column: 1, scope: !54)
!63 = distinct !DISubprogram(name: "read_and_not_used", scope: !23, file: !23, line: 29, type: !24, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!64 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !65)
!65 = distinct !DILocation(line: 30, column: 15, scope: !63)
!66 = !DILocation(line: 30, column: 13, scope: !63)
!67 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !68)
!68 = distinct !DILocation(line: 31, column: 5, scope: !63)
!69 = !DILocation(line: 31, column: 3, scope: !63)
!70 = !DILocation(line: 31, column: 18, scope: !63)
!71 = !DILocation(line: 32, column: 1, scope: !63)
!72 = distinct !DISubprogram(name: "copied_and_not_used", scope: !23, file: !23, line: 40, type: !24, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!73 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !74)
!74 = distinct !DILocation(line: 41, column: 14, scope: !72)
!75 = !DILocation(line: 41, column: 12, scope: !72)
!76 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !77)
!77 = distinct !DILocation(line: 42, column: 5, scope: !72)
!78 = !DILocation(line: 42, column: 3, scope: !72)
!79 = !DILocation(line: 42, column: 18, scope: !72)
!80 = !DILocation(line: 43, column: 1, scope: !72)
!81 = distinct !DISubprogram(name: "written_twice", scope: !23, file: !23, line: 48, type: !24, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!82 = !DILocation(line: 49, column: 3, scope: !81)
!83 = !DILocation(line: 49, column: 8, scope: !81)
!84 = !DILocation(line: 50, column: 3, scope: !81)
!85 = !DILocation(line: 50, column: 8, scope: !81)
!86 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !87)
!87 = distinct !DILocation(line: 51, column: 7, scope: !81)
!88 = !DILocation(line: 51, column: 19, scope: !81)
!89 = !DILocation(line: 51, column: 7, scope: !81)
!90 = !DILocation(line: 51, column: 25, scope: !81)
!91 = !DILocation(line: 51, column: 30, scope: !81)
!92 = !DILocation(line: 52, column: 1, scope: !81)
!93 = distinct !DISubprogram(name: "never_set", scope: !23, file: !23, line: 58, type: !24, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!94 = !DILocation(line: 60, column: 9, scope: !93)
!95 = !DILocation(line: 60, column: 7, scope: !93)
!96 = !DILocation(line: 60, column: 14, scope: !93)
!97 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !98)
!98 = distinct !DILocation(line: 61, column: 7, scope: !93)
!99 = !DILocation(line: 61, column: 19, scope: !93)
!100 = !DILocation(line: 61, column: 7, scope: !93)
!101 = !DILocation(line: 61, column: 25, scope: !93)
!102 = !DILocation(line: 61, column: 30, scope: !93)
!103 = !DILocation(line: 62, column: 1, scope: !93)
!104 = distinct !DISubprogram(name: "compared_with_the_next", scope: !23, file: !23, line: 68, type: !24, scopeLine: 68, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!105 = !DILocation(line: 69, column: 9, scope: !104)
!106 = !DILocation(line: 69, column: 13, scope: !104)
!107 = !DILocation(line: 69, column: 7, scope: !104)
!108 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !109)
!109 = distinct !DILocation(line: 69, column: 20, scope: !104)
!110 = !DILocation(line: 69, column: 18, scope: !104)
!111 = !DILocation(line: 69, column: 33, scope: !104)
!112 = !DILocation(line: 70, column: 1, scope: !104)
!113 = distinct !DISubprogram(name: "tested_before", scope: !23, file: !23, line: 76, type: !24, scopeLine: 76, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!114 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !115)
!115 = distinct !DILocation(line: 77, column: 11, scope: !113)
!116 = !DILocation(line: 78, column: 9, scope: !113)
!117 = !DILocation(line: 78, column: 13, scope: !113)
!118 = !DILocation(line: 78, column: 16, scope: !113)
!119 = !DILocation(line: 78, column: 21, scope: !113)
!120 = !DILocation(line: 78, column: 7, scope: !113)
!121 = !DILocation(line: 78, column: 26, scope: !113)
!122 = !DILocation(line: 78, column: 31, scope: !113)
!123 = !DILocation(line: 79, column: 1, scope: !113)
!124 = distinct !DISubprogram(name: "one_of_two", scope: !23, file: !23, line: 85, type: !24, scopeLine: 85, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!125 = !DILocation(line: 86, column: 7, scope: !124)
!126 = !DILocation(line: 86, column: 22, scope: !124)
!127 = !DILocation(line: 87, column: 14, scope: !124)
!128 = !DILocation(line: 87, column: 12, scope: !124)
!129 = !DILocation(line: 87, column: 20, scope: !124)
!130 = !DILocation(line: 87, column: 24, scope: !124)
!131 = !DILocation(line: 88, column: 20, scope: !124)
!132 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !133)
!133 = distinct !DILocation(line: 88, column: 5, scope: !124)
!134 = !DILocation(line: 88, column: 3, scope: !124)
!135 = !DILocation(line: 88, column: 18, scope: !124)
!136 = !DILocation(line: 89, column: 1, scope: !124)
!137 = distinct !DISubprogram(name: "through_a_null_pointer", scope: !23, file: !23, line: 95, type: !24, scopeLine: 95, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!138 = !DILocation(line: 96, column: 14, scope: !137)
!139 = !DILocation(line: 96, column: 12, scope: !137)
!140 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !141)
!141 = distinct !DILocation(line: 97, column: 5, scope: !137)
!142 = !DILocation(line: 97, column: 3, scope: !137)
!143 = !DILocation(line: 97, column: 18, scope: !137)
!144 = !DILocation(line: 98, column: 1, scope: !137)
!145 = distinct !DISubprogram(name: "behind_a_constant", scope: !23, file: !23, line: 105, type: !24, scopeLine: 105, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!146 = !DILocation(line: 105, column: 62, scope: !145)
!147 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !148)
!148 = distinct !DILocation(line: 105, column: 47, scope: !145)
!149 = !DILocation(line: 105, column: 45, scope: !145)
!150 = !DILocation(line: 105, column: 60, scope: !145)
!151 = !DILocation(line: 105, column: 70, scope: !145)
!152 = distinct !DISubprogram(name: "a_vector_out_of_step", scope: !23, file: !23, line: 111, type: !24, scopeLine: 111, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!153 = !DILocation(line: 112, column: 34, scope: !152)
!154 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !155)
!155 = distinct !DILocation(line: 112, column: 40, scope: !152)
!156 = !DILocation(line: 112, column: 38, scope: !152)
!157 = !DILocation(line: 112, column: 14, scope: !152)
!158 = !DILocation(line: 113, column: 22, scope: !152)
!159 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !160)
!160 = distinct !DILocation(line: 113, column: 5, scope: !152)
!161 = !DILocation(line: 113, column: 3, scope: !152)
!162 = !DILocation(line: 113, column: 18, scope: !152)
!163 = !DILocation(line: 114, column: 1, scope: !152)
!164 = distinct !DISubprogram(name: "waited_for_by_some", scope: !23, file: !23, line: 119, type: !24, scopeLine: 119, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!165 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !166)
!166 = distinct !DILocation(line: 121, column: 5, scope: !164)
!167 = !DILocation(line: 121, column: 3, scope: !164)
!168 = !DILocation(line: 121, column: 18, scope: !164)
!169 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !170)
!170 = distinct !DILocation(line: 122, column: 7, scope: !164)
!171 = !DILocation(line: 122, column: 19, scope: !164)
!172 = !DILocation(line: 122, column: 7, scope: !164)
!173 = !DILocation(line: 122, column: 25, scope: !164)
!174 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !175)
!175 = distinct !DILocation(line: 123, column: 22, scope: !164)
!176 = !DILocation(line: 123, column: 20, scope: !164)
!177 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !178)
!178 = distinct !DILocation(line: 123, column: 5, scope: !164)
!179 = !DILocation(line: 123, column: 3, scope: !164)
!180 = !DILocation(line: 123, column: 18, scope: !164)
!181 = !DILocation(line: 124, column: 1, scope: !164)
!182 = distinct !DISubprogram(name: "not_waited_for", scope: !23, file: !23, line: 129, type: !24, scopeLine: 129, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0)
!183 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !184)
!184 = distinct !DILocation(line: 131, column: 5, scope: !182)
!185 = !DILocation(line: 131, column: 3, scope: !182)
!186 = !DILocation(line: 131, column: 18, scope: !182)
!187 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !188)
!188 = distinct !DILocation(line: 132, column: 27, scope: !182)
!189 = !DILocation(line: 132, column: 25, scope: !182)
!190 = !DILocation(line: 132, column: 20, scope: !182)
!191 = !DILocation(line: 53, column: 3, scope: !39, inlinedAt: !192)
!192 = distinct !DILocation(line: 132, column: 5, scope: !182)
!193 = !DILocation(line: 132, column: 3, scope: !182)
!194 = !DILocation(line: 132, column: 18, scope: !182)
!195 = !DILocation(line: 133, column: 1, scope: !182)
