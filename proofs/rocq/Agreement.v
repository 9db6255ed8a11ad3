(* Chains of layouts that agree: both as lists of modes with the same map on the domain. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Claims Lemmas.
Import ListNotations.
Open Scope Z_scope.

(* --- layouts at 1-D indices ------------------------------------------------------------------------------ *)

Fixpoint att (L : layout) (i : Z) : Z :=
  match L with [] => 0 | m :: L => (i mod fst m) * snd m + att L (i / fst m) end.
Lemma size_pos L : pos L -> 1 <= size L.
Proof. induction 1; simpl; [lia|]. unfold size in *; simpl. nia. Qed.
Lemma div_range i s n : 1 <= s -> 0 <= i < s * n -> 0 <= i / s < n.
Proof. intros S H. split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; lia. Qed.
Lemma at_cons m L i : L <> [] -> at_index (m :: L) i = (i mod fst m) * snd m + at_index L (i / fst m).
Proof. destruct L; easy. Qed.
Lemma at_att L : pos L -> forall i, 0 <= i < size L -> at_index L i = att L i.
Proof.
  induction 1 as [|m L H P IH]; intros i I; auto. destruct L as [|m' L].
  - simpl in *. unfold size in I; simpl in I. rewrite Z.mod_small by lia. lia.
  - rewrite at_cons by discriminate. cbn [att]. rewrite IH; auto. apply div_range; auto.
Qed.
(* Two lists of modes with the same map: on [0, size), or on all indices. *)
Definition same_map (L L' : layout) :=
  pos L' /\ size L = size L' /\ forall i, 0 <= i < size L -> att L i = att L' i.
Definition same_at (L L' : layout) := pos L' /\ forall i, 0 <= i -> at_index L i = at_index L' i.
Definition same_as (bounded : bool) := if bounded then same_map else same_at.
Lemma same_as_trans b A B C : same_as b A B -> same_as b B C -> same_as b A C.
Proof.
  destruct b; simpl; unfold same_map, same_at.
  - intros (P & S & E) (P' & S' & E'). repeat split; auto; [congruence|]. intros. rewrite E; auto. apply E'. lia.
  - intros (P & E) (P' & E'). split; auto. intros. rewrite E; auto.
Qed.
Lemma same_as_app b P : forall L L', (b = false -> L <> [] /\ L' <> []) -> pos (P ++ L) ->
  (pos L -> same_as b L L') -> same_as b (P ++ L) (P ++ L').
Proof.
  induction P as [|m P IH]; intros L L' N Q H; simpl in *; auto. inversion Q; subst.
  specialize (IH L L' N ltac:(auto) H). destruct b; simpl in *; unfold same_map, same_at in *.
  - destruct IH as (A & B & C). repeat split.
    + constructor; auto.
    + unfold size in *; simpl. now rewrite B.
    + intros i I. simpl. f_equal. apply C. apply div_range; auto.
  - destruct IH as (A & C). split; [constructor; auto|]. intros i I. destruct (N eq_refl).
    rewrite !at_cons by (intro E; apply app_eq_nil in E; tauto). f_equal. apply C. apply Z.div_pos; lia.
Qed.
Lemma joined b s d s' d' L : 1 <= s -> 1 <= s' -> (d' = s * d \/ (s' = 1 /\ (b = true \/ L <> []))) -> pos L ->
  same_as b ((s, d) :: (s', d') :: L) ((s * s', d) :: L).
Proof.
  intros S S' H P. assert (Q : pos ((s * s', d) :: L)) by (constructor; auto; simpl; nia).
  assert (E : forall i, (i mod s) * d + ((i / s) mod s') * d' = (i mod (s * s')) * d).
  { intro i. rewrite Z.rem_mul_r by lia. destruct H as [-> | [-> _]]; [|rewrite Z.mod_1_r]; ring. }
  destruct b; simpl; unfold same_map, same_at.
  - repeat split; auto; [unfold size; simpl; ring|]. intros i I. cbn [att fst snd].
    rewrite Z.div_div by lia. rewrite <- E. ring.
  - split; auto. intros i I. destruct L as [|m L].
    + simpl. destruct H as [-> | [_ [?|?]]]; try congruence.
      rewrite (Z.div_mod i s) at 3 by lia. ring.
    + rewrite (at_cons (s, d)), (at_cons (s', d')), (at_cons (s * s', d)) by discriminate. cbn [fst snd].
      rewrite Z.div_div by lia. rewrite <- E. ring.
Qed.
Lemma same_as_sym b A B : pos A -> same_as b A B -> same_as b B A.
Proof.
  intro P. destruct b; simpl; unfold same_map, same_at.
  - intros (Q & S & E). repeat split; auto. intros. symmetry. apply E. lia.
  - intros (Q & E). split; auto. intros. symmetry. auto.
Qed.

(* --- rewriting -------------------------------------------------------------------------------------------- *)

Open Scope string_scope.
Definition w_drop := Eval compute in word "drop".
Definition w_merge := Eval compute in word "merge".
Definition w_split := Eval compute in word "split".
Definition w_first := Eval compute in word "first".
Definition w_rewrite := Eval compute in word "rewrite".
Definition w_after := Eval compute in word "after".
Close Scope string_scope.
Definition one := Int 1.
(* What hints ask for, and what the lemma asks for. *)
Definition step_of := (modes * (list form * list form))%type.
Definition empty {A} (l : list A) : bool := match l with [] => true | _ => false end.
Definition rewrite1 (bounded : bool) (now : modes) (item : data) : option step_of :=
  match item with
  | DList (DStr kind :: DInt k :: more) =>
    if k <? 0 then None else
    let P := firstn (Z.to_nat k) now in
    match skipn (Z.to_nat k) now with
    | [] => None
    | (s, d) :: Q =>
      if Pos.eqb kind w_drop then
        guard (empty more && (bounded || negb (empty Q))) (Some (P ++ Q, ([], [eq s one])))
      else if Pos.eqb kind w_merge then
        match more, Q with
        | [], (t, x) :: Q => Some (P ++ (mul s t, d) :: Q, ([],
            [if negb bounded && empty Q then eq x (mul s d)
             else eq (Int 0) (mul (less t) (sub x (mul s d)))]))
        | _, _ => None end
      else match more with
        | [t] => guard (Pos.eqb kind w_split) (do t <- term_of t;
            Some (P ++ (t, d) :: (Bin Div s t, mul t d) :: Q, (asked t, [le one t; divides t s])))
        | _ => None end
    end
  | _ => None
  end.
Lemma lay_app e A B : lay e (A ++ B) = lay e A ++ lay e B. Proof. apply map_app. Qed.
Lemma lay_nil e A : lay e A = [] -> A = []. Proof. destruct A; easy. Qed.
Lemma empty_ok {A} (l : list A) : empty l = true <-> l = []. Proof. destruct l; simpl; split; easy. Qed.
Lemma rewrite1_ok e b L item M h o : pos (lay e L) -> rewrite1 b L item = Some (M, (h, o)) ->
  so e o -> same_as b (lay e L) (lay e M).
Proof.
  intros P H O. unfold rewrite1 in H.
  destruct item as [| | | |[|[|kind| | | |] [|[k| | | | |] more]]|]; try discriminate.
  destruct (k <? 0); [discriminate|]. pose proof (firstn_skipn (Z.to_nat k) L) as C.
  revert C H. generalize (firstn (Z.to_nat k) L) as X. intros X C H.
  destruct (skipn (Z.to_nat k) L) as [|[s d] Q]; [discriminate|]. subst L.
  destruct (Pos.eqb kind w_drop); [|destruct (Pos.eqb kind w_merge)].
  - apply guard_some in H as [G H]. injection H as <- <- <-. apply andb_true_iff in G as [_ G].
    apply so_cons in O as [O _]. simpl in O. apply Z.eqb_eq in O. rewrite !lay_app in *. apply same_as_app; auto.
    + intros ->. simpl in G. split; [simpl; discriminate|]. intro E. apply lay_nil in E. subst. discriminate.
    + intro PQ. simpl in *. inversion PQ; subst. rewrite O in *. destruct b; simpl; unfold same_map, same_at.
      * repeat split; auto; [unfold size; cbn [fold_right fst]; ring|].
        intros i I. cbn [att fst snd]. rewrite Z.mod_1_r, Z.div_1_r. ring.
      * split; auto. intros i I. simpl in G. rewrite at_cons; [cbn [fst snd]; rewrite Z.mod_1_r, Z.div_1_r; ring|].
        intro E. apply lay_nil in E. subst. discriminate.
  - destruct more; [|discriminate]. destruct Q as [|[t x] Q]; [discriminate|]. injection H as <- <- <-.
    apply so_cons in O as [O _]. rewrite !lay_app in *. apply same_as_app; auto; [simpl; easy|].
    intro PQ. simpl in *. inversion PQ as [|? ? P1 P2]; subst. inversion P2; subst. simpl in *.
    apply joined; auto. destruct b; [|destruct Q as [|m Q]]; cbn [negb empty andb] in O; apply eq_ok in O; simpl in O.
    + destruct (Z.eq_dec (tv e t) 1); [right; auto|left; nia].
    + left. auto.
    + destruct (Z.eq_dec (tv e t) 1); [right; split; auto; right; simpl; discriminate|left; nia].
  - destruct more as [|t []]; try discriminate. apply guard_some in H as [_ H].
    apply some_in in H as (t' & _ & H). injection H as <- <- <-.
    apply so_cons in O as [O1 O]. apply so_cons in O as [O2 _]. rewrite !lay_app in *. apply same_as_app; auto; [simpl; easy|].
    intro PQ. simpl in *. inversion PQ as [|? ? P1 P2]; subst. simpl in *.
    apply Z.leb_le in O1. apply andb_true_iff in O2 as [_ O2]. apply Z.eqb_eq in O2.
    pose proof (Z.div_mod (tv e s) (tv e t') ltac:(lia)) as D. rewrite O2 in D.
    set (m := tv e s / tv e t') in *. assert (1 <= m) by nia. apply same_as_sym.
    + repeat (constructor; simpl; auto).
    + replace (tv e s) with (tv e t' * m) by lia. apply joined; auto.
Qed.
Fixpoint rewritten (bounded : bool) (now : modes) (l : list data) : option step_of :=
  match l with
  | [] => Some (now, ([], []))
  | r :: l => do (now, (h, o)) <- rewrite1 bounded now r; do (now, (h', o')) <- rewritten bounded now l;
              Some (now, (h ++ h', o ++ o'))
  end.
Lemma rewritten_ok e b l : forall L M h o, pos (lay e L) -> rewritten b L l = Some (M, (h, o)) ->
  so e o -> same_as b (lay e L) (lay e M).
Proof.
  induction l as [|r l IH]; intros L M h o P H O; simpl in H.
  - injection H as <- <- <-. destruct b; simpl; unfold same_map, same_at; auto.
  - destruct (rewrite1 b L r) as [[N [h1 o1]]|] eqn:E; [|discriminate].
    destruct (rewritten b N l) as [[N' [h2 o2]]|] eqn:E'; [|discriminate]. injection H as <- <- <-.
    apply so_app in O as [O O']. pose proof (rewrite1_ok e b L r N h1 o1 P E O) as S.
    eapply same_as_trans; [exact S|]. eapply IH; eauto. destruct b; apply S.
Qed.

(* --- a layout after a list of modes whose digits never carry ------------------------------------------------ *)

Fixpoint idx (y : list Z) (A : layout) : Z := match y, A with y :: ys, m :: A => y + fst m * idx ys A | _, _ => 0 end.
Fixpoint dot (y : list Z) (A : layout) : Z := match y, A with y :: ys, m :: A => y * snd m + dot ys A | _, _ => 0 end.
Fixpoint top_ok (all : bool) (t : list Z) (A : layout) : Prop :=
  match t, A with
  | t :: ts, m :: A => (all = true \/ A <> [] -> t <= fst m - 1) /\ top_ok all ts A | _, _ => True end.
Fixpoint vadd (a : list Z) (x : Z) (r : list Z) : list Z :=
  match a, r with a :: acc, c :: r => a + x * c :: vadd acc x r | _, _ => [] end.
Fixpoint run (now : layout) (rows : list (list Z)) (i : Z) (acc : list Z) : list Z :=
  match now, rows with m :: now, r :: rows => run now rows (i / fst m) (vadd acc (i mod fst m) r) | _, _ => acc end.
Fixpoint tops (now : layout) (rows : list (list Z)) (acc : list Z) : list Z :=
  match now, rows with m :: now, r :: rows => tops now rows (vadd acc (fst m - 1) r) | _, _ => acc end.
Fixpoint news (A now : layout) (rows : list (list Z)) : layout :=
  match now, rows with m :: now, r :: rows => (fst m, dot r A) :: news A now rows | _, _ => [] end.

Lemma at_idx all A : forall y t, Forall2 Z.le y t -> Forall (Z.le 0) y -> length y = length A -> top_ok all t A ->
  at_index A (idx y A) = dot y A.
Proof.
  induction A as [|m A IH]; intros y t L P E T; [destruct y; auto|].
  destruct y as [|y ys]; [discriminate|]. inversion L as [|? ? ? ? L1 L2]; subst. inversion P; subst.
  destruct T as [T T']. destruct A as [|m' A]; [destruct ys; [simpl; ring|discriminate]|].
  assert (X : all = true \/ m' :: A <> []) by (right; discriminate). apply T in X.
  rewrite at_cons by discriminate.
  change (idx (y :: ys) (m :: m' :: A)) with (y + fst m * idx ys (m' :: A)).
  change (dot (y :: ys) (m :: m' :: A)) with (y * snd m + dot ys (m' :: A)).
  replace (y + fst m * idx ys (m' :: A)) with (y + idx ys (m' :: A) * fst m) by ring.
  rewrite Z.mod_add, Z.div_add, Z.mod_small, Z.div_small, Z.add_0_l by lia.
  erewrite IH; eauto.
Qed.
Lemma idx_range all A : pos A -> forall y t, Forall2 Z.le y t -> Forall (Z.le 0) y -> length y = length A -> top_ok all t A ->
  0 <= idx y A /\ (all = true -> idx y A < size A).
Proof.
  induction 1 as [|m A M P IH]; intros y t L N E T.
  - destruct y; [|discriminate]. unfold size. simpl. lia.
  - destruct y as [|y ys]; [discriminate|]. inversion L as [|? ? ? ? L1 L2]; subst. inversion N; subst.
    destruct T as [T T']. destruct (IH _ _ L2 ltac:(auto) ltac:(simpl in E; lia) T') as [U V].
    unfold size in *. simpl. split; [nia|]. intro B. specialize (T (or_introl B)). specialize (V B). nia.
Qed.
Lemma vadd_len a : forall x r, length r = length a -> length (vadd a x r) = length a.
Proof. induction a; intros x [|c r] H; simpl in *; try discriminate; auto. Qed.
Lemma vadd_lin A : forall a x r, length a = length A -> length r = length A ->
  idx (vadd a x r) A = idx a A + x * idx r A /\ dot (vadd a x r) A = dot a A + x * dot r A.
Proof.
  induction A as [|m A IH]; intros [|a acc] x [|c r] H H'; simpl in *; try discriminate; [lia|].
  destruct (IH acc x r ltac:(lia) ltac:(lia)) as [-> ->]. split; ring.
Qed.
Lemma run_lin A now : forall rows i acc, Forall2 (fun m r => length r = length A /\ snd m = idx r A) now rows ->
  length acc = length A -> length (run now rows i acc) = length A /\
  idx (run now rows i acc) A = idx acc A + att now i /\ dot (run now rows i acc) A = dot acc A + att (news A now rows) i.
Proof.
  induction now as [|m now IH]; intros rows i acc F L; inversion F as [|? r ? rs [R1 R2] F']; subst; simpl.
  - repeat split; auto; lia.
  - destruct (IH rs (i / fst m) (vadd acc (i mod fst m) r) F' ltac:(rewrite vadd_len; lia)) as (B & C & D).
    destruct (vadd_lin A acc (i mod fst m) r L R1) as [E G]. rewrite C, D, E, G, R2. repeat split; auto; ring.
Qed.
Lemma vadd_le x y r : 0 <= x <= y -> Forall (Z.le 0) r -> forall a b, Forall2 Z.le a b -> Forall (Z.le 0) a ->
  Forall2 Z.le (vadd a x r) (vadd b y r) /\ Forall (Z.le 0) (vadd a x r).
Proof.
  intros X R a b F. revert r R. induction F as [|u v a b U F IH]; intros r R P; simpl; [split; constructor|].
  destruct r as [|c r]; [split; constructor|]. inversion R; inversion P; subst.
  destruct (IH r ltac:(auto) ltac:(auto)). split; constructor; auto; nia.
Qed.
Lemma run_le now : pos now -> forall rows i a b, Forall (Forall (Z.le 0)) rows -> Forall2 Z.le a b -> Forall (Z.le 0) a ->
  Forall2 Z.le (run now rows i a) (tops now rows b) /\ Forall (Z.le 0) (run now rows i a).
Proof.
  induction 1 as [|m now M P IH]; intros rows i a b R F N; destruct rows as [|r rows]; simpl; auto.
  inversion R; subst. pose proof (Z.mod_pos_bound i (fst m) ltac:(lia)).
  destruct (vadd_le (i mod fst m) (fst m - 1) r ltac:(lia) ltac:(auto) a b F N). apply IH; auto.
Qed.
Definition zeros {A B} (z : B) (l : list A) : list B := map (fun _ => z) l.
Lemma zeros_ok (A : layout) : length (zeros 0 A) = length A /\ idx (zeros 0 A) A = 0 /\ dot (zeros 0 A) A = 0
  /\ Forall2 Z.le (zeros 0 A) (zeros 0 A) /\ Forall (Z.le 0) (zeros 0 A).
Proof. induction A as [|m A (B & C & D & E & F)]; simpl; repeat split; auto; try lia; try constructor; auto; lia. Qed.
Theorem after_ok all A now rows : pos now -> Forall2 (fun m r => length r = length A /\ snd m = idx r A) now rows ->
  Forall (Forall (Z.le 0)) rows -> top_ok all (tops now rows (zeros 0 A)) A -> pos A ->
  forall i, at_index A (att now i) = att (news A now rows) i /\ 0 <= att now i /\ (all = true -> att now i < size A).
Proof.
  intros P F N T PA i. destruct (zeros_ok A) as (B & C & D & E & G).
  destruct (run_lin A now rows i _ F B) as (L & I & J). destruct (run_le now P rows i _ _ N E G) as [U V].
  pose proof (at_idx all A _ _ U V L T) as K. pose proof (idx_range all A PA _ _ U V L T) as R.
  rewrite I, C in K, R. rewrite J, D in K. auto.
Qed.

Fixpoint radices (acc : term) (A : modes) : list term :=
  match A with [] => [] | m :: A => acc :: radices (mul acc (fst m)) A end.
Definition scalar (r s : list term) : term := sum (map (fun x => mul (fst x) (snd x)) (combine r s)).
Fixpoint added (a : list term) (x : term) (r : list term) : list term :=
  match a, r with a :: acc, c :: r => add a (mul x c) :: added acc x r | _, _ => [] end.
Fixpoint highest (now : modes) (rows : list (list term)) (acc : list term) : list term :=
  match now, rows with m :: now, r :: rows => highest now rows (added acc (less (fst m)) r) | _, _ => acc end.
Fixpoint top_asks (all : bool) (t : list term) (A : modes) : list form :=
  match t, A with
  | t :: ts, m :: A => (if all || negb (empty A) then [le t (less (fst m))] else []) ++ top_asks all ts A
  | _, _ => [] end.
Definition plain_number (c : term) : bool := match c with Int z => 0 <=? z | _ => false end.
Definition after (now A : modes) (all : bool) (rows : list (list term)) : option step_of :=
  guard (Nat.eqb (length rows) (length now) && forallb (fun r => Nat.eqb (length r) (length A)) rows)
  (Some (map (fun x => (fst (fst x), scalar (snd x) (map snd A))) (combine now rows),
    (flat_map asked (concat rows),
     map (fun x => eq (snd (fst x)) (scalar (snd x) (radices one A))) (combine now rows)
     ++ map (le (Int 0)) (filter (fun c => negb (plain_number c)) (concat rows))
     ++ top_asks all (highest now rows (zeros (Int 0) A)) A))).
Lemma scalar_radices e A : forall r acc, tv e (scalar r (radices acc A)) = tv e acc * idx (map (tv e) r) (lay e A).
Proof.
  unfold scalar. intros r acc. rewrite sum_ok. revert r acc.
  induction A as [|m A IH]; intros [|c r] acc; simpl; try lia. rewrite IH. simpl. ring.
Qed.
Lemma scalar_strides e A : forall r, tv e (scalar r (map snd A)) = dot (map (tv e) r) (lay e A).
Proof.
  unfold scalar. intro r. rewrite sum_ok. revert r. induction A as [|m A IH]; intros [|c r]; simpl; auto.
  rewrite IH. reflexivity.
Qed.
Lemma added_ok e a : forall x r, map (tv e) (added a x r) = vadd (map (tv e) a) (tv e x) (map (tv e) r).
Proof. induction a; intros x [|c r]; simpl; auto. now rewrite IHa. Qed.
Definition rows_at (e : env) (rows : list (list term)) := map (map (tv e)) rows.
Lemma highest_ok e now : forall rows a, map (tv e) (highest now rows a) = tops (lay e now) (rows_at e rows) (map (tv e) a).
Proof. induction now as [|m now IH]; intros [|r rows] a; simpl; auto. rewrite IH, added_ok. reflexivity. Qed.
Lemma top_asks_ok e all A : forall t, so e (top_asks all t A) -> top_ok all (map (tv e) t) (lay e A).
Proof.
  induction A as [|m A IH]; intros [|t ts] H; simpl; auto. simpl in H. apply so_app in H as [H H']. split; auto.
  intro C. assert (B : all || negb (empty A) = true).
  { destruct C as [-> | C]; auto. destruct A; [now contradiction C|]. now rewrite orb_true_r. }
  rewrite B in H. apply so_cons in H as [H _]. apply Z.leb_le in H. exact H.
Qed.
Lemma after_holds e now A all rows M h o : pos (lay e now) -> pos (lay e A) -> after now A all rows = Some (M, (h, o)) -> so e o ->
  pos (lay e M) /\ size (lay e M) = size (lay e now) /\
  forall i, at_index (lay e A) (att (lay e now) i) = att (lay e M) i /\ 0 <= att (lay e now) i /\
    (all = true -> att (lay e now) i < size (lay e A)).
Proof.
  intros P PA H O. unfold after in H. apply guard_some in H as [G H]. injection H as <- _ <-.
  apply andb_true_iff in G as [G1 G2]. apply Nat.eqb_eq in G1. rewrite forallb_forall in G2.
  apply so_app in O as [O1 O]. apply so_app in O as [O2 O3].
  assert (E : lay e (map (fun x => (fst (fst x), scalar (snd x) (map snd A))) (combine now rows))
    = news (lay e A) (lay e now) (rows_at e rows)).
  { clear - G1. revert rows G1. induction now as [|m now IH]; intros [|r rows] L; simpl in *; try discriminate; auto.
    rewrite IH by lia. f_equal. f_equal. apply scalar_strides. }
  rewrite E. clear E.
  assert (Q : pos (news (lay e A) (lay e now) (rows_at e rows)) /\
    size (news (lay e A) (lay e now) (rows_at e rows)) = size (lay e now)).
  { clear - P G1. revert rows G1. induction now as [|m now IH]; intros [|r rows] L; simpl in *; try discriminate.
    - split; [constructor|reflexivity].
    - inversion P; subst. destruct (IH H2 rows ltac:(lia)) as [X Y]. split; [constructor; auto|].
      unfold size in *; simpl. now rewrite Y. }
  destruct Q as [Q1 Q2]. split; auto. split; auto. apply after_ok; auto.
  - clear - O1 G1 G2. revert rows G1 G2 O1. induction now as [|m now IH]; intros [|r rows] L G O; simpl in *; try discriminate; [constructor|].
    apply so_cons in O as [O O']. constructor; [|apply IH; auto; lia].
    specialize (G r (or_introl eq_refl)) as L'. apply Nat.eqb_eq in L'. unfold lay. rewrite !map_length. split; auto.
    apply eq_ok in O. cbn [fst snd] in *. rewrite O, scalar_radices. change (tv e one) with 1.
    rewrite Z.mul_1_l. reflexivity.
  - clear - O2. unfold rows_at. apply Forall_map, Forall_forall. intros r R. apply Forall_map, Forall_forall.
    intros c C. assert (I : In c (concat rows)) by (apply in_concat; eauto).
    destruct (plain_number c) eqn:N.
    + destruct c; try discriminate. apply Z.leb_le in N. exact N.
    + unfold so in O2. rewrite Forall_map, Forall_forall in O2. specialize (O2 c). rewrite filter_In, N in O2.
      specialize (O2 (conj I eq_refl)). apply Z.leb_le in O2. exact O2.
  - apply top_asks_ok in O3. rewrite highest_ok in O3. unfold zeros in *. rewrite map_map in O3. unfold lay at 2. rewrite map_map. exact O3.
Qed.

(* --- one side, and both --------------------------------------------------------------------------------------- *)

Definition size_of (m : modes) : term := fold_left mul (map fst m) one.
Lemma size_ok e m : tv e (size_of m) = size (lay e m).
Proof.
  unfold size_of. enough (E : forall acc, tv e (fold_left mul (map fst m) acc) = tv e acc * size (lay e m)).
  { rewrite E. change (tv e one) with 1. lia. }
  unfold size. induction m as [|x m IH]; intro acc; simpl; [lia|]. rewrite IH. simpl. ring.
Qed.
Arguments size_of : simpl never.
Definition bool_of (d : data) : option bool := match d with DBool b => Some b | _ => None end.
(* One layout of those that wait, applied behind a list of modes. *)
Definition applied (now A : modes) (rewrites rows all : data) : option step_of :=
  do l <- items rewrites; do all <- bool_of all;
  do (A, (h, o)) <- rewritten all A l;
  do rows <- every (every term_of) rows;
  do (now, (h', o')) <- after now A all rows; Some (now, (h ++ h', o ++ o')).
Fixpoint walked (steps : list data) (now : modes) (waiting : list modes) : option step_of :=
  match steps with
  | [] => guard (empty waiting) (Some (now, ([], [])))
  | d :: steps =>
    do (now, (waiting, (h, o))) <- match d with
      | DList [DStr w; l] => guard (Pos.eqb w w_rewrite)
          (do l <- items l; do (now, f) <- rewritten true now l; Some (now, (waiting, f)))
      | DList [DStr w; r; rows; all] => guard (Pos.eqb w w_after)
          match waiting with
          | A :: waiting => do (now, f) <- applied now A r rows all; Some (now, (waiting, f)) | [] => None end
      | _ => None end;
    do (now, (h', o')) <- walked steps now waiting; Some (now, (h ++ h', o ++ o'))
  end.
(* The chain, the last applied first, to the identity on the domain. *)
Definition side (steps : data) (chain : list modes) (D : modes) : option step_of :=
  do l <- items steps;
  match l, rev chain with
  | DList [DStr w] :: l, A :: waiting => guard (Pos.eqb w w_first)
      (do (M, (h, o)) <- walked l A waiting; Some (M, (h, eq (size_of A) (size_of D) :: o)))
  | _, waiting => walked l [(size_of D, one)] waiting
  end.
Lemma applied_ok e now A r rows all M h o : pos (lay e now) -> pos (lay e A) -> applied now A r rows all = Some (M, (h, o)) ->
  so e o -> pos (lay e M) /\ size (lay e M) = size (lay e now) /\
  forall i, at_index (lay e A) (att (lay e now) i) = att (lay e M) i.
Proof.
  intros P PA H O. unfold applied in H. apply some_in in H as (l & _ & H). apply some_in in H as (b & _ & H).
  destruct (rewritten b A l) as [[A' [h1 o1]]|] eqn:R; [|discriminate].
  apply some_in in H as (rs & _ & H). destruct (after now A' b rs) as [[N [h2 o2]]|] eqn:F; [|discriminate].
  injection H as <- <- <-. apply so_app in O as [O1 O2]. pose proof (rewritten_ok e b l A A' h1 o1 PA R O1) as S.
  assert (PA' : pos (lay e A')) by (destruct b; apply S).
  destruct (after_holds e now A' b rs N h2 o2 P PA' F O2) as (X & Y & Z). repeat split; auto.
  intro i. destruct (Z i) as (U & V & W). rewrite <- U. destruct b; simpl in S.
  - destruct S as (_ & S1 & S2). rewrite !at_att; auto; [apply S2; rewrite S1|rewrite S1]; split; auto.
  - now apply S.
Qed.
Lemma walked_ok e steps : forall now waiting M h o, pos (lay e now) -> Forall (fun A => pos (lay e A)) waiting ->
  walked steps now waiting = Some (M, (h, o)) -> so e o ->
  pos (lay e M) /\ forall i, 0 <= i < size (lay e now) ->
    through (map (lay e) (rev waiting)) (att (lay e now) i) = att (lay e M) i.
Proof.
  induction steps as [|d steps IH]; intros now waiting M h o P W H O; simpl in H.
  - apply guard_some in H as [E H]. injection H as <- <- <-. apply empty_ok in E. subst. split; auto.
  - match type of H with match ?x with _ => _ end = _ => destruct x as [[N [w2 [h1 o1]]]|] eqn:S; [|discriminate] end.
    destruct (walked steps N w2) as [[N2 [h2 o2]]|] eqn:R; [|discriminate]. injection H as <- <- <-.
    apply so_app in O as [O1 O2].
    destruct d as [| | | |[|[|w| | | |] [|x [|y [|z []]]]]|]; try discriminate.
    + apply guard_some in S as [_ S]. apply some_in in S as (l & _ & S).
      destruct (rewritten true now l) as [[N' [h3 o3]]|] eqn:F; [|discriminate]. injection S as -> -> -> ->.
      destruct (rewritten_ok e true l now N h1 o1 P F O1) as (A & B & C).
      destruct (IH _ _ _ _ _ A W R O2) as [X Y]. split; auto. intros i I. rewrite C by auto. apply Y. lia.
    + apply guard_some in S as [_ S]. destruct waiting as [|A waiting]; [discriminate|].
      destruct (applied now A x y z) as [[N' [h3 o3]]|] eqn:F; [|discriminate]. injection S as -> -> -> ->.
      apply Forall_cons_iff in W as [PA W]. destruct (applied_ok e now A x y z N h1 o1 P PA F O1) as (B & C & D).
      destruct (IH _ _ _ _ _ B W R O2) as [X Y]. split; auto. intros i I. simpl. rewrite map_app. unfold through.
      rewrite fold_right_app. simpl. rewrite D. apply Y. lia.
Qed.
Lemma side_ok e steps chain D M h o : Forall (fun A => pos (lay e A)) chain -> pos (lay e D) ->
  side steps chain D = Some (M, (h, o)) -> so e o ->
  pos (lay e M) /\ forall i, 0 <= i < size (lay e D) -> through (map (lay e) chain) i = att (lay e M) i.
Proof.
  intros C PD H O. unfold side in H. apply some_in in H as (l & _ & H).
  assert (C' : Forall (fun A => pos (lay e A)) (rev chain)) by now apply Forall_rev.
  assert (Plain : walked l [(size_of D, one)] (rev chain) = Some (M, (h, o)) ->
    pos (lay e M) /\ forall i, 0 <= i < size (lay e D) -> through (map (lay e) chain) i = att (lay e M) i).
  { intro W. pose proof (size_pos _ PD) as S.
    assert (PS : pos (lay e [(size_of D, one)])) by (constructor; [simpl; rewrite size_ok; exact S|constructor]).
    destruct (walked_ok e _ _ _ _ _ _ PS C' W O) as [X Y].
    split; auto. intros i I. rewrite <- Y.
    - rewrite rev_involutive. f_equal. simpl. rewrite size_ok. rewrite Z.mod_small by auto. lia.
    - unfold size. simpl. rewrite size_ok. lia. }
  destruct l as [|d l]; [exact (Plain H)|].
  assert (First : forall w A waiting, d = DList [DStr w] -> rev chain = A :: waiting ->
    (do (M, (h, o)) <- walked l A waiting; Some (M, (h, eq (size_of A) (size_of D) :: o))) = Some (M, (h, o)) ->
    pos (lay e M) /\ forall i, 0 <= i < size (lay e D) -> through (map (lay e) chain) i = att (lay e M) i).
  { intros w A waiting _ E W. rewrite E in C'. apply Forall_cons_iff in C' as [PA PW].
    destruct (walked l A waiting) as [[N [h1 o1]]|] eqn:R; [|discriminate]. injection W as -> -> <-.
    apply so_cons in O as [O1 O2]. simpl in O1. apply Z.eqb_eq in O1. rewrite !size_ok in O1.
    destruct (walked_ok e _ _ _ _ _ _ PA PW R O2) as [X Y].
    split; auto. intros i I. rewrite <- Y by lia. rewrite <- (at_att (lay e A)) by (auto; lia).
    rewrite <- (rev_involutive chain), E. simpl. rewrite map_app. unfold through. rewrite fold_right_app. reflexivity. }
  destruct d as [| | | |[|[|w| | | |] []]|]; try exact (Plain H).
  destruct (rev chain) as [|A waiting] eqn:E; [exact (Plain H)|].
  apply guard_some in H as [_ H]. eapply First; eauto.
Qed.
Fixpoint alike (L M : modes) : option (list form) :=
  match L, M with
  | [], [] => Some []
  | (s, d) :: L, (t, x) :: M => do o <- alike L M; Some (eq s t :: eq (Int 0) (mul (less s) (sub d x)) :: o)
  | _, _ => None
  end.
Lemma alike_ok e L : forall M o, alike L M = Some o -> so e o -> forall i, att (lay e L) i = att (lay e M) i.
Proof.
  induction L as [|[s d] L IH]; intros [|[t x] M] o H O i; simpl in H; try discriminate; auto.
  destruct (alike L M) as [p|] eqn:E; [|discriminate]. injection H as <-.
  apply so_cons in O as [A O]. apply so_cons in O as [B O]. apply eq_ok in A, B. simpl in *. rewrite <- A.
  rewrite (IH M p E O). f_equal. destruct (Z.eq_dec (tv e s) 1) as [-> |]; [now rewrite !Z.mod_1_r|].
  assert (tv e d = tv e x) by nia. congruence.
Qed.
Definition agree_asks (left right : data) (l r : list modes) (D : modes) : option (list form) :=
  do (M, (h, o)) <- side left l D; do (N, (h', o')) <- side right r D; do o2 <- alike M N;
  Some ((h ++ h') ++ o ++ o' ++ o2).
Theorem agree_holds e left right l r D fs : Forall (fun A => pos (lay e A)) (l ++ r ++ [D]) ->
  agree_asks left right l r D = Some fs -> so e fs ->
  forall i, 0 <= i < size (lay e D) -> through (map (lay e) l) i = through (map (lay e) r) i.
Proof.
  rewrite !Forall_app. intros (PL & PR & PD) H O i I. unfold agree_asks in H. inversion PD; subst.
  destruct (side left l D) as [[M [h o]]|] eqn:A; [|discriminate].
  destruct (side right r D) as [[N [h' o']]|] eqn:B; [|discriminate].
  apply some_in in H as (o2 & C & H). injection H as <-. rewrite !so_app in O. destruct O as (_ & O1 & O2 & O3).
  destruct (side_ok e left l D M h o PL ltac:(auto) A O1) as [_ X].
  destruct (side_ok e right r D N h' o' PR ltac:(auto) B O2) as [_ Y].
  rewrite X, Y by auto. eapply alike_ok; eauto.
Qed.
