(* Polynomials over Z in variables that are names: sorted lists of monomials, sorted lists of names. *)
Require Import ZArith List Bool Lia.
From Symcute Require Import Terms.
Import ListNotations.
Open Scope Z_scope.

Definition monomial := list positive.
Definition poly := list (monomial * Z).
Fixpoint mv (e : env) (m : monomial) : Z := match m with [] => 1 | v :: m => e v * mv e m end.
Fixpoint pv (e : env) (p : poly) : Z := match p with [] => 0 | (m, c) :: p => c * mv e m + pv e p end.

Fixpoint compare (a b : monomial) : comparison :=
  match a, b with
  | [], [] => Datatypes.Eq | [], _ => Datatypes.Lt | _, [] => Gt
  | x :: a, y :: b => match Pos.compare x y with Datatypes.Eq => compare a b | c => c end
  end.
Lemma compare_eq a : forall b, compare a b = Datatypes.Eq -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; simpl in H; try discriminate; auto.
  destruct (Pos.compare x y) eqn:E; try discriminate. apply Pos.compare_eq in E. subst. f_equal; auto.
Qed.
Fixpoint mtimes (a : monomial) : monomial -> monomial :=
  fix go b := match a, b with
  | [], _ => b | _, [] => a
  | x :: a', y :: b' => if Pos.leb x y then x :: mtimes a' b else y :: go b'
  end.
Lemma mtimes_ok e a : forall b, mv e (mtimes a b) = mv e a * mv e b.
Proof.
  induction a as [|x a IH]; intro b; [destruct b; cbn [mtimes mv]; ring|].
  induction b as [|y b IHb]; [cbn [mtimes mv]; ring|].
  replace (mtimes (x :: a) (y :: b)) with
    (if Pos.leb x y then x :: mtimes a (y :: b) else y :: mtimes (x :: a) b) by reflexivity.
  destruct (Pos.leb x y); cbn [mv]; rewrite ?IH, ?IHb; cbn [mv]; ring.
Qed.

Definition entry (m : monomial) (c : Z) (p : poly) : poly := if c =? 0 then p else (m, c) :: p.
Lemma entry_ok e m c p : pv e (entry m c p) = c * mv e m + pv e p.
Proof. unfold entry. destruct (Z.eqb_spec c 0); simpl; lia. Qed.
Fixpoint padd (p : poly) : poly -> poly :=
  fix go q := match p, q with
  | [], _ => q | _, [] => p
  | (m, c) :: p', (n, d) :: q' => match compare m n with
    | Datatypes.Eq => entry m (c + d) (padd p' q')
    | Datatypes.Lt => (m, c) :: padd p' q
    | Gt => (n, d) :: go q' end
  end.
Lemma padd_ok e p : forall q, pv e (padd p q) = pv e p + pv e q.
Proof.
  induction p as [|[m c] p IH]; intro q; [destruct q; cbn [padd pv]; ring|].
  induction q as [|[n d] q IHq]; [cbn [padd pv]; ring|].
  replace (padd ((m, c) :: p) ((n, d) :: q)) with (match compare m n with
    | Datatypes.Eq => entry m (c + d) (padd p q) | Datatypes.Lt => (m, c) :: padd p ((n, d) :: q)
    | Gt => (n, d) :: padd ((m, c) :: p) q end) by reflexivity.
  destruct (compare m n) eqn:E; rewrite ?entry_ok; cbn [pv]; rewrite ?IH, ?IHq; cbn [pv]; try ring.
  apply compare_eq in E. subst. ring.
Qed.
Definition scale (c : Z) (p : poly) : poly := if c =? 0 then [] else map (fun t => (fst t, c * snd t)) p.
Lemma scale_ok e c p : pv e (scale c p) = c * pv e p.
Proof.
  unfold scale. destruct (Z.eqb_spec c 0) as [->|]; simpl; auto.
  induction p as [|[m d] p IH]; simpl; [lia|]. rewrite IH. ring.
Qed.
(* Sorted again, since a product by a monomial may leave the order. *)
Definition shift (m : monomial) (c : Z) (p : poly) : poly :=
  fold_right (fun t q => padd [(mtimes m (fst t), c * snd t)] q) [] p.
Lemma shift_ok e m c p : pv e (shift m c p) = c * mv e m * pv e p.
Proof.
  unfold shift. induction p as [|[n d] p IH]; [simpl; lia|].
  cbn [fold_right fst snd]. rewrite padd_ok, IH. cbn [pv]. rewrite mtimes_ok. ring.
Qed.
Definition pmul (p q : poly) : poly :=
  fold_right (fun t r => padd (shift (fst t) (snd t) q) r) [] p.
Lemma pmul_ok e p q : pv e (pmul p q) = pv e p * pv e q.
Proof.
  unfold pmul. induction p as [|[m c] p IH]; [simpl; lia|].
  cbn [fold_right fst snd]. rewrite padd_ok, IH, shift_ok. simpl. ring.
