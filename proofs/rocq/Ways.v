(* A way to write names as polynomials in variables: the steps that define names, at a place. *)
Require Import Ascii String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums.
Import ListNotations.
Open Scope Z_scope.

(* --- steps ------------------------------------------------------------------------------------------ *)

Definition defining (x q : term) : option (form * list form) :=
  match x with
  | Bin FloorDiv a b => Some (le (Int 1) b, [le (mul b q) a; le a (sub (add (mul b q) b) (Int 1))])
  | Bin Div a b => Some (divides b a, [eq (mul b q) a])
  | Bin Min a b => Some (And [], [le q a; le q b])
  | Bin Max a b => Some (And [], [le a q; le b q])
  | _ => None
  end.
Definition upd (g : env) v z : env := fun x => if Pos.eqb x v then z else g x.
Lemma defining_ok g x k needed fs : defining x (Dim k) = Some (needed, fs) -> named (fun v => negb (Pos.eqb v k)) x = true ->
  fv g needed = true -> so (upd g k (tv g x)) fs /\ holds_atom (upd g k (tv g x)) (x, k).
Proof.
  intros H F N. set (h := upd g k (tv g x)).
  assert (U : h k = tv g x) by (unfold h, upd; now rewrite Pos.eqb_refl).
  assert (X : forall y, named (fun v => negb (Pos.eqb v k)) y = true -> tv h y = tv g y).
  { intros y Y. apply (tv_ext _ _ _) with (2 := Y). intros v V. unfold h, upd. destruct (Pos.eqb v k); easy. }
  unfold holds_atom. cbn [fst snd]. rewrite (X x F), U.
  assert (Y : forall o a b, x = Bin o a b -> tv h a = tv g a /\ tv h b = tv g b).
  { intros o a b ->. simpl in F. apply andb_true_iff in F as [A B]. auto. }
  destruct x as [| | | |o a b]; try discriminate.
  destruct (Y _ _ _ eq_refl) as [YA YB]. clear Y X F.
  destruct o; try discriminate; injection H as <- <-; simpl in *; unfold so;
    repeat rewrite Forall_cons_iff; simpl; rewrite ?YA, ?YB, ?U, ?Z.leb_le, ?Z.eqb_eq in *.
  - apply andb_true_iff in N as [N0 N1]. apply negb_true_iff, Z.eqb_neq in N0. apply Z.eqb_eq in N1.
    pose proof (Z.div_mod (tv g a) (tv g b) N0). repeat split; auto; lia.
  - pose proof (Z.div_mod (tv g a) (tv g b) ltac:(lia)). pose proof (Z.mod_pos_bound (tv g a) (tv g b) ltac:(lia)).
    repeat split; auto; lia.
  - repeat split; auto; lia.
  - repeat split; auto; lia.
Qed.

Definition lower_bounds := list (positive * Z).
Definition dim_of (dims : lower_bounds) (n : positive) : bool := existsb (fun d => Pos.eqb n (fst d)) dims.
Definition within (dims : lower_bounds) : form -> bool := names (dim_of dims).

