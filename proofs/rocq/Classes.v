(* Formulas that know dims by their remainders alone, and powers of two. *)
Require Import ZArith Znumtheory Zpow_facts List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways.
Import ListNotations.
Open Scope Z_scope.

(* --- a modulus on whose residues alone a term depends, or, `alike`, what it leaves modulo its multiples ---- *)

Definition both_lcm (x y : option Z) : option Z := do x <- x; do y <- y; Some (Z.lcm x y).
Arguments both_lcm : simpl never.
Fixpoint period_of (alike : bool) (x : term) : option Z :=
  match x with
  | Int _ => Some 1
  | Dim _ => guard alike (Some 1)
  | Neg a | Pow a _ => period_of alike a
  | Bin (Add | Sub | Mul) a b => both_lcm (period_of alike a) (period_of alike b)
  | Bin (Min | Max) a b => both_lcm (period_of false a) (period_of false b)
  | Bin Mod a (Int n) => guard (1 <=? n) (both_lcm (Some n) (period_of true a))
  | Bin (FloorDiv | CeilDiv) a (Int n) => guard (1 <=? n) (period_of false a)
  | Bin _ _ _ => None
  end.
Fixpoint period_in (f : form) : option Z :=
  match f with
  | Rel Divides (Int n) b => guard (1 <=? n) (both_lcm (Some n) (period_of true b))
  | Rel Divides _ _ => None
  | Rel _ a b => both_lcm (period_of false a) (period_of false b)
  | And l | Or l => fold_right (fun f n => both_lcm (period_in f) n) (Some 1) l
  | Not f => period_in f
  | Implies f g => both_lcm (period_in f) (period_in g)
  end.
Lemma both_lcm_ok x y p n : both_lcm x y = Some p -> (p | n) ->
  exists a b, x = Some a /\ y = Some b /\ (a | n) /\ (b | n).
Proof.
  unfold both_lcm. destruct x as [a|], y as [b|]; try discriminate. intros H D. injection H as <-. exists a, b.
  repeat split; eapply Z.divide_trans; eauto; [apply Z.divide_lcm_l|apply Z.divide_lcm_r].
Qed.
Lemma period_within l n : forall p, fold_right (fun f n => both_lcm (period_in f) n) (Some 1) l = Some p -> (p | n) ->
  forall f, In f l -> exists q, period_in f = Some q /\ (q | n).
Proof.
  induction l as [|g l IH]; intros p H D f []; simpl in H;
    destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY); subst; eauto.
