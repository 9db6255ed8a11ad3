(* Ranges of integers, with ends that may be infinite, and what sums, products and quotients of numbers in them
   lie between. *)
Require Import ZArith Bool Lia.
Open Scope Z_scope.

(* --- ends of ranges: integers, and what is beyond them ------------------------------------------------------ *)

Inductive ext := Minus | Fin (z : Z) | Plus.
Definition eleb (x y : ext) : bool :=
  match x, y with Minus, _ | _, Plus => true | Fin a, Fin b => a <=? b | _, _ => false end.
Definition ele (x y : ext) : Prop := match x, y with Minus, _ | _, Plus => True | Fin a, Fin b => a <= b | _, _ => False end.
Lemma eleb_ok x y : eleb x y = true <-> ele x y.
Proof. destruct x, y; simpl; rewrite ?Z.leb_le; intuition discriminate. Qed.
Lemma eleb_not x y : eleb x y = false <-> ~ ele x y.
Proof. rewrite <- eleb_ok. destruct (eleb x y); intuition discriminate. Qed.
Lemma ele_trans x y z : ele x y -> ele y z -> ele x z.
Proof. destruct x, y, z; simpl; tauto || lia. Qed.
Definition lesser (x y : ext) := if eleb x y then x else y.
Definition greater (x y : ext) := if eleb x y then y else x.
Lemma lesser_le x y : ele (lesser x y) x /\ ele (lesser x y) y.
Proof. unfold lesser. destruct (eleb x y) eqn:E; [apply eleb_ok in E|apply eleb_not in E]; destruct x, y; simpl in *; lia || tauto. Qed.
Lemma greater_le x y : ele x (greater x y) /\ ele y (greater x y).
Proof. unfold greater. destruct (eleb x y) eqn:E; [apply eleb_ok in E|apply eleb_not in E]; destruct x, y; simpl in *; lia || tauto. Qed.
Lemma lesser_ge x y z : ele z x -> ele z y -> ele z (lesser x y).
Proof. unfold lesser. now destruct (eleb x y). Qed.
Lemma greater_ge x y z : ele x z -> ele y z -> ele (greater x y) z.
Proof. unfold greater. now destruct (eleb x y). Qed.

Definition eneg (x : ext) : ext := match x with Minus => Plus | Fin a => Fin (- a) | Plus => Minus end.
Definition eadd (x y : ext) : ext := match x, y with Fin a, Fin b => Fin (a + b) | Fin _, _ => y | _, _ => x end.
Definition sign (x : ext) : Z := match x with Minus => -1 | Fin a => Z.sgn a | Plus => 1 end.
Definition etimes (x y : ext) : ext :=
  match x, y with
  | Fin a, Fin b => Fin (a * b)
  | _, _ => match sign x * sign y with 0 => Fin 0 | Zpos _ => Plus | Zneg _ => Minus end
  end.
(* The quotient rounded down by y, which is at least 1. *)
Definition efloor (x y : ext) : ext :=
  match x, y with
  | Fin a, Fin b => Fin (a / b) | Fin a, _ => Fin (if 0 <=? a then 0 else -1) | _, _ => x
  end.

Lemma times_sign x y : ele x y -> forall k, (ele (Fin 0) k -> ele (etimes x k) (etimes y k)) /\ (ele k (Fin 0) -> ele (etimes y k) (etimes x k)).
Proof.
  assert (S : forall a, (a = 0 /\ Z.sgn a = 0) \/ (0 < a /\ Z.sgn a = 1) \/ (a < 0 /\ Z.sgn a = -1)).
  { intro a. destruct (Z.sgn_spec a) as [[? ?]|[[? ?]|[? ?]]]; auto. }
  intros H k. destruct x as [|a|], y as [|b|], k as [|c|]; simpl in H; try tauto; unfold etimes; cbn [sign];
    try (destruct (S a) as [[Sa Ta]|[[Sa Ta]|[Sa Ta]]]; rewrite ?Ta);
    try (destruct (S b) as [[Sb Tb]|[[Sb Tb]|[Sb Tb]]]; rewrite ?Tb);
    try (destruct (S c) as [[Sc Tc]|[[Sc Tc]|[Sc Tc]]]; rewrite ?Tc); simpl; split; intros; try tauto; try lia; nia.
Qed.
Lemma times_comm x y : etimes x y = etimes y x.
Proof.
  destruct x, y; unfold etimes; cbn [sign]; try reflexivity; f_equal; try lia; now rewrite Z.mul_comm.
Qed.

(* --- ranges ---------------------------------------------------------------------------------------------------- *)

Definition range := (ext * ext)%type.
Definition ANY : range := (Minus, Plus).
Definition lies (r : range) (x : Z) := ele (fst r) (Fin x) /\ ele (Fin x) (snd r).
Lemma lies_any x : lies ANY x.
Proof. split; exact I. Qed.
(* Ends that are further out than this are infinite, so that no number is too long. *)
Definition FAR : Z := Eval vm_compute in 2 ^ 1024.
Definition near (r : range) : range :=
  (if eleb (Fin (- FAR)) (fst r) then lesser (fst r) (Fin FAR) else Minus,
   if eleb (snd r) (Fin FAR) then greater (snd r) (Fin (- FAR)) else Plus).
Lemma near_ok r x : lies r x -> lies (near r) x.
Proof.
  intros [A B]. unfold near. split; cbn [fst snd].
  - destruct (eleb (Fin (- FAR)) (fst r)); [|exact I]. exact (ele_trans _ _ _ (proj1 (lesser_le _ _)) A).
  - destruct (eleb (snd r) (Fin FAR)); [|exact I]. exact (ele_trans _ _ _ B (proj1 (greater_le _ _))).
