(* What constant ranges show: each dim lies in a range, which assumptions narrow and halves cut. *)
Require Import ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Intervals.
Import ListNotations.
Open Scope Z_scope.

Definition box := list (positive * range).
Definition inside (e : env) (b : box) := Forall (fun t => lies (snd t) (e (fst t))) b.
(* What a term lies between in a box; of a divisor that may be below 1 nothing is said. *)
Fixpoint range_of (b : box) (x : term) : range :=
  match x with
  | Int z => near (Fin z, Fin z)
  | Dim n => match assoc n b with Some r => r | None => ANY end
  | Neg x => rneg (range_of b x)
  | Pow x k => let r := range_of b x in N.iter k (fun s => near (rtimes s r)) (Fin 1, Fin 1)
  | Bin o x y =>
    let r := range_of b x in let s := range_of b y in
    match o with
    | Add => near (radd r s) | Sub => near (radd r (rneg s)) | Mul => near (rtimes r s)
    | Min => (lesser (fst r) (fst s), lesser (snd r) (snd s))
    | Max => (greater (fst r) (fst s), greater (snd r) (snd s))
    | Div => ANY
    | _ => if eleb (Fin 1) (fst s) then match o with
        | FloorDiv => rfloor r s | CeilDiv => rneg (rfloor (rneg r) s)
        | _ => if eleb (Fin 0) (fst r) && negb (eleb (fst s) (snd r)) then r
               else (Fin 0, let top := eadd (snd s) (Fin (-1)) in if eleb (Fin 0) (fst r) then lesser top (snd r) else top)
        end else ANY
    end
  end.
