(* What the claims of a text follow from: bijections by counting, layouts that grow, swizzles that undo themselves. *)
Require Import ZArith List Bool Lia.
From Symcute Require Import Data Terms Layouts Service Claims Evaluation Lemmas.
Import ListNotations.
Open Scope Z_scope.

(* Each number from 0 to n - 1, and no other, is what f makes of one coordinate and no other. *)
Definition onto_once (L : layout) (f : list Z -> Z) (n : Z) :=
  (forall c, valid L c -> 0 <= f c < n) /\
  forall y, 0 <= y < n -> exists c, valid L c /\ f c = y /\ forall c', valid L c' -> f c' = y -> c' = c.

Lemma flat_map_length {A B} (f : A -> list B) n l : (forall x, length (f x) = n) -> length (flat_map f l) = (length l * n)%nat.
Proof. intro H. induction l as [|x l IH]; simpl; auto. now rewrite app_length, H, IH. Qed.
Lemma upwards_length n : forall x, length (upwards n x) = n.
Proof. induction n; simpl; intros; auto. Qed.
Lemma size_pos L : pos L -> 1 <= size L.
Proof. induction 1 as [|[s d] L P H IH]; unfold size in *; simpl in *; nia. Qed.
Lemma coordinates_length L : pos L -> length (coordinates L) = Z.to_nat (size L).
Proof.
  induction 1 as [|[s d] L P H IH]; [reflexivity|]. simpl. rewrite (flat_map_length _ (Z.to_nat (size L))).
  - unfold below. rewrite upwards_length. simpl in P. pose proof (size_pos L H). unfold size. simpl. fold (size L).
    rewrite Z2Nat.inj_mul by lia. reflexivity.
  - intro x. now rewrite map_length.
Qed.
Theorem one_each L f n : pos L -> n = size L -> (forall c, valid L c -> 0 <= f c < n) ->
  (forall c c', valid L c -> valid L c' -> f c = f c' -> c = c') -> onto_once L f n.
