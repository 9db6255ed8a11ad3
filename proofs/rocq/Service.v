(* How requests to memory are served, and what they cost. *)
Require Import ZArith List Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(* The numbers from 0 to n - 1. *)
Fixpoint upwards (n : nat) (x : Z) : list Z := match n with O => [] | S n => x :: upwards n (x + 1) end.
Lemma upwards_in n : forall x y, In y (upwards n x) <-> x <= y < x + Z.of_nat n.
Proof. induction n as [|n IH]; intros x y; simpl; [lia|]. rewrite IH. lia. Qed.
Lemma upwards_nodup n : forall x, NoDup (upwards n x).
Proof. induction n as [|n IH]; intro x; simpl; constructor; auto. rewrite upwards_in. lia. Qed.
Definition below (n : Z) : list Z := upwards (Z.to_nat n) 0.
Lemma below_in n x : In x (below n) <-> 0 <= x < n.
Proof. unfold below. rewrite upwards_in. lia. Qed.
Lemma below_nodup n : NoDup (below n).
Proof. apply upwards_nodup. Qed.

(* Memory is cut into units of so many bits, which lie in places round robin, and lanes are served in phases of so many.
   Lanes access `width` bits each, and address elements. *)
Record service := { element : Z; width : Z; unit_bits : Z; places : Z; together : Z; most : Z; least : Z; pairs : bool }.
(* Units cost as many as the most different ones of them in one place. *)
Definition cost (places : Z) (us : list Z) : Z :=
  fold_right Z.max 0 (map (fun u => Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod places =? u mod places) us)))) us).
(* The lanes of the phase of a lane, of all that there are. *)
Definition phase (together lanes n : Z) : list Z := filter (fun m => m / together =? n / together) (below lanes).
Definition phase_cost (q : service) (address : Z -> Z) (together lanes n : Z) : Z :=
  cost (places q) (map (fun m => element q * address m / unit_bits q) (phase together lanes n)).
(* The lanes n and n xor s go to one address. *)
Definition paired (address : Z -> Z) (lanes s : Z) :=
  forall n, 0 <= n < lanes -> Z.lxor n s < lanes -> address n = address (Z.lxor n s).
(* One request: each lane's access is aligned, each phase costs from `least` to `most`, and two neighbouring phases cost
   together no more, with `pairs`, where lanes go in pairs. *)
Definition served (q : service) (address : Z -> Z) (lanes : Z) : Prop := forall n, 0 <= n < lanes ->
  (element q * address n) mod width q = 0 /\
  least q <= phase_cost q address (together q) lanes n <= most q /\
  (pairs q = true -> paired address lanes 1 \/ paired address lanes 2 ->
   phase_cost q address (2 * together q) lanes n <= most q).

Definition goes_in_pairs (address : Z -> Z) (lanes s : Z) : bool :=
  forallb (fun n => (lanes <=? Z.lxor n s) || (address n =? address (Z.lxor n s))) (below lanes).
Definition serves (q : service) (address : Z -> Z) (lanes : Z) : bool :=
  let doubled := pairs q && (goes_in_pairs address lanes 1 || goes_in_pairs address lanes 2) in
  forallb (fun n => ((element q * address n) mod width q =? 0) &&
    (let c := phase_cost q address (together q) lanes n in (least q <=? c) && (c <=? most q)) &&
    (negb doubled || (phase_cost q address (2 * together q) lanes n <=? most q))) (below lanes).
Lemma goes_in_pairs_ok a lanes s : goes_in_pairs a lanes s = true <-> paired a lanes s.
Proof.
  unfold goes_in_pairs, paired. rewrite forallb_forall. setoid_rewrite below_in. setoid_rewrite orb_true_iff.
  setoid_rewrite Z.leb_le. setoid_rewrite Z.eqb_eq. split; intros H n N; specialize (H n N); [intro L; destruct H; [lia|auto]|].
  destruct (Z.le_gt_cases lanes (Z.lxor n s)); auto.
Qed.
Theorem serves_ok q a lanes : serves q a lanes = true <-> served q a lanes.
Proof.
  unfold serves, served. cbv zeta. rewrite forallb_forall. setoid_rewrite below_in. setoid_rewrite andb_true_iff.
  setoid_rewrite andb_true_iff. setoid_rewrite andb_true_iff. setoid_rewrite Z.eqb_eq. setoid_rewrite orb_true_iff.
  setoid_rewrite Z.leb_le. setoid_rewrite negb_true_iff.
  assert (P : forall X, (pairs q && (goes_in_pairs a lanes 1 || goes_in_pairs a lanes 2) = false \/ X) <->
    (pairs q = true -> paired a lanes 1 \/ paired a lanes 2 -> X)).
  { intro X. rewrite <- !goes_in_pairs_ok. destruct (pairs q), (goes_in_pairs a lanes 1), (goes_in_pairs a lanes 2); simpl;
      intuition congruence. }
  split; intros H n N; specialize (H n N).
  - destruct H as [[A B] C]. split; [exact A|]. split; [exact B|]. now apply P.
  - destruct H as (A & B & C). split; [split; [exact A|exact B]|]. now apply P.
Qed.