Qed.
Section Alike.
  Variables (e h : env) (n : Z).
  Hypothesis E : forall v, (n | e v - h v).
  Lemma alike_term x : forall alike p, period_of alike x = Some p -> (p | n) ->
    (n | tv e x - tv h x) /\ (alike = false -> tv e x = tv h x).
  Proof.
    induction x as [z|v|a IH|a IH k|o a IHa b IHb]; intros alike p H D; simpl in H.
    - simpl. split; [rewrite Z.sub_diag; apply Z.divide_0_r|auto].
    - apply guard_some in H as [-> _]. split; [apply E|discriminate].
    - destruct (IH _ _ H D) as [I J]. simpl. split; [|intro A; now rewrite J].
      destruct I as [q I]. exists (- q). lia.
    - destruct (IH _ _ H D) as [I J]. simpl. split; [|intro A; now rewrite J]. clear - I.
      induction k as [|k IH] using N.peano_ind; [exists 0; reflexivity|].
      rewrite N2Z.inj_succ, !Z.pow_succ_r by lia. destruct I as [q I], IH as [r IH].
      exists (q * tv e a ^ Z.of_N k + tv h a * r). nia.
    - assert (S : forall al, both_lcm (period_of al a) (period_of al b) = Some p ->
        ((n | tv e a - tv h a) /\ (al = false -> tv e a = tv h a)) /\ ((n | tv e b - tv h b) /\ (al = false -> tv e b = tv h b))).
      { intros al Q. destruct (both_lcm_ok _ _ _ _ Q D) as (x & y & X & Y & DX & DY). eauto. }
      assert (Eq : forall x y, x = y -> (n | x - y)) by (intros x y ->; rewrite Z.sub_diag; apply Z.divide_0_r).
      destruct o; simpl.
      + destruct (S _ H) as [[[q I] I'] [[r J] J']]. split; [exists (q + r); lia|]. intro A. now rewrite I', J'.
      + destruct (S _ H) as [[[q I] I'] [[r J] J']]. split; [exists (q - r); lia|]. intro A. now rewrite I', J'.
      + destruct (S _ H) as [[[q I] I'] [[r J] J']]. split; [exists (q * tv e b + tv h a * r); nia|]. intro A. now rewrite I', J'.
      + discriminate.
      + destruct b as [m| | | |]; try discriminate. apply guard_some in H as [_ H]. destruct (IHa _ _ H D) as [_ I].
        simpl. rewrite I by auto. auto.
      + destruct b as [m| | | |]; try discriminate. apply guard_some in H as [_ H]. destruct (IHa _ _ H D) as [_ I].
        simpl. rewrite I by auto. auto.
      + destruct b as [m| | | |]; try discriminate. apply guard_some in H as [G H]. apply Z.leb_le in G.
        destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY). injection X as <-.
        destruct (IHa _ _ Y DY) as [I _]. simpl.
        assert (M : tv e a mod m = tv h a mod m).
        { destruct (Z.divide_trans _ _ _ DX I) as [q Q]. replace (tv e a) with (tv h a + q * m) by lia. apply Z.mod_add. lia. }
        rewrite M. auto.
      + destruct (S _ H) as [[_ I] [_ J]]. rewrite I, J by auto. auto.
      + destruct (S _ H) as [[_ I] [_ J]]. rewrite I, J by auto. auto.
  Qed.
  Lemma alike_form f : forall p, period_in f = Some p -> (p | n) -> fv e f = fv h f.
  Proof.
    induction f as [r a b|l IH|l IH|f IH|f g IHf IHg] using form_induction; intros p H D; simpl in H.
    - destruct r; try (destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY);
        destruct (alike_term a _ _ X DX) as [_ I]; destruct (alike_term b _ _ Y DY) as [_ J]; simpl; now rewrite I, J).
      destruct a as [m| | | |]; try discriminate. apply guard_some in H as [G H]. apply Z.leb_le in G.
      destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY). injection X as <-.
      destruct (alike_term b _ _ Y DY) as [I _]. simpl. f_equal. f_equal.
      destruct (Z.divide_trans _ _ _ DX I) as [q Q]. replace (tv e b) with (tv h b + q * m) by lia. apply Z.mod_add. lia.
    - simpl. revert p H D. induction IH as [|f l F L IHl]; intros p H D; simpl in *; auto.
      destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY). f_equal; eauto.
    - simpl. revert p H D. induction IH as [|f l F L IHl]; intros p H D; simpl in *; auto.
      destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY). f_equal; eauto.
    - simpl. f_equal. eauto.
    - destruct (both_lcm_ok _ _ _ _ H D) as (x & y & X & Y & DX & DY). simpl. f_equal; eauto.
  Qed.
End Alike.

(* --- every class of residues ------------------------------------------------------------------------------- *)

Fixpoint dims_in (x : term) : list positive :=
  match x with Int _ => [] | Dim n => [n] | Neg a | Pow a _ => dims_in a | Bin _ a b => dims_in a ++ dims_in b end.
Fixpoint dims_within (f : form) : list positive :=
  match f with Rel _ a b => dims_in a ++ dims_in b | And l | Or l => flat_map dims_within l
  | Not f => dims_within f | Implies f g => dims_within f ++ dims_within g end.
Definition MAX_CLASSES := 4096.
(* Whether something is so for all values in [0, m) of some dims, the others 0. *)
Fixpoint in_classes (m : Z) (said : env -> bool) (dims : list positive) (h : env) : bool :=
  match dims with
  | [] => said h
  | n :: dims => forallb (fun k => in_classes m said dims (upd h n (Z.of_nat k))) (seq 0 (Z.to_nat m))
  end.
