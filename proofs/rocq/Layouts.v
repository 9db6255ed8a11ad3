(* Layouts as lists of modes (extent, stride) over Z, and what the lemmas say of them, for any rank. *)
Require Import ZArith List Lia Permutation Bool.
Import ListNotations.
Open Scope Z_scope.

Definition mode := (Z * Z)%type.
Definition layout := list mode.

(* Natural coordinates: one number 0 <= x < s for each mode (s, d); the offset is the sum of x*d. *)
Definition valid (L : layout) (c : list Z) := Forall2 (fun x (m : mode) => 0 <= x < fst m) c L.
Fixpoint offset (c : list Z) (L : layout) : Z :=
  match c, L with x :: c', (_, d) :: L' => x * d + offset c' L' | _, _ => 0 end.
Definition injective (L : layout) :=
  forall c c', valid L c -> valid L c' -> offset c L = offset c' L -> c = c'.
Definition in_bounds (L : layout) (b : Z) := forall c, valid L c -> 0 <= offset c L < b.
Definition covers (L : layout) (b : Z) :=
  forall x, 0 <= x < b -> exists c, valid L c /\ offset c L = x.
Definition size (L : layout) := fold_right (fun m n => fst m * n) 1 L.
Definition bijective L := injective L /\ in_bounds L (size L).

(* Differences of coordinates: a list of (z, (s, d)) with |z| < s.  In this form the order of the
   modes does not matter, and the lemmas compose. *)
Definition diff := (Z * mode)%type.
Definition small (t : diff) := Z.abs (fst t) < fst (snd t).
Definition still (t : diff) := fst t = 0.
Definition dsum (T : list diff) := fold_right (fun t n => fst t * snd (snd t) + n) 0 T.
Definition sep (L : layout) :=
  forall T, map snd T = L -> Forall small T -> dsum T = 0 -> Forall still T.

Lemma dsum_app A B : dsum (A ++ B) = dsum A + dsum B.
Proof. induction A as [|[z [s d]] A IH]; simpl; lia. Qed.

Lemma dsum_perm A B : Permutation A B -> dsum A = dsum B.
Proof. induction 1; simpl; lia. Qed.