Lemma range_ok e b x : inside e b -> lies (range_of b x) (tv e x).
Proof.
  intro B. induction x as [z|n|x IH|x IH k|o x IHx y IHy]; cbn [range_of tv].
  - apply near_ok. split; simpl; lia.
  - destruct (assoc n b) as [r|] eqn:A; [|apply lies_any]. apply assoc_in in A.
    unfold inside in B. rewrite Forall_forall in B. now apply B in A.
  - now apply rneg_ok.
  - induction k as [|k IHk] using N.peano_ind; [split; simpl; lia|]. rewrite N.iter_succ, N2Z.inj_succ, Z.pow_succ_r, Z.mul_comm by lia.
    apply near_ok. now apply rtimes_ok.
  - destruct (range_of b x) as [a c] eqn:X, (range_of b y) as [a' c'] eqn:Y.
    assert (M : ele (Fin 1) a' -> 1 <= tv e y) by (destruct IHy as [H _]; simpl in H; destruct a'; simpl in *; lia || tauto).
    destruct o; cbn [total fst snd].
    + now apply near_ok, radd_ok. + rewrite <- Z.add_opp_r. apply near_ok, radd_ok; auto. now apply rneg_ok.
    + now apply near_ok, rtimes_ok. + apply lies_any.
    + destruct (eleb (Fin 1) a') eqn:L; [|apply lies_any]. apply eleb_ok in L. now apply rfloor_ok.
    + destruct (eleb (Fin 1) a') eqn:L; [|apply lies_any]. apply eleb_ok in L. apply rneg_ok, rfloor_ok; auto. now apply rneg_ok.
    + destruct (eleb (Fin 1) a') eqn:L; [|apply lies_any]. apply eleb_ok in L. specialize (M L).
      pose proof (Z.mod_pos_bound (tv e x) (tv e y) ltac:(lia)) as Q. destruct IHx as [X1 X2], IHy as [Y1 Y2]. simpl in X1, X2, Y1, Y2.
      assert (U : 0 <= tv e x -> tv e x mod tv e y <= tv e x) by (intro; apply Z.mod_le; lia).
      destruct (eleb (Fin 0) a) eqn:P; simpl.
      * apply eleb_ok in P. assert (0 <= tv e x) by (destruct a; simpl in *; lia || tauto).
        destruct (eleb a' c) eqn:R; simpl.
        -- split; [simpl; lia|]. cbn [snd]. apply lesser_ge; [destruct c'; simpl in *; lia || tauto|destruct c; simpl in *; try tauto; specialize (U H); lia].
        -- apply eleb_not in R. rewrite Z.mod_small; [now split|]. split; auto. destruct a', c; simpl in *; lia || tauto.
      * split; simpl; [lia|]. destruct c'; simpl in *; lia || tauto.
    + destruct IHx as [X1 X2], IHy as [Y1 Y2]. cbn [fst snd] in *. split; cbn [fst snd].
      * destruct (Z.min_spec (tv e x) (tv e y)) as [[_ ->]|[_ ->]];
          [exact (ele_trans _ _ _ (proj1 (lesser_le _ _)) X1)|exact (ele_trans _ _ _ (proj2 (lesser_le _ _)) Y1)].
      * apply lesser_ge; [destruct c|destruct c']; simpl in *; lia || tauto.
    + destruct IHx as [X1 X2], IHy as [Y1 Y2]. cbn [fst snd] in *. split; cbn [fst snd].
      * apply greater_ge; [destruct a|destruct a']; simpl in *; lia || tauto.
      * destruct (Z.max_spec (tv e x) (tv e y)) as [[_ ->]|[_ ->]];
          [exact (ele_trans _ _ _ Y2 (proj2 (greater_le _ _)))|exact (ele_trans _ _ _ X2 (proj1 (greater_le _ _)))].
Qed.

(* --- formulas: true throughout a box, false throughout, or neither is known ----------------------------------- *)

Definition both_known (every : bool) (x y : option bool) : option bool :=
  match x, y with
  | Some p, _ => if Bool.eqb p every then y else Some p
  | None, Some q => if Bool.eqb q every then None else Some q | None, None => None end.
Definition compared (r : rel) (x y : range) : option bool :=
  match r with
  | Le => if eleb (snd x) (fst y) then Some true else if negb (eleb (fst x) (snd y)) then Some false else None
  | Lt => if negb (eleb (fst y) (snd x)) then Some true else if eleb (snd y) (fst x) then Some false else None
  | Eq | Ne =>
    let is := match r with Eq => true | _ => false end in
    if negb (eleb (fst y) (snd x)) || negb (eleb (fst x) (snd y)) then Some (negb is)
    else if eleb (snd x) (fst x) && eleb (fst x) (fst y) && eleb (snd y) (fst x) then Some is else None
  | Divides => match x, y with
    | (Fin a, Fin a'), (Fin c, Fin c') => if (a =? a') && (c =? c') && negb (a =? 0) then Some (c mod a =? 0) else None
    | _, _ => None end
  end.
Fixpoint known_of (b : box) (f : form) : option bool :=
  match f with
  | Rel r x y => compared r (range_of b x) (range_of b y)
  | And l => (fix go l := match l with [] => Some true | f :: l => both_known true (known_of b f) (go l) end) l
  | Or l => (fix go l := match l with [] => Some false | f :: l => both_known false (known_of b f) (go l) end) l
  | Not f => option_map negb (known_of b f)
  | Implies f g => both_known false (option_map negb (known_of b f)) (known_of b g)
  end.
Lemma both_known_ok every x y p q t : (forall v, x = Some v -> p = v) -> (forall v, y = Some v -> q = v) ->
  both_known every x y = Some t -> (if every then p && q else p || q) = t.
Proof.
  intros X Y. destruct x as [[]|], y as [[]|], every; simpl; intro H; try discriminate; injection H as <-;
    try (rewrite (X _ eq_refl)); try (rewrite (Y _ eq_refl)); destruct p, q; auto;
    try (specialize (X _ eq_refl)); try (specialize (Y _ eq_refl)); congruence.
Qed.
Lemma compared_ok r x y a c t : lies x a -> lies y c -> compared r x y = Some t -> relates r a c = t.
Proof.
  destruct x as [x1 x2], y as [y1 y2]. intros [A B] [C D] H. cbn [fst snd] in *.
  assert (U : forall p q, ele p (Fin a) \/ ele p (Fin c) -> eleb q p = true -> ele q (Fin a) \/ ele q (Fin c)).
  { intros p q [P|P] Q; apply eleb_ok in Q; [left|right]; eapply ele_trans; eauto. }
  destruct r; cbn [compared relates fst snd] in *.
  - destruct (eleb y1 x2) eqn:L1; simpl in H; [destruct (eleb x1 y2) eqn:L2; simpl in H|].
    + destruct (_ && _) eqn:E; [|discriminate]. injection H as <-. rewrite !andb_true_iff, !eleb_ok in E. apply Z.eqb_eq.
      destruct E as [[E1 E2] E3]. destruct x1, x2, y1, y2; simpl in *; lia || tauto.
    + injection H as <-. apply eleb_not in L2. apply Z.eqb_neq. destruct x1, y2; simpl in *; lia || tauto.
    + injection H as <-. apply eleb_not in L1. apply Z.eqb_neq. destruct x2, y1; simpl in *; lia || tauto.
  - destruct (eleb y1 x2) eqn:L1; simpl in H; [destruct (eleb x1 y2) eqn:L2; simpl in H|].
    + destruct (_ && _) eqn:E; [|discriminate]. injection H as <-. rewrite !andb_true_iff, !eleb_ok in E. apply negb_false_iff, Z.eqb_eq.
      destruct E as [[E1 E2] E3]. destruct x1, x2, y1, y2; simpl in *; lia || tauto.
    + injection H as <-. apply eleb_not in L2. apply negb_true_iff, Z.eqb_neq. destruct x1, y2; simpl in *; lia || tauto.
    + injection H as <-. apply eleb_not in L1. apply negb_true_iff, Z.eqb_neq. destruct x2, y1; simpl in *; lia || tauto.
  - destruct (eleb x2 y1) eqn:L1; [|destruct (eleb x1 y2) eqn:L2; simpl in H; [discriminate|]]; injection H as <-.
    + apply eleb_ok in L1. apply Z.leb_le. destruct x2, y1; simpl in *; lia || tauto.
    + apply eleb_not in L2. apply Z.leb_gt. destruct x1, y2; simpl in *; lia || tauto.
  - destruct (eleb y1 x2) eqn:L1; simpl in H; [destruct (eleb y2 x1) eqn:L2; [|discriminate]|]; injection H as <-.
    + apply eleb_ok in L2. apply Z.ltb_ge. destruct x1, y2; simpl in *; lia || tauto.
    + apply eleb_not in L1. apply Z.ltb_lt. destruct x2, y1; simpl in *; lia || tauto.
  - destruct x1 as [|p|], x2 as [|p'|]; try discriminate; destruct y1 as [|q|], y2 as [|q'|]; try discriminate.
    destruct (_ && _) eqn:E; [|discriminate]. injection H as <-. rewrite !andb_true_iff, !Z.eqb_eq in E. destruct E as [[-> ->] E].
    simpl in *. replace a with p' by lia. replace c with q' by lia. now rewrite E.
Qed.
Lemma known_of_ok e b f : inside e b -> forall t, known_of b f = Some t -> fv e f = t.
Proof.
  intro B. induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; cbn [known_of fv]; intros t H.
  - exact (compared_ok r _ _ _ _ t (range_ok e b x B) (range_ok e b y B) H).
  - revert t H. induction IH as [|f l F L IHl]; intros t H; [now injection H as <-|].
    exact (both_known_ok true _ _ _ _ t F IHl H).
  - revert t H. induction IH as [|f l F L IHl]; intros t H; [now injection H as <-|].
    exact (both_known_ok false _ _ _ _ t F IHl H).
  - destruct (known_of b f); [|discriminate]. injection H as <-. now rewrite (IH _ eq_refl).
  - rewrite implb_orb. refine (both_known_ok false _ _ _ _ t _ IHg H). intros v V.
    destruct (known_of b f); [|discriminate]. injection V as <-. now rewrite (IHf _ eq_refl).
Qed.

(* --- assumptions narrow a box: none where no point of it meets them -------------------------------------------- *)

Definition set (n : positive) (r : range) : box -> box := map (fun t => if Pos.eqb (fst t) n then (fst t, r) else t).
Definition one_number (r : range) : option Z :=
  match r with (Fin a, Fin b) => guard ((a =? b) && negb (a =? 0)) (Some a) | _ => None end.
(* k*x lies in a range: x lies in it divided by k, rounded inwards. *)
Definition divided (r : range) (k : Z) : range :=
  let (a, b) := if 0 <? k then r else rneg r in (eneg (efloor (eneg a) (Fin (Z.abs k))), efloor b (Fin (Z.abs k))).
Fixpoint push (x : term) (r : range) (b : box) : option box :=
  match r with (Minus, Plus) => Some b | _ =>
  match x with
  | Dim n => match assoc n b with None => Some b | Some s =>
      let t := (greater (fst s) (fst r), lesser (snd s) (snd r)) in guard (eleb (fst t) (snd t)) (Some (set n t b)) end
  | Neg x => push x (rneg r) b
  | Bin Add x y => let s := range_of b x in let t := range_of b y in
      do b <- push x (radd r (rneg t)) b; push y (radd r (rneg s)) b
  | Bin Sub x y => let s := range_of b x in let t := range_of b y in
      do b <- push x (radd r t) b; push y (radd s (rneg r)) b
  | Bin Mul x y => match one_number (range_of b x) with
    | Some k => push y (divided r k) b
    | None => match one_number (range_of b y) with Some k => push x (divided r k) b | None => Some b end end
  | Bin FloorDiv x (Int k) =>
    if 1 <=? k then push x (etimes (fst r) (Fin k), eadd (etimes (snd r) (Fin k)) (Fin (k - 1))) b else Some b
  | Bin Min x y => do b <- push x (fst r, Plus) b; push y (fst r, Plus) b
  | Bin Max x y => do b <- push x (Minus, snd r) b; push y (Minus, snd r) b
  | _ => Some b
  end end.
Definition keeps (e : env) (b : option box) := match b with Some b => inside e b | None => False end.
Lemma set_ok e n r b : inside e b -> lies r (e n) -> inside e (set n r b).
Proof.
  intros B R. unfold set, inside in *. apply Forall_map. eapply Forall_impl; [|exact B]. intros [m s] S. simpl in *.
  destruct (Pos.eqb_spec m n); simpl; [now subst|auto].
Qed.
Lemma one_number_ok r k x : one_number r = Some k -> lies r x -> x = k /\ k <> 0.
Proof.
  destruct r as [[] []]; try discriminate. simpl. intros H [A B]. apply guard_some in H as [H E]. injection E as <-.
  rewrite andb_true_iff, negb_true_iff, Z.eqb_eq, Z.eqb_neq in H. simpl in A, B. lia.
Qed.
Lemma divided_ok r k x : k <> 0 -> lies r (k * x) -> lies (divided r k) x.
Proof.
  intros K H. unfold divided.
  assert (P : forall r k, 0 < k -> lies r (k * x) -> lies (eneg (efloor (eneg (fst r)) (Fin k)), efloor (snd r) (Fin k)) x).
  { clear. intros [a b] k K [A B]. split; cbn [fst snd] in *.
    - destruct a as [|a|]; simpl in *; auto. assert (- x <= - a / k); [apply Z.div_le_lower_bound; lia|lia].
    - destruct b as [|b|]; simpl in *; auto. apply Z.div_le_lower_bound; lia. }
  destruct (Z.ltb_spec 0 k) as [L|L].
  - destruct r as [a b]. rewrite Z.abs_eq by lia. now apply (P (a, b)).
  - rewrite Z.abs_neq by lia. specialize (P (rneg r) (- k) ltac:(lia)). destruct (rneg r) as [a b] eqn:E. apply P.
    rewrite <- E, Z.mul_opp_l. now apply rneg_ok.
Qed.
Lemma push_ok e x : forall r b, inside e b -> lies r (tv e x) -> keeps e (push x r b).
Proof.
  assert (T : forall (o : option box) (g : box -> option box), keeps e o -> (forall b, inside e b -> keeps e (g b)) ->
    keeps e (do b <- o; g b)) by (intros [b|] g H G; simpl in *; auto).
  assert (W : forall r (b : box) o, inside e b -> keeps e o -> keeps e (match r with (Minus, Plus) => Some b | _ => o end)).
  { intros [[] []] b o B O; auto. }
  induction x as [z|n|x IH|x IH k|o x IHx y IHy]; intros r b B R; cbn [push]; apply W; auto; simpl in R.
  - destruct (assoc n b) as [s|] eqn:A; [|exact B]. apply assoc_in in A. assert (S := B). unfold inside in S.
    rewrite Forall_forall in S. apply S in A. destruct A as [A1 A2], R as [R1 R2]. cbv zeta. cbn [fst snd] in *.
    assert (L : lies (greater (fst s) (fst r), lesser (snd s) (snd r)) (e n)).
    { split; [now apply greater_ge|now apply lesser_ge]. }
    assert (Q : eleb (greater (fst s) (fst r)) (lesser (snd s) (snd r)) = true).
    { apply eleb_ok. eapply ele_trans; apply L. }
    rewrite Q. simpl. now apply set_ok.
  - apply IH; auto. now apply rneg_ok in R; rewrite Z.opp_involutive in R.
  - pose proof (range_ok e b x B) as X. pose proof (range_ok e b y B) as Y. destruct o; simpl in R; auto.
    + apply T; [apply IHx; auto|intros b' B'; apply IHy; auto].
      * replace (tv e x) with (tv e x + tv e y + - tv e y) by lia. apply radd_ok; auto. now apply rneg_ok.
      * replace (tv e y) with (tv e x + tv e y + - tv e x) by lia. apply radd_ok; auto. now apply rneg_ok.
    + apply T; [apply IHx; auto|intros b' B'; apply IHy; auto].
      * replace (tv e x) with (tv e x - tv e y + tv e y) by lia. now apply radd_ok.
      * replace (tv e y) with (tv e x + - (tv e x - tv e y)) by lia. apply radd_ok; auto. now apply rneg_ok.
    + destruct (one_number (range_of b x)) as [k|] eqn:K.
      * destruct (one_number_ok _ _ _ K X) as [E N]. apply IHy; auto. apply divided_ok; auto. now rewrite <- E.
      * destruct (one_number (range_of b y)) as [k|] eqn:K'; auto.
        destruct (one_number_ok _ _ _ K' Y) as [E N]. apply IHx; auto. apply divided_ok; auto. now rewrite <- E, Z.mul_comm.
    + destruct y as [k| | | |]; auto. destruct (Z.leb_spec 1 k); auto. apply IHx; auto. simpl in R.
      pose proof (Z.div_mod (tv e x) k ltac:(lia)). pose proof (Z.mod_pos_bound (tv e x) k ltac:(lia)).
      assert (S : Z.sgn k = 1) by (apply Z.sgn_pos; lia).
      destruct r as [a c], R as [R1 R2]. split; cbn [fst snd] in *.
      * destruct a; unfold etimes; cbn [sign]; rewrite ?S; simpl in *; auto. nia.
      * destruct c; unfold etimes; cbn [sign]; rewrite ?S; simpl in *; auto. nia.
    + destruct R as [R1 R2]. assert (L : forall z, Z.min (tv e x) (tv e y) <= z -> lies (fst r, Plus) z).
      { intros z Z0. split; [|exact I]. cbn [fst]. eapply ele_trans; [exact R1|exact Z0]. }
      apply T; [apply IHx; auto; apply L; lia|intros b' B'; apply IHy; auto; apply L; lia].
    + destruct R as [R1 R2]. assert (L : forall z, z <= Z.max (tv e x) (tv e y) -> lies (Minus, snd r) z).
      { intros z Z0. split; [exact I|]. cbn [snd]. eapply ele_trans; [|exact R2]. exact Z0. }
      apply T; [apply IHx; auto; apply L; lia|intros b' B'; apply IHy; auto; apply L; lia].
Qed.

Definition holding (r : rel) (x y : term) (b : box) : option box :=
  let s := range_of b x in let t := range_of b y in
  do b <- match r with
    | Eq => do b <- push x t b; push y s b
    | Le => do b <- push x (Minus, snd t) b; push y (fst s, Plus) b
    | Lt => do b <- push x (Minus, eadd (snd t) (Fin (-1))) b; push y (eadd (fst s) (Fin 1), Plus) b
    | _ => Some b end;
  match known_of b (Rel r x y) with Some false => None | _ => Some b end.
Definition not_false (b : box) (f : form) : bool := match known_of b f with Some false => false | _ => true end.
Fixpoint hold (f : form) (b : box) : option box :=
  match f with
  | Rel r x y => holding r x y b
  | And l => (fix go l b := match l with [] => Some b | f :: l => do b <- hold f b; go l b end) l b
  | Or l => (fix go l := match l with [] => None | f :: l =>
      if not_false b f then if existsb (not_false b) l then Some b else hold f b else go l end) l
  | Not (Rel Eq x y) => holding Ne x y b
  | Not (Rel Ne x y) => holding Eq x y b
  | Not (Rel Le x y) => holding Lt y x b
  | Not (Rel Lt x y) => holding Le y x b
  | _ => guard (not_false b f) (Some b)
  end.
Lemma not_false_ok e b f : inside e b -> fv e f = true -> not_false b f = true.
Proof.
  intros B F. unfold not_false. destruct (known_of b f) as [[]|] eqn:K; auto.
  apply (known_of_ok e) in K; auto. congruence.
Qed.
Lemma holding_ok e r x y b : inside e b -> relates r (tv e x) (tv e y) = true -> keeps e (holding r x y b).
Proof.
  intros B H. unfold holding. pose proof (range_ok e b x B) as [X1 X2]. pose proof (range_ok e b y B) as [Y1 Y2].
  assert (Q : forall o : option box, keeps e o -> keeps e (do b <- o; match known_of b (Rel r x y) with Some false => None | _ => Some b end)).
  { intros [b'|] K; [|exact K]. simpl in K. pose proof (not_false_ok e b' (Rel r x y) K H) as N. unfold not_false in N.
    destruct (known_of b' (Rel r x y)) as [[]|]; try discriminate; exact K. }
  apply Q. assert (P : forall s t, lies s (tv e x) -> lies t (tv e y) -> keeps e (do b <- push x s b; push y t b)).
  { intros s t S T. pose proof (push_ok e x s b B S) as K. destruct (push x s b) as [b'|]; [|exact K]. now apply push_ok. }
  destruct r; simpl in H; auto.
  - apply Z.eqb_eq in H. apply P; [now rewrite H|now rewrite <- H].
  - apply Z.leb_le in H. apply P; split; simpl; auto.
    + destruct (snd (range_of b y)); simpl in *; lia || tauto. + destruct (fst (range_of b x)); simpl in *; lia || tauto.
  - apply Z.ltb_lt in H. apply P; split; simpl; auto.
    + destruct (snd (range_of b y)); simpl in *; lia || tauto. + destruct (fst (range_of b x)); simpl in *; lia || tauto.
Qed.
Lemma hold_ok e f : forall b, inside e b -> fv e f = true -> keeps e (hold f b).
Proof.
  induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; intros b B F.
  - now apply holding_ok.
  - cbn [hold]. simpl in F. revert b B F. induction IH as [|f l H L IHl]; intros b B F; [exact B|].
    simpl in F. apply andb_true_iff in F as [F1 F2]. specialize (H b B F1). destruct (hold f b) as [b'|]; [|exact H]. now apply IHl.
  - cbn [hold]. simpl in F. induction IH as [|f l H L IHl]; [discriminate|]. simpl in F. destruct (not_false b f) eqn:N.
    + destruct (existsb (not_false b) l) eqn:E; [exact B|]. apply H; auto. destruct (fv e f) eqn:F1; auto. simpl in F.
      apply existsb_exists in F as (g & G & F). assert (X : existsb (not_false b) l = true); [|congruence].
      apply existsb_exists. exists g. split; auto. now apply (not_false_ok e).
    + apply IHl. destruct (fv e f) eqn:F1; auto. apply (not_false_ok e b) in F1; auto. congruence.
  - assert (D : keeps e (guard (not_false b (Not f)) (Some b))) by (rewrite (not_false_ok e b _ B F); exact B).
    destruct f as [[] x y| | | |]; try exact D; cbn [hold]; apply holding_ok; auto; simpl in F; simpl.
    + now rewrite negb_involutive in F.
    + now rewrite <- Z.ltb_antisym in F.
    + now rewrite <- Z.leb_antisym in F.
  - cbn [hold]. rewrite (not_false_ok e b _ B F). exact B.
Qed.
Definition MAX_ROUNDS := 8%nat.
Definition hold_all (facts : list form) (b : box) : option box := fold_left (fun b f => do b <- b; hold f b) facts (Some b).
Definition end_eqb (x y : ext) : bool := eleb x y && eleb y x.
Fixpoint same_box (b c : box) : bool :=
  match b, c with
  | (_, r) :: b, (_, s) :: c => end_eqb (fst r) (fst s) && end_eqb (snd r) (snd s) && same_box b c | _, _ => true end.
Fixpoint narrowed (rounds : nat) (facts : list form) (b : box) : option box :=
  match rounds with
  | O => Some b
  | S n => match hold_all facts b with None => None | Some b' => if same_box b b' then Some b' else narrowed n facts b' end
  end.
Lemma hold_all_ok e facts b : inside e b -> so e facts -> keeps e (hold_all facts b).
Proof.
  intros B. unfold hold_all. assert (K : keeps e (Some b)) by exact B. revert K. generalize (Some b). induction facts as [|f l IH]; intros o K F; auto.
  apply so_cons in F as [F1 F2]. simpl. apply IH; auto. destruct o as [b'|]; [|exact K]. now apply hold_ok.
Qed.
Lemma narrowed_ok e facts n : forall b, inside e b -> so e facts -> keeps e (narrowed n facts b).
Proof.
  induction n as [|n IH]; intros b B F; simpl; auto. pose proof (hold_all_ok e facts b B F) as K.
  destruct (hold_all facts b) as [b'|]; [|exact K]. destruct (same_box b b'); auto.
Qed.

(* --- cut to the end ------------------------------------------------------------------------------------------------ *)

(* The halves of a box along the first of some dims that has more than one value there; none without both ends. *)
Fixpoint halves (names : list positive) (b : box) : option (box * box) :=
  match names with
  | [] => None
  | n :: names => match assoc n b with
    | Some (Fin l, Fin h) => if l <? h then let m := (l + h) / 2 in Some (set n (Fin l, Fin m) b, set n (Fin (m + 1), Fin h) b)
        else halves names b
    | Some (l, h) => if eleb h l then halves names b else None
    | None => None end
  end.
Lemma halves_ok e names b c d : halves names b = Some (c, d) -> inside e b -> inside e c \/ inside e d.
Proof.
  induction names as [|n names IH]; simpl; intros H B; [discriminate|]. destruct (assoc n b) as [[[|l|] [|h|]]|] eqn:A; try discriminate;
    try (destruct (eleb _ _); auto; discriminate).
  destruct (l <? h); auto. injection H as <- <-. apply assoc_in in A. assert (S := B). unfold inside in S. rewrite Forall_forall in S.
  apply S in A as [A1 A2]. simpl in A1, A2. destruct (Z.le_gt_cases (e n) ((l + h) / 2)); [left|right]; apply set_ok; auto; split; simpl; lia.
Qed.
(* How many boxes are looked at, and how often one is cut. *)
Definition MAX_BOXES := 131072.
Definition MAX_CUTS := 200%nat.
(* Whether a formula is shown on a box by looking at no more than so many, of which it says how many are left. *)
Fixpoint shown (cuts : nat) (most : Z) (names : list positive) (facts : list form) (f : form) (b : box) : option Z :=
  match cuts with
  | O => None
  | S n => if most <=? 0 then None else
    match narrowed MAX_ROUNDS facts b with
    | None => Some (most - 1)
    | Some b => match known_of b f with
      | Some true => Some (most - 1)
      | _ => match halves names b with
        | None => None
        | Some (c, d) => match shown n (most - 1) names facts f c with
          | Some most => shown n most names facts f d | None => None end end end end
  end.
Lemma shown_ok e names facts f n : so e facts -> forall most b k, shown n most names facts f b = Some k -> inside e b -> fv e f = true.
Proof.
  intro F. induction n as [|n IH]; intros most b k H B; [discriminate|]. cbn [shown] in H. destruct (most <=? 0); [discriminate|].
  pose proof (narrowed_ok e facts MAX_ROUNDS b B F) as K. destruct (narrowed MAX_ROUNDS facts b) as [b'|]; [|contradiction].
  destruct (known_of b' f) as [[]|] eqn:T; [now apply (known_of_ok e) in T| |];
    destruct (halves names b') as [[c d]|] eqn:Hv; try discriminate;
    destruct (shown n (most - 1) names facts f c) as [more|] eqn:S; try discriminate;
    destruct (halves_ok e names b' c d Hv K); eauto.
Qed.
Definition in_ranges (dims : lower_bounds) (names : list positive) (facts : list form) (f : form) : bool :=
  forallb (dim_of dims) names &&
  match shown MAX_CUTS MAX_BOXES names facts f (map (fun d => (fst d, (Fin (snd d), Plus))) dims) with Some _ => true | None => false end.
Theorem in_ranges_ok dims names facts e f : in_ranges dims names facts f = true -> within_bounds dims e -> so e facts -> fv e f = true.
Proof.
  unfold in_ranges. rewrite andb_true_iff. intros [_ H] B F. set (b := map _ dims) in H.
  assert (I : inside e b).
  { apply Forall_map. eapply Forall_impl; [|exact B]. intros [n c] X. now split. }
  clearbody b. revert H. generalize MAX_CUTS MAX_BOXES. intros n most H. destruct (shown _ _ _ _ _ _) as [k|] eqn:S; [|discriminate].
  exact (shown_ok e names facts f n F _ _ _ S I).
Qed.