Definition holds_in_classes (f : form) (facts : list form) : bool :=
  match period_in (And (f :: facts)) with
  | Some m =>
    let dims := nodup Pos.eq_dec (flat_map dims_within (f :: facts)) in
    (1 <=? m) && (match dims with [] => true | _ => (m <=? MAX_CLASSES) && (m ^ Z.of_nat (length dims) <=? MAX_CLASSES) end) &&
    in_classes m (fun h => negb (forallb (fv h) facts) || fv h f) dims (fun _ => 0)
  | None => false
  end.
Lemma in_classes_ok m said : 1 <= m -> forall dims h e, in_classes m said dims h = true ->
  exists g, said g = true /\ (forall n, In n dims -> g n = e n mod m) /\ forall n, ~ In n dims -> g n = h n.
Proof.
  intro M. induction dims as [|n dims IH]; intros h e H; simpl in H.
  - exists h. repeat split; auto. intros n [].
  - rewrite forallb_forall in H. specialize (H (Z.to_nat (e n mod m))).
    pose proof (Z.mod_pos_bound (e n) m ltac:(lia)) as B. rewrite Z2Nat.id in H by lia.
    destruct (IH (upd h n (e n mod m)) e) as (g & S & I & J); [apply H, in_seq; lia|]. exists g. split; auto. split.
    + intros k [<- | K]; auto. destruct (in_dec Pos.eq_dec n dims) as [D|D]; auto. rewrite J by auto. unfold upd. now rewrite Pos.eqb_refl.
    + intros k K. simpl in K. rewrite J by tauto. unfold upd. destruct (Pos.eqb_spec k n); auto. subst. tauto.
Qed.
Lemma named_in x : forall ok, (forall n, In n (dims_in x) -> ok n = true) -> named ok x = true.
Proof.
  induction x as [z|n|a IH|a IH k|o a IHa b IHb]; intros ok H; simpl in *; auto.
  rewrite IHa, IHb; auto; intros n I; apply H, in_app_iff; auto.
Qed.
Lemma names_within f : forall ok, (forall n, In n (dims_within f) -> ok n = true) -> names ok f = true.
Proof.
  induction f as [r a b|l IH|l IH|f IH|f g IHf IHg] using form_induction; intros ok H; simpl in *; auto.
  - rewrite !named_in; auto; intros n I; apply H, in_app_iff; auto.
  - rewrite forallb_forall. rewrite Forall_forall in IH. intros f F. apply IH; auto. intros n I. apply H, in_flat_map. eauto.
  - rewrite forallb_forall. rewrite Forall_forall in IH. intros f F. apply IH; auto. intros n I. apply H, in_flat_map. eauto.
  - rewrite IHf, IHg; auto; intros n I; apply H, in_app_iff; auto.
