(* Terms as polynomials in variables, and sums that show a relation: nonnegative combinations, after
   Handelman, of products of what is >= 0. *)
Require Import Ascii String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials.
Import ListNotations.
Open Scope Z_scope.

Record state := { values : list (positive * poly); said : list (positive * form); atoms : list (term * positive) }.
Definition atom (st : state) (x : term) : option poly :=
  do t <- find (fun t => term_eqb (fst t) x) (atoms st); assoc (snd t) (values st).
Definition negative (x : term) : bool := match x with Neg _ => true | _ => false end.
Definition either {A} (x y : option A) : option A := match x with None => y | _ => x end.
Definition ceiling (a b : term) : term := Bin FloorDiv (sub (add a b) (Int 1)) b.
Fixpoint poly_of (st : state) (x : term) : option poly :=
  match x with
  | Int z => Some (constant z) | Dim n => assoc n (values st)
  | Neg a => do p <- poly_of st a; Some (scale (-1) p)
  | Pow a k => do p <- poly_of st a; Some (ppow p k)
  | Bin o a b =>
    do p <- poly_of st a; do q <- poly_of st b;
    match o with
    | Add => Some (padd p q) | Sub => Some (psub p q) | Mul => Some (pmul p q)
    | _ => match value p, value q with
      | Some m, Some n => do v <- apply o m n; Some (constant v)
      | _, _ =>
        let quotient := either (atom st (Bin FloorDiv a b))
          (guard (negb (negative b)) (atom st (Bin FloorDiv (Neg a) (Neg b)))) in
        match o with
        | FloorDiv => quotient
        | Mod => do r <- quotient; Some (psub p (pmul q r))
        | CeilDiv => either (atom st (ceiling a b))
            (guard (negb (negative b)) (atom st (ceiling (Neg a) (Neg b))))
        | _ => atom st x
        end end end
  end.

(* What variables are at an instance: names what they are, parameters at least 0. *)
Definition holds_atom (g : env) (t : term * positive) :=
  tv g (fst t) = g (snd t) /\ match fst t with Bin FloorDiv _ b => 1 <= tv g b | _ => True end.
Record meets (facts : list form) (st : state) (g : env) : Prop := {
  m_good : good g; m_facts : so g facts;
  m_values : Forall (fun t => pv g (snd t) = g (fst t)) (values st);
  m_said : Forall (fun t => fv g (snd t) = true) (said st);
  m_atoms : Forall (holds_atom g) (atoms st) }.

Lemma assoc_in {A} k (l : list (positive * A)) x : assoc k l = Some x -> In (k, x) l.
Proof.
  induction l as [|[n y] l IH]; simpl; [discriminate|]. destruct (Pos.eqb_spec n k); intro H; auto.
  injection H as <-. subst. auto.
Qed.
Lemma atom_ok facts st g x p : meets facts st g -> atom st x = Some p ->
  pv g p = tv g x /\ match x with Bin FloorDiv _ b => 1 <= tv g b | _ => True end.
Proof.
  unfold atom. intros M H. destruct (find _ _) as [[y k]|] eqn:F; [|discriminate].
  apply find_some in F as [I E]. apply term_eqb_eq in E. simpl in E, H. subst y.
  apply assoc_in in H. pose proof (m_values _ _ _ M) as V. rewrite Forall_forall in V.
  apply V in H. simpl in H. pose proof (m_atoms _ _ _ M) as A. rewrite Forall_forall in A.
  apply A in I. destruct I as [I J]. simpl in *. split; [congruence|auto].
Qed.
Lemma apply_total o a b v : apply o a b = Some v -> total o a b = v.
Proof.
  destruct o; simpl; intro H; try congruence;
    repeat match type of H with context [if ?b then _ else _] => destruct b; try discriminate end; congruence.
Qed.
Lemma div_neg a b : - a / - b = a / b.
Proof. destruct (Z.eq_dec b 0) as [->|]; [now rewrite !Zdiv_0_r|now apply Z.div_opp_opp]. Qed.
Lemma ceil_up a b : 1 <= b -> (a + b - 1) / b = - (- a / b).
Proof.
  intro B. pose proof (Z.div_mod (- a) b ltac:(lia)) as E. pose proof (Z.mod_pos_bound (- a) b ltac:(lia)).
  symmetry. apply (Z.div_unique_pos _ _ _ (a + b - 1 + b * (- a / b))); lia.
Qed.
Lemma floor_ok facts st g a b p : meets facts st g ->
  either (atom st (Bin FloorDiv a b)) (guard (negb (negative b)) (atom st (Bin FloorDiv (Neg a) (Neg b))))
  = Some p -> pv g p = tv g a / tv g b.
