(* Terms and formulas: their value at an instance, what they ask for to have one, and equality. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data.
Import ListNotations.
Open Scope Z_scope.

Inductive op := Add | Sub | Mul | Div | FloorDiv | CeilDiv | Mod | Min | Max.
Inductive term := Int (z : Z) | Dim (n : positive) | Neg (a : term) | Pow (a : term) (k : N)
  | Bin (o : op) (a b : term).
Inductive rel := Eq | Ne | Le | Lt | Divides.
Inductive form := Rel (r : rel) (a b : term) | And (l : list form) | Or (l : list form)
  | Not (f : form) | Implies (f g : form).
Definition env := positive -> Z.

(* --- meaning: a value, or none where a divisor is 0 or a quotient is not exact -------------------- *)

Definition apply (o : op) (a b : Z) : option Z :=
  match o with
  | Add => Some (a + b) | Sub => Some (a - b) | Mul => Some (a * b)
  | Min => Some (Z.min a b) | Max => Some (Z.max a b)
  | Div => if (b =? 0) || negb (a mod b =? 0) then None else Some (a / b)
  | FloorDiv => if b =? 0 then None else Some (a / b)
  | CeilDiv => if b =? 0 then None else Some (- (- a / b))
  | Mod => if b =? 0 then None else Some (a mod b)
  end.
Fixpoint number (e : env) (x : term) : option Z :=
  match x with
  | Int z => Some z | Dim n => Some (e n)
  | Neg a => do a <- number e a; Some (- a)
  | Pow a k => do a <- number e a; Some (a ^ Z.of_N k)
  | Bin o a b => do a <- number e a; do b <- number e b; apply o a b
  end.
Definition relates (r : rel) (a b : Z) : bool :=
  match r with
  | Eq => a =? b | Ne => negb (a =? b) | Le => a <=? b | Lt => a <? b
  | Divides => negb (a =? 0) && (b mod a =? 0)
  end.
Fixpoint truth (e : env) (f : form) : option bool :=
  match f with
  | Rel r a b => do a <- number e a; do b <- number e b; Some (relates r a b)
  | And l => (fix go l := match l with [] => Some true
      | f :: l => do b <- truth e f; if b : bool then go l else Some false end) l
  | Or l => (fix go l := match l with [] => Some false
      | f :: l => do b <- truth e f; if b : bool then Some true else go l end) l
  | Not f => do b <- truth e f; Some (negb b)
  | Implies f g => do b <- truth e f; if b : bool then truth e g else Some true
  end.

(* --- the same where every operator has some value ------------------------------------------------- *)

Definition total (o : op) (a b : Z) : Z :=
  match o with
  | Add => a + b | Sub => a - b | Mul => a * b | Min => Z.min a b | Max => Z.max a b
  | Div | FloorDiv => a / b | CeilDiv => - (- a / b) | Mod => a mod b
  end.
Fixpoint tv (e : env) (x : term) : Z :=
  match x with
  | Int z => z | Dim n => e n | Neg a => - tv e a | Pow a k => tv e a ^ Z.of_N k
  | Bin o a b => total o (tv e a) (tv e b)
  end.
Fixpoint fv (e : env) (f : form) : bool :=
  match f with
  | Rel r a b => relates r (tv e a) (tv e b)
  | And l => forallb (fv e) l | Or l => existsb (fv e) l
  | Not f => negb (fv e f) | Implies f g => implb (fv e f) (fv e g)
  end.
Definition so (e : env) (fs : list form) := Forall (fun f => fv e f = true) fs.

Section FormInd.
  Variable P : form -> Prop.
  Hypotheses (HR : forall r a b, P (Rel r a b)) (HA : forall l, Forall P l -> P (And l))
    (HO : forall l, Forall P l -> P (Or l)) (HN : forall f, P f -> P (Not f))
    (HI : forall f g, P f -> P g -> P (Implies f g)).
  Fixpoint form_induction (f : form) : P f :=
    let fix go l : Forall P l := match l with [] => Forall_nil P
      | f :: l => Forall_cons f (form_induction f) (go l) end in
    match f with
    | Rel r a b => HR r a b | And l => HA l (go l) | Or l => HO l (go l)
    | Not f => HN f (form_induction f)
    | Implies f g => HI f g (form_induction f) (form_induction g)
    end.
End FormInd.

Lemma number_tv e x : forall v, number e x = Some v -> tv e x = v.
Proof.
  induction x; simpl; intros v H; try congruence.
  - destruct (number e x); [|discriminate]. rewrite (IHx _ eq_refl). congruence.
  - destruct (number e x); [|discriminate]. rewrite (IHx _ eq_refl). congruence.
  - destruct (number e x1); [|discriminate]. destruct (number e x2); [|discriminate].
    rewrite (IHx1 _ eq_refl), (IHx2 _ eq_refl).
    destruct o; simpl in *; try congruence;
      repeat match type of H with context [if ?b then _ else _] => destruct b; try discriminate end;
      congruence.
Qed.
Lemma truth_fv e f : forall b, truth e f = Some b -> fv e f = b.
Proof.
  induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; simpl; intros b H.
  - destruct (number e x) eqn:X; [|discriminate]. destruct (number e y) eqn:Y; [|discriminate].
    rewrite (number_tv _ _ _ X), (number_tv _ _ _ Y). congruence.
  - induction IH as [|f l F L IHl]; simpl; [congruence|].
    destruct (truth e f) as [[]|]; try discriminate; rewrite (F _ eq_refl); simpl; [auto|congruence].
  - induction IH as [|f l F L IHl]; simpl; [congruence|].
    destruct (truth e f) as [[]|]; try discriminate; rewrite (F _ eq_refl); simpl; [congruence|auto].
  - destruct (truth e f); [|discriminate]. rewrite (IH _ eq_refl). congruence.
  - destruct (truth e f) as [[]|]; try discriminate; rewrite (IHf _ eq_refl); simpl; [auto|congruence].
Qed.

(* What operators ask for to have a value, operands first. *)
Fixpoint asked (x : term) : list form :=
  match x with
  | Int _ | Dim _ => [] | Neg a | Pow a _ => asked a
  | Bin o a b => asked a ++ asked b ++
    match o with
    | Div => [Rel Divides b a]
    | FloorDiv | CeilDiv | Mod => match b with
      | Int z => if z =? 0 then [Rel Ne b (Int 0)] else [] | _ => [Rel Ne b (Int 0)] end
    | _ => []
    end
  end.
Fixpoint asks (f : form) : list form :=
  match f with
  | Rel r a b => asked a ++ asked b
  | And l | Or l => flat_map asks l
  | Not f => asks f
  | Implies f g => asks f ++ map (Implies f) (asks g)
  end.
Lemma so_app e a b : so e (a ++ b) <-> so e a /\ so e b.
Proof. apply Forall_app. Qed.
Lemma asked_number e x : so e (asked x) -> number e x = Some (tv e x).
Proof.
  induction x; simpl; intro H; auto.
  - now rewrite IHx.
  - now rewrite IHx.
  - rewrite !so_app in H. destruct H as (A & B & C). rewrite IHx1, IHx2 by auto.
    assert (Q : match o with FloorDiv | CeilDiv | Mod => tv e x2 <> 0 | _ => True end).
    { destruct o; auto; destruct x2; try (inversion C; simpl in *; lia);
        destruct (z =? 0) eqn:Z0; try (inversion C; simpl in *; lia); apply Z.eqb_neq in Z0; auto. }
    destruct o; simpl; auto; try (apply Z.eqb_neq in Q; now rewrite Q).
    inversion C as [|? ? D]. simpl in D. apply andb_true_iff in D as [D E].
    destruct (tv e x2 =? 0); [discriminate|]. now rewrite E.
Qed.
Lemma so_cons e f l : so e (f :: l) <-> fv e f = true /\ so e l.
Proof. apply Forall_cons_iff. Qed.
Lemma asks_truth e f : so e (asks f) -> truth e f = Some (fv e f).
Proof.
  induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; simpl; intro H.
  - apply so_app in H as [A B]. now rewrite !asked_number by auto.
  - induction IH as [|f l F L IHl]; simpl; auto. simpl in H. apply so_app in H as [A B].
    rewrite F by auto. destruct (fv e f); auto.
  - induction IH as [|f l F L IHl]; simpl; auto. simpl in H. apply so_app in H as [A B].
    rewrite F by auto. destruct (fv e f); auto.
  - now rewrite IH.
  - apply so_app in H as [A B]. rewrite IHf by auto. destruct (fv e f) eqn:T; auto.
    simpl. apply IHg. unfold so in *. rewrite Forall_map in B. eapply Forall_impl; [|exact B].
    intros x X. simpl in X. now rewrite T in X.
Qed.

(* --- equality and names --------------------------------------------------------------------------- *)

Definition op_eqb (a b : op) : bool := match a, b with
  | Add, Add | Sub, Sub | Mul, Mul | Div, Div | FloorDiv, FloorDiv | CeilDiv, CeilDiv | Mod, Mod
  | Min, Min | Max, Max => true | _, _ => false end.
Definition rel_eqb (a b : rel) : bool := match a, b with
  | Eq, Eq | Ne, Ne | Le, Le | Lt, Lt | Divides, Divides => true | _, _ => false end.
Fixpoint term_eqb (a b : term) : bool :=
  match a, b with
  | Int x, Int y => x =? y | Dim x, Dim y => Pos.eqb x y | Neg x, Neg y => term_eqb x y
  | Pow x k, Pow y l => term_eqb x y && N.eqb k l
  | Bin o x y, Bin p u v => op_eqb o p && term_eqb x u && term_eqb y v
  | _, _ => false
  end.
Fixpoint form_eqb (f g : form) : bool :=
  let fix same l m := match l, m with [], [] => true | f :: l, g :: m => form_eqb f g && same l m
    | _, _ => false end in
  match f, g with
  | Rel r a b, Rel s c d => rel_eqb r s && term_eqb a c && term_eqb b d
  | And l, And m | Or l, Or m => same l m
  | Not f, Not g => form_eqb f g
  | Implies f f', Implies g g' => form_eqb f g && form_eqb f' g'
  | _, _ => false
  end.
Lemma term_eqb_eq a : forall b, term_eqb a b = true -> a = b.
Proof.
  induction a; intros []; simpl; try discriminate; rewrite ?andb_true_iff.
  - intro. f_equal. now apply Z.eqb_eq. - intro. f_equal. now apply Pos.eqb_eq.
  - intro. f_equal. auto.
  - intros [A B]. apply N.eqb_eq in B. f_equal; auto.
  - intros [[A B] C]. f_equal; auto. destruct o, o0; discriminate || auto.
Qed.
Lemma form_eqb_eq f : forall g, form_eqb f g = true -> f = g.
Proof.
  induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; intros [] H; simpl in H;
    try discriminate.
  - rewrite !andb_true_iff in H. destruct H as [[A B] C]. apply term_eqb_eq in B, C. subst.
    f_equal. destruct r, r0; discriminate || auto.
  - f_equal. revert l0 H. induction IH as [|f l F L IHl]; intros [|g m] H; simpl in H; try discriminate; auto.
    apply andb_true_iff in H as [A B]. f_equal; auto.
  - f_equal. revert l0 H. induction IH as [|f l F L IHl]; intros [|g m] H; simpl in H; try discriminate; auto.
    apply andb_true_iff in H as [A B]. f_equal; auto.
  - f_equal. auto.
  - apply andb_true_iff in H as [A B]. f_equal; auto.
Qed.
Definition member (f : form) (l : list form) : bool := existsb (form_eqb f) l.
Lemma member_in f l : member f l = true -> In f l.
Proof. intro H. apply existsb_exists in H as (g & G & E). apply form_eqb_eq in E. now subst. Qed.

Section Names.
  Variable ok : positive -> bool.
  (* Whether all names are such. *)
  Fixpoint named (x : term) : bool :=
    match x with Int _ => true | Dim n => ok n | Neg a | Pow a _ => named a
    | Bin _ a b => named a && named b end.
  Fixpoint names (f : form) : bool :=
    match f with Rel _ a b => named a && named b | And l | Or l => forallb names l
    | Not f => names f | Implies f g => names f && names g end.
  Variables e e' : env.
  Hypothesis E : forall n, ok n = true -> e n = e' n.
  Lemma tv_ext x : named x = true -> tv e x = tv e' x.
  Proof.
    induction x; simpl; rewrite ?andb_true_iff; intro H; auto; try (rewrite IHx; auto).
    destruct H. now rewrite IHx1, IHx2.
  Qed.
  Lemma fv_ext f : names f = true -> fv e f = fv e' f.
  Proof.
    induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; simpl;
      rewrite ?andb_true_iff; intro H.
    - destruct H. now rewrite (tv_ext x), (tv_ext y).
    - induction IH as [|f l F L IHl]; simpl in *; auto. apply andb_true_iff in H as [A B].
      now rewrite F, IHl.
    - induction IH as [|f l F L IHl]; simpl in *; auto. apply andb_true_iff in H as [A B].
      now rewrite F, IHl.
    - now rewrite IH.
    - destruct H. now rewrite IHf, IHg.
  Qed.
End Names.

(* --- short forms, and the negation pushed inwards -------------------------------------------------- *)

Definition lt a b := Rel Lt a b.
Definition le a b := Rel Le a b.
Definition eq a b := Rel Eq a b.
Definition divides a b := Rel Divides a b.
Definition add a b := Bin Add a b.
Definition sub a b := Bin Sub a b.
Definition mul a b := Bin Mul a b.
Definition sum (l : list term) : term := fold_left add l (Int 0).

Lemma eq_ok e a b : fv e (eq a b) = true <-> tv e a = tv e b. Proof. apply Z.eqb_eq. Qed.
Lemma le_ok e a b : fv e (le a b) = true <-> tv e a <= tv e b. Proof. apply Z.leb_le. Qed.
Lemma divides_ok e a b : fv e (divides a b) = true <-> tv e a <> 0 /\ exists q, tv e b = q * tv e a.
Proof.
  unfold divides. simpl. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq, Z.eqb_eq. split; intros [A B]; split; auto.
  - exists (tv e b / tv e a). pose proof (Z.div_mod (tv e b) (tv e a) A). lia.
  - destruct B as [q ->]. now apply Z.mod_mul.
Qed.

Definition conjunction (l : list form) : form :=
  match flat_map (fun f => match f with And l => l | _ => [f] end) l with [f] => f | l => And l end.
Fixpoint negation (f : form) : form :=
  match f with
  | Rel Le a b => Rel Lt b a | Rel Lt a b => Rel Le b a
  | Rel Eq a b => Rel Ne a b | Rel Ne a b => Rel Eq a b
  | And l => Or (map negation l) | Or l => conjunction (map negation l)
  | Implies f g => conjunction [f; negation g]
  | Not f => f | _ => Not f
  end.
Lemma conjunction_ok e l : fv e (conjunction l) = forallb (fv e) l.
Proof.
  unfold conjunction.
  assert (A : forallb (fv e) (flat_map (fun f => match f with And l => l | _ => [f] end) l)
              = forallb (fv e) l).
  { induction l as [|f l IH]; simpl; auto. rewrite forallb_app, IH.
    destruct f; simpl; auto; now rewrite ?andb_true_r. }
  destruct (flat_map _ l) as [|f [|g m]]; simpl in *; auto. now rewrite <- A, andb_true_r.
Qed.
Lemma negation_ok e f : fv e (negation f) = negb (fv e f).
Proof.
  induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; simpl.
  - destruct r; simpl; auto.
    + now rewrite negb_involutive.
    + now rewrite <- Z.ltb_antisym.
    + now rewrite <- Z.leb_antisym.
  - induction IH; simpl; auto. rewrite H, IHIH. now rewrite negb_andb.
  - rewrite conjunction_ok. induction IH; simpl; auto. rewrite H, IHIH. now rewrite negb_orb.
  - now rewrite negb_involutive.
  - rewrite conjunction_ok. simpl. rewrite IHg, andb_true_r. destruct (fv e f), (fv e g); auto.
Qed.

(* --- reading --------------------------------------------------------------------------------------- *)

Open Scope string_scope.
Definition operators : list (positive * op) := Eval compute in
  map (fun x => (word (fst x), snd x)) [("+", Add); ("-", Sub); ("*", Mul); ("/", Div);
    ("//", FloorDiv); ("%", Mod); ("ceil_div", CeilDiv); ("min", Min); ("max", Max)].
Definition relations : list (positive * rel) := Eval compute in
  map (fun x => (word (fst x), snd x)) [("==", Eq); ("!=", Ne); ("<=", Le); ("<", Lt); ("|", Divides)].
Definition w_neg := Eval compute in word "neg".
Definition w_pow := Eval compute in word "**".
Definition w_and := Eval compute in word "and".
Definition w_or := Eval compute in word "or".
Definition w_not := Eval compute in word "not".
Definition w_implies := Eval compute in word "implies".
Close Scope string_scope.
Fixpoint assoc {A} (k : positive) (l : list (positive * A)) : option A :=
  match l with [] => None | (n, x) :: l => if Pos.eqb n k then Some x else assoc k l end.

(* The names that end in a prime are those of parameters, at least 0. *)
Definition primed (v : positive) : bool :=
  match v with xI (xI (xI (xO (xO (xI (xO (xO _))))))) => true | _ => false end.
Definition prime (v : positive) : positive := xI (xI (xI (xO (xO (xI (xO (xO v))))))).
Definition unprimed (v : positive) : positive :=
  match v with xI (xI (xI (xO (xO (xI (xO (xO v))))))) => v | _ => v end.

Definition MAX_DEPTH := 302%nat.
Fixpoint read_term (fuel : nat) (d : data) : option term :=
  match fuel with O => None | S n =>
  match d with
  | DInt z => Some (Int z)
  | DStr s => guard (is_name (unprimed s)) (Some (Dim s))
  | DList [DStr o; a] => guard (Pos.eqb o w_neg) (do a <- read_term n a; Some (Neg a))
  | DList [DStr o; a; b] =>
    do a <- read_term n a; do b <- read_term n b;
    if Pos.eqb o w_pow then match b with
      | Int k => guard ((0 <=? k) && (k <=? 64)) (Some (Pow a (Z.to_N k))) | _ => None end
    else do o <- assoc o operators; Some (Bin o a b)
  | _ => None
  end end.
Fixpoint read_form (fuel : nat) (d : data) : option form :=
  match fuel with O => None | S n =>
  match d with
  | DList (DStr o :: l) =>
    if Pos.eqb o w_and then do l <- all (read_form n) l; Some (And l)
    else if Pos.eqb o w_or then do l <- all (read_form n) l; Some (Or l)
    else match l with
    | [f] => guard (Pos.eqb o w_not) (do f <- read_form n f; Some (Not f))
    | [a; b] => if Pos.eqb o w_implies then do f <- read_form n a; do g <- read_form n b; Some (Implies f g)
      else do r <- assoc o relations;
           do a <- read_term n a; do b <- read_term n b; Some (Rel r a b)
    | _ => None end
  | _ => None
  end end.
Definition term_of := read_term MAX_DEPTH.
Definition form_of := read_form MAX_DEPTH.