Qed.
Theorem classes_ok e f facts : holds_in_classes f facts = true -> so e facts -> fv e f = true.
Proof.
  unfold holds_in_classes. destruct (period_in (And (f :: facts))) as [m|] eqn:P; [|discriminate]. cbv zeta.
  rewrite !andb_true_iff. intros [[M _] H] F. apply Z.leb_le in M. set (dims := nodup _ _) in H.
  destruct (in_classes_ok m _ M dims _ e H) as (g & S & I & _).
  set (h := fun n => if in_dec Pos.eq_dec n dims then g n else e n).
  assert (E : forall v, (m | e v - h v)).
  { intro v. unfold h. destruct (in_dec Pos.eq_dec v dims) as [D|D].
    - rewrite I by auto. exists (e v / m). pose proof (Z.div_mod (e v) m ltac:(lia)). lia.
    - exists 0. lia. }
  assert (X : forall f', In f' (f :: facts) -> fv e f' = fv g f').
  { intros f' J. transitivity (fv h f').
    - assert (Q : exists p, period_in f' = Some p /\ (p | m)).
      { apply (period_within (f :: facts) m m P); auto. apply Z.divide_refl. }
      destruct Q as (p & Q & D). now apply (alike_form e h m E f' p).
    - apply fv_ext with (ok := fun n => if in_dec Pos.eq_dec n dims then true else false).
      + intros n O. unfold h. destruct (in_dec Pos.eq_dec n dims); easy.
      + apply names_within. intros n N. destruct (in_dec Pos.eq_dec n dims) as [|D]; auto. destruct D.
        apply nodup_In, in_flat_map. eauto. }
  rewrite X by (simpl; auto). apply orb_true_iff in S as [S|S]; auto. exfalso.
  apply negb_true_iff in S. assert (T : forallb (fv g) facts = true); [|congruence].
  rewrite forallb_forall. intros k K. rewrite <- X by (simpl; auto). unfold so in F. rewrite Forall_forall in F. auto.
Qed.

(* --- powers of two: of two, one that is less than twice the other divides it -------------------------------- *)

Definition is_power (z : Z) : bool := (1 <=? z) && (z =? 2 ^ Z.log2 z).
(* A number, a dim from 1 on that divides one, a product. *)
Fixpoint power (dims : lower_bounds) (facts : list form) (x : term) : bool :=
  match x with
  | Bin Mul a b => power dims facts a && power dims facts b
  | Int z => is_power z
  | Dim n => match assoc n dims with Some c => 1 <=? c | None => false end && existsb (fun f => match f with
      | Rel Divides (Dim m) (Int z) => Pos.eqb m n && is_power z | _ => false end) facts
  | _ => false
  end.
Lemma is_power_ok z : is_power z = true -> exists k, 0 <= k /\ z = 2 ^ k.
Proof.
  unfold is_power. rewrite andb_true_iff, Z.eqb_eq. intros [_ H]. exists (Z.log2 z). split; auto. apply Z.log2_nonneg.
Qed.
Lemma power_ok dims facts e x : within_bounds dims e -> so e facts -> power dims facts x = true ->
  exists k, 0 <= k /\ tv e x = 2 ^ k.
Proof.
  intros B F. induction x as [z|n| | |[] a IHa b IHb]; simpl; try discriminate.
  - apply is_power_ok.
  - rewrite andb_true_iff. intros [L H]. destruct (assoc n dims) as [c|] eqn:A; [|discriminate]. apply Z.leb_le in L.
    apply assoc_in in A. unfold within_bounds in B. rewrite Forall_forall in B. apply B in A. simpl in A.
    apply existsb_exists in H as (f & I & H). destruct f as [[] [|m| | |] [z| | | |]| | | |]; try discriminate.
    apply andb_true_iff in H as [M P]. apply Pos.eqb_eq in M. subst. apply is_power_ok in P as (k & K & ->).
    unfold so in F. rewrite Forall_forall in F. apply F in I. apply divides_ok in I as [_ [q I]]. simpl in I.
    destruct (Zdivide_power_2 (e n) 2 k) as [j J]; [lia|lia|exact prime_2|now exists q|].
    exists j. split; auto. destruct (Z.le_gt_cases 0 j); auto. rewrite Z.pow_neg_r in J by lia. lia.
  - rewrite andb_true_iff. intros [A C]. destruct (IHa A) as (j & J & ->), (IHb C) as (k & K & ->).
    exists (j + k). split; [lia|]. now rewrite Z.pow_add_r.
Qed.
Theorem powers_ok dims facts e a b : within_bounds dims e -> so e facts -> power dims facts a = true ->
  power dims facts b = true -> fv e (lt a (add b b)) = true -> fv e (divides a b) = true /\ fv e (le a b) = true.
Proof.
  intros B F PA PB H. destruct (power_ok dims facts e a B F PA) as (j & J & A).
  destruct (power_ok dims facts e b B F PB) as (k & K & C). rewrite le_ok, divides_ok. simpl in H. apply Z.ltb_lt in H.
  rewrite A, C in *. assert (L : j < k + 1).
  { apply (Z.pow_lt_mono_r_iff 2); [lia|lia|]. rewrite Z.pow_add_r by lia. lia. }
  assert (P : 0 < 2 ^ j) by (apply Z.pow_pos_nonneg; lia).
  repeat split; [lia| |apply Z.pow_le_mono_r; lia].
  exists (2 ^ (k - j)). rewrite <- Z.pow_add_r by lia. f_equal. lia.
Qed.
