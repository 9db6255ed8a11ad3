(* The lemmas about layouts: what each asks for, of a primitive claim and hints, and that this is enough. *)
Require Import String ZArith Znumtheory List Bool Lia Permutation.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Claims Evaluation.
Import ListNotations.
Open Scope Z_scope.

(* --- hints -------------------------------------------------------------------------------------------- *)

Definition object := list (positive * data).
Definition terms_at (k : positive) (n : nat) (o : object) : option (list term) :=
  do d <- key k o; do l <- every term_of d; guard (Nat.eqb (length l) n) (Some l).
Definition term_at (k : positive) (o : object) : option term := do d <- key k o; term_of d.
Fixpoint different (l : list nat) : bool :=
  match l with [] => true | x :: l => negb (existsb (Nat.eqb x) l) && different l end.
Definition indices (k : positive) (n : nat) (o : object) : option (list nat) :=
  do d <- key k o; do l <- every (index n) d; guard (different l) (Some l).
Definition sign_of (d : data) : option Z :=
  match d with DInt z => guard ((z =? 1) || (z =? -1)) (Some z) | _ => None end.
Definition signs_at (k : positive) (n : nat) (o : object) : option (list Z) :=
  do d <- key k o; do l <- every sign_of d; guard (Nat.eqb (length l) n) (Some l).

Lemma signs_at_ok k n o l : signs_at k n o = Some l -> length l = n /\ Forall (fun g => g = 1 \/ g = -1) l.
Proof.
  unfold signs_at. intro H. apply some_in in H as (d & _ & H). apply some_in in H as (m & E & H).
  apply guard_some in H as [L H]. injection H as <-. apply Nat.eqb_eq in L. split; auto.
  unfold every in E. destruct d; try discriminate. eapply all_forall; [|exact E].
  intros x y F. destruct x; try discriminate. apply guard_some in F as [F G]. injection G as <-.
  apply orb_true_iff in F as [F|F]; apply Z.eqb_eq in F; auto.
Qed.
Lemma different_ok l : different l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; simpl; intro H; constructor; apply andb_true_iff in H as [A B]; auto.
  intro I. apply negb_true_iff in A. assert (E : existsb (Nat.eqb x) l = true); [|congruence].
  apply existsb_exists. exists x. split; auto. apply Nat.eqb_refl.
Qed.
Lemma indices_ok k n o l : indices k n o = Some l -> NoDup l /\ Forall (fun i => (i < n)%nat) l.
Proof.
  unfold indices. intro H. apply some_in in H as (d & _ & H). apply some_in in H as (m & E & H).
  apply guard_some in H as [L H]. injection H as <-. split; [now apply different_ok|].
  unfold every in E. destruct d; try discriminate. eapply all_forall; [|exact E].
  intros x y F. destruct x; try discriminate. unfold index in F. destruct (_ && _) eqn:B; [|discriminate].
  injection F as <-. apply andb_true_iff in B as [A B]. apply Z.leb_le in A. apply Z.ltb_lt in B. lia.
Qed.
Definition pick {A} (d : A) (l : list A) (order : list nat) := map (fun k => nth k l d) order.
Lemma pick_perm {A} (d : A) l order : NoDup order -> Forall (fun i => (i < length l)%nat) order ->
  (length l <= length order)%nat -> Permutation (pick d l order) l.
Proof.
  intros N F L. assert (P : Permutation order (seq 0 (length l))).
  { apply NoDup_Permutation_bis; [exact N|rewrite seq_length; lia|].
    intros k K. rewrite Forall_forall in F. apply in_seq. apply F in K. lia. }
  unfold pick. rewrite P.
  assert (E : map (fun k => nth k l d) (seq 0 (length l)) = l); [|now rewrite E].
  clear. induction l as [|a l IH]; simpl; auto. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

(* --- chain, and the ends of an image -------------------------------------------------------------------- *)

Definition signed_mode := (Z * (term * term))%type.
Definition sg (e : env) (g : signed_mode) : signed := (fst g, (tv e (fst (snd g)), tv e (snd (snd g)))).
Definition by_sign (signs : list Z) (m : modes) : list signed_mode := combine signs m.
Lemma by_sign_lay e signs : forall m, length signs = length m -> map snd (map (sg e) (by_sign signs m)) = lay e m.
Proof.
  induction signs as [|g l IH]; intros [|m L] H; simpl in *; try discriminate; auto.
  f_equal. apply IH. lia.
Qed.
Lemma by_sign_ok e signs : forall m, Forall (fun g => g = 1 \/ g = -1) signs -> Forall sign_ok (map (sg e) (by_sign signs m)).
Proof.
  induction signs as [|g l IH]; intros [|m L] H; simpl; constructor; inversion H; subst; auto.
