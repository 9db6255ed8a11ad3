(* What a text states: the dims and their bounds, what is given, what is asked for, and the primitive claims. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Lemmas Agreement Parts Certificates Text Reading Worked Stating Values Meaning Splitting.
Import ListNotations.
Open Scope Z_scope.

(* --- assumptions ------------------------------------------------------------------------------------------- *)

Fixpoint conjuncts (t : tree) : list tree :=
  match t with TOp SParen [a] => conjuncts a | TOp SAnd l => flat_map conjuncts l | _ => [t] end.
Definition is_related (t : tree) : bool := match t with TOp o _ => relation o | _ => false end.
(* Not even is the remainder 1. *)
Definition odd (f : form) : form :=
  let one x c := match number_of c with Int 2 => Rel Eq (Bin Mod x c) (Int 1) | _ => f end in
  match f with
  | Not (Rel Divides c x) => one x c | Rel Ne (Bin Mod x c) (Int 0) => one x c | _ => f end.
(* The parts of a conjunction, `not` pushed inwards. *)
Fixpoint opened (fuel : nat) (f : form) : option (list form) :=
  match fuel with
  | O => None
  | S n => match (match f with Not g => negation g | _ => f end) with
    | And l => do l <- throughout (opened n) l; Some (concat l)
    | f => Some [odd f] end
  end.
Definition is_divides (f : form) : bool := match f with Rel Divides _ _ => true | _ => false end.
Definition is_rel (f : form) : bool := match f with Rel _ _ _ => true | _ => false end.
Definition only_relations (f : form) : bool := match f with Rel _ _ _ => true | And l => forallb is_rel l | _ => false end.
Definition facts_in (t : tree) : option (list form) :=
  do f <- formula t; do l <- opened MAX_NESTING (numbers_of f);
  if is_related t then do a <- asked_of t;
    let quotients := filter is_divides a in
    guard (forallb (fun g => member g (asks f)) quotients && (only_relations f || match quotients with [] => true | _ => false end))
      (Some (l ++ quotients))
  else Some l.
Definition asked_in (t : tree) : option (list form) :=
  do a <- asked_of t; Some (if is_related t then filter (fun f => negb (is_divides f)) a else a).

(* --- dims --------------------------------------------------------------------------------------------------- *)

Fixpoint dims_in (t : tree) : list positive :=
  match t with
  | TDim n => [n] | TOp _ l => flat_map dims_in l
  | TCall f l =>
    (if Pos.eqb f c_no_overflow
     then match l with TText s :: _ => match parse s with Some (t) => (fix go t := match t with
       | TDim n => [n] | TOp _ l | TCall _ l => flat_map go l | TSwizzled _ _ _ x l => go x ++ go l | _ => [] end) t
       | None => [] end | _ => [] end else [])
    ++ flat_map dims_in l
  | TSwizzled _ _ _ x l => dims_in x ++ dims_in l
  | _ => []
  end.
(* A dim and the number that a relation says it is not below. *)
Definition bound_by (x y : term) (more : Z) : list (positive * Z) :=
  match sum_of x, sum_of y with
  | Some p, Some [([n], 1)] => match value p with Some c => [(n, c + more)] | None => [] end
  | _, _ => [] end.
Definition bounds_in (f : form) : list (positive * Z) :=
  match f with
  | Rel Le x y => bound_by x y 0 | Rel Lt x y => bound_by x y 1 | Rel Eq x y => bound_by x y 0 ++ bound_by y x 0 | _ => [] end.
Definition bound_of (found : list (positive * Z)) (n : positive) : Z :=
  match filter (fun b => Pos.eqb (fst b) n) found with
  | [] => 1 | b :: l => fold_left (fun m b => Z.max m (snd b)) l (snd b) end.
Definition lower_bounds_of (facts : list form) (trees : list tree) : lower_bounds :=
  let found := flat_map bounds_in facts in
  map (fun n => (n, bound_of found n)) (nodup Pos.eq_dec (flat_map dims_in trees ++ map fst found)).

Definition stated (claim : tree) (given : list tree) : option statement :=
  let parts := flat_map conjuncts given in
  do facts <- throughout facts_in parts;
  let facts := concat facts in
  do extents <- extents_of claim;
  do asked <- asked_of claim;
  do more <- throughout asked_in parts;
  let defined := map (le (Int 1)) extents ++ asked ++ concat more in
  do claims <- primitives (defined ++ facts) (worked claim);
  let s := {| s_dims := lower_bounds_of facts (claim :: given); s_given := facts; s_defined := defined; s_parts := claims |} in
  guard (sensible s) (Some s).

(* --- that what is read is what the text means --------------------------------------------------------------- *)

Definition true_at (e : env) (fs : list form) := Forall (fun f => truth e f = Some true) fs.
Section Given.
  Variable e : env.
  Lemma all_true l : truth e (And l) = Some true <-> true_at e l.
  Proof.
    unfold true_at. induction l as [|f l IH]; simpl in *; [split; [constructor|reflexivity]|]. rewrite Forall_cons_iff, <- IH.
    destruct (truth e f) as [[]|]; split; intuition discriminate.
  Qed.
  Lemma and_app l m : truth e (And (l ++ m)) = do b <- truth e (And l); if b : bool then truth e (And m) else Some false.
  Proof.
    induction l as [|f l IH]; simpl in *; [reflexivity|]. destruct (truth e f) as [[]|]; auto.
  Qed.
  Lemma and_one f : truth e (And [f]) = truth e f.
  Proof. simpl. destruct (truth e f) as [[]|]; reflexivity. Qed.
  Lemma conjunction_truth l : truth e (conjunction l) = truth e (And l).
  Proof.
    unfold conjunction. set (m := flat_map _ l). assert (E : truth e (And m) = truth e (And l)).
    { unfold m. clear m. induction l as [|f l IH]; [reflexivity|]. cbn [flat_map]. rewrite and_app, IH.
      change (truth e (And (f :: l))) with (do b <- truth e f; if b : bool then truth e (And l) else Some false).
      destruct f; try (now rewrite and_one); reflexivity. }
    rewrite <- E. destruct m as [|f [|g m]]; auto. simpl. destruct (truth e f) as [[]|]; reflexivity.
  Qed.
  Lemma negation_truth f : forall b, truth e f = Some b -> truth e (negation f) = Some (negb b).
  Proof.
    induction f as [r x y|l IH|l IH|f IH|f g IHf IHg] using form_induction; intros b H.
    - simpl in H. apply some_in in H as (v & V & H). apply some_in in H as (w & W & H). injection H as <-.
      destruct r; simpl; rewrite ?V, ?W; simpl; rewrite ?negb_involutive; auto.
      + now rewrite Z.ltb_antisym. + now rewrite Z.leb_antisym.
    - simpl in *. revert b H. induction IH as [|f l F L IHl]; simpl; intros b H; [now injection H as <-|].
      apply some_in in H as (c & C & H). rewrite (F _ C). destruct c; simpl; [auto|now injection H as <-].
    - cbn [negation]. rewrite conjunction_truth. simpl in *. revert b H.
      induction IH as [|f l F L IHl]; simpl; intros b H; [now injection H as <-|].
      apply some_in in H as (c & C & H). rewrite (F _ C). destruct c; simpl; [now injection H as <-|auto].
    - simpl in *. apply some_in in H as (c & C & H). injection H as <-. now rewrite negb_involutive.
    - cbn [negation]. rewrite conjunction_truth. simpl in *. apply some_in in H as (c & C & H). rewrite C.
      destruct c; [rewrite (IHg _ H); destruct b; reflexivity|now injection H as <-].
  Qed.
  Lemma odd_truth f : truth e f = Some true -> truth e (odd f) = Some true.
  Proof.
    assert (Q : forall x c v w, number e x = Some v -> number e c = Some w -> w <> 0 -> v mod w <> 0 ->
      number_of c = Int 2 -> truth e (Rel Eq (Bin Mod x c) (Int 1)) = Some true).
    { intros x c v w X C N M E. apply number_of_ok in C as C'. rewrite E in C'. injection C' as <-. simpl. rewrite X, C. simpl.
      f_equal. apply Z.eqb_eq. pose proof (Z.mod_pos_bound v 2 ltac:(lia)). lia. }
    intro H. destruct f as [r x y| | |g|]; try exact H.
    - destruct r; try exact H. destruct x as [| | | |o x c]; try exact H. destruct o; try exact H.
      destruct y as [z| | | |]; try exact H. destruct z; try exact H. cbn [odd]. destruct (number_of c) as [k| | | |] eqn:E; try exact H. destruct k as [|[p|[]|]|]; try exact H.
      simpl in H. apply some_in in H as (v & V & H). apply some_in in V as (a & A & V). apply some_in in V as (w & W & V).
      destruct (w =? 0) eqn:Z0; [discriminate|]. injection V as <-. injection H as H. apply negb_true_iff in H.
      apply (Q x c a w); auto; now apply Z.eqb_neq.
    - destruct g as [[] c x| | | |]; try exact H. cbn [odd]. destruct (number_of c) as [k| | | |] eqn:E; try exact H.
      destruct k as [|[p|[]|]|]; try exact H. simpl in H. apply some_in in H as (b & B & H). apply some_in in B as (w & W & B).
      apply some_in in B as (v & V & B). injection B as <-. injection H as H. apply negb_true_iff, andb_false_iff in H.
      apply number_of_ok in W as W'. rewrite E in W'. injection W' as <-. destruct H as [H|H]; [discriminate|].
      apply (Q x c v 2); auto; [lia|now apply Z.eqb_neq].
  Qed.
  Lemma opened_true n : forall f l, opened n f = Some l -> truth e f = Some true -> true_at e l.
  Proof.
    induction n as [|n IH]; intros f l H T; [discriminate|]. cbn [opened] in H.
    set (g := match f with Not g => negation g | _ => f end) in *.
    assert (G : truth e g = Some true).
    { destruct f; auto. simpl in T. apply some_in in T as (b & B & T). apply negation_truth in B. unfold g. congruence. }
    clearbody g. clear T f. destruct g as [r x y|m|m|f|f f2]; 
      try (apply some_eq in H; subst l; unfold true_at; apply Forall_cons; [now apply odd_truth|constructor]).
    apply some_in in H as (k & K & H). injection H as <-. apply throughout_ok in K. apply all_true in G.
    induction K as [|f l fs ls F K IHK]; simpl; [constructor|]. apply Forall_cons_iff in G as [G1 G]. apply Forall_app. split.
    - now apply (IH f). - now apply IHK.
  Qed.
  Lemma asked_true x : forall v, number e x = Some v -> true_at e (asked x).
  Proof.
    unfold true_at. induction x; simpl; intros v H; try constructor.
    - apply some_in in H as (a & A & H). eauto.
    - apply some_in in H as (a & A & H). eauto.
    - apply some_in in H as (a & A & H). apply some_in in H as (b & B & H). rewrite !Forall_app. split; [eauto|split; [eauto|]].
      assert (N : forall z : Z, (z =? 0) = false -> number e x2 = Some z -> truth e (Rel Ne x2 (Int 0)) = Some true).
      { intros z Z0 N. simpl. rewrite N. simpl. now rewrite Z0. }
      destruct o; simpl in H; try apply Forall_nil; destruct (b =? 0) eqn:Z0; try discriminate.
      + apply Forall_cons; [|constructor]. simpl. rewrite A, B. simpl. rewrite Z0. now destruct (a mod b =? 0).
      + destruct x2; try (apply Forall_cons; [now apply (N b)|constructor]). simpl in B. injection B as ->. rewrite Z0. constructor.
      + destruct x2; try (apply Forall_cons; [now apply (N b)|constructor]). simpl in B. injection B as ->. rewrite Z0. constructor.
      + destruct x2; try (apply Forall_cons; [now apply (N b)|constructor]). simpl in B. injection B as ->. rewrite Z0. constructor.
  Qed.
  Lemma asks_true f : only_relations f = true -> truth e f = Some true -> true_at e (asks f).
  Proof.
    assert (R : forall r a b, truth e (Rel r a b) = Some true -> true_at e (asked a ++ asked b)).
    { intros r a b H. simpl in H. apply some_in in H as (v & V & H). apply some_in in H as (w & W & H).
      apply Forall_app. split; eapply asked_true; eauto. }
    destruct f as [r a b|l| | |]; try discriminate; intros O H; simpl; [eauto|]. apply all_true in H. simpl in O.
    induction H as [|f l F M IH]; simpl in *; [constructor|]. apply andb_true_iff in O as [O1 O]. apply Forall_app. split; [|now apply IH].
    destruct f; try discriminate. eapply R; eauto.
  Qed.
  Lemma facts_true t l : facts_in t = Some l -> true_text e t -> true_at e l.
  Proof.
    intros H (f & F & T). unfold facts_in in H. rewrite F in H. apply some_in in H as (o & O & H).
    apply opened_true in O; [|now apply numbers_of_ok]. destruct (is_related t); [|now injection H as <-].
    apply some_in in H as (a & A & H). apply guard_some in H as [G H]. injection H as <-. apply andb_true_iff in G as [G1 G2].
    apply Forall_app. split; auto. apply orb_true_iff in G2 as [G2|G2].
    - apply asks_true in T; auto. unfold true_at in *. rewrite Forall_forall in *. intros g I. apply T.
      rewrite forallb_forall in G1. now apply member_in, G1.
    - destruct (filter is_divides a); [constructor|discriminate].
  Qed.
  Lemma conjuncts_true t : true_text e t -> Forall (true_text e) (conjuncts t).
  Proof.
    induction t as [ | | |o l IH|f l _| | ] using tree_induction; intro H; try (repeat constructor; exact H).
    destruct o; try (repeat constructor; exact H).
    - destruct H as (f & F & T). cbn [formula] in F. apply some_in in F as (fs & FS & F). injection F as <-.
      rewrite conjunction_truth in T. apply all_true in T. apply throughout_ok in FS. simpl.
      induction FS as [|x f l fs X FS IHl]; simpl; [constructor|]. apply Forall_cons_iff in T as [T1 T].
      apply Forall_cons_iff in IH as [I IH]. apply Forall_app. split; [apply I; now exists f|now apply IHl].
    - destruct l as [|a []]; try (repeat constructor; exact H). apply Forall_cons_iff in IH as [I _]. now apply I.
  Qed.
End Given.

(* What a text states holds of all integers that are the dims, from their lower bounds on, and meet what is given. *)
Theorem stated_means claim given s : stated claim given = Some s -> holds s ->
  forall e, within_bounds (s_dims s) e -> Forall (true_text e) given -> true_at e (s_defined s) /\ means_text e (worked claim).
Proof.
  intros H S e W G. unfold stated in H. cbv zeta in H. apply some_in in H as (facts & F & H).
  apply some_in in H as (extents & _ & H). apply some_in in H as (asked & _ & H). apply some_in in H as (more & _ & H).
  apply some_in in H as (claims & C & H). apply guard_some in H as [_ H]. injection H as <-. simpl in *.
  assert (T : true_at e (concat facts)).
  { apply throughout_ok in F. assert (Q : Forall (true_text e) (flat_map conjuncts given)).
    { clear - G. induction G; simpl; [constructor|]. apply Forall_app. split; auto. now apply conjuncts_true. }
    clear - F Q. induction F as [|t l ts ls X F IH]; simpl; [constructor|]. apply Forall_cons_iff in Q as [Q1 Q].
    apply Forall_app. split; [eapply facts_true; eauto|exact (IH Q)]. }
  destruct (S e W T) as [D M]. split; auto. eapply primitives_mean; eauto. apply so_app. split;
    (eapply Forall_impl; [|eassumption]); intros f X; now apply truth_fv.
Qed.

(* --- certificates with their texts -------------------------------------------------------------------------- *)

Open Scope string_scope.
Definition k_claim := Eval compute in word "claim".
Definition k_operations := Eval compute in word "operations".
Close Scope string_scope.
Definition text_of (d : data) : option positive := match d with DStr s => Some s | _ => None end.
(* The claim and what is given, as texts; what operations come to is not taken from a certificate. *)
Definition texts_of (o : object) : option (positive * list positive) :=
  do c <- key k_claim o; do c <- text_of c; do g <- key k_given o; do g <- every text_of g; do _ <- key k_operations o; Some (c, g).
Definition without_texts (o : object) : object :=
  filter (fun x => negb (existsb (Pos.eqb (fst x)) [k_claim; k_given; k_operations])) o.
(* Whether a certificate proves what its texts say, and whether its instance shows that what is given can be met. *)
Definition accepted_text (depth : nat) (o : object) : option bool :=
  do (c, g) <- texts_of o; do claim <- parse c; do given <- throughout parse g; do s <- stated claim given;
  proves depth (without_texts o) s.
(* For all integers that are the dims, from the lower bounds on that assumptions name, or from 1: where what is given is
   true the claim is, and what is asked for to have a value holds. *)
Definition text_holds (claim : positive) (given : list positive) : Prop :=
  exists t gs s, parse claim = Some t /\ Forall2 (fun g u => parse g = Some u) given gs /\ stated t gs = Some s /\
  forall e, within_bounds (s_dims s) e -> Forall (true_text e) gs -> true_at e (s_defined s) /\ means_text e (worked t).
Theorem accepted_text_holds depth o m : accepted_text depth o = Some m ->
  exists claim given, texts_of o = Some (claim, given) /\ text_holds claim given.
Proof.
  intro H. apply some_in in H as ([c g] & T & H). apply some_in in H as (t & C & H). apply some_in in H as (gs & G & H).
  apply some_in in H as (s & S & H). exists c, g. split; auto. exists t, gs, s. split; [exact C|]. split; [now apply throughout_ok|].
  split; [exact S|]. assert (Q : sensible s = true).
  { unfold stated in S. cbv zeta in S. do 5 apply some_in in S as (? & _ & S). apply guard_some in S as [B S].
    apply some_eq in S. now subst s. }
  exact (stated_means t gs s S (proves_holds _ _ _ _ Q H)).
Qed.
(* What is said of a certificate: 0 rejected; 1 its data are accepted, 2 and met by its instance; 3 and 4 the same, and
   it proves what its texts say. *)
Definition verdict (depth : nat) (d : data) : Z :=
  match d with
  | DObj o =>
    match accepted depth (DObj (without_texts o)) with
    | Some (_, m) => (if m then 2 else 1) + match accepted_text depth o with Some _ => 2 | None => 0 end
    | None => 0 end
  | _ => 0
  end.
