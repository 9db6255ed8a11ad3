(* Layouts at coordinates in a text: as the sums that they are. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Layouts Claims Agreement Denials Text Reading.
Import ListNotations.
Open Scope Z_scope.

(* --- terms as trees ---------------------------------------------------------------------------------------- *)

Definition sign_of (o : op) : sign + positive :=
  match o with
  | Add => inl SAdd | Sub => inl SSub | Mul => inl SMul | Div => inl SDiv | FloorDiv => inl SFloorDiv | Mod => inl SMod
  | CeilDiv => inr (fst (nth 1 functions (1%positive, Add))) | Min => inr (fst (nth 3 functions (1%positive, Add)))
  | Max => inr (fst (nth 4 functions (1%positive, Add)))
  end.
Fixpoint written (x : term) : tree :=
  match x with
  | Int z => TInt z | Dim n => TDim n | Neg a => TOp SNeg [written a]
  | Pow a k => TOp SPow [written a; TInt (Z.of_N k)]
  | Bin o a b => match sign_of o with inl s => TOp s [written a; written b] | inr f => TCall f [written a; written b] end
  end.
(* What is written of a term is read as it, for powers that are read at all. *)
Fixpoint few_powers (x : term) : bool :=
  match x with Pow a k => (k <=? 64)%N && few_powers a | Neg a => few_powers a | Bin _ a b => few_powers a && few_powers b | _ => true end.
Lemma written_read x : few_powers x = true -> leaf (written x) = Some x.
Proof.
  induction x as [z|n|a IH|a IH k|o a IHa b IHb]; simpl; intro H; auto.
  - now rewrite IH.
  - apply andb_true_iff in H as [K H]. rewrite IH by auto. apply N.leb_le in K.
    destruct (Z.leb_spec 0 (Z.of_N k)); [|lia]. destruct (Z.leb_spec (Z.of_N k) 64); [|lia]. cbn. now rewrite N2Z.id.
  - apply andb_true_iff in H as [A B]. destruct o; cbn; now rewrite IHa, IHb by auto.
Qed.
Fixpoint written_tuple (s : nested) : tree := match s with Leaf x => written x | Tuple l => TOp STuple (map written_tuple l) end.

(* --- coordinates -------------------------------------------------------------------------------------------- *)

Definition numbers_in (l : list term) : option (list Z) :=
  throughout (fun x => match x with Int s => guard (1 <=? s) (Some s) | _ => None end) l.
(* An index into modes of so many elements each, digit by digit; the last takes what is left. *)
Fixpoint digits (sizes : list Z) (i : Z) : list nested :=
  match sizes with
  | [] => []
  | s :: sizes => match sizes with [] => [Leaf (Int i)] | _ => Leaf (Int (i mod s)) :: digits sizes (i / s) end
  end.
(* A coordinate with each part that is an index, a number, into a shape of numbers written out. *)
Fixpoint natural (s c : nested) : option nested :=
  match s with
  | Leaf _ => match c with Leaf _ => Some c | _ => None end
  | Tuple ss =>
    do cs <- match c with
      | Tuple cs => Some cs
      | Leaf (Int i) => do sizes <- throughout (fun s => do l <- numbers_in (flat s); Some (fold_right Z.mul 1 l)) ss;
        guard (0 <=? i) (Some (digits sizes i))
      | Leaf _ => None end;
    guard (Nat.eqb (length cs) (length ss))
      (do l <- (fix go ss cs := match ss, cs with s :: ss, c :: cs => do x <- natural s c; do r <- go ss cs; Some (x :: r) | _, _ => Some [] end) ss cs;
       Some (Tuple l))
  end.
Fixpoint numbered (s : nested) : nested := match s with Leaf x => Leaf (number_of x) | Tuple l => Tuple (map numbered l) end.
Definition read_coordinate (t : tree) : option nested := do c <- htuple t; Some (numbered c).
Definition at_of (c s d : nested) : option term :=
  do c <- if congruent c s then Some c else natural s c;
  guard (congruent c s && congruent s d) (Some (at_coordinates (flat c) (combine (flat s) (flat d)))).
(* The offset of a layout at natural coordinates is the sum of their products with the strides. *)
Theorem at_of_ok e c s d x : congruent c s = true -> at_of c s d = Some x ->
  tv e x = offset (map (tv e) (flat c)) (lay e (combine (flat s) (flat d))).
Proof.
  unfold at_of. intros C H. rewrite C in H. apply Ways.guard_some in H as [_ H]. injection H as <-. apply at_coordinates_ok.
Qed.
(* At an index, the last mode taking what is left, it is that of its digits. *)
Theorem digits_ok e L : forall i, let l := flat_map flat (digits (map fst L) i) in
  map (tv e) l = map (tv (fun _ => 0)) l /\ offset (map (tv e) l) L = at_index L i.
Proof.
  induction L as [|[s d] L IH]; intro i; [split; reflexivity|]. cbn [map fst digits at_index snd].
  destruct L as [|m L]; [split; [reflexivity|simpl; lia]|]. destruct (IH (i / s)) as [A B]. cbn [map] in *.
  split; [simpl; simpl in A; now rewrite A|]. cbn [flat_map flat app map tv offset]. now rewrite B.
Qed.

Open Scope string_scope.
Definition f_size := Eval compute in word "size".
Definition f_cosize := Eval compute in word "cosize".
Definition f_crd2idx := Eval compute in word "crd2idx".
Definition f_idx2crd := Eval compute in word "idx2crd".
Close Scope string_scope.
(* 1 more than the largest difference of offsets, for strides that are numbers. *)
Definition cosize (m : modes) : option term :=
  do l <- throughout (fun p => match number_of (snd p) with Int d => Some (mul (sub (number_of (fst p)) (Int 1)) (Int (Z.abs d))) | _ => None end) m;
  Some (fold_left add l (Int 1)).
Definition layout_sides (t : tree) : option (nested * nested) :=
  match strip t with TOp SLayout [x; y] => do (s, d) <- sides x y; Some (numbered s, numbered d) | _ => None end.
(* What an evaluation comes to. *)
Definition evaluation (t : tree) : option tree :=
  match t with
  | TOp SApply (L :: cs) =>
    do (s, d) <- layout_sides L;
    do c <- match cs with [c] => read_coordinate (strip c) | _ => do l <- throughout read_coordinate cs; Some (Tuple l) end;
    do x <- at_of c s d; Some (written x)
  | TCall f [a] =>
    if Pos.eqb f f_size then do s <- shape_of a; Some (written (fold_left mul (map number_of (flat s)) (Int 1)))
    else if Pos.eqb f f_cosize then do (s, d) <- layout_sides a; do x <- cosize (combine (flat s) (flat d)); Some (written x)
    else None
  | TCall f [c; s] =>
    if Pos.eqb f f_idx2crd then do c <- read_coordinate c; do s <- read_coordinate s; do x <- natural s c; Some (written_tuple x)
    else if Pos.eqb f f_crd2idx then
      guard (negb (is_layout s))
        (do c <- read_coordinate c; do s <- read_coordinate s;
         do c <- if congruent c s then Some c else natural s c;
         guard (congruent c s) (Some (written (at_coordinates (flat c) (columns (Int 1) (flat s))))))
    else None
  | TCall f [c; s; d] =>
    guard (Pos.eqb f f_crd2idx)
      (do c <- read_coordinate c; do s <- read_coordinate s; do d <- read_coordinate d; do x <- at_of c s d; Some (written x))
  | _ => None
  end.
(* A text in which evaluations stand as what they come to. *)
Fixpoint worked (t : tree) : tree :=
  match evaluation t with
  | Some u => u
  | None => match t with
    | TOp o l => TOp o (map worked l) | TCall f l => TCall f (map worked l)
    | TSwizzled b m s x l => TSwizzled b m s (worked x) (worked l) | _ => t end
  end.
