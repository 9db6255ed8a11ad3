(* The lemmas that take modes apart by a modulus, or join them to one. *)
Require Import String ZArith Znumtheory List Bool Lia Permutation.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation.
Import ListNotations.
Open Scope Z_scope.

(* --- mod: modulo g only the outer modes are seen, times u, and their sum is below g in size ----------------- *)

Definition with_strides (L : modes) (new : list term) : modes := combine (map fst L) new.
Fixpoint strides_asks (g u : term) (bs : list bool) (L : modes) (new : list term) : list form :=
  match bs, L, new with
  | b :: bs, (_, d) :: L, r :: new =>
    (if b : bool then eq d (mul g r) else divides g (sub (mul u d) r)) :: strides_asks g u bs L new
  | _, _, _ => []
  end.
Lemma strides_ok e g u : forall bs L new T, length bs = length L -> length new = length L ->
  map snd T = lay e L -> Forall small T -> so e (strides_asks g u bs L new) ->
  exists O I k, map snd O = lay e (marked false bs (with_strides L new)) /\ map snd I = lay e (marked true bs (with_strides L new)) /\
    Forall small O /\ Forall small I /\ tv e u * dsum T = dsum O + tv e g * k /\
    (Forall still O -> dsum T = tv e g * dsum I /\ (Forall still I -> Forall still T)).
Proof.
  induction bs as [|b bs IH]; intros [|[s d] L] [|r new] [|[z [s' d']] T] N N' E S F; simpl in N, N', E; try discriminate.
  - exists [], [], 0. simpl. repeat split; auto; try constructor; lia.
  - injection E as E1 E2 E. subst. inversion S as [|? ? S1 S2]; subst. cbn [strides_asks] in F. apply so_cons in F as [F1 F].
    destruct (IH L new T ltac:(lia) ltac:(lia) E S2 F) as (O & I & k & A & B & C & D & G & H).
    unfold small in S1. simpl in S1. unfold marked, with_strides in *. destruct b; simpl.
    + apply eq_ok in F1. simpl in F1. exists O, ((z, (tv e s, tv e r)) :: I), (tv e u * z * tv e r + k). simpl.
      rewrite B. split; [exact A|]. split; [reflexivity|]. split; [exact C|]. split; [constructor; auto|].
      split; [rewrite F1, Z.mul_add_distr_l, G; ring|]. intro Q. destruct (H Q) as [H1 H2].
      split; [rewrite F1, H1; ring|]. intro R. inversion R; subst. constructor; auto.
    + apply divides_ok in F1 as [_ [q F1]]. simpl in F1. exists ((z, (tv e s, tv e r)) :: O), I, (z * q + k). simpl.
      rewrite A. split; [reflexivity|]. split; [exact B|]. split; [constructor; auto|]. split; [exact D|].
      split; [|intro Q; inversion Q as [|? ? H1 H2]; subst; unfold still in H1; simpl in H1; destruct (H H2) as [H3 H4];
        split; [rewrite H1, H3; ring|intro R; constructor; auto]].
      rewrite Z.mul_add_distr_l, G. replace (tv e u * (z * tv e d)) with (z * (q * tv e g + tv e r)); [ring|].
      rewrite <- F1. ring.
Qed.
(* A combination of differences is no larger than the ends of the image are apart. *)
Lemma between_ends W : Forall sign_ok W -> Forall (fun g => 0 <= span g) W -> forall T, map snd T = map snd W ->
  Forall small T -> Z.abs (dsum T) <= high W - low W.
Proof.
  induction W as [|[g [s d]] W IH]; intros G H [|[z [s' d']] T] E S; try discriminate.
  injection E as E1 E2 E. subst. apply Forall_cons_iff in G as [G1 G2], H as [H1 H2], S as [S1 S2].
  specialize (IH G2 H2 T E S2). unfold sign_ok, span, small in *. simpl in *.
  assert (X : Z.abs (z * d) <= (s - 1) * (g * d)).
  { rewrite Z.abs_mul. destruct (Z.eq_dec s 1) as [->|Q]; [replace z with 0 by lia; lia|].
    assert (0 <= g * d) by nia. replace (Z.abs d) with (g * d) by lia. nia. }
  destruct G1 as [-> | ->]; simpl; lia.
Qed.
Definition mod_outer (inner : list nat) (L : modes) (new : list term) : modes :=
  marked false (marks inner (length L)) (with_strides L new).
