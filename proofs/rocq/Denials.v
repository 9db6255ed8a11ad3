(* Claims that are false: coordinates that break one, a number that is no offset; and one or its denial. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation.
Import ListNotations.
Open Scope Z_scope.

Open Scope string_scope.
Definition k_at := Eval compute in word "at".
Definition k_other := Eval compute in word "other".
Close Scope string_scope.

Definition plain_fields (s : fields) : bool := let '(a, b, c) := s in (a =? 0) && (b =? 0) && (c =? 0).
Lemma plain_ok s : plain_fields s = true -> forall x, swizzle s x = x.
Proof.
  destruct s as [[a b] c]. unfold plain_fields. rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] ->] x.
  unfold swizzle. simpl. rewrite Z.land_0_r. simpl. apply Z.lxor_0_r.
Qed.

(* --- a claim or its denial ------------------------------------------------------------------------------------- *)

Fixpoint same_list {A} (f : A -> A -> bool) (l m : list A) : bool :=
  match l, m with [], [] => true | x :: l, y :: m => f x y && same_list f l m | _, _ => false end.
Lemma same_list_ok {A} (f : A -> A -> bool) : (forall x y, f x y = true -> x = y) -> forall l m, same_list f l m = true -> l = m.
Proof.
  intro H. induction l as [|x l IH]; intros [|y m]; simpl; try discriminate; auto. rewrite andb_true_iff.
  intros [A1 A2]. f_equal; auto.
Qed.
Definition same_mode (x y : term * term) := term_eqb (fst x) (fst y) && term_eqb (snd x) (snd y).
Definition same_modes := same_list same_mode.
Lemma same_modes_ok l m : same_modes l m = true -> l = m.
Proof.
  apply same_list_ok. intros [a b] [c d]. unfold same_mode. simpl. rewrite andb_true_iff. intros [A B].
  now rewrite (term_eqb_eq _ _ A), (term_eqb_eq _ _ B).
Qed.
Definition same_guards := same_list (fun g h : modes * term => same_modes (fst g) (fst h) && term_eqb (snd g) (snd h)).
Lemma same_guards_ok l m : same_guards l m = true -> l = m.
Proof.
  apply same_list_ok. intros [a b] [c d]. simpl. rewrite andb_true_iff. intros [A B].
  now rewrite (same_modes_ok _ _ A), (term_eqb_eq _ _ B).