Proof.
  intros M H. destruct (atom st (Bin FloorDiv a b)) eqn:E; simpl in H.
  - injection H as <-. now apply (atom_ok facts st g) in E as [-> _].
  - unfold guard in H. destruct (negb _); [|discriminate].
    apply (atom_ok facts st g) in H as [-> _]; auto. apply div_neg.
Qed.
Lemma ceil_ok facts st g a b p : meets facts st g ->
  either (atom st (ceiling a b)) (guard (negb (negative b)) (atom st (ceiling (Neg a) (Neg b))))
  = Some p -> pv g p = - (- tv g a / tv g b).
Proof.
  intros M H. destruct (atom st (ceiling a b)) eqn:E; simpl in H.
  - injection H as <-. apply (atom_ok facts st g) in E as [-> B]; auto. now apply ceil_up.
  - unfold guard in H. destruct (negb _); [|discriminate].
    apply (atom_ok facts st g) in H as [-> B]; auto. simpl in *. rewrite ceil_up by auto.
    now rewrite div_neg, <- (div_neg _ (tv g b)).
Qed.
Lemma mod_is a b : a - b * (a / b) = a mod b.
Proof.
  destruct (Z.eq_dec b 0) as [->|N]; [rewrite Zmod_0_r; lia|].
  pose proof (Z.div_mod a b N). lia.
Qed.
Lemma poly_ok facts st g : meets facts st g -> forall x p, poly_of st x = Some p -> pv g p = tv g x.
Proof.
  intro M. induction x as [z|n|a IHa|a IHa k|o a IHa b IHb]; simpl; intros p H.
  - injection H as <-. apply constant_ok.
  - apply assoc_in in H. pose proof (m_values _ _ _ M) as V. rewrite Forall_forall in V.
    now apply V in H.
  - destruct (poly_of st a); [|discriminate]. injection H as <-. rewrite scale_ok, (IHa _ eq_refl). lia.
  - destruct (poly_of st a); [|discriminate]. injection H as <-. now rewrite ppow_ok, (IHa _ eq_refl).
  - destruct (poly_of st a) as [q|]; [|discriminate]. destruct (poly_of st b) as [r|]; [|discriminate].
    specialize (IHa _ eq_refl). specialize (IHb _ eq_refl).
    assert (K : forall m n v, value q = Some m -> value r = Some n -> apply o m n = Some v ->
      pv g (constant v) = total o (tv g a) (tv g b)).
    { intros m n v Q R A. apply (value_ok g) in Q, R. apply apply_total in A.
      rewrite constant_ok. congruence. }
    destruct o; try (injection H as <-; cbn [total]; rewrite ?padd_ok, ?psub_ok, ?pmul_ok; congruence);
      destruct (value q) as [m|]; try destruct (value r) as [n|];
      try (destruct (apply _ m n) as [v|] eqn:AP; [|discriminate]; injection H as <-; now apply (K m n));
      try (apply (atom_ok facts st g) in H as [-> _]; [reflexivity|exact M]);
      try (now apply (floor_ok facts) with (g := g) in H);
      try (now apply (ceil_ok facts) with (g := g) in H);
      match type of H with match ?x with _ => _ end = _ => destruct x as [t|] eqn:T; [|discriminate] end;
      injection H as <-; apply (floor_ok facts) with (g := g) in T; auto;
      rewrite psub_ok, pmul_ok, T, IHa, IHb; apply mod_is.
Qed.

(* --- sums ------------------------------------------------------------------------------------------ *)

Definition gap (st : state) (f : form) : option poly :=
  match f with
  | Rel r a b => do p <- poly_of st a; do q <- poly_of st b;
    match r with Eq | Le => Some (psub q p) | Lt => Some (psub (psub q p) (constant 1)) | _ => None end
  | _ => None
  end.
Definition equation (f : form) : bool := match f with Rel Eq _ _ => true | _ => false end.
Lemma gap_ok facts st g f p : meets facts st g -> gap st f = Some p ->
  (fv g f = true <-> if equation f then pv g p = 0 else 0 <= pv g p).
Proof.
  intros M H. destruct f as [r a b| | | |]; simpl in H; try discriminate.
  destruct (poly_of st a) as [q|] eqn:A; [|discriminate]. destruct (poly_of st b) as [s|] eqn:B; [|discriminate].
  apply (poly_ok _ _ g M) in A, B. destruct r; try discriminate; injection H as <-; simpl;
    rewrite ?psub_ok, ?constant_ok, A, B.
  - rewrite Z.eqb_eq. lia.
  - rewrite Z.leb_le. lia.
  - rewrite Z.ltb_lt. lia.
Qed.