Qed.
Definition rneg (r : range) : range := (eneg (snd r), eneg (fst r)).
Definition radd (r s : range) : range := (eadd (fst r) (fst s), eadd (snd r) (snd s)).
Definition rtimes (r s : range) : range :=
  let x := etimes (fst r) (fst s) in let y := etimes (fst r) (snd s) in
  let z := etimes (snd r) (fst s) in let w := etimes (snd r) (snd s) in
  (lesser (lesser x y) (lesser z w), greater (greater x y) (greater z w)).
Definition rfloor (r s : range) : range :=
  (efloor (fst r) (if eleb (Fin 0) (fst r) then snd s else fst s), efloor (snd r) (if eleb (Fin 0) (snd r) then fst s else snd s)).
Lemma rneg_ok r x : lies r x -> lies (rneg r) (- x).
Proof. destruct r as [[] []]; unfold lies; simpl; lia || tauto. Qed.
Lemma rneg_back r x : lies r (- x) -> lies (rneg r) x.
Proof. intro H. rewrite <- (Z.opp_involutive x). now apply rneg_ok. Qed.
Lemma radd_ok r s x y : lies r x -> lies s y -> lies (radd r s) (x + y).
Proof. destruct r as [[] []], s as [[] []]; unfold lies; simpl; lia || tauto. Qed.
Lemma rtimes_ok r s x y : lies r x -> lies s y -> lies (rtimes r s) (x * y).
Proof.
  destruct r as [a b], s as [c d]. intros [A B] [C D]. cbn [fst snd] in *.
  assert (Q : forall k p q z, ele p (Fin z) -> ele (Fin z) q ->
    ele (lesser (etimes k p) (etimes k q)) (etimes k (Fin z)) /\ ele (etimes k (Fin z)) (greater (etimes k p) (etimes k q))).
  { intros k p q z P Z0. rewrite !(times_comm k). destruct (eleb (Fin 0) k) eqn:K.
    - apply eleb_ok in K. split.
      + exact (ele_trans _ _ _ (proj1 (lesser_le _ _)) (proj1 (times_sign _ _ P k) K)).
      + exact (ele_trans _ _ _ (proj1 (times_sign _ _ Z0 k) K) (proj2 (greater_le _ _))).
    - apply eleb_not in K. assert (K' : ele k (Fin 0)) by (destruct k; simpl in *; lia || tauto). split.
      + exact (ele_trans _ _ _ (proj2 (lesser_le _ _)) (proj2 (times_sign _ _ Z0 k) K')).
      + exact (ele_trans _ _ _ (proj2 (times_sign _ _ P k) K') (proj1 (greater_le _ _))). }
  destruct (Q (Fin y) a b x A B) as [L H]. rewrite !(times_comm (Fin y)) in L, H.
  destruct (Q a c d y C D) as [La Ha], (Q b c d y C D) as [Lb Hb]. change (Fin (x * y)) with (etimes (Fin x) (Fin y)).
  unfold rtimes. split; cbn [fst snd].
  - eapply ele_trans; [|exact L]. apply lesser_ge; [eapply ele_trans; [|exact La]|eapply ele_trans; [|exact Lb]]; apply lesser_le.
  - eapply ele_trans; [exact H|]. apply greater_ge; [eapply ele_trans; [exact Ha|]|eapply ele_trans; [exact Hb|]]; apply greater_le.
Qed.
Lemma div_below a x y d : a <= x -> 1 <= y -> 0 <= a -> y <= d -> a / d <= x / y.
Proof.
  intros. transitivity (a / y); [|apply Z.div_le_mono; lia]. apply Z.div_le_compat_l; lia.
Qed.
Lemma div_above a y c : a < 0 -> 1 <= c <= y -> a / c <= a / y.
Proof.
  intros H K. apply Z.div_le_lower_bound; [lia|]. pose proof (Z.div_mod a c ltac:(lia)). pose proof (Z.mod_pos_bound a c ltac:(lia)).
  assert (a / c < 0) by (apply Z.div_lt_upper_bound; lia). nia.
Qed.
Lemma rfloor_ok r s x y : lies r x -> lies s y -> ele (Fin 1) (fst s) -> lies (rfloor r s) (x / y).
Proof.
  destruct r as [a b], s as [c d]. intros [A B] [C D] K. unfold rfloor. cbn [fst snd] in *.
  assert (Y : 1 <= y) by (destruct c; simpl in *; lia || tauto). split; cbn [fst snd].
  - destruct (eleb (Fin 0) a) eqn:Z0; [apply eleb_ok in Z0|apply eleb_not in Z0]; destruct a as [|a|]; simpl in A, Z0; try tauto.
    + destruct d as [|d|]; simpl in D; try tauto; simpl; [now apply div_below|].
      destruct (Z.leb_spec 0 a); [|lia]. apply Z.div_pos; lia.
    + destruct c as [|c|]; simpl in C, K; try tauto. simpl.
      transitivity (a / y); [apply div_above; lia|apply Z.div_le_mono; lia].
  - destruct (eleb (Fin 0) b) eqn:Z0; [apply eleb_ok in Z0|apply eleb_not in Z0]; destruct b as [|b|]; simpl in B, Z0; try tauto.
    + destruct c as [|c|]; simpl in C, K; try tauto. simpl.
      transitivity (b / y); [apply Z.div_le_mono; lia|]. apply Z.div_le_compat_l; lia.
    + destruct d as [|d|]; simpl in D; try tauto; simpl.
      * transitivity (b / y); [apply Z.div_le_mono; lia|apply div_above; lia].
      * destruct (Z.leb_spec 0 b); [lia|]. assert (x / y < 0); [apply Z.div_lt_upper_bound; lia|lia].
Qed.