Proof.
  intros P -> B I. split; auto. intros y Y.
  assert (N : NoDup (map f (coordinates L))).
  { apply nodup_map_inj; [apply coordinates_nodup|]. intros a b A C. apply I; now apply coordinates_in. }
  assert (A : incl (below (size L)) (map f (coordinates L))).
  { apply NoDup_length_incl; auto.
    - rewrite map_length, (coordinates_length L P). unfold below. now rewrite upwards_length.
    - intros z Z. apply in_map_iff in Z as (c & <- & C). apply below_in, B. now apply coordinates_in. }
  assert (Y' : In y (map f (coordinates L))) by (apply A; now apply below_in).
  apply in_map_iff in Y' as (c & C & V). apply coordinates_in in V. exists c. repeat split; auto.
  intros c' V' E. apply I; auto. congruence.
Qed.

(* --- swizzles ----------------------------------------------------------------------------------------------- *)

Definition is_field (sw : fields) : bool :=
  let '(bits, base, shift) := sw in (0 <=? bits) && (0 <=? base) && (bits <=? Z.abs shift).
Lemma mask_bit bits k i : 0 <= bits -> 0 <= k -> 0 <= i -> Z.testbit (Z.shiftl (Z.ones bits) k) i = (k <=? i) && (i <? k + bits).
Proof.
  intros B K I. rewrite Z.shiftl_spec by auto. destruct (Z.leb_spec k i); simpl.
  - destruct (Z.ltb_spec i (k + bits)).
    + apply Z.ones_spec_low. lia. + apply Z.ones_spec_high. lia.
  - apply Z.testbit_neg_r. lia.
Qed.
Lemma undone sw x : is_field sw = true -> swizzle sw (swizzle sw x) = x.
Proof.
  destruct sw as [[bits base] shift]. unfold is_field. rewrite !andb_true_iff, !Z.leb_le. intros [[B0 B1] B2].
  unfold swizzle. cbv zeta. set (mask := Z.shiftl (Z.ones bits) (base + Z.max shift 0)).
  assert (E : forall y, (forall i, 0 <= i -> Z.testbit y i && Z.testbit mask i = false) ->
    Z.land (Z.lxor x y) mask = Z.land x mask).
  { intros y Y. apply Z.bits_inj'. intros i I. rewrite !Z.land_spec, Z.lxor_spec. specialize (Y i I).
    destruct (Z.testbit x i), (Z.testbit y i), (Z.testbit mask i); simpl in *; congruence. }
  destruct (Z.leb_spec 0 shift) as [S|S].
  - rewrite (E (Z.shiftr (Z.land x mask) shift)).
    + now rewrite Z.lxor_assoc, Z.lxor_nilpotent, Z.lxor_0_r.
    + intros i I. rewrite Z.shiftr_spec by auto. rewrite Z.land_spec. unfold mask. rewrite !mask_bit by lia.
      destruct (Z.testbit x (i + shift)); simpl; auto.
      destruct (Z.leb_spec (base + Z.max shift 0) (i + shift)), (Z.ltb_spec (i + shift) (base + Z.max shift 0 + bits)),
        (Z.leb_spec (base + Z.max shift 0) i), (Z.ltb_spec i (base + Z.max shift 0 + bits)); simpl; auto; lia.
  - rewrite (E (Z.shiftl (Z.land x mask) (- shift))).
    + now rewrite Z.lxor_assoc, Z.lxor_nilpotent, Z.lxor_0_r.
    + intros i I. rewrite Z.shiftl_spec by auto. destruct (Z.ltb_spec i (- shift)) as [J|J].
      * rewrite Z.testbit_neg_r by lia. reflexivity.
      * rewrite Z.land_spec. unfold mask. rewrite !mask_bit by lia.
        destruct (Z.testbit x (i - - shift)); simpl; auto.
        destruct (Z.leb_spec (base + Z.max shift 0) (i - - shift)), (Z.ltb_spec (i - - shift) (base + Z.max shift 0 + bits)),
          (Z.leb_spec (base + Z.max shift 0) i), (Z.ltb_spec i (base + Z.max shift 0 + bits)); simpl; auto; lia.
Qed.
Lemma swizzle_injective sw x y : is_field sw = true -> swizzle sw x = swizzle sw y -> x = y.
Proof. intros F E. rewrite <- (undone sw x F), <- (undone sw y F). now rewrite E. Qed.
Lemma same_kept n m s m' s' x : (n =? 0) || (m =? m') && (s =? s') = true -> swizzle (n, m, s) x = swizzle (n, m', s') x.
Proof.
  intro H. apply orb_true_iff in H as [H|H].
  - apply Z.eqb_eq in H. subst. unfold swizzle. cbv zeta.
    assert (Z0 : forall k, Z.land x (Z.shiftl (Z.ones 0) k) = 0).
    { intro k. change (Z.ones 0) with 0. now rewrite Z.shiftl_0_l, Z.land_0_r. }
    rewrite !Z0. destruct (0 <=? s), (0 <=? s'); now rewrite ?Z.shiftr_0_l, ?Z.shiftl_0_l.
  - apply andb_true_iff in H as [A B]. apply Z.eqb_eq in A, B. now subst.
Qed.

(* --- layouts that grow with the index ----------------------------------------------------------------------- *)

(* Each step from an index to the next goes further than R, which the modes below fall back. *)
Fixpoint grows (strict : bool) (R : Z) (L : layout) : Prop :=
  match L with
  | [] => True
  | (s, d) :: L => (s = 1 \/ (if strict then R < d else R <= d)) /\ grows strict (R + (s - 1) * d) L
  end.
Lemma step_grows strict L : pos L -> forall R i, grows strict R L -> 0 <= i -> i + 1 < size L ->
  let gap := at_index L (i + 1) - at_index L i in if strict then R < gap else R <= gap.
Proof.
  induction 1 as [|[s d] L P H IH]; intros R i G I S; [unfold size in S; simpl in S; lia|].
  simpl in P, G. destruct G as [G G']. cbv zeta. destruct L as [|m L'].
  - unfold size in S. simpl in *. replace ((i + 1) * d - i * d) with d by ring. destruct G; [lia|exact H0].
  - set (L := m :: L') in *. change (at_index ((s, d) :: L) (i + 1)) with ((i + 1) mod s * d + at_index L ((i + 1) / s)).
    change (at_index ((s, d) :: L) i) with (i mod s * d + at_index L (i / s)).
    pose proof (Z.div_mod i s ltac:(lia)) as E. pose proof (Z.mod_pos_bound i s ltac:(lia)) as B.
    destruct (Z.eq_dec (i mod s) (s - 1)) as [C|C].
    + assert (Q : (i + 1) / s = i / s + 1) by (symmetry; apply Z.div_unique with (r := 0); lia).
      assert (M : (i + 1) mod s = 0) by (symmetry; apply Z.mod_unique with (q := i / s + 1); lia).
      rewrite Q, M, C. assert (T : i / s + 1 < size L).
      { unfold size in S. simpl in S. fold (size L') in S. unfold L, size. simpl. fold (size L'). nia. }
      assert (D : 0 <= i / s) by (apply Z.div_pos; lia). specialize (IH (R + (s - 1) * d) (i / s) G' D T). cbv zeta in IH. destruct strict; cbv iota in IH |- *; lia.
    + assert (Q : (i + 1) / s = i / s) by (symmetry; apply Z.div_unique with (r := i mod s + 1); lia).
      assert (M : (i + 1) mod s = i mod s + 1) by (symmetry; apply Z.mod_unique with (q := i / s); lia).
      rewrite Q, M. destruct G as [-> | G]; [lia|]. destruct strict; cbv iota in G |- *; lia.
Qed.
Theorem grows_ok strict L i j : pos L -> grows strict 0 L -> 0 <= i -> i < j -> j < size L ->
  if strict then at_index L i < at_index L j else at_index L i <= at_index L j.
Proof.
  intros P G I J S. replace j with (i + 1 + Z.of_nat (Z.to_nat (j - i - 1))) in * by lia. clear J.
  induction (Z.to_nat (j - i - 1)) as [|n IH].
  - replace (i + 1 + Z.of_nat 0) with (i + 1) in * by lia.
    pose proof (step_grows strict L P 0 i G I S). destruct strict; simpl in *; lia.
  - rewrite Nat2Z.inj_succ in *. assert (S' : i + 1 + Z.of_nat n < size L) by lia. specialize (IH S').
    assert (T : i + 1 + Z.of_nat n + 1 < size L) by lia.
    pose proof (step_grows strict L P 0 (i + 1 + Z.of_nat n) G ltac:(lia) T) as H.
    replace (i + 1 + Z.succ (Z.of_nat n)) with (i + 1 + Z.of_nat n + 1) by lia. destruct strict; simpl in *; lia.
Qed.

(* --- sums of modes ------------------------------------------------------------------------------------------ *)

Lemma offset_multiple n L : Forall (fun m => fst m = 1 \/ (n | snd m)) L -> forall c, valid L c -> (n | offset c L).
Proof.
  induction 1 as [|[s d] L M H IH]; intros c V; inversion V as [|x ? c' ? X V']; subst; simpl; [apply Z.divide_0_r|].
  simpl in *. apply Z.divide_add_r; auto. destruct M as [-> | M]; [replace x with 0 by lia; apply Z.divide_0_r|].
  now apply Z.divide_mul_r.
Qed.
Lemma offset_nonneg L : Forall (fun m => fst m = 1 \/ 0 <= snd m) L -> forall c, valid L c -> 0 <= offset c L.
Proof.
  induction 1 as [|[s d] L M H IH]; intros c V; inversion V as [|x ? c' ? X V']; subst; simpl; [lia|].
  simpl in *. specialize (IH _ V'). destruct M as [-> | M]; [replace x with 0 by lia; lia|nia].
Qed.
