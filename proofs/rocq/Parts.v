(* The parts of a proof: for a primitive claim a lemma, its obligations, and the claims inside it. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation Joining Denials.
Import ListNotations.
Open Scope Z_scope.

Open Scope string_scope.
Definition l_chain := Eval compute in word "chain".
Definition l_bounds := Eval compute in word "bounds".
Definition l_cover := Eval compute in word "cover".
Definition l_formula := Eval compute in word "formula".
Definition l_agree := Eval compute in word "agree".
Definition l_evaluate := Eval compute in word "evaluate".
Definition l_one := Eval compute in word "one".
Definition l_denial := Eval compute in word "denial".
Definition l_witness := Eval compute in word "witness".
Definition l_missing := Eval compute in word "missing".
Definition l_reorder := Eval compute in word "reorder".
Definition l_together := Eval compute in word "together".
Definition l_beyond := Eval compute in word "beyond".
Definition l_offset_mod := Eval compute in word "offset mod".
Definition l_given_bound := Eval compute in word "given bound".
Definition l_swizzle := Eval compute in word "swizzle".
Definition l_residues := Eval compute in word "residues".
Definition l_mod := Eval compute in word "mod".
Definition l_merge := Eval compute in word "merge".
Definition k_times := Eval compute in word "times".
Definition k_inner := Eval compute in word "inner".
Definition k_outer := Eval compute in word "outer".
Definition k_strides := Eval compute in word "strides".
Definition k_lemma := Eval compute in word "lemma".
Definition k_by := Eval compute in word "by".
Definition k_order := Eval compute in word "order".
Definition k_signs := Eval compute in word "signs".
Definition k_left := Eval compute in word "left".
Definition k_right := Eval compute in word "right".
Definition k_which := Eval compute in word "which".
Definition k_rest := Eval compute in word "rest".
Definition k_modes := Eval compute in word "modes".
Definition k_below := Eval compute in word "below".
Definition k_modulus := Eval compute in word "modulus".
Definition k_rho := Eval compute in word "rho".
Definition k_residues := Eval compute in word "residues".
Definition k_guard := Eval compute in word "guard".
Definition k_definition := Eval compute in word "definition".
Definition k_ends := Eval compute in word "ends".
Definition k_bound := Eval compute in word "bound".
Close Scope string_scope.

Definition asks_of := (list form * list (positive * primitive_claim))%type.
Definition has_keys (o : object) (ks : list positive) : bool := keyed (k_lemma :: k_by :: ks) o.

(* The modes that are joined, and the bound that the guard sets their index: what there is to prove, what is
   left of a layout, and the other guards. *)
Definition merging (o : object) (L : modes) (G : list (modes * term)) : option (list form * (modes * list (modes * term))) :=
  guard (has_keys o [k_guard; k_modes; k_rest] && forallb (fun h => Nat.eqb (length (fst h)) (length L)) G)
  (do d <- key k_guard o; do k <- index (length G) d; do (g, m) <- nth_error G k;
   do joined <- indices k_modes (length L) o;
   let others := firstn k G ++ skipn (S k) G in
   match joined with
   | t :: b :: bs => Some (merge_asks t (b :: bs) L g others,
       (merged (length L) t (b :: bs) m L, merged_guards (length L) t (b :: bs) m others))
   | _ => None end).

(* What a lemma asks for, with the claims left over for the parts inside. *)
Definition obligations (lemma : positive) (o : object) (c : primitive_claim) : option asks_of :=
  match c with
  | Holds f => guard (Pos.eqb lemma l_formula && has_keys o []) (Some ([f], []))
  | Injective L G =>
    if Pos.eqb lemma l_mod then
      guard (has_keys o [k_modulus; k_times; k_inner; k_strides; k_signs; k_outer; k_rest])
        (do g <- term_at k_modulus o; do u <- term_at k_times o; do inner <- indices k_inner (length L) o;
         do new <- terms_at k_strides (length L) o; do signs <- signs_at k_signs (length (mod_outer inner L new)) o;
         Some (flat_map asked (g :: u :: new) ++ mod_asks g u inner L new signs,
           [(k_outer, Injective (mod_outer inner L new) []); (k_rest, Injective (mod_inner inner L new) [])]))
    else if Pos.eqb lemma l_merge then
      do (fs, (L', G')) <- merging o L G; Some (fs, [(k_rest, Injective L' G')])
    else guard (Pos.eqb lemma l_chain && has_keys o [k_order; k_signs])
      (do order <- indices k_order (length L) o; do signs <- signs_at k_signs (length L) o;
       guard (Nat.leb (length L) (length order))
         (Some (chain_asks (Int 0) (pick zero_mode (by_sign signs L) order), [])))
  | InBounds L G sw x b =>
    if Pos.eqb lemma l_merge then do (fs, (L', G')) <- merging o L G; Some (fs, [(k_rest, InBounds L' G' sw x b)])
    else if Pos.eqb lemma l_bounds then
      guard (has_keys o [k_signs] && plain_fields sw)
        (do signs <- signs_at k_signs (length L) o; let W := by_sign signs L in
         Some (sign_asks W ++ [le (Int 0) (add x (low_of W)); le (add (add x (high_of W)) (Int 1)) b], []))
    else if Pos.eqb lemma l_given_bound then
      guard (has_keys o [k_guard] && plain_fields sw)
        (do d <- key k_guard o; do k <- index (length G) d; do (g, m) <- nth_error G k;
         guard (Nat.eqb (length g) (length L)) (Some (given_asks L g ++ [le (Int 0) x; le (add x m) b], [])))
    else guard (Pos.eqb lemma l_swizzle && has_keys o [k_bound; k_rest] && small_fields sw)
      (do q <- term_at k_bound o;
       Some (asked q ++ [divides (Int (period sw)) q; le q b], [(k_rest, InBounds L G PLAIN x q)]))
  | Covers L b =>
    guard (Pos.eqb lemma l_cover && has_keys o [k_order])
      (do order <- indices k_order (length L) o; Some (cover_asks (Int 0) (pick no_mode L order) b, []))
  | Disjoint A B =>
    guard (Pos.eqb lemma l_together && has_keys o [k_modes; k_rest])
      (do out <- indices k_modes (length (A ++ B)) o;
       Some (still_asks out (A ++ B), [(k_rest, Injective (kept out (A ++ B)) [])]))
  | Apart A B x =>
    if Pos.eqb lemma l_beyond then
      guard (has_keys o [k_signs; k_below])
        (do signs <- signs_at k_signs (length A + length B) o;
         do d <- key k_below o; do first <- index 2 d;
         let V := by_sign (firstn (length A) signs) A in let W := by_sign (skipn (length A) signs) B in
         Some (sign_asks V ++ sign_asks W ++
           [if Nat.eqb first 0 then le (add (high_of V) (Int 1)) (add x (low_of W))
            else le (add (add x (high_of W)) (Int 1)) (low_of V)], []))
    else guard (Pos.eqb lemma l_offset_mod && has_keys o [k_modulus; k_rho; k_residues])
      (do g <- term_at k_modulus o; do rho <- term_at k_rho o;
       do rs <- terms_at k_residues (length (A ++ B)) o;
       Some (flat_map asked (g :: rho :: rs) ++ residue_asks A B x g rho rs, []))
  | SameImage A B =>
    guard (Pos.eqb lemma l_reorder && has_keys o [k_left; k_right; k_rest])
      (do l <- indices k_left (length A) o; do r <- indices k_right (length B) o;
       let a := reordered l A in let b := reordered r B in
       Some (dropped_asks l A ++ dropped_asks r B ++ [eq (size_of a) (size_of b)],
             [(k_rest, Agree [a] [b] a PLAIN PLAIN (Int 0) (Int 0))]))
  | Agree l r D sw sw' x y =>
    guard (Pos.eqb lemma l_agree && has_keys o [k_left; k_right] && plain_fields sw && plain_fields sw' && term_eqb x y)
      (do one <- key k_left o; do other <- key k_right o;
       do fs <- agree_asks one other l r D; Some (fs, []))
  | Either cs =>
    do d <- key k_which o; do k <- index (length cs) d; do c <- nth_error cs k;
    if Pos.eqb lemma l_denial then guard (has_keys o [k_which] && denies cs c) (Some ([], []))
    else guard (Pos.eqb lemma l_one && has_keys o [k_which; k_rest]) (Some ([], [(k_rest, c)]))
  | Denied c =>
    if Pos.eqb lemma l_missing then
      guard (has_keys o [k_at; k_rest])
      match c with
      | Covers L b => do xs <- terms_at k_at 1 o;
        match xs with [x] => Some (missing_asks x b, [(k_rest, alone L x)]) | _ => None end
      | _ => None end
    else do (two, fs) <- breaking o c;
      guard (Pos.eqb lemma l_witness && has_keys o (if two : bool then [k_at; k_other] else [k_at])) (Some (fs, []))
  | Vectors _ _ _ _ _ | Requests _ _ _ _ _ _ => None
  end.

(* Extents are at least 1 where a lemma needs it; of a claim that merged modes it is not known. *)
Fixpoint proper (e : env) (c : primitive_claim) : Prop :=
  match c with
  | Covers L _ => pos (lay e L) | SameImage A B => pos (lay e A) /\ pos (lay e B)
  | Agree l r D _ _ _ _ => Forall (fun A => pos (lay e A)) (l ++ r ++ [D])
  | Either cs => (fix every l := match l with [] => True | c :: l => proper e c /\ every l end) cs
  | _ => True
  end.
Lemma some_of l : (fix some l := match l with [] => False | c :: l => meaning c \/ some l end) l <-> exists c, In c l /\ meaning c.
Proof.
  induction l as [|c l IH]; [split; [tauto|intros (c & [] & _)]|]. rewrite IH. split.
  - intros [H | (d & I & M)]; [exists c; simpl; auto|exists d; simpl; auto].
  - intros (d & [<- | I] & M); [auto|right; exists d; auto].
Qed.
Lemma merging_ok e o L G fs L' G' : merging o L G = Some (fs, (L', G')) -> so e fs ->
  exists f, (forall c, valid (lay e L) c -> admitted (guards_at e G) c -> valid (lay e L') (f c) /\
    admitted (guards_at e G') (f c) /\ offset (f c) (lay e L') = offset c (lay e L)) /\
    forall c c', valid (lay e L) c -> valid (lay e L) c' -> f c = f c' -> c = c'.
Proof.
  unfold merging. intros H F. apply guard_some in H as [K H]. apply andb_true_iff in K as [_ LG].
  apply some_in in H as (d & _ & H). apply some_in in H as (k & _ & H). destruct (nth_error G k) as [[g m]|] eqn:N; [|discriminate].
  apply some_in in H as (l & J & H). destruct l as [|t [|b bs]]; try discriminate. injection H as <- <- <-.
  apply indices_ok in J as [J1 J2]. rewrite forallb_forall in LG.
  assert (I : forall h, In h (firstn k G ++ skipn (S k) G) -> In h G).
  { intros h X. apply in_app_iff in X as [X|X]; [rewrite <- (firstn_skipn k G)|rewrite <- (firstn_skipn (S k) G)]; apply in_app_iff; auto. }
  apply nth_error_In in N. assert (LG' := LG _ N). apply Nat.eqb_eq in LG'.
  destruct (merge_holds e t (b :: bs) L g m (firstn k G ++ skipn (S k) G) J1 J2 LG') as (f & P & Q); auto.
  { apply Forall_forall. intros h X. apply Nat.eqb_eq, LG, I, X. }
  exists f. split; auto. intros c V A. unfold admitted, guards_at in A. rewrite Forall_map, Forall_forall in A.
  apply P; [auto|exact (A (g, m) N)|]. unfold admitted, guards_at. rewrite Forall_map, Forall_forall. intros h X. apply (A h), I, X.
Qed.
Theorem obligations_ok e lemma o c fs inner : obligations lemma o c = Some (fs, inner) -> so e fs -> proper e c ->
  Forall (fun k => proper e (snd k)) inner /\
  (Forall (fun k => meaning (instance e (snd k))) inner -> meaning (instance e c)).
Proof.
  intros H F P. destruct c as [L G|L G sw x b|L b|A B|A B x|A B|l r D sw sw' x y|L v sw x b|L n q sw x b|f|cs|c];
    cbv beta iota delta [obligations] in H; try discriminate.
  - destruct (Pos.eqb lemma l_mod); [|destruct (Pos.eqb lemma l_merge)].
    { apply guard_some in H as [_ H]. apply some_in in H as (g & _ & H). apply some_in in H as (u & _ & H).
      apply some_in in H as (inner' & _ & H). apply some_in in H as (new & R & H). apply some_in in H as (signs & S & H).
      injection H as <- <-. split; [repeat constructor|]. intro I. inversion I as [|? ? M1 M']; subst.
      inversion M' as [|? ? M2 _]; subst. simpl in M1, M2. apply so_app in F as [_ F].
      unfold terms_at in R. apply some_in in R as (d & _ & R). apply some_in in R as (l & _ & R).
      apply guard_some in R as [N R]. injection R as <-. apply Nat.eqb_eq in N. apply signs_at_ok in S as [S1 S2].
      assert (J : injective (lay e L)).
      { apply (mod_holds e g u inner' L l signs N S1 S2 F); intros c c' V V' E; [apply M1|apply M2]; auto; constructor. }
      intros c c' V V' _ _ E. now apply J. }
    { destruct (merging o L G) as [[fs' [L' G']]|] eqn:Q; [|discriminate]. injection H as <- <-.
      split; [repeat constructor|]. intro I. inversion I as [|? ? M _]; subst. simpl in M. intros c c' V V' A A' E.
      destruct (merging_ok e o L G fs' L' G' Q F) as (f & R & J).
      destruct (R c V A) as (P1 & P2 & P3), (R c' V' A') as (P1' & P2' & P3'). apply J; auto. apply M; auto. congruence. }
    apply guard_some in H as [_ H]. apply some_in in H as (order & O & H). apply some_in in H as (signs & S & H).
    apply guard_some in H as [N H]. injection H as <- <-. split; [constructor|]. intros _. simpl.
    apply indices_ok in O as [O1 O2]. apply signs_at_ok in S as [S1 S2]. apply Nat.leb_le in N.
    pose proof (chain_holds e L order signs F S1 S2 O1 O2 N) as I. intros c c' V V' _ _ E. auto.
  - destruct (Pos.eqb lemma l_merge).
    { destruct (merging o L G) as [[fs' [L' G']]|] eqn:Q; [|discriminate]. injection H as <- <-.
      split; [repeat constructor|]. intro I. inversion I as [|? ? M _]; subst. simpl in M. intros c V A.
      destruct (merging_ok e o L G fs' L' G' Q F) as (f & R & _). destruct (R c V A) as (P1 & P2 & P3).
      rewrite <- P3. now apply M. }
    destruct (Pos.eqb lemma l_bounds); [|destruct (Pos.eqb lemma l_given_bound)].
    + apply guard_some in H as [K H]. apply andb_true_iff in K as [_ K]. apply some_in in H as (signs & S & H).
      injection H as <- <-. split; [constructor|]. intros _ c V _. rewrite plain_ok by auto.
      apply so_app in F as [F F']. apply so_cons in F' as [F1 F']. apply so_cons in F' as [F2 _].
      apply le_ok in F1, F2. simpl in F1, F2. apply signs_at_ok in S as [S1 S2].
      pose proof (ends_hold e L signs F S1 S2 c V). lia.
    + apply guard_some in H as [K H]. apply andb_true_iff in K as [_ K]. apply some_in in H as (d & _ & H).
      apply some_in in H as (k & _ & H). destruct (nth_error G k) as [[g m]|] eqn:N; [|discriminate].
      apply guard_some in H as [N' H]. injection H as <- <-. split; [constructor|]. intros _ c V M. rewrite plain_ok by auto.
      apply so_app in F as [F F']. apply so_cons in F' as [F1 F']. apply so_cons in F' as [F2 _].
      apply le_ok in F1, F2. simpl in F1, F2. apply Nat.eqb_eq in N'.
      destruct (given_holds e L g N' F c V) as [X Y].
      assert (Z0 : offset c (lay e g) < tv e m).
      { apply nth_error_In in N. simpl in M. unfold admitted, guards_at in M. rewrite Forall_map, Forall_forall in M.
        apply (M (g, m) N). }
      lia.
    + apply guard_some in H as [K H]. apply andb_true_iff in K as [_ K]. apply some_in in H as (q & _ & H). injection H as <- <-.
      apply so_app in F as [_ F]. apply so_cons in F as [F1 F]. apply so_cons in F as [F2 _].
      apply divides_ok in F1 as [F0 [n F1]]. apply le_ok in F2. simpl in F0, F1.
      split; [repeat constructor|]. intro I. inversion I as [|? ? M _]; subst. cbn [snd instance meaning] in M. intros c V A.
      specialize (M c V A). rewrite (plain_ok PLAIN eq_refl) in M.
      rewrite F1 in M. apply (swizzle_inside sw) in M; auto. lia.
  - apply guard_some in H as [_ H]. apply some_in in H as (order & O & H). injection H as <- <-.
    split; [constructor|]. intros _ y Y. apply indices_ok in O as [O1 O2].
    exact (cover_holds e L b order P O1 O2 F y Y).
  - apply guard_some in H as [_ H]. apply some_in in H as (out & O & H). injection H as <- <-.
    split; [repeat constructor|]. intro I. inversion I as [|? ? M _]; subst. simpl in M.
    intros y Y Y'. refine (together_holds e out A B F _ y Y Y'). intros c c' V V'. apply M; auto; constructor.
  - destruct (Pos.eqb lemma l_beyond).
    + apply guard_some in H as [_ H]. apply some_in in H as (signs & S & H). apply some_in in H as (d & _ & H).
      apply some_in in H as (k & _ & H). injection H as <- <-. split; [constructor|]. intros _ y z (c & V & <-) (c' & V' & <-).
      apply signs_at_ok in S as [S1 S2]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F _].
      rewrite <- (firstn_skipn (length A) signs) in S2. apply Forall_app in S2 as [S2 S3].
      pose proof (ends_hold e A (firstn (length A) signs) F1 ltac:(rewrite firstn_length; lia) S2 c V).
      pose proof (ends_hold e B (skipn (length A) signs) F2 ltac:(rewrite skipn_length; lia) S3 c' V').
      destruct (Nat.eqb k 0); apply le_ok in F; simpl in F; lia.
    + apply guard_some in H as [_ H]. apply some_in in H as (g & _ & H). apply some_in in H as (rho & _ & H).
      apply some_in in H as (rs & R & H). injection H as <- <-. split; [constructor|]. intros _.
      apply (so_app e (flat_map asked (g :: rho :: rs))) in F as [_ F].
      unfold terms_at in R. apply some_in in R as (d & _ & R). apply some_in in R as (l & _ & R).
      apply guard_some in R as [N R]. injection R as <-. apply Nat.eqb_eq in N.
      exact (residues_hold e A B x g rho l N F).
  - apply guard_some in H as [_ H]. apply some_in in H as (l & L & H). apply some_in in H as (r & R & H).
    injection H as <- <-. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F3 _].
    apply eq_ok in F3. rewrite !size_ok in F3. destruct P as [PA PB].
    apply indices_ok in L as [L1 L2]. apply indices_ok in R as [R1 R2].
    pose proof (reordered_pos e l A PA) as QA. pose proof (reordered_pos e r B PB) as QB.
    split; [repeat constructor; auto|]. intro I. inversion I as [|? ? M _]; subst. cbn [snd instance meaning] in M. simpl. intro y.
    rewrite (reordered_image e l A PA L1 L2 F1), (reordered_image e r B PB R1 R2 F2).
    apply same_images; auto. intros i Hi. specialize (M i Hi). rewrite !(plain_ok PLAIN eq_refl) in M. simpl in M. lia.
  - apply guard_some in H as [K H]. rewrite !andb_true_iff in K. destruct K as [[[_ S] S'] T].
    apply term_eqb_eq in T. subst. apply some_in in H as (one & _ & H). apply some_in in H as (other & _ & H).
    apply some_in in H as (fs' & E & H). injection H as <- <-. split; [constructor|]. intros _ i I.
    rewrite !plain_ok by auto. f_equal. exact (agree_holds e one other l r D fs' P E F i I).
  - apply guard_some in H as [_ H]. injection H as <- <-. split; [constructor|]. intros _. now inversion F.
  - apply some_in in H as (d & _ & H). apply some_in in H as (k & _ & H). apply some_in in H as (c & C & H). apply nth_error_In in C.
    destruct (Pos.eqb lemma l_denial); apply guard_some in H as [K H]; injection H as <- <-.
    { split; [constructor|]. intros _. apply andb_true_iff in K as [_ K]. destruct (denial_holds e cs c C K) as (d' & D & M).
      simpl. apply some_of. exists (instance e d'). split; auto. now apply in_map. }
    split.
    + repeat constructor. simpl. simpl in P. clear - C P. induction cs as [|d cs IH]; [easy|].
      destruct P as [P1 P2]. destruct C as [<- | C]; auto.
    + intro I. inversion I as [|? ? M _]; subst. simpl in *. apply some_of. exists (instance e c). split; auto.
      now apply in_map.
  - destruct (Pos.eqb lemma l_missing).
    + apply guard_some in H as [_ H]. destruct c as [| |L b| | | | | | | | |]; try discriminate. apply some_in in H as (xs & _ & H).
      destruct xs as [|x []]; try discriminate. injection H as <- <-. split; [repeat constructor|]. intro I.
      inversion I as [|? ? M _]; subst. exact (missing_ok e L x b F M).
    + destruct (breaking o c) as [[two fs']|] eqn:B; [|discriminate]. apply guard_some in H as [_ H]. injection H as <- <-.
      split; [constructor|]. intros _. exact (breaking_ok e o c two fs' B F).
Qed.