Definition mod_inner (inner : list nat) (L : modes) (new : list term) : modes :=
  marked true (marks inner (length L)) (with_strides L new).
Definition mod_asks (g u : term) (inner : list nat) (L : modes) (new : list term) (signs : list Z) : list form :=
  let W := by_sign signs (mod_outer inner L new) in
  le (Int 1) g :: strides_asks g u (marks inner (length L)) L new ++ sign_asks W
  ++ [le (sub (high_of W) (low_of W)) (sub g (Int 1))].
Theorem mod_holds e g u inner L new signs : length new = length L -> length signs = length (mod_outer inner L new) ->
  Forall (fun g => g = 1 \/ g = -1) signs -> so e (mod_asks g u inner L new signs) ->
  injective (lay e (mod_outer inner L new)) -> injective (lay e (mod_inner inner L new)) -> injective (lay e L).
Proof.
  unfold mod_asks. cbv zeta. intros N M S F J K. apply sep_injective. apply injective_sep in J, K. intros T E D Z0.
  apply so_cons in F as [F0 F]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F3]. apply so_cons in F3 as [F3 _].
  apply le_ok in F0, F3. simpl in F0, F3. rewrite high_ok, low_ok in F3.
  destruct (strides_ok e g u (marks inner (length L)) L new T) as (O & I & k & A & B & SO & SI & G & H); auto.
  { unfold marks. now rewrite map_length, seq_length. }
  assert (Q : Z.abs (dsum O) <= tv e g - 1).
  { eapply Z.le_trans; [|exact F3]. apply between_ends; auto; [now apply by_sign_ok| |].
    - unfold so, sign_asks in F2. rewrite Forall_map in F2. apply Forall_map.
      eapply Forall_impl; [|exact F2]. intros [x [s d]] X. apply le_ok in X. unfold span. simpl in *. lia.
    - now rewrite by_sign_lay. }
  assert (O0 : dsum O = 0).
  { rewrite Z0 in G. destruct (Z.eq_dec k 0) as [->|X]; [lia|]. exfalso.
    assert (tv e g <= Z.abs (dsum O)); [|lia]. replace (dsum O) with (- (tv e g * k)) by lia. rewrite Z.abs_opp, Z.abs_mul. nia. }
  destruct (H (J O A SO O0)) as [H1 H2]. apply H2, K; auto. nia.
Qed.

(* --- merge: the modes t, b, ... are the digits of one index, which the guard compares with its bound ------- *)

(* Sums over numbers of modes, in any order. *)
Definition over (f : nat -> Z) (l : list nat) : Z := fold_right (fun k n => f k + n) 0 l.
Lemma over_perm f l m : Permutation l m -> over f l = over f m.
Proof. induction 1; simpl in *; lia. Qed.
Lemma over_app f l m : over f (l ++ m) = over f l + over f m.
Proof. unfold over. induction l; simpl in *; lia. Qed.
Lemma over_ext f h l : (forall k, In k l -> f k = h k) -> over f l = over h l.
Proof. induction l as [|k l IH]; simpl; intro H; auto. rewrite H by auto. rewrite IH; auto. Qed.
Lemma over_one f x t l : NoDup l -> In t l -> over (fun k => if Nat.eqb k t then x else f k) l = over f l - f t + x.
Proof.
  induction 1 as [|k l N D IH]; simpl; [tauto|]. intros [-> | I].
  - rewrite Nat.eqb_refl. rewrite (over_ext _ f l); [lia|]. intros j J. destruct (Nat.eqb_spec j t); auto. now subst.
  - destruct (Nat.eqb_spec k t); [now subst|]. rewrite IH by auto. lia.
Qed.
Lemma offset_over L : forall c, length c = length L ->
  offset c L = over (fun k => nth k c 0 * snd (nth k L (1, 0))) (seq 0 (length L)).
Proof.
  induction L as [|[s d] L IH]; intros [|x c] N; simpl in N; try discriminate; auto.
  cbn [length seq over fold_right nth snd offset]. rewrite <- seq_shift. rewrite IH by lia. f_equal. clear IH.
  unfold over. induction (seq 0 (length L)) as [|k l IHl]; simpl; auto. f_equal. exact IHl.
