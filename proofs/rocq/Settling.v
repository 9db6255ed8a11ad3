(* How an obligation is settled: by sums, by assumptions, by its parts, and where more is assumed. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Classes Intervals Ranges.
Import ListNotations.
Open Scope Z_scope.

(* The formulas of which each is so where one is; the one of a negation is what that is inwards. *)
Definition conjuncts (f : form) : option (list form) :=
  match f with
  | And l => Some l
  | Rel Eq a b => Some [le a b; le b a]
  | Rel Le a (Bin Min x y) => Some [le a x; le a y]
  | Rel Le (Bin Max x y) b => Some [le x b; le y b]
  | Not f => match negation f with Not _ => None | g => Some [g] end
  | _ => None
  end.
Definition disjuncts (f : form) : option (list form) :=
  match f with Rel Ne a b => Some [lt a b; lt b a] | Or l => Some l | _ => None end.
Lemma forallb_so e l : forallb (fv e) l = true <-> so e l.
Proof. unfold so. rewrite forallb_forall, Forall_forall. tauto. Qed.
Lemma conjuncts_ok e f fs : conjuncts f = Some fs -> so e fs -> fv e f = true.
Proof.
  intros H S. apply forallb_so in S. destruct f as [r a b|l|l|f|f g]; simpl in H; try discriminate.
  - assert (Q : r = Eq \/ r = Le) by (destruct r; try discriminate; auto). destruct Q as [-> | ->].
    + injection H as <-. simpl in *. rewrite !andb_true_iff, !Z.leb_le in S. apply Z.eqb_eq. lia.
    + assert (E : forall a x y, forallb (fv e) [le a x; le a y] = true -> fv e (Rel Le a (Bin Min x y)) = true).
      { intros a0 x y T. simpl in *. rewrite !andb_true_iff, !Z.leb_le in *. lia. }
      assert (E' : forall b x y, forallb (fv e) [le x b; le y b] = true -> fv e (Rel Le (Bin Max x y) b) = true).
      { intros a0 x y T. simpl in *. rewrite !andb_true_iff, !Z.leb_le in *. lia. }
      destruct b as [| | | |[]]; destruct a as [| | | |[]]; simpl in H; try discriminate; injection H as <-;
        now (apply E || apply E').
  - now injection H as <-.
  - simpl. pose proof (negation_ok e f) as N.
    assert (T : fv e (negation f) = true); [|rewrite T in N; auto].
    destruct (negation f); try discriminate; injection H as <-; simpl in S |- *; now rewrite andb_true_r in S.
Qed.
Lemma disjuncts_ok e f fs : disjuncts f = Some fs -> fv e f = existsb (fv e) fs.
Proof.
  intro H. destruct f as [r a b|l|l|f|f g]; simpl in H; try discriminate.
  - destruct r; try discriminate. injection H as <-. simpl. rewrite orb_false_r.
    destruct (Z.eqb_spec (tv e a) (tv e b)), (Z.ltb_spec (tv e a) (tv e b)), (Z.ltb_spec (tv e b) (tv e a));
      simpl; auto; lia.
  - now injection H as <-.
Qed.

(* What is assumed with a formula; a conjunction counts as its parts. *)
Definition plus (facts : list form) (f : form) : list form :=
  facts ++ match (match f with Not g => negation g | _ => f end) with And l => l | g => [g] end.
Lemma plus_ok e facts f : so e facts -> fv e f = true -> so e (plus facts f).
Proof.
  intros S F. unfold plus. apply so_app. split; auto.
  set (g := match f with Not g => negation g | _ => f end).
  assert (G : fv e g = true) by (unfold g; destruct f; auto; rewrite negation_ok; exact F).
  destruct g; try (now constructor). now apply forallb_so.
Qed.

Open Scope string_scope.
Definition w_sum := Eval compute in word "sum".
Definition w_given := Eval compute in word "given".
Definition w_follows := Eval compute in word "follows".
Definition w_case := Eval compute in word "case".
Definition w_either := Eval compute in word "either".
Definition w_cut := Eval compute in word "cut".
Definition w_absurd := Eval compute in word "absurd".
Definition w_powers := Eval compute in word "powers".
Definition w_classes := Eval compute in word "classes".
Definition w_range := Eval compute in word "range".
Close Scope string_scope.
Fixpoint both {A B} (f : A -> B -> bool) (l : list A) (m : list B) : bool :=
  match l, m with [], [] => true | x :: l, y :: m => f x y && both f l m | _, _ => false end.
Lemma both_so e fs : forall ds (f : form -> data -> bool), (forall g d, f g d = true -> fv e g = true) ->
  both f fs ds = true -> so e fs.
Proof.
  induction fs as [|g fs IH]; intros [|d ds] f H B; simpl in B; try discriminate; [constructor|].
  apply andb_true_iff in B as [B1 B2]. constructor; eauto. eapply IH; eauto.
Qed.

Section Settling.
  Variable dims : lower_bounds.
  Variable defs : list data.

  (* A term that is at least 1 by the bounds of the dims alone. *)
  Definition bound_of (n : positive) : Z := match assoc n dims with Some c => c | None => 0 end.
  Fixpoint positive_term (x : term) : bool :=
    match x with
    | Bin Mul a b => positive_term a && positive_term b
    | Bin FloorDiv (Dim n) (Int c) => (1 <=? c) && (c <=? bound_of n)
    | Int z => 1 <=? z | Dim n => 1 <=? bound_of n | _ => false
    end.
  Fixpoint conclusion (f : form) : form := match f with Implies _ g => conclusion g | _ => f end.
  (* The formula that data says of the dims, which has a value everywhere. *)
  Definition spoken (d : data) : option form :=
    do f <- form_of d;
    guard (within dims f && forallb (fun f => match conclusion f with
      | Rel Ne x _ => positive_term x | _ => false end) (asks f)) (Some f).
  (* What is proved by cases, and where. *)
  Definition branches (facts : list form) (kind : positive) (l : list data) : option (list (list form * data)) :=
    match l with
    | [item; a; b] => guard (Pos.eqb kind w_case)
      (do f <- spoken item; Some [(plus facts f, a); (plus facts (negation f), b)])
    | [DInt k; DList l] => guard (Pos.eqb kind w_either)
      (do f <- at_number facts k; do fs <- disjuncts f;
       guard (Nat.eqb (length fs) (length l)) (Some (combine (map (plus facts) fs) l)))
    | _ => None
    end.
  Lemma branches_ok e facts kind l bs : so e facts -> branches facts kind l = Some bs ->
    exists b, In b bs /\ so e (fst b).
  Proof.
    intros S H. unfold branches in H. destruct l as [|a [|b [|c []]]]; try discriminate;
      try (destruct a; try discriminate; destruct b; discriminate).
    - destruct a as [k| | | | |]; try discriminate. destruct b as [| | | |l|]; try discriminate.
      apply guard_some in H as [_ H]. apply some_in in H as (f & F & H). apply some_in in H as (fs & D & H).
      apply guard_some in H as [L H]. injection H as <-. apply Nat.eqb_eq in L.
      apply at_number_in in F. unfold so in S. rewrite Forall_forall in S. apply S in F as T.
      rewrite (disjuncts_ok _ _ _ D) in T. apply existsb_exists in T as (g & G & T).
      apply In_nth_error in G as [i G]. destruct (nth_error l i) as [d|] eqn:E.
      + exists (plus facts g, d). split.
        * assert (X : nth_error (combine (map (plus facts) fs) l) i = Some (plus facts g, d)); [|now apply nth_error_In in X].
          clear - G E. revert l i G E. induction fs as [|h fs IH]; intros [|y l] [|i] G E; simpl in *; try discriminate; auto.
          congruence.
        * simpl. apply plus_ok; auto. unfold so. now rewrite Forall_forall.
      + apply nth_error_None in E. assert (X := nth_error_Some fs i). rewrite G in X.
        destruct X as [X _]. specialize (X ltac:(discriminate)). lia.
    - assert (H' : (do f <- spoken a; Some [(plus facts f, b); (plus facts (negation f), c)]) = Some bs).
      { destruct a; try (destruct b); now apply guard_some in H as [_ H]. }
      apply some_in in H' as (f & _ & H'). injection H' as <-. destruct (fv e f) eqn:T.
      + exists (plus facts f, b). split; [simpl; auto|]. now apply plus_ok.
      + exists (plus facts (negation f), c). split; [simpl; auto|]. apply plus_ok; auto.
        now rewrite negation_ok, T.
  Qed.

  Definition look := Z -> option state.
  (* Names as each definition has them at a place. *)
  Definition ways (prove : look -> form -> data -> bool) (facts : list form) : look :=
    let found := map (fun kd => way dims facts
      (fun st => prove (fun k => if k =? Z.of_nat (fst kd) then Some st else None)) (snd kd))
      (combine (seq 0 (length defs)) defs) in
    fun k => do st <- at_number found k; st.
  (* `inner` is for the formulas of a step, which may have the names that are defined there. *)
  Fixpoint settle (fuel : nat) (inner : bool) (look : look) (facts : list form) (f : form) (by_ : data) : bool :=
    match fuel with
    | O => false
    | S n =>
      let at_ facts f by_ := settle n false (ways (fun look => settle n true look facts) facts) facts f by_ in
      (inner || within dims f) &&
      match by_ with
      | DList (DStr kind :: l) =>
        if Pos.eqb kind w_sum then
          match l with
          | DInt k :: more => match look k with
            | None => false
            | Some st => match more with
              | [] => combined facts st f (DList []) (Int 1)
              | [terms] => combined facts st f terms (Int 1)
              | [terms; x] => match term_of x with Some x => combined facts st f terms x | None => false end
              | _ => false end end
          | _ => false end
        else if Pos.eqb kind w_given then
          match l with
          | [DInt k] => match at_number facts k with Some g => form_eqb g f | None => false end
          | _ => false end
        else if Pos.eqb kind w_follows then
          match l with
          | [DInt k; b] => match at_number facts k with
            | Some (Implies p g) => form_eqb g f && settle n inner look facts p b | _ => false end
          | _ => false end
        else if Pos.eqb kind w_and then
          match l with
          | [DList l] => match conjuncts f with Some fs => both (settle n inner look facts) fs l | None => false end
          | _ => false end
        else if Pos.eqb kind w_or then
          match l with
          | [DInt k; b] => match disjuncts f with
            | Some fs => match at_number fs k with Some g => settle n inner look facts g b | None => false end
            | None => false end
          | _ => false end
        else negb inner &&
          if Pos.eqb kind w_cut then
            match l with
            | [d; a; b] => match spoken d with
              | Some g => settle n false look facts g a && at_ (plus facts g) f b | None => false end
            | _ => false end
          else if Pos.eqb kind w_implies then
            match l, f with [b], Implies p g => at_ (plus facts p) g b | _, _ => false end
          else if Pos.eqb kind w_absurd then
            match l with [b] => at_ (plus facts (negation f)) (le (Int 1) (Int 0)) b | _ => false end
          else if Pos.eqb kind w_powers then
            match l, f with
            | [b], Rel (Divides | Le) x y => power dims facts x && power dims facts y
                && settle n false look facts (lt x (add y y)) b
            | _, _ => false end
          else if Pos.eqb kind w_classes then
            match l with
            | [DList ks] => match all (index (length facts)) ks with
              | Some ks => holds_in_classes f (map (fun k => nth k facts (And [])) ks) | None => false end
            | _ => false end
          else if Pos.eqb kind w_range then
            match l with
            | [DList ns] => match all (fun d => match d with DStr n => Some n | _ => None end) ns with
              | Some ns => in_ranges dims ns facts f | None => false end
            | _ => false end
          else match branches facts kind l with
            | Some bs => forallb (fun b => at_ (fst b) f (snd b)) bs | None => false end
      | _ => false
      end
    end.

  (* What look says at an instance: some h that agrees with it on the dims, within a step it itself. *)
  Definition sound_look (look : look) (inner : bool) (facts : list form) (g : env) :=
    forall k st, look k = Some st -> exists h, meets facts st h /\ (inner = true -> h = g) /\
      forall n, dim_of dims n = true -> h n = g n.
  Lemma ways_ok (prove : look -> form -> data -> bool) facts e :
    (forall look f b g, prove look f b = true -> sound_look look true facts g -> so g facts -> fv g f = true) ->
    within_bounds dims e -> so e facts -> sound_look (ways prove facts) false facts e.
  Proof.
    intros P B S k st H. unfold ways in H. cbv zeta in H. apply some_in in H as (o & H & E). subst o.
    apply at_number_in in H. apply in_map_iff in H as ([i d] & H & _). cbn [fst snd] in H.
    eapply way_ok in H; eauto.
    - destruct H as (h & M & D). exists h. split; auto. split; [discriminate|auto].
    - intros st' f b g T M. apply (P _ f b g T); [|apply M]. intros j st2 J.
      destruct (j =? Z.of_nat i); [|discriminate]. injection J as <-. exists g. easy.
  Qed.
  Lemma settle_ok fuel : forall inner look facts f b g, settle fuel inner look facts f b = true ->
    sound_look look inner facts g -> so g facts -> (inner = false -> within_bounds dims g) -> fv g f = true.
  Proof.
    induction fuel as [|n IH]; intros inner look facts f b g H L S B; [discriminate|]. cbn [settle] in H.
    set (at_ := fun facts f b => settle n false (ways (fun look => settle n true look facts) facts) facts f b) in H.
    assert (AT : inner = false -> forall facts f b, at_ facts f b = true -> so g facts -> fv g f = true).
    { intros I fs f' b' T S'. unfold at_ in T. eapply IH; eauto. apply ways_ok; auto.
      intros look' f2 b2 g2 T2 L2 S2. eapply IH; eauto. discriminate. }
    apply andb_true_iff in H as [W H].
    destruct b as [| | | |[|[|kind| | | |] l]|]; try discriminate.
    destruct (Pos.eqb kind w_sum).
    { destruct l as [|[k| | | | |] more]; try discriminate. destruct (look k) as [st|] eqn:K; [|discriminate].
      destruct (L k st K) as (h & M & I & D).
      assert (C : exists terms x, combined facts st f terms x = true).
      { destruct more as [|t [|x []]]; try discriminate; eauto. destruct (term_of x); [eauto|discriminate]. }
      destruct C as (terms & x & C). apply (combined_ok facts st h M) in C.
      destruct inner; [now rewrite <- I|]. simpl in W. now rewrite <- (fv_ext (dim_of dims) h g D f W). }
    destruct (Pos.eqb kind w_given).
    { destruct l as [|[k| | | | |] []]; try discriminate. destruct (at_number facts k) as [f'|] eqn:K; [|discriminate].
      apply form_eqb_eq in H. subst. apply at_number_in in K. unfold so in S. rewrite Forall_forall in S. auto. }
    destruct (Pos.eqb kind w_follows).
    { destruct l as [|[k| | | | |] [|b []]]; try discriminate. destruct (at_number facts k) as [f'|] eqn:K; [|discriminate].
      destruct f' as [| | | |p q]; try discriminate. apply andb_true_iff in H as [E H]. apply form_eqb_eq in E. subst.
      apply at_number_in in K. assert (T : fv g p = true) by (eapply IH; eauto).
      unfold so in S. rewrite Forall_forall in S. apply S in K. simpl in K. now rewrite T in K. }
    destruct (Pos.eqb kind w_and).
    { destruct l as [|[| | | |l|] []]; try discriminate. destruct (conjuncts f) as [fs|] eqn:C; [|discriminate].
      eapply conjuncts_ok; eauto. eapply both_so; [|exact H]. intros f' d T. eapply IH; eauto. }
    destruct (Pos.eqb kind w_or).
    { destruct l as [|[k| | | | |] [|b []]]; try discriminate. destruct (disjuncts f) as [fs|] eqn:C; [|discriminate].
      destruct (at_number fs k) as [f'|] eqn:K; [|discriminate]. rewrite (disjuncts_ok _ _ _ C).
      apply existsb_exists. exists f'. split; [now apply at_number_in in K|]. eapply IH; eauto. }
    apply andb_true_iff in H as [I H]. destruct inner; [discriminate|]. clear I.
    specialize (AT eq_refl). specialize (B eq_refl).
    destruct (Pos.eqb kind w_cut).
    { destruct l as [|d [|a [|b []]]]; try discriminate. destruct (spoken d) as [f'|]; [|discriminate].
      apply andb_true_iff in H as [A C]. eapply AT; eauto. apply plus_ok; auto. eapply IH; eauto. }
    destruct (Pos.eqb kind w_implies).
    { destruct l as [|b []]; try discriminate. destruct f as [| | | |p q]; try discriminate. simpl.
      destruct (fv g p) eqn:T; auto. simpl. eapply AT; eauto. now apply plus_ok. }
    destruct (Pos.eqb kind w_absurd).
    { destruct l as [|b []]; try discriminate. destruct (fv g f) eqn:T; auto.
      assert (X : fv g (le (Int 1) (Int 0)) = true); [|discriminate X].
      eapply AT; eauto. apply plus_ok; auto. now rewrite negation_ok, T. }
    destruct (Pos.eqb kind w_powers).
    { destruct l as [|b []]; try discriminate. destruct f as [r x y| | | |]; try discriminate.
      assert (H' : power dims facts x && power dims facts y && settle n false look facts (lt x (add y y)) b = true /\
        (r = Divides \/ r = Le)) by (destruct r; auto; discriminate). destruct H' as [H' R].
      rewrite !andb_true_iff in H'. destruct H' as [[PX PY] H'].
      assert (T : fv g (lt x (add y y)) = true) by (eapply IH; eauto).
      destruct (powers_ok dims facts g x y B S PX PY T) as [U V]. destruct R as [-> | ->]; auto. }
    destruct (Pos.eqb kind w_classes).
    { destruct l as [|[| | | |ks|] []]; try discriminate. destruct (all _ ks) as [ns|]; [|discriminate].
      apply (classes_ok g f _ H). unfold so. rewrite Forall_map, Forall_forall. intros k _.
      destruct (nth_in_or_default k facts (And [])) as [I|I]; [|now rewrite I].
      unfold so in S. rewrite Forall_forall in S. auto. }
    destruct (Pos.eqb kind w_range).
    { destruct l as [|[| | | |ns|] []]; try discriminate. destruct (all _ ns) as [names|]; [|discriminate].
      now apply (in_ranges_ok dims names facts g f H). }
    destruct (branches facts kind l) as [bs|] eqn:Q; [|discriminate].
    destruct (branches_ok g _ _ _ _ S Q) as ([fs b] & I & S'). rewrite forallb_forall in H.
    apply H in I. eapply AT; eauto.
  Qed.

  (* Names at a place, and what is proved there, by proofs that are nested no deeper than so. *)
  Definition looked (depth : nat) (facts : list form) : look := ways (fun look => settle depth true look facts) facts.
  Definition prover (depth : nat) (facts : list form) : form -> data -> bool := settle depth false (looked depth facts) facts.
  Lemma looked_ok depth facts e : within_bounds dims e -> so e facts -> sound_look (looked depth facts) false facts e.
  Proof.
    intros B S. apply ways_ok; auto. intros look f' b' g T L S'.
    refine (settle_ok depth true look facts f' b' g T L S' _). discriminate.
  Qed.
  Theorem prover_ok depth facts e f b :
    within_bounds dims e -> so e facts -> prover depth facts f b = true -> fv e f = true.
  Proof.
    intros B S H. unfold prover in H.
    refine (settle_ok depth false _ facts f b e H _ S (fun _ => B)). now apply looked_ok.
  Qed.
End Settling.