Qed.
Definition same_fields (s t : fields) : bool := let '(a, b, c) := s in let '(a', b', c') := t in (a =? a') && (b =? b') && (c =? c').
Lemma same_fields_ok s t : same_fields s t = true -> s = t.
Proof. destruct s as [[a b] c], t as [[a' b'] c']. simpl. rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] ->]. reflexivity. Qed.
(* Of claims that join none. *)
Definition same_claim (c d : primitive_claim) : bool :=
  match c, d with
  | Injective L G, Injective L' G' => same_modes L L' && same_guards G G'
  | InBounds L G s x b, InBounds L' G' s' x' b' =>
    same_modes L L' && same_guards G G' && same_fields s s' && term_eqb x x' && term_eqb b b'
  | Covers L b, Covers L' b' => same_modes L L' && term_eqb b b'
  | Disjoint A B, Disjoint A' B' | SameImage A B, SameImage A' B' => same_modes A A' && same_modes B B'
  | Apart A B x, Apart A' B' x' => same_modes A A' && same_modes B B' && term_eqb x x'
  | Agree l r D s t x y, Agree l' r' D' s' t' x' y' =>
    same_list same_modes l l' && same_list same_modes r r' && same_modes D D' && same_fields s s' && same_fields t t'
    && term_eqb x x' && term_eqb y y'
  | Vectors L v s x b, Vectors L' v' s' x' b' => same_modes L L' && (v =? v') && same_fields s s' && term_eqb x x' && term_eqb b b'
  | _, _ => false
  end.
Lemma same_claim_ok c d : same_claim c d = true -> c = d.
Proof.
  destruct c, d; try discriminate; cbn [same_claim]; rewrite ?andb_true_iff; intro H; decompose [and] H; clear H;
    repeat match goal with
    | X : same_modes _ _ = true |- _ => apply same_modes_ok in X; subst
    | X : same_guards _ _ = true |- _ => apply same_guards_ok in X; subst
    | X : same_fields _ _ = true |- _ => apply same_fields_ok in X; subst
    | X : term_eqb _ _ = true |- _ => apply term_eqb_eq in X; subst
    | X : (_ =? _) = true |- _ => apply Z.eqb_eq in X; subst
    | X : same_list same_modes _ _ = true |- _ => apply (same_list_ok _ same_modes_ok) in X; subst
    end; reflexivity.
Qed.
Definition denies (cs : list primitive_claim) (c : primitive_claim) : bool :=
  match c with Denied c => existsb (same_claim c) cs | _ => false end.
Lemma denial_holds e cs c : In c cs -> denies cs c = true -> exists d, In d cs /\ meaning (instance e d).
Proof.
  intros I H. destruct c as [| | | | | | | | | | |c]; try discriminate. simpl in H. apply existsb_exists in H as (d & D & E).
  apply same_claim_ok in E. subst d. destruct (is_true (instance e c)) eqn:T.
  - exists c. split; auto. now apply is_true_ok.
  - exists (Denied c). split; auto. cbn [instance meaning]. rewrite <- is_true_ok, T. discriminate.
Qed.

(* --- coordinates that break a claim ------------------------------------------------------------------------------ *)

Definition at_coordinates (c : list term) (m : modes) : term := scalar c (map snd m).
Definition inside_asks (c : list term) (m : modes) (G : list (modes * term)) : list form :=
  flat_map (fun x => [le (Int 0) (fst x); le (add (fst x) (Int 1)) (fst (snd x))]) (combine c m)
  ++ map (fun g => Rel Lt (at_coordinates c (fst g)) (snd g)) G.
Lemma dot_offset y : forall A, dot y A = offset y A.
Proof. induction y as [|y ys IH]; intros [|[s d] A]; simpl; auto. now rewrite IH. Qed.
Lemma at_coordinates_ok e c m : tv e (at_coordinates c m) = offset (map (tv e) c) (lay e m).
Proof. unfold at_coordinates. now rewrite scalar_strides, dot_offset. Qed.
Lemma inside_ok e c m G : length c = length m -> so e (inside_asks c m G) ->
  valid (lay e m) (map (tv e) c) /\ admitted (guards_at e G) (map (tv e) c).
Proof.
  intros N F. unfold inside_asks in F. apply so_app in F as [F1 F2]. split.
  - clear F2. revert m N F1. induction c as [|x c IH]; intros [|[s d] m] N F; try discriminate; [constructor|].
    simpl in F. apply so_cons in F as [A F]. apply so_cons in F as [B F]. apply le_ok in A, B. simpl in A, B.
    constructor; [simpl; lia|]. apply IH; auto.
  - unfold admitted, guards_at. rewrite Forall_map. unfold so in F2. rewrite Forall_map in F2.
    eapply Forall_impl; [|exact F2]. intros [g b] H. simpl in H. apply Z.ltb_lt in H. rewrite at_coordinates_ok in H. exact H.
Qed.
Definition points (o : object) (A B : modes) : option (list term * list term) :=
  do a <- terms_at k_at (length A) o; do b <- terms_at k_other (length B) o; Some (a, b).
Lemma terms_at_length k n o l : terms_at k n o = Some l -> length l = n.
Proof.
  unfold terms_at. intro H. apply some_in in H as (d & _ & H). apply some_in in H as (m & _ & H).
  apply guard_some in H as [N H]. injection H as <-. now apply Nat.eqb_eq in N.
Qed.
Lemma points_ok o A B a b : points o A B = Some (a, b) -> length a = length A /\ length b = length B.
Proof.
  unfold points. intro H. apply some_in in H as (x & X & H). apply some_in in H as (y & Y & H). injection H as <- <-.
  split; eapply terms_at_length; eauto.
Qed.
(* What says that points are coordinates, and break a claim; and whether there are two of them. *)
Definition breaking (o : object) (c : primitive_claim) : option (bool * list form) :=
  match c with
  | Injective L G =>
    do (a, b) <- points o L L;
    Some (true, flat_map asked (a ++ b) ++ inside_asks a L G ++ inside_asks b L G ++
      [eq (at_coordinates a L) (at_coordinates b L); Or (map (fun x => Rel Ne (fst x) (snd x)) (combine a b))])
  | InBounds L G sw x b =>
    guard (plain_fields sw) (do a <- terms_at k_at (length L) o;
    let y := add x (at_coordinates a L) in
    Some (false, flat_map asked a ++ inside_asks a L G ++ [Or [Rel Lt y (Int 0); le b y]]))
  | Disjoint A B =>
    do (a, b) <- points o A B; let y := add (Int 0) (at_coordinates a A) in
    Some (true, flat_map asked (a ++ b) ++ inside_asks a A [] ++ inside_asks b B [] ++
      [eq y (add (Int 0) (at_coordinates b B)); Rel Ne y (Int 0)])
  | Apart A B x =>
    do (a, b) <- points o A B;
    Some (true, flat_map asked (a ++ b) ++ inside_asks a A [] ++ inside_asks b B [] ++
      [eq (add (Int 0) (at_coordinates a A)) (add x (at_coordinates b B))])
  | Agree [A] [B] D sw sw' x y =>
    guard (plain_fields sw && plain_fields sw' && same_modes D A) (do (a, b) <- points o A B;
    Some (true, flat_map asked (a ++ b) ++ inside_asks a A [] ++ inside_asks b B [] ++
      [eq (scalar a (radices one A)) (scalar b (radices one B));
       Rel Ne (add x (at_coordinates a A)) (add y (at_coordinates b B))]))
  | _ => None
  end.
Lemma ne_ok e a b : fv e (Rel Ne a b) = true <-> tv e a <> tv e b.
Proof. simpl. rewrite negb_true_iff. apply Z.eqb_neq. Qed.
Theorem breaking_ok e o c two fs : breaking o c = Some (two, fs) -> so e fs -> ~ meaning (instance e c).
Proof.
  intros H F. destruct c as [L G|L G sw x b|L b|A B|A B x|A B|l r D sw sw' x y|L v sw x b|L n q sw x b|f|cs|c]; try discriminate; cbn [breaking] in H.
  - destruct (points o L L) as [[a b]|] eqn:P; [|discriminate]. injection H as <- <-. apply points_ok in P as [NA NB].
    apply so_app in F as [_ F]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F3 F]. apply so_cons in F as [F4 _].
    destruct (inside_ok e a L G NA F1) as [V M], (inside_ok e b L G NB F2) as [V' M']. apply eq_ok in F3. rewrite !at_coordinates_ok in F3.
    cbn [instance meaning]. intro I. specialize (I _ _ V V' M M' F3). clear - I F4 NA NB.
    simpl in F4. apply existsb_exists in F4 as (f & J & F). apply in_map_iff in J as ([p q] & <- & J). apply ne_ok in F. apply F. clear F.
    assert (N : length a = length b) by lia. clear NA NB. revert b I N J. induction a as [|x a IH]; intros [|y b] I N J; try easy.
    simpl in I. injection I as I1 I2. simpl in J. destruct J as [J|J]; [injection J as -> ->; exact I1|]. eapply IH; eauto.
  - apply guard_some in H as [S H]. apply some_in in H as (a & P & H). injection H as <- <-. apply terms_at_length in P.
    apply so_app in F as [_ F]. apply so_app in F as [F1 F]. apply so_cons in F as [F2 _].
    destruct (inside_ok e a L G P F1) as [V M]. cbn [instance meaning]. intro I. specialize (I _ V M). rewrite (plain_ok sw S) in I.
    simpl in F2. rewrite at_coordinates_ok in F2. rewrite orb_false_r, orb_true_iff, Z.ltb_lt, Z.leb_le in F2. lia.
  - destruct (points o A B) as [[a b]|] eqn:P; [|discriminate]. injection H as <- <-. apply points_ok in P as [NA NB].
    apply so_app in F as [_ F]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F3 F]. apply so_cons in F as [F4 _].
    destruct (inside_ok e a A [] NA F1) as [V _], (inside_ok e b B [] NB F2) as [V' _]. apply eq_ok in F3. apply ne_ok in F4.
    cbn [tv total add] in F3, F4. rewrite !at_coordinates_ok in F3. rewrite at_coordinates_ok in F4.
    cbn [instance meaning]. intro I. specialize (I (offset (map (tv e) a) (lay e A))).
    apply F4. rewrite I; [lia|now exists (map (tv e) a)|]. exists (map (tv e) b). split; [auto|lia].
  - destruct (points o A B) as [[a b]|] eqn:P; [|discriminate]. injection H as <- <-. apply points_ok in P as [NA NB].
    apply so_app in F as [_ F]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F3 _].
    destruct (inside_ok e a A [] NA F1) as [V _], (inside_ok e b B [] NB F2) as [V' _]. apply eq_ok in F3.
    cbn [tv total add] in F3. rewrite !at_coordinates_ok in F3.
    cbn [instance meaning]. intro I. apply (I (offset (map (tv e) a) (lay e A)) (offset (map (tv e) b) (lay e B))); [now exists (map (tv e) a)|now exists (map (tv e) b)|lia].
  - destruct l as [|A []]; try discriminate. destruct r as [|B []]; try discriminate. apply guard_some in H as [S H].
    rewrite !andb_true_iff in S. destruct S as [[S S'] E]. apply same_modes_ok in E. subst D.
    destruct (points o A B) as [[a b]|] eqn:P; [|discriminate]. injection H as <- <-. apply points_ok in P as [NA NB].
    apply so_app in F as [_ F]. apply so_app in F as [F1 F]. apply so_app in F as [F2 F]. apply so_cons in F as [F3 F]. apply so_cons in F as [F4 _].
    destruct (inside_ok e a A [] NA F1) as [V _], (inside_ok e b B [] NB F2) as [V' _]. apply eq_ok in F3. apply ne_ok in F4.
    cbn [tv total add] in F4. rewrite !at_coordinates_ok in F4. rewrite !scalar_radices in F3. cbn [tv one] in F3. rewrite !Z.mul_1_l in F3.
    destruct (index_valid _ _ V) as [R Q], (index_valid _ _ V') as [_ Q'].
    cbn [instance meaning map through fold_right]. intro I. specialize (I (idx (map (tv e) a) (lay e A)) R). rewrite (plain_ok sw S), (plain_ok sw' S') in I.
    apply F4. rewrite <- Q, <- Q', <- F3. exact I.
Qed.

(* --- a number below the bound that is no offset -------------------------------------------------------------------- *)

Definition missing_asks (x b : term) : list form := asked x ++ [le (Int 0) x; le (add x (Int 1)) b].
Definition alone (L : modes) (x : term) : primitive_claim := Apart L [(Int 1, Int 0)] x.
Theorem missing_ok e L x b : so e (missing_asks x b) -> meaning (instance e (alone L x)) -> ~ meaning (instance e (Covers L b)).
Proof.
  unfold missing_asks. intros F M C. apply so_app in F as [_ F]. apply so_cons in F as [A F]. apply so_cons in F as [B _].
  apply le_ok in A, B. simpl in A, B. cbn [instance alone meaning] in M, C. specialize (C (tv e x) ltac:(lia)).
  apply (M (tv e x) 0 C); [|lia]. exists [0]. split; [repeat constructor; simpl; lia|reflexivity].
Qed.