Qed.
Lemma offset_map cf lf l : offset (map cf l) (map lf l) = over (fun k => cf k * snd (lf k : mode)) l.
Proof. induction l as [|k l IH]; simpl; auto. destruct (lf k) as [s d]. simpl. now rewrite IH. Qed.
Lemma valid_length L c : valid L c -> length c = length L.
Proof. induction 1; simpl; auto. Qed.
Lemma valid_nth L c : valid L c -> forall k, (k < length L)%nat -> 0 <= nth k c 0 < fst (nth k L (1, 0)).
Proof.
  induction 1 as [|x m c L H V IH]; simpl; intros k K; [lia|]. destruct k as [|k]; auto. apply IH. lia.
Qed.
(* How far each digit moves the index. *)
Fixpoint weigh (c ext : nat -> Z) (scale : Z) (bs : list nat) : Z :=
  match bs with [] => 0 | b :: bs => c b * scale + weigh c ext (scale * ext b) bs end.
Lemma weigh_low c ext bs : (forall b, In b bs -> 0 <= c b < ext b) -> forall scale, 0 <= scale -> 0 <= weigh c ext scale bs.
Proof.
  induction bs as [|b bs IH]; simpl; intros H scale S; [lia|]. assert (B := H b (or_introl eq_refl)).
  specialize (IH (fun b I => H b (or_intror I)) (scale * ext b) ltac:(nia)). nia.
Qed.
Lemma weigh_same c c' ext bs : (forall b, In b bs -> 0 <= c b < ext b) -> (forall b, In b bs -> 0 <= c' b < ext b) ->
  forall scale x y, 0 <= x < scale -> 0 <= y < scale -> x + weigh c ext scale bs = y + weigh c' ext scale bs ->
  x = y /\ forall b, In b bs -> c b = c' b.
