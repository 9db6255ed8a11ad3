(* The lemmas about two layouts, guards and swizzles. *)
Require Import String ZArith Znumtheory List Bool Lia Permutation.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Claims Evaluation Lemmas Agreement.
Import ListNotations.
Open Scope Z_scope.

(* --- given bound: the offsets are what the guard compares ------------------------------------------------- *)

Definition given_asks (L g : modes) : list form :=
  map (fun x => eq (Int 0) (mul (less (fst (fst x))) (sub (snd (fst x)) (snd (snd x))))) (combine L g)
  ++ map (fun m => le (Int 0) (reach_of m)) L.
Lemma given_holds e L : forall g, length g = length L -> so e (given_asks L g) -> forall c, valid (lay e L) c ->
  0 <= offset c (lay e L) /\ offset c (lay e L) = offset c (lay e g).
Proof.
  unfold given_asks. intros g N F c V. apply so_app in F as [F1 F2]. unfold so in F1, F2.
  revert g N F1 c V. induction L as [|[s d] L IH]; intros [|[t x] g] N F1 c V; simpl in N; try discriminate.
  - inversion V; subst. simpl. lia.
  - inversion V as [|y ? c' ? Y V']; subst. simpl in F1, F2. apply Forall_cons_iff in F1 as [A F1].
    apply Forall_cons_iff in F2 as [B F2]. apply eq_ok in A. apply le_ok in B. simpl in *.
    destruct (IH F2 g ltac:(lia) F1 c' V') as [I J]. rewrite <- J.
    destruct (Z.eq_dec (tv e s) 1) as [E|E].
    + replace y with 0 by lia. lia.
    + assert (tv e d = tv e x) by nia. assert (0 <= tv e d) by nia. nia.
Qed.

(* --- swizzles stay inside multiples of their period --------------------------------------------------------- *)

Definition period (s : fields) : Z :=
  let '(bits, base, shift) := s in if bits =? 0 then 1 else 2 ^ (base + Z.max (- shift) 0 + bits).
Definition small_fields (s : fields) : bool := let '(bits, base, _) := s in (0 <=? bits) && (0 <=? base).
Lemma swizzle_block s x : small_fields s = true -> swizzle s x / period s = x / period s.
Proof.
  destruct s as [[bits base] shift]. unfold small_fields. rewrite andb_true_iff, !Z.leb_le. intros [B0 B1].
  set (P := if bits =? 0 then 0 else base + Z.max (- shift) 0 + bits).
  assert (PE : period (bits, base, shift) = 2 ^ P) by (unfold period, P; destruct (bits =? 0); reflexivity).
  assert (P0 : 0 <= P) by (unfold P; destruct (bits =? 0); lia). rewrite PE.
  unfold swizzle. set (y := if 0 <=? shift then _ else _).
  assert (Y : Z.shiftr y P = 0).
  { apply Z.bits_inj'. intros i I. rewrite Z.shiftr_spec, Z.bits_0 by auto. unfold y.
    assert (O : forall k, (bits = 0 \/ k = i + bits) -> Z.testbit (Z.ones bits) k = false).
    { intros k [-> | ->]; [simpl; apply Z.bits_0|apply Z.ones_spec_high; lia]. }
    destruct (Z.leb_spec 0 shift).
    - rewrite Z.shiftr_spec, Z.land_spec, Z.shiftl_spec by lia. rewrite O, andb_false_r; auto.
      unfold P. destruct (Z.eqb_spec bits 0); lia.
    - destruct (Z.leb_spec 0 (i + P + shift)).
      + rewrite Z.shiftl_spec, Z.land_spec, Z.shiftl_spec by lia. rewrite O, andb_false_r; auto.
        unfold P. destruct (Z.eqb_spec bits 0); lia.
      + rewrite Z.shiftl_spec by lia. apply Z.testbit_neg_r. lia. }
  rewrite <- !Z.shiftr_div_pow2, Z.shiftr_lxor, Y by auto. apply Z.lxor_0_r.
