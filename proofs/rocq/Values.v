(* Terms, layouts and formulas of a text have the values that those read from it have. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Ways Layouts Claims Lemmas Agreement Text Reading Stating.
Import ListNotations.
Open Scope Z_scope.

Lemma throughout_ok {A B} (f : A -> option B) l : forall r, throughout f l = Some r -> Forall2 (fun x y => f x = Some y) l r.
Proof.
  induction l as [|x l IH]; simpl; intros r H; [injection H as <-; constructor|].
  apply some_in in H as (y & Y & H). apply some_in in H as (r' & R & H). injection H as <-. constructor; auto.
Qed.

Section Values.
  Variable e : env.
  Lemma part_exact c p : c <> 0 -> forallb (fun t => snd t mod c =? 0) p = true -> pv e p = c * pv e (part c p).
  Proof.
    intro N. unfold part. induction p as [|[m d] p IH]; simpl; [lia|]. rewrite andb_true_iff, Z.eqb_eq. intros [A B].
    rewrite entry_ok, IH by auto. simpl. pose proof (Z.div_mod d c N). nia.
  Qed.
  Lemma sum_of_ok x : forall p v, sum_of x = Some p -> number e x = Some v -> pv e p = v.
  Proof.
    induction x; simpl; intros p v P N.
    - injection P as <-. injection N as <-. apply constant_ok.
    - injection P as <-. injection N as <-. apply variable_ok.
    - apply some_in in P as (q & Q & P). apply some_in in N as (a & A & N). injection P as <-. injection N as <-.
      rewrite scale_ok, (IHx _ _ Q A). ring.
    - apply some_in in P as (q & Q & P). apply some_in in N as (a & A & N). injection N as <-.
      pose proof (IHx _ _ Q A) as I. destruct (value q) as [c|] eqn:V.
      + destruct (short c (Z.of_N k)); [|discriminate]. injection P as <-. apply (value_ok e) in V. rewrite constant_ok. congruence.
      + apply guard_some in P as [_ P]. injection P as <-. rewrite ppow_ok. congruence.
    - apply some_in in P as (q & Q & P). apply some_in in P as (r & R & P). apply some_in in N as (a & A & N).
      apply some_in in N as (b & B & N). pose proof (IHx1 _ _ Q A) as I. pose proof (IHx2 _ _ R B) as J. clear IHx1 IHx2.
      assert (X : forall w, value q = Some w -> a = w) by (intros w W; apply (value_ok e) in W; congruence).
      assert (Y : forall w, value r = Some w -> b = w) by (intros w W; apply (value_ok e) in W; congruence).
      destruct o; try (destruct (value q) as [c|]; [|discriminate]; destruct (value r) as [d|]; [|discriminate];
        apply some_in in P as (w & W & P); injection P as <-; rewrite constant_ok;
        rewrite (X _ eq_refl), (Y _ eq_refl) in N; congruence).
      + injection P as <-. injection N as <-. rewrite padd_ok. congruence.
      + injection P as <-. injection N as <-. rewrite psub_ok. congruence.
      + injection N as <-. apply guard_some in P as [_ P]. injection P as <-. rewrite pmul_ok. congruence.
      + destruct (value r) as [c|]; [|discriminate]. rewrite (Y _ eq_refl) in *. apply guard_some in P as [G P]. injection P as <-.
        apply andb_true_iff in G as [C F]. rewrite negb_true_iff, Z.eqb_neq in C. simpl in N.
        destruct (c =? 0) eqn:Z0; [discriminate|]. destruct (a mod c =? 0); [|discriminate]. injection N as <-.
        apply (part_exact c q C) in F. rewrite <- I, F, Z.mul_comm, Z.div_mul; auto.
  Qed.
  Lemma number_of_ok x v : number e x = Some v -> number e (number_of x) = Some v.
  Proof.
    intro N. unfold number_of. destruct x; auto;
      destruct (sum_of _) as [p|] eqn:P; auto; destruct (value p) as [c|] eqn:V; auto;
      apply (value_ok e) in V; simpl; rewrite <- V; f_equal; eapply sum_of_ok; eauto.
  Qed.
  Lemma numbers_of_ok f : forall b, truth e f = Some b -> truth e (numbers_of f) = Some b.
  Proof.
    induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; simpl; intros b H.
    - apply some_in in H as (v & V & H). apply some_in in H as (w & W & H).
      now rewrite (number_of_ok _ _ V), (number_of_ok _ _ W).
    - revert b H. induction IH as [|f l F L IHl]; simpl; intros b H; auto. apply some_in in H as (c & C & H).
      rewrite (F _ C). destruct c; auto.
    - revert b H. induction IH as [|f l F L IHl]; simpl; intros b H; auto. apply some_in in H as (c & C & H).
      rewrite (F _ C). destruct c; auto.
    - apply some_in in H as (c & C & H). now rewrite (IH _ C).
    - apply some_in in H as (c & C & H). rewrite (IHf _ C). destruct c; auto.
  Qed.

  (* --- what a text stands for, at an instance -------------------------------------------------------------- *)

  (* An expression has that value: each operator in it has one. *)
  Definition value_of (t : tree) (v : Z) := exists x, leaf t = Some x /\ number e x = Some v.
  Definition mode_values (p : term * term) (m : mode) := number e (fst p) = Some (fst m) /\ number e (snd p) = Some (snd m).
  (* A text is that layout: its modes have those values, and extents are at least 1. *)
  Definition layout_of (t : tree) (L : layout) := exists m, modes_written t = Some m /\ Forall2 mode_values m L /\ pos L.
  (* The same without the modes whose stride is the number 0, 1:0 where none is left; and those modes. *)
  Definition kept_of (t : tree) (L : layout) := exists m, modes_written t = Some m /\ Forall2 mode_values (kept_modes m) L /\ pos L.
  Definition moving_of (t : tree) (L : layout) :=
    exists m, modes_written t = Some m /\ Forall2 mode_values (filter (fun p => negb (is_still p)) m) L /\ pos L.
  Definition still_of (t : tree) (L : layout) := exists m, modes_written t = Some m /\ Forall2 mode_values (still_modes m) L /\ pos L.
  (* Sw o x o L, or L alone, which is swizzled by no bits. *)
  Definition swizzled_of (t : tree) (sw : fields) (x : Z) (L : layout) :=
    exists xt l, turned t = Some (sw, xt, l) /\ number e xt = Some x /\ layout_of l L.
  Definition guard_of (t : tree) (g : layout * Z) :=
    exists f G b, t = TCall f [G; b] /\ layout_of G (fst g) /\ value_of b (snd g).
  (* Nested tuples of values. *)
  Definition shape_values (t : tree) (vs : list Z) :=
    exists s, shape_of t = Some s /\ Forall2 (fun x v => number e x = Some v) (flat s) vs.

  (* Whether a shape fits into another one, whose parts multiply to its integers. *)
  Fixpoint fitting (s t : nested) : Prop :=
    match s, t with
    | Leaf x, t => exists v vs, number e x = Some v /\ Forall2 (fun y w => number e y = Some w) (flat t) vs /\ v = fold_right Z.mul 1 vs
    | Tuple l, Tuple m => (fix go l m := match l, m with [], [] => True | x :: l, y :: m => fitting x y /\ go l m | _, _ => False end) l m
    | _, _ => False
    end.

  (* --- that what is read has these values ------------------------------------------------------------------ *)

  Variable known : list form.
  Hypothesis K : so e known.
  Lemma asked_for_ok fs : asked_for known fs = true -> so e fs.
  Proof.
    intro H. apply Forall_forall. intros f F. unfold asked_for in H. rewrite forallb_forall in H. apply H, member_in in F.
    unfold so in K. rewrite Forall_forall in K. auto.
  Qed.
  Lemma sure_ok x y : sure known x = Some y -> number e x = Some (tv e y).
  Proof.
    intro H. apply guard_some in H as [A H]. injection H as <-. apply asked_for_ok, asked_number in A.
    rewrite A. f_equal. apply number_of_ok, number_tv in A. congruence.
  Qed.
  Lemma read_leaf_ok t x : read_leaf known t = Some x -> value_of t (tv e x).
  Proof. intro H. apply some_in in H as (y & Y & H). exists y. split; auto. now apply sure_ok. Qed.
  Lemma read_mode_ok m n : throughout (read_mode known) m = Some n -> Forall2 mode_values m (lay e n).
  Proof.
    intro H. apply throughout_ok in H. induction H as [|p q m n P H IH]; constructor; auto.
    apply some_in in P as (s & S & P). apply some_in in P as (d & D & P). injection P as <-. simpl. split; now apply sure_ok.
  Qed.
  Lemma at_least_one_ok s : so e (at_least_one s) -> 1 <= tv e s.
  Proof.
    unfold at_least_one. destruct s; try (intro S; inversion S as [|? ? X]; apply Z.leb_le in X; exact X).
    simpl. destruct (Z.leb_spec 1 z); [lia|]. intro S. inversion S as [|? ? X]. now apply Z.leb_le in X.
  Qed.
  Lemma values_pos m L : Forall2 mode_values m L -> so e (flat_map at_least_one (map fst m)) -> pos L.
  Proof.
    intro H. induction H as [|p q m L [P _] H IH]; simpl; intro S; constructor.
    - apply so_app in S as [S _]. apply at_least_one_ok in S. apply number_tv in P. lia.
    - apply so_app in S as [_ S]. exact (IH S).
  Qed.
  Lemma read_as_ok change t n : (forall m, incl (change m) ((Int 1, Int 0) :: m)) -> read_as known change t = Some n ->
    exists m, modes_written t = Some m /\ Forall2 mode_values (change m) (lay e n) /\ pos (lay e n).
  Proof.
    intros C H. apply some_in in H as (m & M & H). apply guard_some in H as [G H]. exists m. split; auto.
    apply asked_for_ok in G. apply read_mode_ok in H. split; auto. eapply values_pos; eauto.
    apply Forall_forall. intros f F. apply in_flat_map in F as (s & S & F). apply in_map_iff in S as (p & <- & P).
    apply C in P as [<- | P]; [easy|]. unfold so in G. rewrite Forall_forall in G. apply G, in_flat_map. exists (fst p).
    split; auto. now apply in_map.
  Qed.
  Lemma read_modes_ok t n : read_modes known t = Some n -> layout_of t (lay e n).
  Proof. apply read_as_ok. intros m p P. now right. Qed.
  Lemma read_kept_ok t n : read_as known kept_modes t = Some n -> kept_of t (lay e n).
  Proof.
    apply read_as_ok. intros m p P. unfold kept_modes in P. destruct (filter _ m) eqn:F.
    - destruct P as [<-|[]]. now left. - rewrite <- F in P. apply filter_In in P. right. tauto.
  Qed.
  Lemma read_moving_ok t n : read_as known (filter (fun p => negb (is_still p))) t = Some n -> moving_of t (lay e n).
  Proof. apply read_as_ok. intros m p P. apply filter_In in P. right. tauto. Qed.
  Lemma read_still_ok t n : read_as known still_modes t = Some n -> still_of t (lay e n).
  Proof. apply read_as_ok. intros m p P. apply filter_In in P. right. tauto. Qed.
  Lemma read_turned_ok t sw x m : read_turned known t = Some (sw, x, m) -> swizzled_of t sw (tv e x) (lay e m).
  Proof.
    intro H. apply some_in in H as ([[sw' xt] l] & T & H). apply some_in in H as (y & Y & H).
    apply some_in in H as (n & N & H). injection H as -> -> ->. exists xt, l. split; auto.
    split; [now apply sure_ok|now apply read_modes_ok].
  Qed.
  Lemma read_guards_ok gs G : throughout (read_guard known) gs = Some G -> Forall2 guard_of gs (guards_at e G).
  Proof.
    intro H. apply throughout_ok in H. induction H as [|t g gs G T H IH]; constructor; auto. unfold read_guard in T.
    destruct t as [| | | |f [|a [|b []]]| |]; try discriminate. apply some_in in T as (m & M & T). apply some_in in T as (x & X & T).
    injection T as <-. exists f, a, b. split; auto. split; [now apply read_modes_ok|now apply read_leaf_ok].
  Qed.
  Lemma read_tuple_ok t l : read_tuple known t = Some l -> shape_values t (map (tv e) l).
  Proof.
    intro H. apply some_in in H as (s & S & H). exists s. split; auto. apply throughout_ok in H.
    induction H as [|x y a b X H IH]; simpl; constructor; auto. now apply sure_ok.
  Qed.
  Lemma fold_mul l : forall x, tv e (fold_left mul l x) = tv e x * fold_right Z.mul 1 (map (tv e) l).
  Proof. induction l as [|y l IH]; intro x; simpl; [lia|]. rewrite IH. simpl. lia. Qed.
End Values.