Proof.
  induction bs as [|b bs IH]; simpl; intros H H' scale x y X Y E; [split; [lia|tauto]|].
  assert (B := H b (or_introl eq_refl)). assert (B' := H' b (or_introl eq_refl)).
  destruct (IH (fun b I => H b (or_intror I)) (fun b I => H' b (or_intror I)) (scale * ext b) (x + c b * scale) (y + c' b * scale))
    as [P Q]; [nia|nia|lia|].
  assert (c b = c' b) by nia. split; [nia|]. intros k [<- | I]; auto.
Qed.
Fixpoint strided (ext h : nat -> Z) (top scale : Z) (bs : list nat) : Prop :=
  match bs with [] => True | b :: bs => h b = scale * top /\ strided ext h top (scale * ext b) bs end.
Lemma over_strided c ext h top bs : forall scale, strided ext h top scale bs ->
  over (fun k => c k * h k) bs = weigh c ext scale bs * top.
Proof.
  induction bs as [|b bs IH]; intros scale H; auto. destruct H as [B H]. apply IH in H.
  cbn [weigh]. change (c b * h b + over (fun k => c k * h k) bs = (c b * scale + weigh c ext (scale * ext b) bs) * top).
  rewrite H, B. ring.
Qed.
Lemma split_numbers n bs : NoDup bs -> Forall (fun i => (i < n)%nat) bs -> Permutation (seq 0 n) (bs ++ others n bs).
Proof.
  intros N F. pose proof (with_others 0%nat (seq 0 n) bs N) as P. rewrite seq_length in P. specialize (P F). symmetry.
  assert (E : forall l, Forall (fun i => (i < n)%nat) l -> pick 0%nat (seq 0 n) l = l).
  { induction 1 as [|k l H D IH]; simpl; auto. rewrite seq_nth by auto. now f_equal. }
  rewrite !E in P; auto. apply Forall_forall. intros x X. apply filter_In in X as [X _]. apply in_seq in X. lia.
Qed.
Section Merge.
  Variables (L : layout) (t : nat) (bs : list nat) (M : Z).
  Let n := length L.
  Hypotheses (N : NoDup (t :: bs)) (B : Forall (fun i => (i < n)%nat) (t :: bs)).
  Definition ext (k : nat) : Z := fst (nth k L (1, 0)).
  Definition stride (h : layout) (k : nat) : Z := snd (nth k h (1, 0)).
  (* The index, and the coordinate that has it in the place of its first digit. *)
  Definition index_of (c : list Z) : Z := nth t c 0 + weigh (fun b => nth b c 0) ext (ext t) bs.
  Definition joined_at (c : list Z) : list Z := map (fun k => if Nat.eqb k t then index_of c else nth k c 0) (others n bs).
  Definition joined_modes (h : layout) : layout :=
    map (fun k => if Nat.eqb k t then (M, stride h k) else nth k h (1, 0)) (others n bs).
  Lemma rest_of : NoDup (others n bs) /\ In t (others n bs) /\ Permutation (seq 0 n) (bs ++ others n bs).
  Proof.
    inversion N as [|? ? N1 N2]; inversion B as [|? ? B1 B2]; subst. split; [apply filter_nodup, seq_NoDup|].
    split; [|now apply split_numbers]. apply filter_In. split; [apply in_seq; unfold n in *; lia|].
    apply negb_true_iff. destruct (existsb _ bs) eqn:E; auto. apply existsb_exists in E as (x & X & E).
    apply Nat.eqb_eq in E. now subst.
  Qed.
  Lemma joined_offset h c : length h = n -> length c = n -> strided ext (stride h) (stride h t) (ext t) bs ->
    offset (joined_at c) (joined_modes h) = offset c h.
  Proof.
    intros H C S. destruct rest_of as (D & I & P). rewrite (offset_over h c) by lia. rewrite H, (over_perm _ _ _ P), over_app.
    unfold joined_at, joined_modes. rewrite offset_map.
    change (fun k => nth k c 0 * snd (nth k h (1, 0))) with (fun k => nth k c 0 * stride h k).
    rewrite (over_strided (fun k => nth k c 0) ext _ _ _ _ S).
    rewrite (over_ext _ (fun k => if Nat.eqb k t then index_of c * stride h t else nth k c 0 * stride h k)).
    - rewrite (over_one (fun k => nth k c 0 * stride h k)) by auto. unfold index_of, stride. ring.
    - intros k _. unfold stride. destruct (Nat.eqb_spec k t); subst; simpl; auto.
  Qed.
  Lemma guard_is_index g c : length g = n -> valid L c -> stride g t = 1 -> strided ext (stride g) 1 (ext t) bs ->
    (forall k, In k (others n (t :: bs)) -> 0 = (ext k - 1) * stride g k) -> offset c g = index_of c.
  Proof.
    intros G V T S O. destruct rest_of as (D & I & P). assert (C : length c = n) by (apply valid_length in V; auto).
    rewrite offset_over by lia. rewrite G, (over_perm _ _ _ P), over_app.
    change (fun k => nth k c 0 * snd (nth k g (1, 0))) with (fun k => nth k c 0 * stride g k).
    rewrite (over_strided (fun k => nth k c 0) ext _ _ _ _ S). unfold index_of.
    rewrite (over_ext _ (fun k => if Nat.eqb k t then nth t c 0 else 0) (others n bs)).
    - rewrite (over_one (fun _ => 0)) by auto. assert (Z0 : over (fun _ => 0) (others n bs) = 0); [|rewrite Z0; ring].
      clear. induction (others n bs); simpl; auto.
    - intros k K. destruct (Nat.eqb_spec k t) as [->|Q]; [rewrite T; ring|].
      assert (X : In k (others n (t :: bs))).
      { apply filter_In in K as [K1 K2]. apply filter_In. split; auto. simpl. now apply Nat.eqb_neq in Q as ->. }
      apply O in X. apply filter_In in K as [K _]. apply in_seq in K.
      pose proof (valid_nth L c V k ltac:(unfold n in K; lia)) as Y. unfold ext in X.
      destruct (Z.eq_dec (fst (nth k L (1, 0))) 1) as [E|E]; [rewrite E in Y; replace (nth k c 0) with 0 by lia; ring|].
      assert (Z0 : stride g k = 0) by nia. rewrite Z0. ring.
  Qed.
  Lemma joined_valid c : valid L c -> index_of c < M -> valid (joined_modes L) (joined_at c).
  Proof.
    intros V I. unfold joined_modes, joined_at, valid. rewrite Forall_forall in B.
    assert (X : forall l, (forall k, In k l -> (k < n)%nat) -> Forall2 (fun x (m : mode) => 0 <= x < fst m)
      (map (fun k => if Nat.eqb k t then index_of c else nth k c 0) l)
      (map (fun k => if Nat.eqb k t then (M, stride L k) else nth k L (1, 0)) l)).
    { induction l as [|k l IH]; simpl; intro H; constructor; [|apply IH; intros; apply H; now right].
      destruct (Nat.eqb k t); [|apply valid_nth; auto; apply H; now left].
      simpl. split; auto. unfold index_of. pose proof (valid_nth L c V t (B t (or_introl eq_refl))) as T.
      assert (0 <= weigh (fun b => nth b c 0) ext (ext t) bs); [|lia]. apply weigh_low; [|unfold ext; lia].
      intros b Q. apply valid_nth; auto. apply B. now right. }
    apply X. intros k K. apply filter_In in K as [K _]. apply in_seq in K. lia.
  Qed.
  Lemma joined_same c c' : valid L c -> valid L c' -> joined_at c = joined_at c' -> c = c'.
  Proof.
    intros V V' E. destruct rest_of as (_ & I & P). rewrite Forall_forall in B.
    assert (S : forall k, In k (others n bs) -> (if Nat.eqb k t then index_of c else nth k c 0) = (if Nat.eqb k t then index_of c' else nth k c' 0)).
    { unfold joined_at in E. clear I P. induction (others n bs) as [|j l IH]; simpl in *; [tauto|].
      injection E as E1 E. intros k [<- | K]; auto. }
    assert (R : forall b, In b bs -> 0 <= nth b c 0 < ext b /\ 0 <= nth b c' 0 < ext b).
    { intros b Q. split; apply valid_nth; auto; apply B; now right. }
    pose proof (S t I) as T. rewrite Nat.eqb_refl in T. unfold index_of in T.
    destruct (weigh_same (fun b => nth b c 0) (fun b => nth b c' 0) ext bs (fun b Q => proj1 (R b Q)) (fun b Q => proj2 (R b Q))
      (ext t) (nth t c 0) (nth t c' 0)) as [T1 T2]; auto; try (apply valid_nth; auto; apply B; now left).
    apply (nth_ext _ _ 0 0); [apply valid_length in V, V'; congruence|]. intros k K.
    assert (Q : In k (bs ++ others n bs)).
    { rewrite <- P. apply in_seq. apply valid_length in V. unfold n. lia. }
    apply in_app_iff in Q as [Q|Q]; auto. specialize (S k Q). destruct (Nat.eqb_spec k t); subst; auto.
  Qed.
End Merge.

Fixpoint over_digits (ask : nat -> term -> list form) (L : modes) (scale : term) (bs : list nat) : list form :=
  match bs with [] => [] | b :: bs => ask b scale ++ over_digits ask L (mul scale (fst (nth b L no_mode))) bs end.
Definition stride_of (h : modes) (k : nat) : term := snd (nth k h no_mode).
Definition extent_of (h : modes) (k : nat) : term := fst (nth k h no_mode).
(* The modes t and bs as one of extent M. *)
Definition merged (n t : nat) (bs : list nat) (M : term) (h : modes) : modes :=
  map (fun k => if Nat.eqb k t then (M, stride_of h k) else nth k h no_mode) (others n bs).
Definition merge_asks (t : nat) (bs : list nat) (L g : modes) (G : list (modes * term)) : list form :=
  eq (stride_of g t) (Int 1) ::
  over_digits (fun b x => [eq (stride_of L b) (mul x (stride_of L t)); eq (stride_of g b) x]) L (extent_of L t) bs ++
  map (fun k => eq (Int 0) (mul (less (extent_of L k)) (stride_of g k))) (others (length L) (t :: bs)) ++
  flat_map (fun h => over_digits (fun b x => [eq (stride_of (fst h) b) (mul x (stride_of (fst h) t))]) L (extent_of L t) bs) G.
Lemma nth_lay e m k : nth k (lay e m) (1, 0) = (tv e (extent_of m k), tv e (stride_of m k)).
Proof. exact (map_nth (fun x : term * term => (tv e (fst x), tv e (snd x))) m no_mode k). Qed.
Lemma merged_lay e n t bs M h : lay e (merged n t bs M h) =
  map (fun k => if Nat.eqb k t then (tv e M, stride (lay e h) k) else nth k (lay e h) (1, 0)) (others n bs).
Proof.
  unfold merged, lay at 1. rewrite map_map. apply map_ext. intro k. unfold stride. rewrite nth_lay.
  unfold extent_of, stride_of. now destruct (Nat.eqb k t).
Qed.
Lemma digits_strided e ask L h top : (forall b x, so e (ask b x) -> tv e (stride_of h b) = tv e x * top) ->
  forall bs x, so e (over_digits ask L x bs) -> strided (ext (lay e L)) (stride (lay e h)) top (tv e x) bs.
Proof.
  intro A. induction bs as [|b bs IH]; simpl; intros x F; auto. apply so_app in F as [F1 F2]. split.
  - unfold stride. rewrite nth_lay. now apply A.
  - unfold ext. rewrite nth_lay. now apply IH in F2.
Qed.
Definition merged_guards (n t : nat) (bs : list nat) (M : term) (G : list (modes * term)) : list (modes * term) :=
  map (fun h => (merged n t bs M (fst h), snd h)) G.
Theorem merge_holds e t bs L g M G : NoDup (t :: bs) -> Forall (fun i => (i < length L)%nat) (t :: bs) ->
  length g = length L -> Forall (fun h => length (fst h) = length L) G -> so e (merge_asks t bs L g G) ->
  exists f, (forall c, valid (lay e L) c -> offset c (lay e g) < tv e M -> admitted (guards_at e G) c ->
    valid (lay e (merged (length L) t bs M L)) (f c) /\
    admitted (guards_at e (merged_guards (length L) t bs M G)) (f c) /\
    offset (f c) (lay e (merged (length L) t bs M L)) = offset c (lay e L)) /\
    forall c c', valid (lay e L) c -> valid (lay e L) c' -> f c = f c' -> c = c'.
Proof.
  intros N B LG LH F. assert (E : length (lay e L) = length L) by apply map_length.
  apply so_cons in F as [F1 F]. apply so_app in F as [F2 F]. apply so_app in F as [F3 F4]. apply eq_ok in F1.
  assert (X : forall h, stride (lay e h) t = tv e (stride_of h t)) by (intro; unfold stride; now rewrite nth_lay).
  assert (T : ext (lay e L) t = tv e (extent_of L t)) by (unfold ext; now rewrite nth_lay).
  assert (B' : Forall (fun i => (i < length (lay e L))%nat) (t :: bs)) by now rewrite E.
  assert (J : forall h, length h = length L -> lay e (merged (length L) t bs M h) = joined_modes (lay e L) t bs (tv e M) (lay e h)).
  { intros h H. rewrite merged_lay. unfold joined_modes. now rewrite E. }
  exists (joined_at (lay e L) t bs). split; [|intros c c'; now apply joined_same].
  intros c V I A. assert (C : length c = length L) by (rewrite <- E; now apply valid_length).
  assert (S : forall h, length h = length L -> strided (ext (lay e L)) (stride (lay e h)) (stride (lay e h) t) (ext (lay e L) t) bs ->
    offset (joined_at (lay e L) t bs c) (lay e (merged (length L) t bs M h)) = offset c (lay e h)).
  { intros h H Q. rewrite J by auto. apply joined_offset; auto; [rewrite E; unfold lay; now rewrite map_length|congruence]. }
  rewrite (guard_is_index (lay e L) t bs N B' (lay e g) c) in I; auto.
  - rewrite J by auto. split; [apply joined_valid; auto|]. rewrite <- J by auto. split.
    + unfold admitted, guards_at, merged_guards in *. rewrite !Forall_map. rewrite Forall_map in A.
      rewrite Forall_forall in *. intros h H. cbn [fst snd]. rewrite S; [now apply (A h)|now apply (LH h)|].
      rewrite X, T. apply (digits_strided e (fun b x => [eq (stride_of (fst h) b) (mul x (stride_of (fst h) t))])).
      * intros b x Q. apply so_cons in Q as [Q _]. now apply eq_ok in Q.
      * apply so_flat_map in F4. rewrite Forall_forall in F4. now apply F4.
    + apply S; auto. rewrite X, T.
      apply (digits_strided e (fun b x => [eq (stride_of L b) (mul x (stride_of L t)); eq (stride_of g b) x])); auto.
      intros b x Q. apply so_cons in Q as [Q _]. now apply eq_ok in Q.
  - rewrite E. unfold lay. now rewrite map_length.
  - rewrite X. exact F1.
  - rewrite T. apply (digits_strided e (fun b x => [eq (stride_of L b) (mul x (stride_of L t)); eq (stride_of g b) x])); auto.
    intros b x Q. apply so_cons in Q as [_ Q]. apply so_cons in Q as [Q _]. apply eq_ok in Q. rewrite Q. ring.
  - intros k K. rewrite E in K. unfold so in F3. rewrite Forall_map, Forall_forall in F3. specialize (F3 k K). apply eq_ok in F3.
    unfold ext, stride. rewrite !nth_lay. exact F3.
Qed.