Qed.
Definition psub p q := padd p (scale (-1) q).
Lemma psub_ok e p q : pv e (psub p q) = pv e p - pv e q.
Proof. unfold psub. rewrite padd_ok, scale_ok. ring. Qed.
Definition constant (c : Z) : poly := entry [] c [].
Lemma constant_ok e c : pv e (constant c) = c.
Proof. unfold constant. rewrite entry_ok. simpl. ring. Qed.
Definition variable (v : positive) : poly := [([v], 1)].
Lemma variable_ok e v : pv e (variable v) = e v.
Proof. unfold variable. simpl. destruct (e v); reflexivity || (simpl; lia). Qed.
Definition ppow (p : poly) (k : N) : poly := N.iter k (pmul p) (constant 1).
Lemma ppow_ok e p k : pv e (ppow p k) = pv e p ^ Z.of_N k.
Proof.
  unfold ppow. induction k using N.peano_ind; [apply constant_ok|].
  rewrite N.iter_succ, pmul_ok, IHk, N2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Definition is_zero (p : poly) : bool := match p with [] => true | _ => false end.
Lemma is_zero_ok e p : is_zero p = true -> pv e p = 0.
Proof. destruct p; [auto|discriminate]. Qed.
Definition same (p q : poly) : bool := is_zero (psub p q).
Lemma same_ok e p q : same p q = true -> pv e p = pv e q.
Proof. intro H. apply (is_zero_ok e) in H. rewrite psub_ok in H. lia. Qed.
Fixpoint constant_of (p : poly) : Z :=
  match p with [] => 0 | ([], c) :: p => c + constant_of p | _ :: p => constant_of p end.
(* A polynomial that is a number. *)
Definition value (p : poly) : option Z :=
  match p with [] => Some 0 | [([], c)] => Some c | _ => None end.
Lemma value_ok e p c : value p = Some c -> pv e p = c.
Proof. destruct p as [|[[|] ?] []]; simpl; intro H; try discriminate; injection H as <-; lia. Qed.

(* p >= least: no negative coefficient, and each variable is at least 0. *)
Definition known (p : poly) (least : Z) : bool :=
  forallb (fun t => match fst t with [] => true | m => (0 <? snd t) && forallb primed m end) p
  && (least <=? constant_of p).
Definition good (e : env) := forall v, primed v = true -> 0 <= e v.
Lemma mv_nonneg e m : good e -> forallb primed m = true -> 0 <= mv e m.
Proof.
  intro G. induction m as [|v m IH]; simpl; intro H; [lia|]. apply andb_true_iff in H as [A B].
  apply G in A. apply IH in B. nia.
Qed.
Lemma known_ok e p least : good e -> known p least = true -> least <= pv e p.
Proof.
  intros G H. apply andb_true_iff in H as [H L]. apply Z.leb_le in L.
  enough (constant_of p <= pv e p) by lia. clear L. induction p as [|[[|v m] c] p IH]; simpl in *; [lia| |].
  - apply IH in H. destruct c; lia.
  - rewrite !andb_true_iff in H. destruct H as [[A [B C]] D]. apply IH in D. apply Z.ltb_lt in A.
    apply G in B. apply (mv_nonneg e) in C; auto. nia.
Qed.

(* p divided by what its coefficients but the constant share, that rounded down. *)
Definition content (p : poly) : Z :=
  let g := fold_right (fun t g => match fst t with [] => g | _ => Z.gcd (snd t) g end) 0 p in
  if g =? 0 then 1 else g.
Definition part (g : Z) (p : poly) : poly := fold_right (fun t q => entry (fst t) (snd t / g) q) [] p.
Definition primitive (p : poly) : option poly :=
  let g := content p in let q := part g p in
  match value (psub p (scale g q)) with
  | Some r => if (1 <=? g) && (0 <=? r) && (r <? g) then Some q else None | None => None end.
Lemma primitive_ok e p q : primitive p = Some q -> 0 <= pv e q -> 0 <= pv e p.
Proof.
  unfold primitive. destruct (value _) as [r|] eqn:R; [|discriminate].
  destruct (_ && _) eqn:B; [|discriminate]. intro H. injection H as <-.
  apply (value_ok e) in R. rewrite psub_ok, scale_ok in R.
  rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in B. nia.
Qed.

Section Names.
  Variable ok : positive -> bool.
  Definition speaks (p : poly) : bool := forallb (fun t => forallb ok (fst t)) p.
  Variables e e' : env.
  Hypothesis E : forall v, ok v = true -> e v = e' v.
  Lemma pv_ext p : speaks p = true -> pv e p = pv e' p.
  Proof.
    induction p as [|[m c] p IH]; simpl; auto. intro H. apply andb_true_iff in H as [A B].
    rewrite IH by auto. do 2 f_equal. clear - A E. induction m as [|v m IH]; simpl in *; auto.
    apply andb_true_iff in A as [A B]. now rewrite E, IH.
  Qed.
End Names.
