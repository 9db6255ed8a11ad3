(* The primitive claims of a text imply what it means. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Ways Layouts Service Claims Lemmas Agreement Denials Parts Text Reading Stating Values Facts Meaning.
Import ListNotations.
Open Scope Z_scope.

Lemma some_eq {A} (x y : A) : Some x = Some y -> y = x.
Proof. congruence. Qed.
Lemma turned_field t sw x l : turned t = Some (sw, x, l) -> is_field sw = true.
Proof.
  unfold turned. destruct (strip t); intro H; try (injection H as <- _ _; reflexivity).
  apply some_in in H as (f & F & H). apply some_in in H as (y & Y & H). injection H as -> _ _.
  unfold fields_of in F. apply guard_some in F as [G F]. injection F as <-. unfold is_field.
  rewrite !andb_true_iff in *. tauto.
Qed.
Ltac unpack :=
  repeat match goal with
  | H : (match ?a with Some _ => _ | None => None end) = Some _ |- _ => apply some_in in H as (? & ? & H)
  | H : guard _ _ = Some _ |- _ => apply guard_some in H as [? H]
  | H : Some _ = Some _ |- _ => injection H as <-
  | H : Forall _ (_ :: _) |- _ => apply Forall_cons_iff in H as [? H]
  | x : fields * term * modes |- _ => destruct x as [[? ?] ?]
  | x : fields * term * tree |- _ => destruct x as [[? ?] ?]
  end.

Section Nested.
  Variable P : nested -> Prop.
  Hypotheses (HL : forall x, P (Leaf x)) (HT : forall l, Forall P l -> P (Tuple l)).
  Fixpoint nested_induction (s : nested) : P s :=
    match s with
    | Leaf x => HL x
    | Tuple l => HT l ((fix go l : Forall P l := match l with [] => Forall_nil P
        | s :: l => Forall_cons s (nested_induction s) (go l) end) l)
    end.
End Nested.

Section Trees.
  Variable P : tree -> Prop.
  Hypotheses (HI : forall z, P (TInt z)) (HD : forall n, P (TDim n)) (HX : forall s, P (TText s))
    (HO : forall o l, Forall P l -> P (TOp o l)) (HC : forall f l, Forall P l -> P (TCall f l))
    (HS : forall b m s, P (TSwizzle b m s)) (HW : forall b m s x l, P (TSwizzled b m s x l)).
  Fixpoint tree_induction (t : tree) : P t :=
    let fix go l : Forall P l := match l with [] => Forall_nil P | t :: l => Forall_cons t (tree_induction t) (go l) end in
    match t with
    | TInt z => HI z | TDim n => HD n | TText s => HX s | TOp o l => HO o l (go l) | TCall f l => HC f l (go l)
    | TSwizzle b m s => HS b m s | TSwizzled b m s x l => HW b m s x l
    end.
End Trees.

Section Splitting.
  Variable e : env.
  Variable known : list form.
  Hypothesis K : so e known.

  Lemma holds_all fs : meaning (instance e (Holds (conjunction fs))) -> so e fs.
  Proof.
    simpl. rewrite conjunction_ok. intro H. apply Forall_forall. intros f F. rewrite forallb_forall in H. auto.
  Qed.
  Lemma each_mode_ok r (P : Z -> Prop) m : (forall s d : term, fv e (r s d) = true -> P (tv e d)) ->
    so e (each_mode r m) -> Forall (fun m => fst m = 1 \/ P (snd m)) (lay e m).
  Proof.
    intros R H. unfold each_mode, so in H. unfold lay. rewrite Forall_map in *. eapply Forall_impl; [|exact H].
    intros [s d] O. simpl in O. apply orb_true_iff in O as [O|O]; [left; now apply Z.eqb_eq in O|right].
    simpl. rewrite orb_false_r in O. now apply (R s).
  Qed.
  Lemma growing_ok (strict : bool) m : forall below, so e (growing (if strict then Lt else Le) below m) ->
    grows strict (tv e below) (lay e m).
  Proof.
    induction m as [|[s d] m IH]; intros below H; simpl; auto. simpl in H. apply so_cons in H as [O H].
    apply IH in H. split; [|exact H]. simpl in O. apply orb_true_iff in O as [O|O]; [left; now apply Z.eqb_eq in O|right].
    rewrite orb_false_r in O. destruct strict; simpl in O; [now apply Z.ltb_lt in O|now apply Z.leb_le in O].
  Qed.
  Lemma pos_of t A : layout_of e t A -> pos A.
  Proof. intros (m & _ & _ & P). exact P. Qed.
  Lemma onto_turned sw x A n : is_field sw = true -> pos A -> n = size A ->
    meaning (Injective A []) -> meaning (InBounds A [] sw x n) -> onto_once A (fun c => swizzle sw (x + offset c A)) (size A).
  Proof.
    intros F P -> I B. apply one_each; auto.
    - intros c V. apply B; auto. constructor.
    - intros c c' V V' E. apply I; auto; try constructor. apply swizzle_injective in E; auto. lia.
  Qed.
  Lemma agreeing_ok l r D : meaning (instance e (agreeing l r D)) ->
    forall i, 0 <= i < size (lay e D) -> through (map (lay e) l) i = through (map (lay e) r) i.
  Proof.
    intros H i I. unfold agreeing in H. cbn [instance meaning] in H. specialize (H i I). rewrite !plain_ok in H by reflexivity. exact H.
  Qed.
  Lemma same_size_ok a b : meaning (instance e (same_size a b)) -> size (lay e a) = size (lay e b).
  Proof. intro H. apply eq_ok in H. now rewrite !size_ok in H. Qed.
  Lemma flat_sure s : forall s', sure_shape known s = Some s' -> Forall2 (fun y z => number e y = Some (tv e z)) (flat s) (flat s').
  Proof.
    induction s as [x|l IH] using nested_induction; intros s' H.
    - apply some_in in H as (y & Y & H). injection H as <-. repeat constructor. now apply (sure_ok e known K).
    - apply some_in in H as (m & M & H). injection H as <-. apply throughout_ok in M. simpl. revert IH.
      induction M as [|x y l m X M IHM]; simpl; intro F; [constructor|]. apply Forall_cons_iff in F as [F1 F].
      apply Forall2_app; auto.
  Qed.
  Lemma fitting_ok s : forall t s' t', sure_shape known s = Some s' -> sure_shape known t = Some t' ->
    fv e (fits s' t') = true -> fitting e s t.
  Proof.
    induction s as [x|l IH] using nested_induction; intros t s' t' S T H.
    - pose proof (flat_sure t t' T) as F. apply some_in in S as (y & Y & S). injection S as <-.
      apply (sure_ok e known K) in Y. assert (E : tv e y = fold_right Z.mul 1 (map (tv e) (flat t'))).
      { replace (fits (Leaf y) t') with (eq y (fold_left mul (flat t') (Int 1))) in H by (now destruct t').
        apply eq_ok in H. rewrite fold_mul in H. change (tv e (Int 1)) with 1 in H. lia. }
      assert (G : exists vs, Forall2 (fun y w => number e y = Some w) (flat t) vs /\ tv e y = fold_right Z.mul 1 vs).
      { exists (map (tv e) (flat t')). split; auto. clear - F. induction F; simpl; constructor; auto. }
      destruct G as (vs & G & Q). destruct t; exists (tv e y), vs; auto.
    - apply some_in in S as (m & M & S). injection S as <-. destruct t as [x|l2].
      + apply some_in in T as (y & _ & T). injection T as <-. discriminate.
      + apply some_in in T as (m2 & M2 & T). injection T as <-. simpl in H.
        destruct (Nat.eqb (length m) (length m2)) eqn:N; [|discriminate]. apply Nat.eqb_eq in N.
        rewrite conjunction_ok in H. apply throughout_ok in M, M2. simpl. clear - M M2 N H IH.
        revert l2 m2 M2 N H. induction M as [|a b l m A M IHM]; intros l2 m2 M2 N H; destruct M2 as [|c d l2 m2 C M2]; simpl in N;
          try discriminate; auto.
        simpl in H. apply andb_true_iff in H as [H1 H2]. apply Forall_cons_iff in IH as [I IH]. split; [eapply I; eauto|].
        eapply IHM; eauto.
  Qed.

  Lemma read_turned_field t sw x m : read_turned known t = Some (sw, x, m) -> is_field sw = true.
  Proof.
    intro H. apply some_in in H as ([[sw' xt] l] & T & H). apply turned_field in T.
    apply some_in in H as (y & Y & H). apply some_in in H as (n & N & H). injection H as -> _ _. exact T.
  Qed.
  Lemma swizzled_pos t sw x A : swizzled_of e t sw x A -> pos A.
  Proof. intros (xt & l & _ & _ & L). now apply pos_of in L. Qed.
  Lemma plain_of t sw x A : is_swizzled t = false -> swizzled_of e t sw x A -> sw = PLAIN /\ x = 0.
  Proof.
    intros W (xt & l & T & X & _). unfold is_swizzled in W. unfold turned in T. destruct (strip t); try discriminate;
      injection T as <- <- _; injection X as <-; auto.
  Qed.
  Ltac values :=
    repeat match goal with
    | H : read_turned known _ = Some _ |- _ => pose proof (read_turned_field _ _ _ _ H);
        apply (read_turned_ok e known K) in H; pose proof (swizzled_pos _ _ _ _ H)
    | H : read_modes known _ = Some _ |- _ => apply (read_modes_ok e known K) in H; pose proof (pos_of _ _ H)
    | H : read_leaf known _ = Some _ |- _ => apply (read_leaf_ok e known K) in H
    | H : read_as known kept_modes _ = Some _ |- _ => apply (read_kept_ok e known K) in H
    | H : read_as known still_modes _ = Some _ |- _ => apply (read_still_ok e known K) in H
    | H : read_as known _ _ = Some _ |- _ => apply (read_moving_ok e known K) in H
    | H : read_tuple known _ = Some _ |- _ => apply (read_tuple_ok e known K) in H
    end.

  Lemma product_value l : forall x v, number e x = Some v -> Forall (fun y => number e y = Some (tv e y)) l ->
    number e (fold_left mul l x) = Some (tv e (fold_left mul l x)).
  Proof.
    induction l as [|y l IH]; simpl; intros x v X L; [now rewrite X, (number_tv e x v X)|].
    apply Forall_cons_iff in L as [Y L]. apply (IH _ (v * tv e y)); auto. simpl. now rewrite X, Y.
  Qed.
  Lemma size_value m : means e (Injective m []) -> tv e (number_of (size_of m)) = size (lay e m).
  Proof.
    intros [L _]. unfold leaves in L. simpl in L. rewrite app_nil_r in L.
    assert (S : number e (size_of m) = Some (tv e (size_of m))).
    { apply product_value with (v := 1); auto. rewrite Forall_map. induction m as [|p m IH]; constructor; simpl in L;
        apply Forall_cons_iff in L as [L1 L]; auto. apply Forall_cons_iff in L as [_ L]. now apply IH. }
    apply number_of_ok, number_tv in S. now rewrite S, size_ok.
  Qed.

  Lemma read_requests_ok t serve ps : read_requests known t serve = Some ps -> Forall (fun p => meaning (instance e p)) ps ->
    forall made, (forall a b n q, serve a b n = Some q -> q = made a b n) -> requests_served e t made.
  Proof.
    intros H M made S. apply some_in in H as ([[[[l bits] w] bt] n] & A & H). apply some_in in H as ([[sw x] m] & T & H).
    apply some_in in H as (b & B & H). apply some_in in H as (lanes & N & H). apply some_in in H as (q & Q & H).
    injection H as <-. inversion M as [|? ? C _]; subst. cbn [instance meaning] in C. apply S in Q. subst q.
    apply (sure_ok e known K) in B. apply (read_turned_ok e known K) in T. apply (lanes_of_ok e) in N. subst lanes.
    exists l, bits, w, bt, n, sw, (tv e x), (lay e m), (tv e b). repeat (split; [assumption|]). cbv zeta. intros c V.
    assert (F : lay e (firstn n m) = firstn n (lay e m)) by (unfold lay; now rewrite firstn_map). rewrite F in C. exact (C c V).
  Qed.

  Theorem parts_mean f c l args gs ps : parted l = Some (args, gs) -> assoc f claim_names = Some c ->
    parts_of known f l = Some ps -> Forall (means e) ps -> claimed e c args gs.
  Proof.
    intros P N H M. unfold parts_of in H. rewrite P, N in H. apply some_in in H as (G & GS & H).
    pose proof (read_guards_ok e known K gs G GS) as GV. clear P N GS.
    assert (T : Forall (fun p => meaning (instance e p)) ps) by (eapply Forall_impl; [|exact M]; intros p (_ & _ & _ & p'); exact p').
    destruct c.
    - (* injective *)
      destruct args as [|a []]; try discriminate. unpack. values.
      do 4 eexists. repeat split; eauto. intros c c' V V' A A' E. apply H; auto.
      apply swizzle_injective in E; auto. lia.
    - (* in_bounds *)
      destruct args as [|a [|b []]]; try discriminate. unpack. values.
      do 5 eexists. repeat split; eauto; now apply H.
    - (* bijective *)
      destruct args as [|a []]; destruct G; try discriminate. unpack. values.
      do 3 eexists. split; eauto. apply onto_turned with (n := tv e (number_of (size_of m))); auto. now apply size_value.
    - (* compact *)
      destruct args as [|a []]; destruct G; try discriminate. unpack.
      match goal with T : turned a = Some _ |- _ => pose proof (turned_field _ _ _ _ T) as F end.
      match goal with S : sure known _ = Some _ |- _ => apply (sure_ok e known K) in S end. values.
      match goal with B : meaning (instance e (InBounds ?m _ _ _ _)), Q : kept_of _ _ _ |- _ =>
        do 5 eexists; repeat (split; [eassumption|]); destruct Q as (? & _ & _ & Q);
        apply onto_turned with (n := tv e (size_of m)); auto; apply size_ok end.
    - (* equal *)
      destruct args as [|a [|b []]]; destruct G; try discriminate. unpack.
      destruct (is_swizzled a || is_swizzled b) eqn:W; [destruct (same_fields _ _) eqn:F|]; unpack; values.
      + match goal with X : meaning (instance e (Holds (eq _ _))), Y : meaning (instance e (same_size _ _)) |- _ =>
          apply same_size_ok in Y; simpl in X; apply Z.eqb_eq in X end.
        match goal with X : meaning (instance e (agreeing _ _ _)) |- _ => pose proof (agreeing_ok _ _ _ X) as A; clear X end.
        do 6 eexists. repeat (split; [eassumption|]). intros i I. specialize (A i I). simpl in A. rewrite A.
        match goal with X : tv e _ = tv e _ |- _ => rewrite X end. 
        match goal with F : same_fields ?p ?q = true |- _ => destruct p as [[? ?] ?], q as [[? ?] ?]; simpl in F;
          apply andb_true_iff in F as [F0 F]; apply Z.eqb_eq in F0; subst; now apply same_kept end.
      + match goal with Y : meaning (instance e (same_size _ _)) |- _ => apply same_size_ok in Y end.
        do 6 eexists. repeat (split; [eassumption|]). assumption.
      + match goal with Y : meaning (instance e (same_size _ _)) |- _ => apply same_size_ok in Y end.
        match goal with X : meaning (instance e (agreeing _ _ _)) |- _ => pose proof (agreeing_ok _ _ _ X) as A; clear X end.
        apply orb_false_iff in W as [W1 W2].
        repeat match goal with W : is_swizzled _ = false, S : swizzled_of _ _ ?sw _ _ |- _ =>
          let Q := fresh in pose proof (plain_of _ _ _ _ W S) as [? Q]; subst sw; rewrite Q in S; clear W Q end.
        do 6 eexists. repeat (split; [eassumption|]). intros i I. rewrite !plain_ok by reflexivity. exact (A i I).
    - (* is_composition *)
      destruct args as [|c [|a [|b []]]]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (agreeing _ _ _)) |- _ => pose proof (agreeing_ok _ _ _ X) as A end.
      match goal with Y : meaning (instance e (same_size _ _)) |- _ => apply same_size_ok in Y end.
      do 3 eexists. repeat (split; [eassumption|]). exact A.
    - (* is_right_inverse *)
      destruct args as [|r [|a []]]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (agreeing _ _ _)) |- _ => pose proof (agreeing_ok _ _ _ X) as A end.
      do 2 eexists. repeat (split; [eassumption|]). exact A.
    - (* is_left_inverse *)
      destruct args as [|r [|a []]]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (agreeing _ _ _)) |- _ => pose proof (agreeing_ok _ _ _ X) as A end.
      do 2 eexists. repeat (split; [eassumption|]). exact A.
    - (* disjoint *)
      destruct args as [|a [|b []]]; destruct G; try discriminate. unpack. values.
      do 2 eexists. repeat (split; [eassumption|]). intros c c' V V' E. apply H; [now exists c|]. exists c'. now rewrite E.
    - (* apart *)
      destruct args as [|a [|b [|x []]]]; destruct G; try discriminate; unpack; values;
        do 3 eexists; repeat (split; [eassumption || reflexivity|]); intros c c' V V'; simpl in H;
        apply (H (offset c _) (offset c' _)); eexists; eauto.
    - (* same_image *)
      destruct args as [|a [|b []]]; destruct G; try discriminate. unpack. values.
      do 2 eexists. repeat (split; [eassumption|]). exact H.
    - (* is_complement *)
      destruct args as [|b [|a [|n []]]]; destruct G; try discriminate. unpack. values.
      repeat match goal with X : meaning (instance e (Holds (conjunction _))) |- _ => apply holds_all in X end.
      match goal with X : so e (growing Lt _ _) |- _ => apply (growing_ok true) in X end.
      match goal with X : so e [conjunction _; le _ _] |- _ => apply so_cons in X as [_ X]; apply so_cons in X as [X _];
        apply le_ok in X; cbn [tv total mul] in X; unfold mul in X; simpl in X; rewrite !size_ok in X end.
      do 4 eexists. repeat (split; [eassumption|]). repeat split; eauto.
      + intros c c' V V' E. apply H; [now exists c|]. exists c'. now rewrite E.
      + intros i j. now apply (grows_ok true).
    - (* covers *)
      destruct args as [|a [|n []]]; destruct G; try discriminate. unpack. values.
      do 2 eexists. repeat (split; [eassumption|]). exact H.
    - (* partition *)
      destruct args as [|a [|n []]]; destruct G; try discriminate. unpack. values.
      repeat match goal with X : meaning (instance e (Holds (conjunction _))) |- _ => apply holds_all in X end.
      match goal with X : so e (each_mode _ _) |- _ => apply each_mode_ok with (P := fun d => 0 <= d) in X end.
      2: { intros s d D. now apply le_ok in D. }
      do 2 eexists. repeat (split; [eassumption|]). split; [now apply offset_nonneg|].
      match goal with C : meaning (instance e (Covers _ _)), I : meaning (instance e (Injective _ _)) |- _ =>
        intros y Y; destruct (C y Y) as (c & V & E); exists c; repeat split; auto; intros c' V' E';
        apply I; auto; try congruence; repeat constructor; simpl; lia end.
    - (* partition_exact *)
      destruct args as [|a [|tile more]]; destruct G; try discriminate. unpack.
      assert (X : exists n, tv e x = n /\ match more with [] => n = 1 | t :: _ => value_of e t n end).
      { exists (tv e x). split; auto. destruct more as [|t []]; try discriminate.
        - match goal with X : Some (Int 1) = Some x |- _ => now injection X as <- end.
        - match goal with X : read_leaf known t = Some x |- _ => now apply (read_leaf_ok e known K) in X end. }
      destruct X as (n & <- & V). values.
      match goal with X : meaning (instance e (Holds (conjunction _))) |- _ => apply holds_all in X; apply so_cons in X as [X1 X];
        apply so_cons in X as [X2 _]; apply eq_ok in X1, X2; rewrite size_ok, fold_mul in X1; rewrite size_ok in X2;
        change (tv e (Int 1)) with 1 in X1; rewrite Z.mul_1_l in X1 end.
      match goal with Q : kept_of _ _ _ |- _ => pose proof Q as (? & _ & _ & Q') end.
      do 4 eexists. repeat (split; [eassumption|]). split; [|exact X2]. apply one_each; auto.
      + intros c C. match goal with B : meaning (instance e (InBounds _ _ _ _ _)) |- _ => specialize (B c C (Forall_nil _));
          rewrite plain_ok in B by reflexivity; rewrite fold_mul in B; change (tv e (Int 1)) with 1 in B;
          rewrite Z.mul_1_l in B; exact B end.
      + intros c c' C C' E. match goal with I : meaning (instance e (Injective _ _)) |- _ => apply I; auto; constructor end.
    - (* monotone *)
      destruct args as [|a []]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (Holds (conjunction _))) |- _ => apply holds_all, (growing_ok false) in X end.
      eexists. split; [eassumption|]. intros i j. now apply (grows_ok false).
    - (* increasing *)
      destruct args as [|a []]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (Holds (conjunction _))) |- _ => apply holds_all, (growing_ok true) in X end.
      eexists. split; [eassumption|]. intros i j. now apply (grows_ok true).
    - (* aligned *)
      destruct args as [|a [|n []]]; destruct G; try discriminate. unpack. values.
      match goal with X : meaning (instance e (Holds (le _ _))) |- _ => apply le_ok in X end.
      apply holds_all in H2. apply (each_mode_ok _ (fun d => (tv e x0 | d))) in H2.
      2: { intros s d D. apply divides_ok in D as [_ D]. exact D. }
      do 2 eexists. repeat (split; [eassumption|]). intros c. now apply offset_multiple.
    - (* compatible *)
      destruct args as [|s [|t []]]; destruct G; try discriminate. unpack. unfold read_shape in *. unpack.
      do 2 eexists. repeat (split; [eassumption|]). eapply fitting_ok; eauto.
    - (* refines *)
      destruct args as [|s [|t []]]; destruct G; try discriminate. unpack. unfold read_shape in *. unpack.
      do 2 eexists. repeat (split; [eassumption|]). eapply fitting_ok; eauto.
    - (* no_overflow *)
      destruct args as [|[| |s| | | |] more]; destruct G; try discriminate. apply some_in in H as (b & B & H).
      destruct b as [bits| | | |]; try discriminate. unpack.
      match goal with X : parse s = Some ?t |- _ => exists t, bits; split; [exact X|] end. split.
      { destruct more as [|t []]; try discriminate; [now injection B as <-|]. now apply (read_leaf_ok e known K) in B. }
      match goal with X : throughout _ _ = Some _ |- _ => apply throughout_ok in X; rename X into R end.
      apply holds_all in H. clear - R H K. induction R as [|y z ys zs Y R IH]; constructor; simpl in H;
        apply so_cons in H as [H1 H]; apply so_cons in H as [H2 H]; [|now apply IH].
      apply le_ok in H1. apply Z.ltb_lt in H2. exists (tv e z). split; [now apply (read_leaf_ok e known K)|].
      simpl in H1, H2. lia.
    - (* bank_conflict *)
      destruct args as [|a [|k more]]; destruct G; try discriminate. apply some_in in H as (m & KM & H). apply some_in in H as (n & LN & H).
      exists m, n. repeat (split; [assumption|]). eapply read_requests_ok; eauto. intros a' b' n' q Q. apply guard_some in Q as [_ Q]. now injection Q.
    - (* sectors *)
      destruct args as [|a [|k more]]; destruct G; try discriminate. apply some_in in H as (m & KM & H). apply some_in in H as (n & LN & H).
      exists m, n. repeat (split; [assumption|]). eapply read_requests_ok; eauto. intros a' b' n' q Q. now injection Q.
    - (* coalesced *)
      destruct args as [|a []]; destruct G; try discriminate. eapply read_requests_ok; eauto. intros a' b' n' q Q. now injection Q.
  Qed.
  Lemma sure_form_ok f g : sure_form known f = Some g -> truth e f = Some (fv e g).
  Proof.
    intro H. apply guard_some in H as [A H]. injection H as <-. apply (asked_for_ok e known K), asks_truth in A.
    rewrite A. f_equal. apply numbers_of_ok, truth_fv in A. congruence.
  Qed.
  Lemma related_ok t f : related known t = Some f -> fv e f = true -> true_text e t.
  Proof.
    intros H F. apply some_in in H as (g & G & H). exists g. split; auto. apply sure_form_ok in H. congruence.
  Qed.
  (* One of a disjunction's parts holds. *)
  Lemma one_claim_ok c : means e (one_claim c) -> Exists (means e) c.
  Proof.
    intro H. unfold one_claim in H. assert (A : (exists p, c = [p] /\ means e p) \/ means e (Either c)).
    { destruct c as [|p [|]]; eauto. }
    destruct A as [(p & -> & A)|A]; [now constructor|]. clear H. destruct A as (L & F & X & M).
    unfold leaves, extents in *. simpl in L, F, X, M. revert L F X M.
    induction c as [|p c IH]; simpl; intros L F X M; [easy|].
    rewrite concat_app, flat_map_app, !Forall_app in L. rewrite Forall_app in F. rewrite concat_app, map_app, Forall_app in X.
    destruct M as [M|M]; [constructor 1|constructor 2; apply IH; rewrite ?Forall_app; tauto].
    unfold means, leaves, extents. rewrite Forall_app. tauto.
  Qed.
  Lemma either_all {A} (Q : Prop) (P : A -> Prop) l : (forall x, In x l -> Q \/ P x) -> Q \/ forall x, In x l -> P x.
  Proof.
    induction l as [|x l IH]; intro H; [right; easy|]. destruct (H x (or_introl eq_refl)) as [q|p]; auto.
    destruct IH as [q|F]; auto; [intros y Y; apply H; now right|]. right. intros y [<- | Y]; auto.
  Qed.
  Lemma distributed_ok {A} (P : A -> Prop) l : (forall c, In c (distributed l) -> Exists P c) ->
    exists side, In side l /\ forall c, In c side -> Exists P c.
  Proof.
    unfold distributed. induction l as [|side l IH]; simpl; intro H.
    - exfalso. specialize (H [] (or_introl eq_refl)). inversion H.
    - set (found := fold_right _ _ _) in *.
      assert (D : (forall a, In a found -> Exists P a) \/ forall c, In c side -> Exists P c).
      { apply either_all. intros c C. destruct (either_all (Exists P c) (Exists P) found) as [E|E]; auto.
        intros a A0. apply Exists_app, H, in_flat_map. exists c. split; auto. now apply in_map. }
      destruct D as [D|D]; [|exists side; auto]. apply IH in D as (s & S & D). exists s. auto.
  Qed.
  Theorem clauses_mean t : forall cs, clauses known t = Some cs -> (forall c, In c cs -> Exists (means e) c) -> means_text e t.
  Proof.
    assert (R : forall t cs, is_relation t = true -> (do f <- related known t; Some [[Holds f]]) = Some cs ->
      (forall c, In c cs -> Exists (means e) c) -> true_text e t).
    { intros u cs _ H M. apply some_in in H as (f & F & H). injection H as <-. specialize (M _ (or_introl eq_refl)).
      inversion M as [? ? (_ & _ & _ & T)|? ? E]; subst; [|inversion E]. now apply (related_ok u f). }
    induction t as [ | | |o l IH|f l _| |b m s x l] using tree_induction; intros cs H M; cbn [clauses means_text] in *.
    1-3, 6-7: cbn [is_relation] in *; apply (R _ cs); auto.
    - destruct (is_relation (TOp o l)) eqn:I; [now apply (R _ cs)|].
      destruct o; try discriminate.
      + (* implies *)
        destruct l as [|a [|b []]]; try discriminate. apply guard_some in H as [A H]. apply some_in in H as (f & F & H).
        apply some_in in H as (r & B & H). apply some_eq in H. subst cs. intros (g & G & T).
        apply some_in in F as (g' & G' & F). rewrite G in G'. injection G' as <-. apply sure_form_ok in F.
        apply distributed_ok in M as (side & [<-|[<-|[]]] & M).
        * exfalso. specialize (M _ (or_introl eq_refl)). inversion M as [? ? (_ & _ & _ & N)|? ? E]; subst; [|inversion E].
          simpl in N. rewrite T in F. injection F as F. rewrite <- F in N. discriminate.
        * apply Forall_cons_iff in IH as [_ IH]. apply Forall_cons_iff in IH as [IH _]. eapply IH; eauto.
      + (* or *)
        apply some_in in H as (ls & L & H). apply guard_some in H as [_ H]. apply some_eq in H. subst cs.
        apply distributed_ok in M as (side & S & M). apply throughout_ok in L. clear I. induction L as [|x y l ls X L IHl]; [easy|].
        apply Forall_cons_iff in IH as [I IH]. destruct S as [-> | S]; [left; eauto|right; exact (IHl IH S)].
      + (* and *)
        apply some_in in H as (ls & L & H). injection H as <-. apply throughout_ok in L. clear I.
        induction L as [|x y l ls X L IHl]; [easy|]. apply Forall_cons_iff in IH as [I IH]. split.
        * eapply I; eauto. intros c C. apply M. simpl. apply in_app_iff. auto.
        * apply (IHl IH). intros c C. apply M. simpl. apply in_app_iff. auto.
      + (* parentheses *)
        destruct l as [|a []]; try discriminate. apply Forall_cons_iff in IH as [I' _]. eauto.
    - destruct (is_relation (TCall f l)) eqn:I; [now apply (R _ cs)|]. apply some_in in H as (ps & P & H). injection H as <-.
      pose proof P as Q. unfold parts_of in Q. apply some_in in Q as ([args gs] & A & Q). apply some_in in Q as (c & C & _).
      exists args, gs, c. repeat split; auto. eapply parts_mean; eauto. apply Forall_forall. intros p I'.
      specialize (M [p] (in_map _ _ _ I')). inversion M as [? ? N|? ? E]; subst; [exact N|inversion E].
  Qed.
  Theorem primitives_mean t ps : primitives known t = Some ps -> Forall (means e) ps -> means_text e t.
  Proof.
    intros H M. apply some_in in H as (cs & C & H). injection H as <-. eapply clauses_mean; eauto. intros c I.
    apply one_claim_ok. rewrite Forall_forall in M. apply M. now apply in_map.
  Qed.
End Splitting.