Qed.
Definition less (s : term) : term := sub s (Int 1).
Fixpoint chain_asks (R : term) (W : list signed_mode) : list form :=
  match W with
  | [] => []
  | (g, (s, d)) :: W => let d := mul d (Int g) in
    le (Int 0) (mul (less s) (sub (sub d (Int 1)) R)) :: chain_asks (add R (mul (less s) d)) W
  end.
Lemma chain_asks_ok e W : forall R, so e (chain_asks R W) -> chain_ok (tv e R) (map (sg e) W).
Proof.
  induction W as [|[g [s d]] W IH]; intros R H; simpl; auto. apply so_cons in H as [A H].
  simpl in A. apply Z.leb_le in A. split; [cbn [fst snd sg]; nia|].
  apply IH in H. simpl in H. unfold span. simpl.
  replace (g * tv e d) with (tv e d * g) by ring. exact H.
Qed.
Definition zero_mode : signed_mode := (1, (Int 1, Int 0)).
Theorem chain_holds e L order signs : so e (chain_asks (Int 0) (pick zero_mode (by_sign signs L) order)) ->
  length signs = length L -> Forall (fun g => g = 1 \/ g = -1) signs -> NoDup order ->
  Forall (fun i => (i < length L)%nat) order -> (length L <= length order)%nat -> injective (lay e L).
Proof.
  intros F N S D I O. apply chain_asks_ok in F. simpl in F. set (W := by_sign signs L) in *.
  assert (E : length W = length L).
  { transitivity (length (combine signs L)); [reflexivity|]. rewrite combine_length. lia. }
  assert (Q : Permutation (pick zero_mode W order) W) by (apply pick_perm; rewrite ?E; auto).
  apply (chain _ (map (sg e) (pick zero_mode W order))); auto.
  - rewrite <- (by_sign_lay e signs L N). apply Permutation_map, Permutation_map, Q.
  - eapply Permutation_Forall; [apply Permutation_map, Permutation_sym, Q|]. now apply by_sign_ok.
Qed.

Definition reach_of (m : term * term) : term := mul (less (fst m)) (snd m).
Definition low_of (W : list signed_mode) := sum (map (fun g => reach_of (snd g)) (filter (fun g => fst g <? 0) W)).
Definition high_of (W : list signed_mode) := sum (map (fun g => reach_of (snd g)) (filter (fun g => negb (fst g <? 0)) W)).
Definition sign_asks (W : list signed_mode) : list form :=
  map (fun g => le (Int 0) (mul (reach_of (snd g)) (Int (fst g)))) W.
Lemma sum_from e l : forall x, tv e (fold_left add l x) = tv e x + fold_right (fun t n => tv e t + n) 0 l.
Proof. induction l as [|t l IH]; intro x; simpl; [lia|]. rewrite IH. simpl. lia. Qed.
Lemma sum_ok e l : tv e (sum l) = fold_right (fun t n => tv e t + n) 0 l.
Proof. unfold sum. rewrite sum_from. simpl. lia. Qed.
Lemma low_ok e W : tv e (low_of W) = low (map (sg e) W).
Proof.
  unfold low_of. rewrite sum_ok. induction W as [|[g [s d]] W IH]; simpl; auto.
  destruct (g <? 0); simpl; rewrite <- IH; simpl; lia.
Qed.
Lemma high_ok e W : tv e (high_of W) = high (map (sg e) W).
Proof.
  unfold high_of. rewrite sum_ok. induction W as [|[g [s d]] W IH]; simpl; auto.
  destruct (g <? 0); simpl; rewrite <- IH; simpl; lia.
Qed.
Theorem ends_hold e m signs : so e (sign_asks (by_sign signs m)) -> length signs = length m ->
  Forall (fun g => g = 1 \/ g = -1) signs -> forall c, valid (lay e m) c ->
  tv e (low_of (by_sign signs m)) <= offset c (lay e m) <= tv e (high_of (by_sign signs m)).
Proof.
  intros F L S c V. rewrite low_ok, high_ok, <- (by_sign_lay e signs m L). apply ends.
  - now apply by_sign_ok.
  - clear V L. unfold so, sign_asks in F. rewrite Forall_map in F. apply Forall_map.
    eapply Forall_impl; [|exact F]. intros [g [s d]] H. simpl in H. apply Z.leb_le in H. unfold span. simpl. lia.
  - now rewrite by_sign_lay.
Qed.

(* --- cover ------------------------------------------------------------------------------------------------ *)

Definition no_mode : term * term := (Int 1, Int 0).
Fixpoint cover_asks (R : term) (m : modes) (b : term) : list form :=
  match m with
  | [] => [le b (add R (Int 1))]
  | (s, d) :: m => le (Int 0) d :: le d (add R (Int 1)) :: cover_asks (add R (mul (less s) d)) m b
  end.