Fixpoint minus (c c' : list Z) (L : layout) : list diff :=
  match c, c', L with x :: c, y :: c', m :: L => (x - y, m) :: minus c c' L | _, _, _ => [] end.

Lemma minus_ok L : forall c c', valid L c -> valid L c' ->
  map snd (minus c c' L) = L /\ Forall small (minus c c' L) /\
  dsum (minus c c' L) = offset c L - offset c' L /\ (Forall still (minus c c' L) -> c = c').
Proof.
  induction L as [|[s d] L IH]; intros c c' V V'; inversion V; inversion V'; subst; simpl.
  - repeat split; auto.
  - simpl in *. destruct (IH _ _ H3 H8) as (A & B & C & D).
    split; [now rewrite A|]. split; [constructor; [unfold small; simpl; lia|auto]|].
    split; [lia|]. intro F. inversion F; subst. unfold still in *; simpl in *.
    f_equal; [lia|auto].
Qed.

Theorem sep_injective L : sep L -> injective L.
Proof.
  intros S c c' V V' E. destruct (minus_ok L c c' V V') as (A & B & C & D).
  apply D, S; auto; lia.
Qed.

Theorem injective_sep L : injective L -> sep L.
Proof.
  intros I T E F Z0.
  assert (valid L (map (fun t => Z.max 0 (fst t)) T) /\ valid L (map (fun t => Z.max 0 (- fst t)) T)
    /\ dsum T = offset (map (fun t => Z.max 0 (fst t)) T) L
              - offset (map (fun t => Z.max 0 (- fst t)) T) L) as (V & V' & D).
  { clear I Z0. revert L E. induction F as [|[z [s d]] T H F IH]; intros L E; subst; simpl.
    - repeat split; constructor.
    - destruct (IH _ eq_refl) as (V & V' & D). unfold small in H; simpl in H.
      split; [constructor; simpl; auto; lia|]. split; [constructor; simpl; auto; lia|].
      rewrite D. replace z with (Z.max 0 z - Z.max 0 (- z)) at 1 by lia. ring. }
  assert (Q := I _ _ V V' ltac:(lia)). clear - Q.
  induction T as [|t T IH]; constructor; simpl in Q; inversion Q; [unfold still; lia|auto].
Qed.

Lemma sep_perm L L' : Permutation L L' -> sep L -> sep L'.
Proof.
  intros P S T E F Z0. subst L'. destruct (Permutation_map_inv _ _ P) as (T' & E' & P').
  assert (G : Forall still T').
  { apply S; auto; [now rewrite <- P'|now rewrite <- (dsum_perm _ _ P')]. }
  now rewrite P'.
Qed.

(* --- chain: in some order each mode outweighs the reach of those before it -------------------- *)

Definition signed := (Z * mode)%type.            (* a sign 1 or -1, and a mode *)
Definition sign_ok (g : signed) := fst g = 1 \/ fst g = -1.
Definition span (g : signed) := (fst (snd g) - 1) * (fst g * snd (snd g)).
Fixpoint chain_ok (R : Z) (W : list signed) : Prop :=
  match W with
  | [] => True
  | g :: W => 0 <= (fst (snd g) - 1) * (fst g * snd (snd g) - 1 - R) /\ chain_ok (R + span g) W
  end.
Definition reach (W : list signed) := fold_right (fun g n => span g + n) 0 W.

Lemma outweighs g z R a : sign_ok g -> Z.abs z < fst (snd g) -> Z.abs a <= R ->
  0 <= (fst (snd g) - 1) * (fst g * snd (snd g) - 1 - R) ->
  Z.abs (a + z * snd (snd g)) <= R + span g /\ (a + z * snd (snd g) = 0 -> a = 0 /\ z = 0).
Proof.
  destruct g as [g [s d]]; unfold sign_ok, span; simpl; intros G Z0 A H.
  assert (D : s = 1 \/ 1 < s) by lia. destruct D as [->|D].
  - replace z with 0 by lia. lia.
  - assert (1 + R <= g * d) by nia.
    assert (B : Z.abs (z * d) <= (s - 1) * (g * d)) by (rewrite Z.abs_mul; destruct G; subst; nia).
    split; [lia|]. intro E. destruct (Z.eq_dec z 0) as [->|N]; [lia|exfalso].
    assert (1 + R <= Z.abs (z * d)) by (rewrite Z.abs_mul; destruct G; subst; nia). lia.
Qed.

Lemma chain_walk W : forall R a T, Forall sign_ok W -> chain_ok R W -> Z.abs a <= R ->
  map snd T = map snd W -> Forall small T ->
  Z.abs (a + dsum T) <= R + reach W /\ (a + dsum T = 0 -> a = 0 /\ Forall still T).
Proof.
  induction W as [|g W IH]; intros R a T G H A E F.
  - destruct T; [simpl; split; [lia|split; [lia|constructor]]|discriminate].
  - destruct T as [|t T]; [discriminate|]. inversion G; inversion F; subst.
    destruct t as [z m]. simpl in E; injection E as E E'. subst m.
    simpl in H; destruct H as [H H'].
    match goal with S : small _ |- _ => unfold small in S; simpl in S end.
    destruct (outweighs g z R a) as [B C]; auto.
    assert (N := IH _ _ T ltac:(auto) H' B E' ltac:(auto)). destruct N as [B' C'].
    simpl. split; [lia|].
    intro Z0. destruct (C' ltac:(lia)) as [D D']. destruct (C D). split; auto.
Qed.

Theorem chain L W : Permutation (map snd W) L -> Forall sign_ok W -> chain_ok 0 W -> injective L.
Proof.
  intros P G H. apply sep_injective, (sep_perm _ _ P). intros T E F Z0.
  now apply (chain_walk W 0 0 T G H).
Qed.

(* --- bounds: the extremes are at the ends ------------------------------------------------------ *)

Definition low (W : list signed) :=
  fold_right (fun g n => (if fst g <? 0 then (fst (snd g) - 1) * snd (snd g) else 0) + n) 0 W.
Definition high (W : list signed) :=
  fold_right (fun g n => (if fst g <? 0 then 0 else (fst (snd g) - 1) * snd (snd g)) + n) 0 W.

Lemma ends W : Forall sign_ok W -> Forall (fun g => 0 <= span g) W ->
  forall c, valid (map snd W) c -> low W <= offset c (map snd W) <= high W.
Proof.
  induction W as [|[g [s d]] W IH]; intros G H c V; inversion V; subst; simpl in *; [lia|].
  apply Forall_cons_iff in G as [G GW]; apply Forall_cons_iff in H as [H HW].
  assert (E := IH GW HW _ ltac:(eassumption)). clear IH.
  unfold sign_ok, span in *; simpl in *.
  assert (x * d <= (s - 1) * d \/ d < 0) by nia. assert (0 <= x * d \/ d < 0) by nia.
  assert ((s - 1) * d <= x * d \/ 0 <= d) by nia. assert (x * d <= 0 \/ 0 <= d) by nia.
  destruct (Z.eq_dec s 1) as [E1 | E1].
  - subst s. replace x with 0 by lia. destruct (g <? 0); lia.
  - destruct G as [-> | ->]; simpl.
    + assert (0 <= d) by nia. lia.
    + assert (d <= 0) by nia. destruct (Z.eq_dec d 0); [subst d|]; lia.
Qed.

Theorem bounds W b : Forall sign_ok W -> Forall (fun g => 0 <= span g) W ->
  0 <= low W -> high W + 1 <= b -> in_bounds (map snd W) b.
Proof. intros G H A B c V. assert (E := ends W G H c V). lia. Qed.

(* --- drop, content, mod, cover ----------------------------------------------------------------- *)

Theorem drop L A B : Permutation (A ++ B) L -> Forall (fun m => fst m = 1) B ->
  injective A -> injective L.
Proof.
  intros P H I. apply sep_injective, (sep_perm _ _ P). apply injective_sep in I.
  intros T E F Z0. destruct (map_eq_app _ _ _ _ E) as (U & V & -> & <- & <-).
  apply Forall_app in F as [FU FV]. rewrite dsum_app in Z0.
  assert (S : Forall still V /\ dsum V = 0).
  { clear - H FV. induction V as [|[z [s d]] V IH]; [repeat constructor|].
    inversion H; inversion FV; subst. unfold small in *; simpl in *.
    destruct (IH H3 H7). split; [constructor; auto; unfold still; simpl; lia|].
    replace z with 0 by lia. lia. }
  apply Forall_app; split; [apply I; auto; lia|tauto].
Qed.

Definition scaled p (L : layout) : layout := map (fun m => (fst m, p * snd m)) L.
Lemma dsum_scaled p : forall L T, map snd T = scaled p L -> exists T', map snd T' = L /\
  dsum T = p * dsum T' /\ (Forall small T -> Forall small T') /\ (Forall still T' -> Forall still T).
Proof.
  induction L as [|[s d] L IH]; intros [|[z m] T] E; try discriminate.
  - exists []; simpl; repeat split; auto; lia.
  - simpl in E; injection E as E E'. destruct (IH _ E') as (T' & A & B & C & D); subst m.
    exists ((z, (s, d)) :: T'); simpl. rewrite A, B. repeat split; [ring| |];
      intro F; inversion F; subst; constructor; auto.
Qed.

Theorem content p L : 1 <= p -> injective L -> injective (scaled p L).
Proof.
  intros P I. apply sep_injective. apply injective_sep in I. intros T E F Z0.
  destruct (dsum_scaled p L T E) as (T' & A & B & C & D). apply D, I; auto.
  rewrite B in Z0. nia.
Qed.

(* W: the outer modes with their residues r, Out: the same modes as they stand in the layout. *)
Theorem mod_ L g In_ W Out : Permutation (scaled g In_ ++ Out) L -> 1 <= g ->
  Forall2 (fun w m => fst (snd w) = fst m /\ (g | snd m - snd (snd w))) W Out ->
  Forall sign_ok W -> chain_ok 0 W -> reach W <= g - 1 -> injective In_ -> injective L.
Proof.
  intros P G H S K Q I. apply sep_injective, (sep_perm _ _ P). apply injective_sep in I.
  intros T E F Z0. destruct (map_eq_app _ _ _ _ E) as (U & V & -> & EU & EV).
  apply Forall_app in F as [FU FV]. rewrite dsum_app in Z0.
  assert (exists X, map snd X = map snd W /\ (g | dsum V - dsum X) /\ Forall small X /\
    (Forall still X -> Forall still V /\ dsum V = 0)) as (X & XE & XD & XF & XS).
  { clear - H EV FV. revert V EV FV. induction H as [|[w [s r]] [s' d] W Out [A B] H IH];
      intros [|[z m] V] EV FV; try discriminate.
    - exists []; simpl; repeat split; auto. now exists 0.
    - injection EV as -> EV. inversion FV; subst. destruct (IH V eq_refl H3) as (X & C & D & E & K).
      simpl in *; subst s'. exists ((z, (s, r)) :: X); simpl. rewrite C. split; auto. split.
      { destruct B as [b B], D as [e D]. exists (z * b + e). nia. }
      split; [constructor; auto|]. intro Y; inversion Y; subst. destruct (K ltac:(assumption)) as [K1 K2].
      unfold still in *; simpl in *; subst. split; [constructor; auto; reflexivity|lia]. }
  destruct (chain_walk W 0 0 X S K ltac:(lia) XE XF) as [R0 R1].
  destruct (dsum_scaled g In_ U EU) as (U' & A & B & C & D).
  assert (X0 : dsum X = 0).
  { destruct XD as [k XD]. rewrite B in Z0.
    assert (Y : dsum X = g * (- dsum U' - k)) by lia. set (h := - dsum U' - k) in *.
    destruct (Z.eq_dec h 0) as [Z1 | Z1]; [rewrite Z1 in Y; lia|exfalso].
    assert (g <= Z.abs (dsum X)) by (rewrite Y, Z.abs_mul; nia). lia. }
  destruct (XS ltac:(apply R1; lia)) as [V1 V2].
  apply Forall_app; split; auto. apply D, I; auto. rewrite B in Z0. nia.
Qed.

Fixpoint cover_ok (R : Z) (L : layout) (b : Z) : Prop :=
  match L with
  | [] => b <= R + 1
  | m :: L => 1 <= fst m /\ 0 <= snd m /\ snd m <= R + 1 /\ cover_ok (R + (fst m - 1) * snd m) L b
  end.
Lemma cover_walk L : forall R b x, cover_ok R L b -> 0 <= R -> 0 <= x < b ->
  exists a c, 0 <= a <= R /\ valid L c /\ a + offset c L = x.
Proof.
  induction L as [|[s d] L IH]; intros R b x H P X; simpl in H.
  - exists x, []. simpl. repeat split; try lia; constructor.
  - destruct H as (S & D & E & H). destruct (IH _ _ x H) as (a & c & A & V & O); auto; [nia|].
    (* a <= R + (s-1)d: take as many steps of d as are needed, at most s-1 *)
    destruct (Z.eq_dec d 0) as [->|D0].
    + exists a, (0 :: c). simpl. repeat split; try lia. constructor; simpl; auto; lia.
    + set (q := Z.min (s - 1) (a / d)).
      assert (0 <= a / d) by (apply Z.div_pos; lia).
      assert (a = d * (a / d) + a mod d) by (apply Z.div_mod; lia).
      assert (0 <= a mod d < d) by (apply Z.mod_pos_bound; lia).
      assert (0 <= a - q * d <= R).
      { clear - H0 H1 H2 A E S. subst q. generalize dependent (a / d). intros k K1 K2.
        destruct (Z.min_spec (s - 1) k) as [[? ->] | [? ->]]; nia. }
      exists (a - q * d), (q :: c). simpl. repeat split; try lia.
      constructor; simpl; auto. unfold q; lia.
Qed.
Theorem cover L b : cover_ok 0 L b -> covers L b.
Proof.
  intros H x X. destruct (cover_walk L 0 b x H ltac:(lia) X) as (a & c & A & V & O).
  exists c; split; auto; lia.
Qed.