Section Sums.
  Variable facts : list form.
  Variable st : state.
  (* Something that is >= 0 everywhere, and whether it is 0 everywhere. *)
  Definition factor (d : data) : option (poly * bool) :=
    let by_fact f := do p <- gap st f; Some (p, equation f) in
    match d with
    | DInt k => do f <- at_number facts k; by_fact f
    | DStr s => if primed s && match assoc s (values st) with Some _ => true | _ => false end
                then Some (variable s, false) else do f <- assoc s (said st); by_fact f
    | _ => None
    end.
  Definition product (d : data) : option (Z * positive * poly * bool) :=
    match d with
    | DList [DStr w; DList ks] =>
      do (n, den) <- rational w; do fs <- all factor ks;
      let zero := existsb snd fs in
      guard (zero || (0 <? n)) (Some (n, den, fold_right (fun f p => pmul (fst f) p) (constant 1) fs, zero))
    | _ => None
    end.
  (* A common denominator, the sum times that, and whether it is 0. *)
  Definition summed (d : data) : option (Z * poly * bool) :=
    do ts <- every product d;
    let D := fold_right (fun t D => Z.lcm (Zpos (snd (fst (fst t)))) D) 1 ts in
    Some (D, fold_right (fun t p => padd (scale (fst (fst (fst t)) * (D / Zpos (snd (fst (fst t))))) (snd (fst t))) p) [] ts,
          forallb snd ts).
  Definition combined (f : form) (terms : data) (k : term) : bool :=
    match poly_of st k, summed terms with
    | Some k, Some (D, found, zero) =>
      (1 <=? D) &&
      match f with
      | Rel Divides a b => match poly_of st a, poly_of st b with
        | Some a, Some b => zero && known a 1 && same (scale D (psub b (pmul k a))) found | _, _ => false end
      | _ => match gap st f with
        | None => false
        | Some p => known k 1 &&
          if equation f then zero && same (scale D (pmul k p)) found
          else match primitive p with
            | Some q => known (psub (scale D (pmul k (padd q (constant 1)))) found) 1 | None => false end
        end end
    | _, _ => false
    end.

  Variable g : env.
  Hypothesis M : meets facts st g.
  Lemma at_number_in {A} (l : list A) k x : at_number l k = Some x -> In x l.
  Proof. unfold at_number. destruct (k <? 0); [discriminate|]. apply nth_error_In. Qed.
  Lemma factor_ok d p z : factor d = Some (p, z) -> 0 <= pv g p /\ (z = true -> pv g p = 0).
  Proof.
    assert (F : forall f, fv g f = true -> (do p <- gap st f; Some (p, equation f)) = Some (p, z) ->
      0 <= pv g p /\ (z = true -> pv g p = 0)).
    { intros f T H. destruct (gap st f) as [q|] eqn:G; [|discriminate]. injection H as <- <-.
      apply (gap_ok facts st g f q M) in G. apply G in T. destruct (equation f); split; lia || discriminate || auto. }
    destruct d as [k|s| | | |]; simpl; try discriminate.
    - destruct (at_number facts k) as [f|] eqn:E; [|discriminate]. apply F.
      apply at_number_in in E. pose proof (m_facts _ _ _ M) as S. unfold so in S.
      rewrite Forall_forall in S. auto.
    - destruct (_ && _) eqn:P.
      + intro H. injection H as <- <-. apply andb_true_iff in P as [P _]. rewrite variable_ok.
        split; [now apply (m_good _ _ _ M)|discriminate].
      + destruct (assoc s (said st)) as [f|] eqn:E; [|discriminate]. apply F.
        apply assoc_in in E. pose proof (m_said _ _ _ M) as S. rewrite Forall_forall in S. now apply S in E.
  Qed.
  Lemma all_forall {A B} (f : A -> option B) (P : B -> Prop) : (forall x y, f x = Some y -> P y) ->
    forall l r, all f l = Some r -> Forall P r.
  Proof.
    intro H. induction l as [|x l IH]; simpl; intros r E; [injection E as <-; constructor|].
    destruct (f x) eqn:F; [|discriminate]. destruct (all f l); [|discriminate]. injection E as <-.
    constructor; eauto.
  Qed.
  Lemma product_ok d n D p z : product d = Some (n, D, p, z) -> 0 <= n * pv g p /\ (z = true -> pv g p = 0).
  Proof.
    destruct d as [| | | |[|[|w| | | |] [|[| | | |ks|] []]]|]; simpl; try discriminate.
    destruct (rational w) as [[m den]|]; [|discriminate]. destruct (all factor ks) as [fs|] eqn:F; [|discriminate].
    assert (A : Forall (fun f => 0 <= pv g (fst f) /\ (snd f = true -> pv g (fst f) = 0)) fs).
    { eapply all_forall; [|exact F]. intros x [q y] E. now apply factor_ok in E. }
    unfold guard. destruct (_ || _) eqn:B; [|discriminate]. intro H. injection H as <- <- <- <-.
    assert (P : 0 <= pv g (fold_right (fun f p => pmul (fst f) p) (constant 1) fs)
      /\ (existsb snd fs = true -> pv g (fold_right (fun f p => pmul (fst f) p) (constant 1) fs) = 0)).
    { clear - A. induction A as [|[q y] l [H0 H1] L [I J]]; cbn [fold_right existsb fst snd] in *.
      - rewrite constant_ok. split; [lia|discriminate].
      - rewrite pmul_ok. split; [nia|]. intro K. apply orb_true_iff in K as [K|K]; [rewrite H1; auto; lia|].
        rewrite J; auto. lia. }
    destruct P as [P Q]. split; auto. destruct (existsb snd fs); [rewrite Q; auto; lia|].
    simpl in B. apply Z.ltb_lt in B. nia.
  Qed.
  Lemma summed_ok d D p z : summed d = Some (D, p, z) -> 0 <= pv g p /\ (z = true -> pv g p = 0).
  Proof.
    unfold summed, every. destruct d as [| | | |l|]; try discriminate. destruct (all product l) as [ts|] eqn:T; [|discriminate].
    assert (A : Forall (fun t => 0 <= fst (fst (fst t)) * pv g (snd (fst t)) /\ (snd t = true -> pv g (snd (fst t)) = 0)) ts).
    { eapply all_forall; [|exact T]. intros x [[[n den] q] y] E. now apply product_ok in E. }
    intro H. injection H as HD HP HZ. subst z p. rewrite HD. assert (0 <= D).
    { rewrite <- HD. clear. induction ts; simpl; [lia|apply Z.lcm_nonneg]. }
    clear HD T. induction A as [|[[[n den] q] y] ts [H0 H1] L [I J]]; cbn [fold_right forallb fst snd] in *; [simpl; lia|].
    rewrite padd_ok, scale_ok. assert (0 <= D / Z.pos den) by (apply Z.div_pos; lia). split; [nia|].
    intro K. apply andb_true_iff in K as [K1 K2]. rewrite H1, J; auto. lia.
  Qed.
  Theorem combined_ok f terms k : combined f terms k = true -> fv g f = true.
  Proof.
    unfold combined. destruct (poly_of st k) as [K|]; [|discriminate].
    destruct (summed terms) as [[[D found] zero]|] eqn:S; [|discriminate].
    apply summed_ok in S as [S0 S1]. rewrite andb_true_iff, Z.leb_le. intros [D1 H].
    assert (H' : match f with Rel Divides _ _ => False | _ => True end -> fv g f = true).
    { intro ND. assert (E : match gap st f with None => false | Some p => known K 1 &&
          if equation f then zero && same (scale D (pmul K p)) found
          else match primitive p with
            | Some q => known (psub (scale D (pmul K (padd q (constant 1)))) found) 1 | None => false end end = true)
        by (destruct f as [[]| | | |]; tauto || exact H).
      clear H. destruct (gap st f) as [p|] eqn:G; [|discriminate].
      apply (gap_ok facts st g f p M) in G. apply G. clear G. apply andb_true_iff in E as [K1 E].
      apply (known_ok g) in K1; [|apply M]. destruct (equation f).
      - apply andb_true_iff in E as [Z E]. apply (same_ok g) in E. rewrite scale_ok, pmul_ok, S1 in E by auto.
        nia.
      - destruct (primitive p) as [q|] eqn:Q; [|discriminate]. apply (primitive_ok g) in Q; auto.
        apply (known_ok g) in E; [|apply M]. rewrite psub_ok, scale_ok, pmul_ok, padd_ok, constant_ok in E. nia. }
    destruct f as [[]| | | |]; try (apply H'; exact I).
    destruct (poly_of st a) as [A|] eqn:EA; [|discriminate]. destruct (poly_of st b) as [B|] eqn:EB; [|discriminate].
    rewrite !andb_true_iff in H. destruct H as [[Z A1] E]. apply (known_ok g) in A1; [|apply M].
    apply (same_ok g) in E. rewrite scale_ok, psub_ok, pmul_ok, S1 in E by auto.
    apply (poly_ok _ _ g M) in EA, EB. simpl. rewrite <- EA, <- EB.
    assert (B0 : pv g B = pv g K * pv g A) by nia. rewrite B0, Z.mod_mul by lia.
    apply andb_true_iff. split; [|reflexivity]. apply negb_true_iff, Z.eqb_neq. lia.
  Qed.
End Sums.