Section Steps.
  Variable dims : lower_bounds.
  Variable facts : list form.
  Variable prove : state -> form -> data -> bool.
  Hypothesis W : forallb (within dims) facts = true.
  Hypothesis P : forall st f by_ g, prove st f by_ = true -> meets facts st g -> fv g f = true.

  Definition fresh (v : positive) (st : state) : bool :=
    let other x := negb (Pos.eqb x v) in
    negb (dim_of dims v) && forallb (fun t => other (fst t) && speaks other (snd t)) (values st)
    && forallb (fun t => names other (snd t)) (said st)
    && forallb (fun t => other (snd t) && named other (fst t)) (atoms st).
  Lemma upd_other g v z x : negb (Pos.eqb x v) = true -> upd g v z x = g x.
  Proof. unfold upd. destruct (Pos.eqb x v); easy. Qed.
  Lemma upd_meets v st g z : fresh v st = true -> (primed v = true -> 0 <= z) -> meets facts st g ->
    meets facts st (upd g v z) /\ forall n, dim_of dims n = true -> upd g v z n = g n.
  Proof.
    unfold fresh. rewrite !andb_true_iff. intros [[[D V] S] A] Z0 M.
    assert (N : forall n, dim_of dims n = true -> upd g v z n = g n).
    { intros n E. apply upd_other. destruct (Pos.eqb_spec n v); auto. subst. rewrite E in D. discriminate. }
    split; auto. rewrite forallb_forall in V, S, A, W. destruct M as [M1 M2 M3 M4 M5].
    unfold so in *. rewrite Forall_forall in M2, M3, M4, M5.
    constructor; unfold so; rewrite ?Forall_forall.
    - intros x X. unfold upd. destruct (Pos.eqb_spec x v); subst; auto.
    - intros f F. rewrite (fv_ext (dim_of dims) _ g); auto; apply W; auto.
    - intros [n p] I. specialize (V _ I). apply andb_true_iff in V as [V1 V2]. simpl in *.
      rewrite (upd_other g v z n V1). specialize (M3 _ I). simpl in M3. rewrite <- M3. symmetry.
      apply (pv_ext _ _ _) with (2 := V2). intros x X. now rewrite upd_other.
    - intros [n f] I. specialize (M4 _ I). simpl in *. rewrite <- M4. symmetry. apply (fv_ext _ _ _) with (2 := S _ I).
      intros x X. now rewrite upd_other.
    - intros [x k] I. specialize (A _ I). apply andb_true_iff in A as [A1 A2]. destruct (M5 _ I) as [E B].
      unfold holds_atom in *. cbn [fst snd] in *. rewrite (upd_other g v z k A1).
      assert (T : forall y, named (fun x => negb (Pos.eqb x v)) y = true -> tv (upd g v z) y = tv g y).
      { intros y Y. apply (tv_ext _ _ _) with (2 := Y). intros. now apply upd_other. }
      rewrite T by auto. split; auto. destruct x as [| | | |[] a b]; auto. rewrite T; auto.
      simpl in A2. now apply andb_true_iff in A2.
  Qed.

  Open Scope string_scope.
  Definition w_let := Eval compute in word "let".
  Definition w_fact := Eval compute in word "fact".
  Definition w_from := Eval compute in word "from".
  Definition w_upto := Eval compute in word "upto".
  Definition w_is := Eval compute in word "is".
  Close Scope string_scope.
  Definition dotted (k : positive) (c : ascii) : positive := byte (byte k "."%char) c.
  Definition has {A} (k : positive) (l : list (positive * A)) : bool := existsb (fun t => Pos.eqb (fst t) k) l.
  Definition plain (k : positive) (p : poly) : bool := same p (variable k).

  Definition step (st : state) (item : data) : option state :=
    match item with
    | DList [DStr kind; DStr k; what; by_] =>
      if Pos.eqb kind w_let then
        guard (is_name k && negb (primed k) && negb (has k (values st)) && negb (has k (said st)) && fresh k st)
        (do x <- term_of what;
         match x with
         | Bin _ a b =>
           do pa <- poly_of st a; do pb <- poly_of st b;
           do (needed, fs) <- defining x (Dim k);
           guard (prove st needed by_ && named (fun v => negb (Pos.eqb v k)) x)
             (Some {| values := (k, variable k) :: values st; atoms := (x, k) :: atoms st;
                      said := combine [dotted k "0"%char; dotted k "1"%char] fs ++ said st |})
         | _ => None end)
      else if Pos.eqb kind w_fact then
        guard (is_name k && negb (has k (values st)) && negb (has k (said st)))
        (do f <- form_of what;
         guard (prove st f by_) (Some {| values := values st; atoms := atoms st; said := (k, f) :: said st |}))
      else
        do old <- assoc k (values st); do x <- term_of what; do p <- poly_of st x;
        guard (negb (primed k) && plain k old)
        (if Pos.eqb kind w_is then
           guard (prove st (eq x (Dim k)) by_)
             (Some {| values := (k, p) :: values st; atoms := atoms st; said := said st |})
         else if Pos.eqb kind w_from then
           guard (prove st (le x (Dim k)) by_ && fresh (prime k) st && speaks (fun v => negb (Pos.eqb v (prime k))) p)
             (Some {| values := (k, padd p (variable (prime k))) :: (prime k, variable (prime k)) :: values st;
                      atoms := atoms st; said := said st |})
         else
           guard (Pos.eqb kind w_upto && prove st (le (Dim k) x) by_ && fresh (prime k) st
                  && speaks (fun v => negb (Pos.eqb v (prime k))) p)
             (Some {| values := (k, psub p (variable (prime k))) :: (prime k, variable (prime k)) :: values st;
                      atoms := atoms st; said := said st |}))
    | _ => None
    end.

  Lemma guard_some {A} b (x : option A) y : guard b x = Some y -> b = true /\ x = Some y.
  Proof. destruct b; simpl; [auto|discriminate]. Qed.
  Lemma some_in {A B} (x : option A) (f : A -> option B) y : (do a <- x; f a) = Some y -> exists a, x = Some a /\ f a = Some y.
  Proof. destruct x; [eauto|discriminate]. Qed.
  Definition same_dims (g h : env) := forall n, dim_of dims n = true -> h n = g n.

  Lemma moved st g k p q c by_sign : meets facts st g -> fresh (prime k) st = true ->
    speaks (fun v => negb (Pos.eqb v (prime k))) p = true -> k <> prime k ->
    0 <= c -> (forall z, pv (upd g (prime k) c) q = z -> z = pv g p + by_sign * c) -> pv g p + by_sign * c = g k ->
    exists h, meets facts {| values := (k, q) :: (prime k, variable (prime k)) :: values st;
                             atoms := atoms st; said := said st |} h /\ same_dims g h.
  Proof.
    intros M F S N C Q E. destruct (upd_meets (prime k) st g c F ltac:(auto) M) as [[A1 A2 A3 A4 A5] D].
    exists (upd g (prime k) c). split; auto. constructor; auto; simpl.
    constructor; [|constructor; auto].
    - simpl. rewrite (Q _ eq_refl), E. unfold upd. destruct (Pos.eqb_spec k (prime k)); easy.
    - simpl. apply variable_ok.
  Qed.
  Lemma step_ok st item st' g : step st item = Some st' -> meets facts st g ->
    exists h, meets facts st' h /\ same_dims g h.
  Proof.
    intros H M. unfold step in H.
    destruct item as [| | | |[|[|kind| | | |] [|[|k| | | |] [|what [|by_ []]]]]|]; try discriminate.
    destruct (Pos.eqb kind w_let); [|destruct (Pos.eqb kind w_fact)].
    - apply guard_some in H as [B H]. rewrite !andb_true_iff in B. destruct B as [[[[_ NP] _] _] F].
      apply some_in in H as (x & _ & H). destruct x as [| | | |o a b]; try discriminate.
      apply some_in in H as (pa & _ & H). apply some_in in H as (pb & _ & H).
      destruct (defining (Bin o a b) (Dim k)) as [[needed fs]|] eqn:Df; [|discriminate].
      apply guard_some in H as [B H]. apply andb_true_iff in B as [Pr Nm]. injection H as <-.
      pose proof (P _ _ _ g Pr M) as N. destruct (defining_ok g _ k needed fs Df Nm N) as [Sf At].
      set (z := tv g (Bin o a b)) in *.
      destruct (upd_meets k st g z F) as [[A1 A2 A3 A4 A5] D]; auto.
      { intro X. rewrite X in NP. discriminate. }
      exists (upd g k z). split; auto. constructor; auto; simpl.
      + constructor; auto. simpl. apply variable_ok.
      + apply Forall_app. split; auto. clear - Sf.
        destruct fs as [|f [|f' []]]; unfold so in Sf; rewrite ?Forall_cons_iff in Sf; repeat constructor; simpl; tauto.
      + constructor; auto.
    - apply guard_some in H as [_ H]. apply some_in in H as (f & _ & H). apply guard_some in H as [Pr H].
      injection H as <-. exists g. split; [|easy]. destruct M as [A1 A2 A3 A4 A5].
      constructor; auto. simpl. constructor; auto. simpl. eapply P; eauto. now constructor.
    - apply some_in in H as (old & O & H). apply some_in in H as (x & _ & H).
      apply some_in in H as (p & Px & H). apply guard_some in H as [B H]. apply andb_true_iff in B as [NP _].
      pose proof (poly_ok facts st g M x p Px) as E.
      assert (N : k <> prime k) by (intro X; rewrite X in NP; discriminate).
      destruct (Pos.eqb kind w_is); [|destruct (Pos.eqb kind w_from)]; apply guard_some in H as [B H].
      + injection H as <-. pose proof (P _ _ _ g B M) as T. simpl in T. apply Z.eqb_eq in T.
        exists g. split; [|easy]. destruct M as [A1 A2 A3 A4 A5]. constructor; auto. simpl. constructor; auto.
        simpl. congruence.
      + rewrite !andb_true_iff in B. destruct B as [[Pr F] S]. injection H as <-.
        pose proof (P _ _ _ g Pr M) as T. simpl in T. apply Z.leb_le in T.
        apply (moved st g k p _ (g k - pv g p) 1); auto; try lia. intros z <-.
        rewrite padd_ok, variable_ok. unfold upd at 2. rewrite Pos.eqb_refl.
        rewrite <- (pv_ext _ g (upd g (prime k) (g k - pv g p))) with (2 := S); [lia|].
        intros v V. now rewrite upd_other.
      + rewrite !andb_true_iff in B. destruct B as [[[_ Pr] F] S]. injection H as <-.
        pose proof (P _ _ _ g Pr M) as T. simpl in T. apply Z.leb_le in T.
        apply (moved st g k p _ (pv g p - g k) (-1)); auto; try lia. intros z <-.
        rewrite psub_ok, variable_ok. unfold upd at 2. rewrite Pos.eqb_refl.
        rewrite <- (pv_ext _ g (upd g (prime k) (pv g p - g k))) with (2 := S); [lia|].
        intros v V. now rewrite upd_other.
  Qed.
  Fixpoint steps (st : state) (l : list data) : option state :=
    match l with [] => Some st | d :: l => do st <- step st d; steps st l end.
  Lemma steps_ok l : forall st st' g, steps st l = Some st' -> meets facts st g ->
    exists h, meets facts st' h /\ same_dims g h.
  Proof.
    induction l as [|d l IH]; simpl; intros st st' g H M; [injection H as <-; exists g; easy|].
    apply some_in in H as (st1 & S & H). destruct (step_ok _ _ _ _ S M) as (h & A & B).
    destruct (IH _ _ _ H A) as (h' & A' & B'). exists h'. split; auto. intros n N. rewrite B', B; auto.
  Qed.
End Steps.

(* --- a way at a place ------------------------------------------------------------------------------- *)

Definition within_bounds (dims : lower_bounds) (e : env) := Forall (fun d => snd d <= e (fst d)) dims.
Definition start (dims : lower_bounds) : state :=
  {| values := map (fun d => (fst d, variable (fst d))) dims; atoms := [];
     said := map (fun d => (fst d, le (Int (snd d)) (Dim (fst d)))) dims |}.
Definition way dims facts (prove : state -> form -> data -> bool) (d : data) : option state :=
  guard (forallb (fun d => negb (primed (fst d))) dims && forallb (within dims) facts)
    (do l <- items d; steps dims prove (start dims) l).
Lemma dim_of_in dims n : dim_of dims n = true <-> exists c, In (n, c) dims.
Proof.
  unfold dim_of. rewrite existsb_exists. split.
  - intros ([m c] & I & E). apply Pos.eqb_eq in E. simpl in E. subst. eauto.
  - intros [c I]. exists (n, c). split; auto. apply Pos.eqb_refl.
Qed.
Theorem way_ok dims facts prove d st e :
  (forall st f by_ g, prove st f by_ = true -> meets facts st g -> fv g f = true) ->
  way dims facts prove d = Some st -> within_bounds dims e -> so e facts ->
  exists h, meets facts st h /\ forall n, dim_of dims n = true -> h n = e n.
Proof.
  intros P H B F. unfold way in H. apply guard_some in H as [C H]. apply andb_true_iff in C as [U W].
  apply some_in in H as (l & _ & H).
  set (g := fun v => if primed v then 0 else e v).
  assert (G : forall n, dim_of dims n = true -> g n = e n).
  { intros n N. apply dim_of_in in N as [c N]. rewrite forallb_forall in U. specialize (U _ N). simpl in U.
    unfold g. destruct (primed n); easy. }
  destruct (steps_ok dims facts prove W P l (start dims) st g H) as (h & M & D).
  - constructor.
    + intros v V. unfold g. rewrite V. lia.
    + unfold so in *. rewrite Forall_forall in *. intros f I. rewrite (fv_ext (dim_of dims) g e); auto.
      rewrite forallb_forall in W. now apply W.
    + simpl. apply Forall_map, Forall_forall. intros [n c] I. simpl. apply variable_ok.
    + simpl. apply Forall_map, Forall_forall. intros [n c] I. simpl. apply Z.leb_le. rewrite G.
      * unfold within_bounds in B. rewrite Forall_forall in B. now apply (B (n, c)).
      * apply dim_of_in. eauto.
    + simpl. constructor.
  - exists h. split; auto. intros n N. rewrite D, G; auto.
Qed.