Definition pos (L : layout) := Forall (fun m => 1 <= fst m) L.
Lemma cover_asks_ok e m b : forall R, pos (lay e m) -> so e (cover_asks R m b) -> cover_ok (tv e R) (lay e m) (tv e b).
Proof.
  induction m as [|[s d] m IH]; intros R P H; simpl in *.
  - apply so_cons in H as [H _]. simpl in H. apply Z.leb_le in H. lia.
  - inversion P; subst. apply so_cons in H as [A H]. apply so_cons in H as [B H]. simpl in *.
    apply Z.leb_le in A, B. repeat split; auto; try lia. apply IH in H; auto.
Qed.
(* Other modes stay at 0, and the order does not matter. *)
Lemma covers_some L K b rest : Permutation (K ++ rest) L -> pos rest -> covers K b -> covers L b.
Proof.
  intros P Q C y Y. destruct (C y Y) as (c & V & E). clear C Y.
  assert (X : exists c, valid (K ++ rest) c /\ offset c (K ++ rest) = y).
  { exists (c ++ map (fun _ => 0) rest). split.
    - apply Forall2_app; auto. clear - Q. induction Q; simpl; constructor; auto. lia.
    - clear - V E. revert y E. induction V as [|x [s d] c K H V IH]; simpl; intros y E.
      + subst. clear. induction rest as [|[s d] r IH]; simpl; lia.
      + rewrite (IH _ eq_refl). exact E. }
  clear V E c. destruct X as (c & V & E). revert y c V E.
  induction P as [|m L L' P IH|m n L|L M N P IH P' IH']; intros y c V E.
  - exists c; auto.
  - inversion V; subst. destruct (IH _ _ ltac:(eassumption) eq_refl) as (c' & A & B). exists (x :: c').
    split; [constructor; auto|]. destruct m; simpl in *; lia.
  - inversion V as [|x ? c1 ? X V1]; subst. inversion V1 as [|z ? c2 ? Y V2]; subst.
    exists (z :: x :: c2). split; [repeat constructor; auto; tauto|]. destruct m, n; simpl; lia.
  - destruct (IH _ _ V E) as (c1 & A & B). eapply IH'; eauto.
Qed.
Definition others (n : nat) (order : list nat) : list nat := filter (fun k => negb (existsb (Nat.eqb k) order)) (seq 0 n).
Lemma with_others {A} (d : A) l order : NoDup order -> Forall (fun i => (i < length l)%nat) order ->
  Permutation (pick d l order ++ pick d l (others (length l) order)) l.
Proof.
  intros N F. unfold pick. rewrite <- map_app. apply (pick_perm d l (order ++ others (length l) order)).
  - apply nodup_apart; auto; [apply filter_nodup, seq_NoDup|]. intros x X Y. apply filter_In in Y as [_ Y].
    apply negb_true_iff in Y. assert (existsb (Nat.eqb x) order = true); [|congruence].
    apply existsb_exists. exists x. split; auto. apply Nat.eqb_refl.
  - apply Forall_app. split; auto. apply Forall_forall. intros x X. apply filter_In in X as [X _].
    apply in_seq in X. lia.
  - rewrite app_length. apply Nat.le_trans with (length (seq 0 (length l))); [now rewrite seq_length|].
    rewrite <- app_length. apply NoDup_incl_length; [apply seq_NoDup|]. intros x X. apply in_app_iff.
    destruct (existsb (Nat.eqb x) order) eqn:E.
    + left. apply existsb_exists in E as (y & Y & E). apply Nat.eqb_eq in E. now subst.
    + right. apply filter_In. split; auto. now rewrite E.
Qed.
Lemma lay_pick e m l : lay e (pick no_mode m l) = pick (1, 0) (lay e m) l.
Proof.
  unfold lay, pick. rewrite map_map. apply map_ext. intro k.
  symmetry. apply (map_nth (fun x : term * term => (tv e (fst x), tv e (snd x))) m no_mode k).
Qed.
Lemma pos_pick L l : pos L -> pos (pick (1, 0) L l).
Proof.
  intro P. unfold pos, pick. apply Forall_map, Forall_forall. intros k _.
  destruct (nth_in_or_default k L (1, 0)) as [I|E].
  - unfold pos in P. rewrite Forall_forall in P. auto.
  - match goal with |- 1 <= fst ?x => replace x with (1, 0) by (symmetry; exact E) end. simpl. lia.
Qed.
Theorem cover_holds e m b order : pos (lay e m) -> NoDup order -> Forall (fun i => (i < length m)%nat) order ->
  so e (cover_asks (Int 0) (pick no_mode m order) b) -> covers (lay e m) (tv e b).
Proof.
  intros P N F H.
  apply (covers_some _ (pick (1, 0) (lay e m) order) _ (pick (1, 0) (lay e m) (others (length m) order))).
  - replace (length m) with (length (lay e m)) by apply map_length. apply with_others; auto.
    unfold lay. now rewrite map_length.
  - now apply pos_pick.
  - apply (cover_asks_ok e) in H; [|rewrite lay_pick; now apply pos_pick]. rewrite lay_pick in H.
    now apply cover.
Qed.
