(* What the text of a claim means, in plain mathematics over Z, and that its primitive claims imply it. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Ways Layouts Service Claims Lemmas Agreement Text Reading Stating Values Facts.
Import ListNotations.
Open Scope Z_scope.

Definition increasing (strict : bool) (L : layout) :=
  forall i j, 0 <= i -> i < j -> j < size L -> if strict then at_index L i < at_index L j else at_index L i <= at_index L j.

(* Each request is served so: the first modes of the layout are the lanes, the others the requests; e and w are the bits of an
   element and of an access. *)
Definition requests_served (e : env) (a : tree) (serve : Z -> Z -> Z -> service) : Prop :=
  exists l bits w bt n sw x A b, access_of a = Some (l, bits, w, bt, n) /\ swizzled_of e l sw x A /\ number e bt = Some b /\
  let lanes := firstn n A in let requests := skipn n A in forall c, valid requests c ->
  served (serve bits w (size lanes)) (fun i => b + swizzle sw (x + (at_index lanes i + offset c requests))) (size lanes).
(* The text of a claim means, at an instance of the dims: layouts A, B as lists of an extent and a stride; A(c) is
   `offset c A` at natural coordinates, A(i) is `at_index A i`; Sw(y) is `swizzle sw y`. *)
Definition claimed (e : env) (c : claim_name) (l gs : list tree) : Prop :=
  match c, l with
  (* Different coordinates that all guards admit have different offsets. *)
  | CInjective, [a] => exists sw x A G, swizzled_of e a sw x A /\ Forall2 (guard_of e) gs G /\
      forall c c', valid A c -> valid A c' -> admitted G c -> admitted G c' ->
      swizzle sw (x + offset c A) = swizzle sw (x + offset c' A) -> c = c'
  (* The offsets at coordinates that all guards admit are from 0 to b - 1. *)
  | CInBounds, [a; b] => exists sw x A G n, swizzled_of e a sw x A /\ Forall2 (guard_of e) gs G /\ value_of e b n /\
      forall c, valid A c -> admitted G c -> 0 <= swizzle sw (x + offset c A) < n
  (* Each number below the size is the offset of just one coordinate, and there are no other offsets. *)
  | CBijective, [a] => exists sw x A, swizzled_of e a sw x A /\ onto_once A (fun c => swizzle sw (x + offset c A)) (size A)
  (* That of the modes whose stride is not the number 0. *)
  | CCompact, [a] => exists sw xt x l A, turned a = Some (sw, xt, l) /\ number e xt = Some x /\ kept_of e l A /\
      onto_once A (fun c => swizzle sw (x + offset c A)) (size A)
  (* They have the same size, and the same offset at each index. *)
  | CEqual, [a; b] => exists sw x A sw' y B, swizzled_of e a sw x A /\ swizzled_of e b sw' y B /\ size A = size B /\
      forall i, 0 <= i < size A -> swizzle sw (x + at_index A i) = swizzle sw' (y + at_index B i)
  (* C has the size of B, and C(i) = A(B(i)). *)
  | CComposition, [c; a; b] => exists C A B, layout_of e c C /\ layout_of e a A /\ layout_of e b B /\ size C = size B /\
      forall i, 0 <= i < size B -> at_index C i = at_index A (at_index B i)
  | CRight, [r; a] => exists R A, layout_of e r R /\ layout_of e a A /\ forall i, 0 <= i < size R -> at_index A (at_index R i) = i
  | CLeft, [r; a] => exists R A, layout_of e r R /\ layout_of e a A /\ forall i, 0 <= i < size A -> at_index R (at_index A i) = i
  (* No offset but 0 in common; no offset of A is x behind one of B; the same offsets. *)
  | CDisjoint, [a; b] => exists A B, layout_of e a A /\ layout_of e b B /\
      forall c c', valid A c -> valid B c' -> offset c A = offset c' B -> offset c A = 0
  | CApart, a :: b :: more => exists A B x, layout_of e a A /\ layout_of e b B /\
      match more with [] => x = 0 | t :: _ => value_of e t x end /\
      forall c c', valid A c -> valid B c' -> offset c A <> x + offset c' B
  | CSameImage, [a; b] => exists A B, layout_of e a A /\ layout_of e b B /\
      forall y, (exists c, valid A c /\ offset c A = y) <-> (exists c, valid B c /\ offset c B = y)
  (* B and A have no offset but 0 in common, B rises, and n is at most the size of B times that of A without the modes
     whose stride is the number 0. *)
  | CComplement, [b; a; t] => exists A B K n, layout_of e a A /\ layout_of e b B /\ moving_of e a K /\ value_of e t n /\
      (forall c c', valid A c -> valid B c' -> offset c A = offset c' B -> offset c A = 0) /\
      increasing true B /\ n <= size K * size B
  | CCovers, [a; t] => exists A n, layout_of e a A /\ value_of e t n /\ forall y, 0 <= y < n -> exists c, valid A c /\ offset c A = y
  (* Each number below n is the offset of just one coordinate, and none is below 0. *)
  | CPartition, [a; t] => exists A n, layout_of e a A /\ value_of e t n /\ (forall c, valid A c -> 0 <= offset c A) /\
      forall y, 0 <= y < n -> exists c, valid A c /\ offset c A = y /\ forall c', valid A c' -> offset c' A = y -> c' = c
  (* Of the modes whose stride is not the number 0, each element of the tile is the offset of just one coordinate, and
     there are no other offsets; those whose stride is the number 0 repeat that as often as is said. *)
  | CExact, a :: tile :: more => exists A S vs n, kept_of e a A /\ still_of e a S /\ shape_values e tile vs /\
      match more with [] => n = 1 | t :: _ => value_of e t n end /\
      onto_once A (fun c => offset c A) (fold_right Z.mul 1 vs) /\ size S = n
  | CMonotone, [a] => exists A, layout_of e a A /\ increasing false A
  | CIncreasing, [a] => exists A, layout_of e a A /\ increasing true A
  (* All offsets are multiples of n, which is at least 1. *)
  | CAligned, [a; t] => exists A n, layout_of e a A /\ value_of e t n /\ 1 <= n /\ forall c, valid A c -> (n | offset c A)
  (* The shapes fit: an integer is the product of what stands in its place, tuples have the same length, and fit part by part. *)
  | CCompatible, [s; t] | CRefines, [t; s] => exists S T, shape_of s = Some S /\ shape_of t = Some T /\ fitting e S T
  (* Each number, name and operation of the quoted expression is an integer of so many bits. *)
  | CNoOverflow, TText s :: more => exists t bits, parse s = Some t /\
      match more with [] => bits = 32 | b :: _ => value_of e b bits end /\
      Forall (fun x => exists v, value_of e x v /\ - 2 ^ (bits - 1) <= v < 2 ^ (bits - 1)) (once (in_order t))
  (* Each phase of a request costs from n, or from 0, to k wavefronts, or sectors; no more sectors than the bits fill. *)
  | CBanks, a :: k :: more => exists m n, number_in k = Some m /\ least_of more = Some n /\
      requests_served e a (fun bits w _ => in_banks bits w m n)
  | CSectors, a :: k :: more => exists m n, number_in k = Some m /\ least_of more = Some n /\
      requests_served e a (fun bits w _ => in_sectors bits w m n)
  | CCoalesced, [a] => requests_served e a (fun bits w lanes => in_sectors bits w (filled lanes w) 0)
  | _, _ => False
  end.
(* What is made of relations is true as a formula, in which each operator has a value; a claim about layouts is a call. *)
Definition true_text (e : env) (t : tree) : Prop := exists f, formula t = Some f /\ truth e f = Some true.
Definition true_call (e : env) (f : positive) (l : list tree) : Prop :=
  exists args gs c, parted l = Some (args, gs) /\ assoc f claim_names = Some c /\ claimed e c args gs.
Fixpoint means_text (e : env) (t : tree) : Prop :=
  if is_relation t then true_text e t
  else match t with
    | TOp SParen [a] => means_text e a
    | TOp SAnd l => (fix go l := match l with [] => True | x :: l => means_text e x /\ go l end) l
    | TOp SOr l => (fix go l := match l with [] => False | x :: l => means_text e x \/ go l end) l
    | TOp SImplies [a; b] => true_text e a -> means_text e b
    | TCall f l => true_call e f l
    | _ => False end.