Qed.
Lemma period_pos s : small_fields s = true -> 0 < period s.
Proof.
  destruct s as [[bits base] shift]. unfold small_fields, period. rewrite andb_true_iff, !Z.leb_le. intros [B0 B1].
  destruct (bits =? 0); [lia|]. apply Z.pow_pos_nonneg; lia.
Qed.
Lemma swizzle_inside s x n : small_fields s = true -> 0 <= x < n * period s -> 0 <= swizzle s x < n * period s.
Proof.
  intros S X. pose proof (swizzle_block s x S) as E. pose proof (period_pos s S) as Q.
  pose proof (Z.div_mod (swizzle s x) (period s) ltac:(lia)). pose proof (Z.mod_pos_bound (swizzle s x) (period s) Q).
  assert (0 <= x / period s < n) by (split; [apply Z.div_pos|apply Z.div_lt_upper_bound]; lia).
  rewrite E in *. nia.
Qed.

(* --- together: those modes that stay are injective together, the others contribute nothing ------------------- *)

Definition marks (out : list nat) (n : nat) : list bool := map (fun k => existsb (Nat.eqb k) out) (seq 0 n).
Definition marked (side : bool) (bs : list bool) (m : modes) : modes :=
  map snd (filter (fun x => eqb (fst x) side) (combine bs m)).
Definition nothing (m : modes) : list form := map (fun x => eq (Int 0) (reach_of x)) m.
Definition still_asks (out : list nat) (m : modes) : list form := nothing (marked true (marks out (length m)) m).
Definition kept (out : list nat) (m : modes) : modes := marked false (marks out (length m)) m.
Lemma nothing_zero e s d z : tv e (reach_of (s, d)) = 0 -> Z.abs z < tv e s -> z * tv e d = 0.
Proof.
  unfold reach_of. simpl. intros H A. destruct (Z.eq_dec (tv e s) 1); [replace z with 0 by lia; lia|].
  assert (tv e d = 0) by nia. nia.
