(* A certificate: its statement, its proof, and that what is accepted holds. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation Requests Parts.
Import ListNotations.
Open Scope Z_scope.

(* --- statements ------------------------------------------------------------------------------------------ *)

Record statement := { s_dims : lower_bounds; s_given : list form; s_defined : list form; s_parts : list primitive_claim }.
(* For all integers that are the dims, from their lower bounds on, and meet what is given, the conditions of
   `s_defined` and the primitive claims hold, and all that they speak of has a value. *)
Definition holds (s : statement) : Prop :=
  forall e, within_bounds (s_dims s) e -> Forall (fun f => truth e f = Some true) (s_given s) ->
  Forall (fun f => truth e f = Some true) (s_defined s) /\ Forall (means e) (s_parts s).
Definition can_be_met (s : statement) : Prop :=
  exists e, within_bounds (s_dims s) e /\ Forall (fun f => truth e f = Some true) (s_given s).

Definition within_claim (dims : lower_bounds) (c : primitive_claim) : bool :=
  forallb (named (dim_of dims)) (leaves c) && forallb (within dims) (formulas_of c).
Definition asks_given (f : form) : list form :=
  match f with
  | Rel _ _ _ => filter (fun g => match g with Rel Divides _ _ => false | _ => true end) (asks f) | _ => asks f end.
Definition sensible (s : statement) : bool :=
  let known := s_defined s ++ s_given s in
  forallb (fun f => member f known)
    (flat_map asks (s_defined s) ++ flat_map asks_given (s_given s) ++ flat_map conditions (s_parts s))
  && forallb (within (s_dims s)) known && forallb (within_claim (s_dims s)) (s_parts s).

(* --- parts ------------------------------------------------------------------------------------------------ *)

Definition no_names (_ : positive) : bool := false.
Definition number_term := named no_names.
Definition number_layout (m : modes) : bool := forallb (fun x => number_term (fst x) && number_term (snd x)) m.
Definition number_guards (G : list (modes * term)) : bool := forallb (fun g => number_layout (fst g) && number_term (snd g)) G.
(* A claim without dims. *)
Fixpoint closed (c : primitive_claim) : bool :=
  match c with
  | Injective L G => number_layout L && number_guards G
  | InBounds L G _ x b => number_layout L && number_guards G && number_term x && number_term b
  | Covers L b => number_layout L && number_term b
  | Disjoint A B | SameImage A B => number_layout A && number_layout B
  | Apart A B x => number_layout A && number_layout B && number_term x
  | Agree l r D _ _ x y => forallb number_layout l && forallb number_layout r && number_layout D && number_term x && number_term y
  | Vectors L _ _ x y | Requests L _ _ _ x y => number_layout L && number_term x && number_term y
  | Holds f => names no_names f | Either cs => forallb closed cs | Denied c => closed c
  end.
Definition zero_env : env := fun _ => 0.
Section Closed.
  Variables e e' : env.
  Lemma closed_term x : number_term x = true -> tv e x = tv e' x.
  Proof. apply tv_ext. discriminate. Qed.
  Lemma map_same {A B} (f g : A -> B) (ok : A -> bool) : (forall x, ok x = true -> f x = g x) ->
    forall l, forallb ok l = true -> map f l = map g l.
  Proof. intros H. induction l as [|x l IH]; simpl; auto. rewrite andb_true_iff. intros [A1 A2]. now rewrite H, IH. Qed.
  Lemma closed_lay m : number_layout m = true -> lay e m = lay e' m.
  Proof.
    apply map_same. intros [s d]. simpl. rewrite andb_true_iff. intros [A B]. now rewrite (closed_term s), (closed_term d).
  Qed.
  Lemma closed_guards G : number_guards G = true -> guards_at e G = guards_at e' G.
  Proof.
    apply map_same. intros [g m]. simpl. rewrite andb_true_iff. intros [A B]. now rewrite (closed_lay g), (closed_term m).
  Qed.
  Lemma closed_instance c : closed c = true -> instance e c = instance e' c.
  Proof.
    induction c using claim_induction; simpl; rewrite ?andb_true_iff; intro C.
    - now rewrite closed_lay, closed_guards.
    - now rewrite closed_lay, closed_guards, (closed_term x), (closed_term b).
    - now rewrite closed_lay, (closed_term b).
    - now rewrite (closed_lay A), (closed_lay B).
    - now rewrite (closed_lay A), (closed_lay B), (closed_term x).
    - now rewrite (closed_lay A), (closed_lay B).
    - destruct C as [[[[C1 C2] C3] C4] C5].
      now rewrite (map_same _ _ _ closed_lay l), (map_same _ _ _ closed_lay r), (closed_lay D), (closed_term x), (closed_term y).
    - now rewrite closed_lay, (closed_term x), (closed_term b).
    - now rewrite closed_lay, (closed_term x), (closed_term b).
    - f_equal. apply fv_ext with (ok := no_names); [discriminate|exact C].
    - f_equal. induction H as [|c cs H0 _ IHl]; simpl in *; auto. apply andb_true_iff in C as [C1 C2].
      now rewrite H0, IHl.
    - now rewrite IHc.
  Qed.
End Closed.

(* A layout without modes has the index 0 alone: whether what is evaluated asks for no other, up to where it is decided. *)
Fixpoint indexed_at (chain : list layout) (i : Z) : option Z :=
  match chain with
  | [] => Some i
  | L :: chain => do j <- indexed_at chain i; match L with [] => guard (j =? 0) (Some 0) | _ => Some (at_index L j) end
  end.
Fixpoint indexed (c : claim Z bool) : bool :=
  match c with
  | Agree l r D sw sw' x y =>
    (fix go is := match is with
      | [] => true
      | i :: is => match indexed_at l i, indexed_at r i with
        | Some a, Some b => if swizzle sw (x + a) =? swizzle sw' (y + b) then go is else true
        | _, _ => false end end) (below (size D))
  | Either cs => (fix go l := match l with [] => true | c :: l => if indexed c then if is_true c then true else go l else false end) cs
  | Denied c => indexed c
  | _ => true
  end.

(* Whether a claim without dims is true; one about requests by their classes of residues. *)
Definition evaluated (c : primitive_claim) : bool :=
  closed c && match c with
  | Requests _ _ _ _ _ _ => match costs_so [] {| values := []; said := []; atoms := [] |} DNull c with Some b => b | None => false end
  | _ => indexed (instance zero_env c) && is_true (instance zero_env c) end.
Lemma evaluated_ok e c : evaluated c = true -> meaning (instance e c).
Proof.
  intro H. apply andb_true_iff in H as [C H]. rewrite (closed_instance e zero_env c C).
  destruct c; try (apply andb_true_iff in H as [_ H]; now apply is_true_ok).
  destruct (costs_so _ _ _ _) as [[]|] eqn:Q; try discriminate.
  refine (costs_so_ok [] _ zero_env zero_env DNull _ _ _ Q); auto.
  constructor; simpl; try constructor. intros v _. unfold zero_env. lia.
Qed.

Section Parts.
  Variable prove : form -> data -> bool.
  (* Names as a definition has them. *)
  Variable look : look.
  Variable facts : list form.
  Variable dims : lower_bounds.
  Definition by_residues (c : primitive_claim) (o : object) : bool :=
    keyed [k_lemma; k_definition; k_ends] o && within_claim dims c &&
    match key k_definition o, key k_ends o with
    | Some (DInt k), Some d => match look k with
      | Some st => match costs_so facts st d c with Some b => b | None => false end | None => false end
    | _, _ => false
    end.
  Fixpoint part (fuel : nat) (c : primitive_claim) (d : data) : bool :=
    match fuel, d with
    | S n, DObj o =>
      match key k_lemma o with
      | Some (DStr lemma) =>
        if Pos.eqb lemma l_evaluate then keyed [k_lemma] o && evaluated c
        else if Pos.eqb lemma l_residues then by_residues c o
        else match obligations lemma o c, key k_by o with
          | Some (fs, inner), Some (DList by_) =>
            both prove fs by_ && forallb (fun k => match key (fst k) o with Some d => part n (snd k) d | None => false end) inner
          | _, _ => false end
      | _ => false end
    | _, _ => false
    end.
  Lemma by_residues_ok e c o : sound_look dims look false facts e -> by_residues c o = true -> meaning (instance e c).
  Proof.
    intros L H. apply andb_true_iff in H as [H C]. apply andb_true_iff in H as [_ W].
    destruct (key k_definition o) as [[k| | | | |]|]; try discriminate. destruct (key k_ends o) as [d|]; [|discriminate].
    destruct (look k) as [st|] eqn:K; [|discriminate]. destruct (costs_so facts st d c) as [[]|] eqn:Q; try discriminate.
    destruct (L k st K) as (g & M & _ & D). apply (costs_so_ok facts st e g d c M); auto. intros x X.
    apply andb_true_iff in W as [W _]. rewrite forallb_forall in W. apply (tv_ext (dim_of dims)); auto.
  Qed.
  Lemma part_ok e fuel : sound_look dims look false facts e -> (forall f b, prove f b = true -> fv e f = true) ->
    forall c d, part fuel c d = true -> proper e c -> meaning (instance e c).
  Proof.
    intros L P. induction fuel as [|n IH]; intros c d H Q; [discriminate|]. cbn [part] in H.
    destruct d as [| | | | |o]; try discriminate. destruct (key k_lemma o) as [[|lemma| | | |]|]; try discriminate.
    destruct (Pos.eqb lemma l_evaluate).
    - apply andb_true_iff in H as [_ H]. now apply evaluated_ok.
    - destruct (Pos.eqb lemma l_residues); [now apply (by_residues_ok e c o)|]. destruct (obligations lemma o c) as [[fs inner]|] eqn:O; [|discriminate].
      destruct (key k_by o) as [[| | | |by_|]|]; try discriminate. apply andb_true_iff in H as [B I].
      assert (F : so e fs) by (eapply both_so; eauto).
      destruct (obligations_ok e lemma o c fs inner O F Q) as [R M]. apply M. clear M O.
      rewrite forallb_forall in I. rewrite Forall_forall in *. intros [k c'] K. specialize (I _ K). specialize (R _ K).
      simpl in *. destruct (key k o) as [d|]; [|discriminate]. eauto.
  Qed.
End Parts.
Lemma proper_of e c : Forall (fun s => 1 <= tv e s) (extents c) -> proper e c.
Proof.
  assert (L : forall m, Forall (fun s => 1 <= tv e s) (map fst m) -> pos (lay e m)).
  { intros m H. unfold pos, lay. rewrite Forall_map in *. exact H. }
  unfold extents. induction c as [ | | | | | |l r D sw sw' x y| | | |cs IH|] using claim_induction; simpl; intro H; auto.
  - rewrite app_nil_r in H. auto.
  - rewrite app_nil_r, map_app, Forall_app in H. split; apply L; tauto.
  - apply Forall_forall. intros A I. apply L. rewrite Forall_map, Forall_forall in *. intros m M. apply H.
    apply in_concat. eauto.
  - induction IH as [|c cs C _ IHl]; simpl in *; auto. rewrite concat_app, map_app, Forall_app in H. tauto.
Qed.

(* --- documents ---------------------------------------------------------------------------------------------- *)

Open Scope string_scope.
Definition k_definitions := Eval compute in word "definitions".
Definition k_instance := Eval compute in word "instance".
Definition k_proof := Eval compute in word "proof".
Definition k_statement := Eval compute in word "statement".
Definition k_dims := Eval compute in word "dims".
Definition k_given := Eval compute in word "given".
Definition k_defined := Eval compute in word "defined".
Definition k_parts := Eval compute in word "parts".
Definition k_cases := Eval compute in word "cases".
Close Scope string_scope.
Definition statement_of (d : data) : option statement :=
  match d with
  | DObj o =>
    guard (keyed [k_dims; k_given; k_defined; k_parts] o)
    (do dims <- key k_dims o; do given <- key k_given o; do defined <- key k_defined o; do parts <- key k_parts o;
     match dims with
     | DObj dims =>
       do dims <- all (fun x => do c <- int (snd x); guard (is_name (fst x)) (Some (fst x, c))) dims;
       do given <- every form_of given; do defined <- every form_of defined; do parts <- every (claim_of MAX_DEPTH) parts;
       let s := {| s_dims := dims; s_given := given; s_defined := defined; s_parts := parts |} in
       guard (distinct (map fst dims) && sensible s) (Some s)
     | _ => None end)
  | _ => None
  end.

Section Proof.
  Variable depth : nat.
  Variable defs : list data.
  Variable s : statement.
  Fixpoint proof (fuel : nat) (facts : list form) (d : data) : bool :=
    match fuel, d with
    | S n, DObj o =>
      match key k_cases o with
      | Some (DList (DStr kind :: l)) => keyed [k_cases] o &&
        match branches (s_dims s) facts kind l with
        | Some bs => forallb (fun b => proof n (fst b) (snd b)) bs | None => false end
      | Some _ => false
      | None => keyed [k_defined; k_parts] o &&
        match key k_defined o, key k_parts o with
        | Some (DList ds), Some (DList ps) =>
          both (prover (s_dims s) defs depth facts) (s_defined s) ds
          && (let facts := facts ++ s_defined s in
              both (part (prover (s_dims s) defs depth facts) (looked (s_dims s) defs depth facts) facts (s_dims s) depth) (s_parts s) ps)
        | _, _ => false end
      end
    | _, _ => false
    end.
  Lemma proof_ok e fuel : sensible s = true -> within_bounds (s_dims s) e -> so e (s_given s) ->
    forall facts d, proof fuel facts d = true -> so e facts -> so e (s_defined s) /\ Forall (fun c => meaning (instance e c)) (s_parts s).
  Proof.
    intros S B G. induction fuel as [|n IH]; intros facts d H F; [discriminate|]. cbn [proof] in H.
    destruct d as [| | | | |o]; try discriminate.
    destruct (key k_cases o) as [[| | | |[|[|kind| | | |] l]|]|]; try discriminate.
    - apply andb_true_iff in H as [_ H]. destruct (branches (s_dims s) facts kind l) as [bs|] eqn:Q; [|discriminate].
      destruct (branches_ok (s_dims s) e _ _ _ _ F Q) as ([fs b] & I & F'). rewrite forallb_forall in H. apply H in I. eauto.
    - apply andb_true_iff in H as [_ H]. destruct (key k_defined o) as [[| | | |ds|]|]; try discriminate.
      destruct (key k_parts o) as [[| | | |ps|]|]; try discriminate. apply andb_true_iff in H as [H1 H2].
      assert (D : so e (s_defined s)).
      { eapply both_so; [|exact H1]. intros f b. now apply prover_ok. }
      split; auto. assert (K : so e (s_defined s ++ s_given s)) by now apply so_app.
      unfold sensible in S. cbv zeta in S. rewrite !andb_true_iff in S. destruct S as [[S _] _].
      rewrite !forallb_app, !andb_true_iff in S. destruct S as [_ [_ S]].
      assert (C : Forall (fun c => proper e c) (s_parts s)).
      { apply Forall_forall. intros c I. apply proper_of. rewrite forallb_forall in S.
        assert (X : so e (flat_map at_least_one (extents c))).
        { apply Forall_forall. intros f M. unfold so in K. rewrite Forall_forall in K. apply K, member_in, S.
          apply in_flat_map. exists c. split; auto. unfold conditions. apply in_app_iff. auto. }
        rewrite so_flat_map in X. eapply Forall_impl; [|exact X]. intros x Y. unfold at_least_one in Y.
        destruct x; try (inversion Y as [|? ? Z0]; apply Z.leb_le in Z0; exact Z0).
        simpl. destruct (Z.leb_spec 1 z); [lia|]. inversion Y as [|? ? Z0]. now apply Z.leb_le in Z0. }
      assert (FD : so e (facts ++ s_defined s)) by now apply so_app.
      clear - C H2 FD B. revert ps H2. induction C as [|c cs C CS IH]; intros [|p ps] H; simpl in H; try discriminate; constructor.
      + apply andb_true_iff in H as [H _]. eapply part_ok; eauto; [now apply looked_ok|]. intros f b. now apply prover_ok.
      + apply andb_true_iff in H as [_ H]. eauto.
  Qed.
End Proof.

(* Definitions that a proof uses. *)
Fixpoint used (fuel : nat) (k : Z) (d : data) : bool :=
  match fuel, d with
  | S n, DList l => match l with DStr w :: DInt j :: _ => Pos.eqb w w_sum && (j =? k) | _ => false end || existsb (used n k) l
  | S n, DObj o => match key k_definition o with Some (DInt j) => j =? k | _ => false end || existsb (fun x => used n k (snd x)) o
  | _, _ => false
  end.
Definition env_of (o : object) : env := fun n => match key n o with Some (DInt z) => z | _ => 0 end.
(* Whether an instance meets what is given; none where it is no instance. *)
Definition met (s : statement) (d : data) : option bool :=
  match d with
  | DNull => Some (match s_given s with [] => true | _ => false end)
  | DObj o => guard (keyed (map fst (s_dims s)) o && forallb (fun x => match snd x with DInt _ => true | _ => false end) o
      && forallb (fun d => snd d <=? env_of o (fst d)) (s_dims s)
      && forallb (fun f => match truth (env_of o) f with Some true => true | _ => false end) (s_given s)) (Some true)
  | _ => None
  end.
(* Whether a certificate proves a statement, whatever statement it carries: that an instance shows that what is given
   can be met, that it is left open, or none. *)
Definition proves (depth : nat) (o : object) (s : statement) : option bool :=
  guard (keyed [k_definitions; k_instance; k_proof; k_statement] o)
    (do defs <- key k_definitions o; do defs <- items defs; do i <- key k_instance o; do p <- key k_proof o; do m <- met s i;
     guard (forallb (fun k => used depth (Z.of_nat k) p) (seq 0 (length defs)) && proof depth defs s depth (s_given s) p)
       (Some m)).
(* The statement that a certificate proves, and whether an instance shows that what is given can be met. *)
Definition accepted (depth : nat) (d : data) : option (statement * bool) :=
  match d with
  | DObj o => do d <- key k_statement o; do s <- statement_of d; do m <- proves depth o s; Some (s, m)
  | _ => None
  end.

Lemma statement_sensible d s : statement_of d = Some s -> sensible s = true.
Proof.
  unfold statement_of. destruct d; try discriminate. intro H. apply guard_some in H as [_ H].
  apply some_in in H as (a & _ & H). apply some_in in H as (b & _ & H). apply some_in in H as (c & _ & H).
  apply some_in in H as (p & _ & H). destruct a; try discriminate.
  apply some_in in H as (? & _ & H). apply some_in in H as (? & _ & H). apply some_in in H as (? & _ & H).
  apply some_in in H as (? & _ & H). apply guard_some in H as [B H]. injection H as <-. now apply andb_true_iff in B as [_ B].
Qed.
Theorem proves_holds depth o s m : sensible s = true -> proves depth o s = Some m -> holds s.
Proof.
  intros S H. apply guard_some in H as [_ H]. apply some_in in H as (? & _ & H). apply some_in in H as (defs & _ & H).
  apply some_in in H as (i & _ & H). apply some_in in H as (p & _ & H). apply some_in in H as (m' & _ & H).
  apply guard_some in H as [B H]. apply andb_true_iff in B as [_ P]. intros e W G.
  assert (F : so e (s_given s)).
  { eapply Forall_impl; [|exact G]. intros f T. now apply truth_fv. }
  destruct (proof_ok depth defs s e depth S W F _ _ P F) as [D M].
  assert (K : so e (s_defined s ++ s_given s)) by now apply so_app.
  unfold sensible in S. cbv zeta in S. rewrite !andb_true_iff in S. destruct S as [[S _] _].
  rewrite !forallb_app, !andb_true_iff in S. destruct S as [S1 [_ S3]]. rewrite forallb_forall in S1, S3.
  unfold so in K. rewrite Forall_forall in K. split.
  - unfold so in D. rewrite Forall_forall in *. intros f I. rewrite asks_truth; [now rewrite D|].
    apply Forall_forall. intros g J. apply K, member_in, S1, in_flat_map. eauto.
  - rewrite Forall_forall in *. intros c I. apply conditions_ok; auto. apply Forall_forall. intros g J.
    apply K, member_in, S3, in_flat_map. eauto.
Qed.
Theorem proves_met depth doc s : proves depth doc s = Some true -> can_be_met s.
Proof.
  intro H. apply guard_some in H as [_ H]. apply some_in in H as (? & _ & H). apply some_in in H as (defs & _ & H).
  apply some_in in H as (i & _ & H). apply some_in in H as (p & _ & H). apply some_in in H as (m' & M & H).
  apply guard_some in H as [_ H]. injection H as ->.
  unfold met in M. destruct i as [| | | | |o]; try discriminate.
  - destruct (s_given s) eqn:E; [|discriminate].
    exists (fun n => match assoc n (s_dims s) with Some c => fold_right (fun d m => Z.max (snd d) m) c (s_dims s) | None => 0 end).
    split; [|rewrite E; constructor]. apply Forall_forall. intros [n c] I. simpl.
    destruct (assoc n (s_dims s)) as [c'|] eqn:A.
    + generalize c'. clear - I. induction (s_dims s) as [|[n' c2] l IH]; [easy|]. intro z. simpl.
      destruct I as [E | I]; [injection E as -> ->; lia|]. specialize (IH I z). simpl in *. lia.
    + exfalso. clear - I A. induction (s_dims s) as [|[n' c2] l IH]; [easy|]. simpl in A.
      destruct (Pos.eqb_spec n' n); [discriminate|]. destruct I as [E | I]; [congruence|auto].
  - apply guard_some in M as [B _]. rewrite !andb_true_iff in B. destruct B as [[_ B] G].
    rewrite forallb_forall in B, G. exists (env_of o). split; apply Forall_forall.
    + intros [n c] I. simpl. specialize (B _ I). now apply Z.leb_le in B.
    + intros f I. specialize (G _ I). destruct (truth (env_of o) f) as [[]|]; easy.
Qed.
Lemma accepted_proves depth d s m : accepted depth d = Some (s, m) -> sensible s = true /\ exists o, proves depth o s = Some m.
Proof.
  unfold accepted. destruct d; try discriminate. intro H. apply some_in in H as (sd & _ & H). apply some_in in H as (s' & S & H).
  apply some_in in H as (m' & P & H). injection H as -> ->. apply statement_sensible in S. eauto.
Qed.
Theorem accepted_holds depth d s m : accepted depth d = Some (s, m) -> holds s.
Proof. intro H. apply accepted_proves in H as (S & o & H). eapply proves_holds; eauto. Qed.
Theorem accepted_met depth d s : accepted depth d = Some (s, true) -> can_be_met s.
Proof. intro H. apply accepted_proves in H as (_ & o & H). eapply proves_met; eauto. Qed.