Qed.
Lemma marked_split e m : forall bs T, length bs = length m -> map snd T = lay e m -> Forall small T ->
  so e (nothing (marked true bs m)) -> exists T', map snd T' = lay e (marked false bs m) /\ Forall small T' /\
  dsum T' = dsum T /\ (Forall still T' -> Forall (fun t => fst t * snd (snd t) = 0) T).
Proof.
  induction m as [|[s d] m IH]; intros [|b bs] [|[z [s' d']] T] N E S F; simpl in N, E; try discriminate.
  - exists []. repeat split; auto; constructor.
  - injection E as E1 E2 E. subst. inversion S as [|? ? S1 S2]; subst. unfold small in S1. simpl in S1.
    destruct b; unfold marked in *; simpl in F |- *.
    + apply so_cons in F as [F1 F]. destruct (IH bs T ltac:(lia) E S2 F) as (T' & A & B & C & D).
      apply eq_ok in F1. assert (Z0 : z * tv e d = 0) by (apply (nothing_zero e s); auto; simpl in *; lia).
      exists T'. split; [exact A|]. split; [exact B|]. split; [simpl; lia|]. intro X. constructor; auto.
    + destruct (IH bs T ltac:(lia) E S2 F) as (T' & A & B & C & D).
      exists ((z, (tv e s, tv e d)) :: T'). simpl. rewrite A, C. split; [reflexivity|]. split; [constructor; auto|]. split; [reflexivity|].
      intro X. inversion X as [|? ? X1 X2]; subst. constructor; auto. unfold still in X1. simpl in *. rewrite X1. lia.
Qed.
Definition with_modes (f : Z -> Z) (c : list Z) (L : layout) : list diff := combine (map f c) L.
Lemma with_modes_ok f L : (forall x, f x = x \/ f x = - x) -> forall c, valid L c ->
  map snd (with_modes f c L) = L /\ Forall small (with_modes f c L).
Proof.
  intro Hf. unfold with_modes. induction 1 as [|x [s d] c L H V [I J]]; simpl; [split; auto; constructor|].
  rewrite I. split; auto. constructor; auto. unfold small. simpl in *. destruct (Hf x) as [-> | ->]; lia.
Qed.
Lemma dsum_with L : forall c, valid L c -> dsum (with_modes (fun x => x) c L) = offset c L /\
  dsum (with_modes Z.opp c L) = - offset c L.
Proof.
  unfold with_modes. induction 1 as [|x [s d] c L H V [I J]]; simpl; [auto|]. rewrite I, J. lia.
Qed.
Theorem together_holds e out A B : so e (still_asks out (A ++ B)) -> injective (lay e (kept out (A ++ B))) ->
  forall y, reached (lay e A) y -> reached (lay e B) y -> y = 0.
Proof.
  intros F I y (c & V & E) (c' & V' & E').
  destruct (with_modes_ok (fun x => x) _ ltac:(auto) c V) as [A1 A2].
  destruct (with_modes_ok Z.opp _ ltac:(auto) c' V') as [B1 B2].
  destruct (dsum_with _ c V) as [A3 _]. destruct (dsum_with _ c' V') as [_ B3].
  set (T := with_modes (fun x => x) c (lay e A)) in *. set (U := with_modes Z.opp c' (lay e B)) in *.
  destruct (marked_split e (A ++ B) (marks out (length (A ++ B))) (T ++ U)) as (T' & X & Y & Z0 & W).
  - unfold marks. now rewrite map_length, seq_length.
  - rewrite map_app, lay_app. f_equal; assumption.
  - now apply Forall_app.
  - exact F.
  - apply injective_sep in I. rewrite dsum_app in Z0.
    assert (S : Forall still T') by (apply I; auto; lia). apply W, Forall_app in S as [S _].
    rewrite <- E, <- A3. clear - S. induction S as [|[z [s d]] T H S IH]; simpl in *; lia.
Qed.

(* --- offset mod: residues in two intervals that do not meet ---------------------------------------------------- *)

Definition with_residue := ((term * term) * term)%type.
Definition residue_of (g : term) (x : with_residue) : list form :=
  [divides g (sub (snd (fst x)) (snd x)); le (Int 0) (mul (less (fst (fst x))) (snd x))].
Definition spans (l : list with_residue) : term := sum (map (fun x => mul (less (fst (fst x))) (snd x)) l).
Definition residue_asks (A B : modes) (x g rho : term) (rs : list term) : list form :=
  let V := combine A (firstn (length A) rs) in let W := combine B (skipn (length A) rs) in
  [le (Int 1) g; divides g (sub x rho)] ++ flat_map (residue_of g) (V ++ W)
  ++ [le (add (spans V) (Int 1)) rho; le (add rho (spans W)) (sub g (Int 1))].
Lemma residue_part e g m : forall rs, length rs = length m -> so e (flat_map (residue_of g) (combine m rs)) ->
  forall c, valid (lay e m) c -> exists q r, offset c (lay e m) = r + q * tv e g /\ 0 <= r <= tv e (spans (combine m rs)).
Proof.
  unfold spans. intros rs. rewrite sum_ok. revert rs.
  induction m as [|[s d] m IH]; intros [|r rs] N F c V; simpl in N; try discriminate; inversion V as [|x ? c' ? X V']; subst.
  - exists 0, 0. simpl. lia.
  - cbn [combine flat_map residue_of app fst snd] in F. apply so_cons in F as [F1 F]. apply so_cons in F as [F2 F].
    destruct (IH rs ltac:(lia) F c' V') as (q & p & E & R). apply divides_ok in F1 as [_ [k K]]. apply le_ok in F2.
    simpl in *. exists (q + x * k), (p + x * tv e r). rewrite E. split; [nia|].
    assert (0 <= x * tv e r <= (tv e s - 1) * tv e r); [|lia].
    destruct (Z.eq_dec (tv e s) 1); [replace x with 0 by lia; nia|]. assert (0 <= tv e r) by nia. nia.
Qed.
Theorem residues_hold e A B x g rho rs : length rs = length (A ++ B) -> so e (residue_asks A B x g rho rs) ->
  forall y z, reached (lay e A) y -> reached (lay e B) z -> y <> tv e x + z.
Proof.
  intros N F y z (c & V & <-) (c' & V' & <-). unfold residue_asks in F. rewrite app_length in N.
  apply so_app in F as [F0 F]. apply so_app in F as [F F9]. rewrite flat_map_app in F. apply so_app in F as [F1 F2].
  apply so_cons in F0 as [G F0]. apply so_cons in F0 as [X _]. apply so_cons in F9 as [Q F9]. apply so_cons in F9 as [S _].
  apply le_ok in G, Q, S. apply divides_ok in X as [_ [k X]]. simpl in G, Q, S, X.
  destruct (residue_part e g A (firstn (length A) rs) ltac:(rewrite firstn_length; lia) F1 c V) as (q & r & -> & R).
  destruct (residue_part e g B (skipn (length A) rs) ltac:(rewrite skipn_length; lia) F2 c' V') as (q' & r' & -> & R').
  intro E. assert (D : r - (tv e rho + r') = (k + q' - q) * tv e g) by lia.
  assert (k + q' - q = 0 \/ k + q' - q <= -1 \/ 1 <= k + q' - q) as [H|[H|H]] by lia; nia.
Qed.

(* --- reorder: the order of the modes changes no image ------------------------------------------------------------- *)

Definition reordered (l : list nat) (m : modes) : modes := match pick no_mode m l with [] => [no_mode] | k => k end.
Definition dropped_asks (l : list nat) (m : modes) : list form := nothing (pick no_mode m (others (length m) l)).
Lemma reordered_pos e l m : pos (lay e m) -> pos (lay e (reordered l m)).
Proof.
  intro P. unfold reordered. pose proof (pos_pick (lay e m) l P) as Q. rewrite <- lay_pick in Q.
  destruct (pick no_mode m l); auto. constructor; [simpl; lia|constructor].
Qed.
Lemma reached_perm L L' y : Permutation L L' -> reached L y -> reached L' y.
Proof.
  intros P (c & V & E). revert y c V E. induction P as [|m L L' P IH|m n L|L M N P IH P' IH']; intros y c V E.
  - exists c; auto.
  - inversion V; subst. destruct (IH _ _ ltac:(eassumption) eq_refl) as (c' & A & B). exists (x :: c').
    split; [constructor; auto|]. destruct m; simpl in *; lia.
  - inversion V as [|x ? c1 ? X V1]; subst. inversion V1 as [|z ? c2 ? Y V2]; subst.
    exists (z :: x :: c2). split; [repeat constructor; auto; tauto|]. destruct m, n; simpl; lia.
  - destruct (IH _ _ V E) as (c1 & A & B). eapply IH'; eauto.
Qed.
Lemma offset_app c L : valid L c -> forall c' M, offset (c ++ c') (L ++ M) = offset c L + offset c' M.
Proof. induction 1 as [|x [s d] c L H V IH]; intros c' M; simpl; auto. rewrite IH. lia. Qed.
Lemma reached_nothing e K m y : pos (lay e m) -> so e (nothing m) -> reached (K ++ lay e m) y <-> reached K y.
Proof.
  intros P F. assert (Z0 : forall c, valid (lay e m) c -> offset c (lay e m) = 0).
  { clear - F. unfold nothing in F. induction m as [|[s d] m IH]; intros c V; inversion V as [|x ? c' ? X V']; subst; auto.
    simpl in F. apply so_cons in F as [F1 F]. apply eq_ok in F1. simpl. rewrite (IH F c' V').
    simpl in X. rewrite (nothing_zero e s); auto; lia. }
  split.
  - intros (c & V & E). apply Forall2_app_inv_r in V as (a & b & V1 & V2 & ->).
    rewrite offset_app, (Z0 b V2) in E by auto. exists a. split; auto. lia.
  - intros (c & V & E). assert (V2 : valid (lay e m) (map (fun _ => 0) m)).
    { clear - P. unfold pos in P. induction m as [|m l IH]; simpl in *; [constructor|].
      apply Forall_cons_iff in P as [P1 P2]. constructor; [simpl in *; lia|apply IH; auto]. }
    exists (c ++ map (fun _ => 0) m). split; [now apply Forall2_app|]. rewrite offset_app, (Z0 _ V2) by auto. lia.
Qed.
Lemma reordered_image e l m : pos (lay e m) -> NoDup l -> Forall (fun i => (i < length m)%nat) l -> so e (dropped_asks l m) ->
  forall y, reached (lay e m) y <-> reached (lay e (reordered l m)) y.
Proof.
  intros P N F D y. pose proof (with_others no_mode m l N F) as Q.
  assert (R : reached (lay e m) y <-> reached (lay e (pick no_mode m l) ++ lay e (pick no_mode m (others (length m) l))) y).
  { rewrite <- lay_app. assert (Q' := Permutation_map (fun x : term * term => (tv e (fst x), tv e (snd x))) Q).
    split; apply reached_perm; [symmetry|]; exact Q'. }
  rewrite R, reached_nothing; auto; [|rewrite lay_pick; now apply pos_pick].
  unfold reordered. destruct (pick no_mode m l); [|reflexivity]. split; intros (c & V & E).
  - inversion V; subst. exists [0]. split; [repeat constructor; simpl; lia|reflexivity].
  - inversion V as [|x ? c' ? X V']; subst. inversion V'; subst. exists []. split; [constructor|]. simpl in *. lia.
Qed.
Lemma index_valid L c : valid L c -> 0 <= idx c L < size L /\ at_index L (idx c L) = offset c L.
Proof.
  intro V. set (t := map (fun m => fst m - 1) L).
  assert (P : pos L) by (clear - V; induction V as [|x m c L H V IH]; constructor; auto; lia).
  assert (A : Forall2 Z.le c t) by (unfold t; clear - V; induction V; simpl; constructor; auto; lia).
  assert (B : Forall (Z.le 0) c) by (clear - V; induction V; constructor; auto; lia).
  assert (C : length c = length L) by (clear - V; induction V; simpl; lia).
  assert (D : top_ok true t L) by (unfold t; clear; induction L as [|m L IH]; simpl; auto; split; auto; lia).
  destruct (idx_range true L P c t A B C D) as [X Y]. split; [auto|].
  rewrite (at_idx true L c t A B C D). clear - V. induction V as [|x [s d] c L H V IH]; simpl; auto. now rewrite IH.
Qed.
Lemma reached_index L y : pos L -> reached L y <-> exists i, 0 <= i < size L /\ at_index L i = y.
Proof.
  intro P. split.
  - intros (c & V & <-). exists (idx c L). now apply index_valid.
  - intros (i & I & <-). rewrite at_att by auto. clear - P I. revert i I.
    induction P as [|m L M P IH]; intros i I; [exists []; split; [constructor|reflexivity]|].
    destruct (IH (i / fst m)) as (c & V & E); [apply div_range; auto|].
    exists (i mod fst m :: c). split; [constructor; auto; apply Z.mod_pos_bound; lia|]. destruct m. simpl in *. now rewrite E.
Qed.
Lemma same_images A B : pos A -> pos B -> size A = size B -> (forall i, 0 <= i < size A -> at_index A i = at_index B i) ->
  forall y, reached A y <-> reached B y.
Proof.
  intros P Q S H y. rewrite !reached_index by auto. rewrite <- S.
  split; intros (i & I & <-); exists i; split; auto; symmetry; auto.
Qed.
