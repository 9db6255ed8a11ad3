(* Claims about requests: lanes' offsets as polynomials, and all classes of residues of their variables. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation Denials Facts Residues.
Import ListNotations.
Open Scope Z_scope.

(* --- all classes ---------------------------------------------------------------------------------------------------- *)

Definition rest (p : poly) : poly := psub p (constant (constant_of p)).
Fixpoint index_of (p : poly) (l : list poly) : nat := match l with [] => O | x :: l => if same x p then O else S (index_of p l) end.
Definition different (l : list poly) : list poly :=
  fold_left (fun found p => if existsb (fun x => same x p) found then found else found ++ [p]) l [].
(* That two polynomials differ by n or more, by their coefficients. *)
Definition apart (p r : poly) (n : Z) : bool := let d := psub p r in known d n || known (scale (-1) d) n.
Definition whole (q : service) (sw : fields) : bool :=
  is_field sw && forallb (Z.leb 1) [element q; width q; unit_bits q; places q; together q] && (0 <=? most q)
  && (unit_bits q mod width q =? 0) && (unit_bits q mod element q =? 0)
  && ((element q * round q sw) mod (unit_bits q * places q) =? 0) && (round q sw mod 2 ^ reach sw =? 0).
Definition MAX_STEPS := 1000000.
(* Whether lanes with these offsets before the swizzle, `outer` behind it, are served so, for all values of the variables. *)
Definition costs (q : service) (sw : fields) (inner : list poly) (outer : poly) (ends : list (positive * Z)) : bool :=
  let bare := map rest inner in
  let rests := different bare in
  let kinds := map (fun p => index_of p rests) bare in
  let lanes := Z.of_nat (length inner) in
  let lane n := nth (Z.to_nat n) inner [] in
  let l := needs (unit_bits q / element q) outer ++ flat_map (needs (round q sw)) rests in
  let ds := domains l ends in
  let far := if least q <=? 0 then []
    else map (fun p => map (fun r => apart p r (unit_bits q / element q + 2 * (period sw - 1))) inner) inner in
  let steps := if pairs q then filter (fun s => negb (existsb (fun n =>
    (Z.lxor n s <? lanes) && apart (lane n) (lane (Z.lxor n s)) 1) (below lanes))) [1; 2] else [] in
  whole q sw && forallb (fun p => same (nth (index_of p rests) rests []) p) bare
  && forallb (fun v => 1 <=? common l v) (map fst l)
  && (fold_left (fun n d => n * Z.max 1 (snd d)) ds lanes <=? MAX_STEPS)
  && each_class (costs_in q sw rests kinds (map constant_of inner) outer far steps) ds (fun _ => 0).

Lemma apart_ok e p r n : good e -> apart p r n = true -> n <= Z.abs (pv e p - pv e r).
Proof.
  intros G H. unfold apart in H. apply orb_true_iff in H as [H|H]; apply (known_ok e) in H; auto; rewrite ?scale_ok, psub_ok in H; lia.
Qed.
Lemma served_ext q a b lanes : (forall n, 0 <= n < lanes -> a n = b n) -> served q a lanes -> served q b lanes.
Proof.
  intros E S n N. destruct (S n N) as (A & B & C). split; [now rewrite <- E|].
  assert (P : forall k, phase_cost q b k lanes n = phase_cost q a k lanes n).
  { intro k. unfold phase_cost. f_equal. apply map_ext_in. intros m M. unfold phase in M. apply filter_In in M as [M _].
    apply below_in in M. now rewrite E. }
  rewrite !P. split; auto. intros Q D. apply C; auto.
  assert (X : forall s, s = 1 \/ s = 2 -> paired b lanes s -> paired a lanes s).
  { intros s S0 H m M L. assert (0 <= Z.lxor m s) by (apply Z.lxor_nonneg; lia). rewrite !E by lia. now apply H. }
  destruct D as [D|D]; [left|right]; apply X; auto.
Qed.
Lemma nth_values e k l : nth k (map (pv e) l) 0 = pv e (nth k l []).
Proof. exact (map_nth (pv e) l [] k). Qed.
Theorem costs_ok q sw inner outer ends g : costs q sw inner outer ends = true -> good g ->
  (forall v n, assoc v ends = Some n -> 0 <= g v < n) ->
  served q (fun n => pv g outer + swizzle sw (pv g (nth (Z.to_nat n) inner []))) (Z.of_nat (length inner)).
Proof.
  unfold costs. intros H G E. set (bare := map rest inner) in *. set (rests := different bare) in *.
  set (kinds := map _ bare) in *. set (l := needs _ outer ++ _) in *. set (far := if least q <=? 0 then [] else _) in *.
  set (steps := if pairs q then _ else _) in *. rewrite !andb_true_iff in H. destruct H as [[[[W K] C] _] H].
  unfold whole in W. rewrite !andb_true_iff in W. destruct W as [[[[[[F N] M] WU] UE] RU] RR].
  simpl in N. rewrite !andb_true_iff, !Z.leb_le in N. destruct N as (N1 & N2 & N3 & N4 & N5 & _).
  apply Z.leb_le in M. apply Z.eqb_eq in WU, UE, RU, RR.
  assert (PR : 0 < 2 ^ reach sw).
  { destruct sw as [[b0 b1] b2]. unfold is_field in F. rewrite !andb_true_iff, !Z.leb_le in F. apply Z.pow_pos_nonneg; unfold reach; lia. }
  assert (R1 : 1 <= round q sw) by (unfold round; lia).
  apply Z.mod_divide in WU, UE, RU, RR; try nia.
  destruct (classes_met _ _ _ g _ E C H) as (h & S & A). apply alike_app in A as [A1 A2].
  assert (LC : count kinds = Z.of_nat (length inner)) by (unfold count, kinds, bare; now rewrite !map_length).
  assert (IN : forall n, n < Z.of_nat (length inner) -> (0 < length inner)%nat ->
    nth (Z.to_nat n) (map constant_of inner) 0 + nth (kind kinds n) (map (pv g) rests) 0 = pv g (nth (Z.to_nat n) inner [])).
  { intros n L L0. assert (L' : (Z.to_nat n < length inner)%nat) by lia. set (i := Z.to_nat n) in *.
    rewrite (nth_indep _ 0 (constant_of [])) by (now rewrite map_length). rewrite map_nth, nth_values.
    unfold kind. fold i. unfold kinds. rewrite (nth_indep _ O (index_of (rest []) rests)) by (unfold bare; now rewrite !map_length).
    unfold bare. rewrite map_map, (map_nth (fun p => index_of (rest p) rests)).
    rewrite forallb_forall in K. assert (B : In (rest (nth i inner [])) bare) by (apply in_map, nth_In; exact L').
    specialize (K _ B). apply (same_ok g) in K. unfold bare in K. rewrite K. unfold rest. rewrite psub_ok, constant_ok. lia. }
  apply (served_ext q (address sw kinds (map constant_of inner) (pv g outer) (map (pv g) rests))).
  { intros n N. unfold address. f_equal. f_equal. apply IN; lia. }
  rewrite <- LC. apply (costs_at_ok q sw kinds (map constant_of inner) far steps (pv h outer) (pv g outer) (map (pv h) rests) (map (pv g) rests)); auto; try lia.
  - destruct UE as [u U]. rewrite U. rewrite U, Z.div_mul in A1 by lia. apply needs_ok in A1; [|nia].
    destruct A1 as [t T]. exists t. rewrite T. ring.
  - intro k. rewrite !nth_values. apply needs_ok; auto. destruct (nth_in_or_default k rests []) as [I|I]; [|rewrite I; intros v n []].
    intros v n J. apply A2, in_flat_map. eauto.
  - intros m n X. unfold is_far, far in X. destruct (least q <=? 0); [now destruct (Z.to_nat m), (Z.to_nat n)|].
    set (d := unit_bits q / element q + 2 * (period sw - 1)) in *. set (i := Z.to_nat m) in *. set (j := Z.to_nat n) in *.
    assert (LI : (i < length inner)%nat).
    { destruct (Nat.lt_ge_cases i (length inner)) as [|L]; auto. rewrite (nth_overflow (map _ _)) in X by (now rewrite map_length). now destruct j. }
    rewrite (nth_indep _ [] (map (fun r => apart [] r d) inner)) in X by (now rewrite map_length).
    rewrite (map_nth (fun p => map (fun r => apart p r d) inner)) in X. cbv beta in X.
    assert (LJ : (j < length inner)%nat).
    { destruct (Nat.lt_ge_cases j (length inner)) as [|L]; auto. rewrite nth_overflow in X by (now rewrite map_length). discriminate. }
    rewrite (nth_indep _ false (apart (nth i inner []) [] d)) in X by (now rewrite map_length).
    rewrite (map_nth (fun r => apart (nth i inner []) r d)) in X. apply (apart_ok g) in X; auto. unfold address. rewrite !IN by lia. fold i j.
    pose proof (swizzle_near sw (pv g (nth i inner [])) F). pose proof (swizzle_near sw (pv g (nth j inner [])) F).
    destruct UE as [u U]. unfold d in X. rewrite U, Z.div_mul in X by lia. nia.
  - intros P s S0 D. unfold steps. rewrite P. apply filter_In. split; [simpl; destruct S0; auto|].
    apply negb_true_iff. destruct (existsb _ _) eqn:X; auto. exfalso. apply existsb_exists in X as (n & N & X).
    apply below_in in N. apply andb_true_iff in X as [X Y]. apply Z.ltb_lt in X. apply (apart_ok g) in Y; auto.
    assert (Q : pv g (nth (Z.to_nat n) inner []) = pv g (nth (Z.to_nat (Z.lxor n s)) inner [])); [|lia].
    rewrite LC in D. specialize (D n N X). unfold address in D. rewrite !IN in D by lia.
    apply (swizzle_injective sw); auto. lia.
Qed.

(* --- the claim -------------------------------------------------------------------------------------------------------- *)

(* The coordinates of requests are variables of their own. *)
Definition other (v : positive) : bool := Pos.ltb 64 v.
Definition coordinate (k : nat) : positive := Pos.of_succ_nat k.
Definition clean (st : state) (x : term) : option poly := do p <- poly_of st x; guard (speaks other p) (Some p).
Fixpoint lane_poly (A : list (Z * poly)) (n : Z) : poly :=
  match A with
  | [] => []
  | (s, p) :: A => match A with [] => scale n p | _ => padd (scale (n mod s) p) (lane_poly A (n / s)) end
  end.
Definition is_one (s : term) : bool := match s with Int 1 => true | _ => false end.
Fixpoint request_poly (st : state) (k : nat) (B : modes) : option poly :=
  match B with
  | [] => Some []
  | (s, d) :: B => do p <- request_poly st (S k) B;
    if is_one s then Some p
    else do d <- clean st d; guard (Nat.ltb k 64) (Some (padd (pmul (variable (coordinate k)) d) p))
  end.
Fixpoint request_ends (k : nat) (B : modes) : list (positive * Z) :=
  match B with
  | [] => []
  | (s, _) :: B => match s with Int z => if Nat.ltb k 64 then [(coordinate k, z)] else [] | _ => [] end ++ request_ends (S k) B
  end.
(* The numbers that variables are below, by what is said or given. *)
Definition tops (facts : list form) (st : state) (d : data) : option (list (positive * Z)) :=
  match d with
  | DObj l => guard (distinct (map fst l)) (all (fun x =>
      do (p, _) <- factor facts st (snd x); do top <- value (padd p (variable (fst x)));
      guard (primed (fst x) && Ways.has (fst x) (values st)) (Some (fst x, top + 1))) l)
  | _ => Some []
  end.
Definition no_bits (sw : fields) : bool := fst (fst sw) =? 0.
Definition costs_so (facts : list form) (st : state) (d : data) (c : primitive_claim) : option bool :=
  match c with
  | Requests L n q sw x b =>
    do lanes <- lanes_of n L; do ends <- tops facts st d; do x <- clean st x; do b <- clean st b;
    do A <- all (fun p => match fst p with Int s => do d <- clean st (snd p); Some (s, d) | _ => None end) (firstn n L);
    do more <- request_poly st 0 (skipn n L);
    let ends := request_ends 0 (skipn n L) ++ ends in
    let inner := map (fun n => padd (padd x more) (lane_poly A n)) (below lanes) in
    let first := nth 0 inner [] in
    Some (if no_bits sw then costs q sw (map (fun p => psub p first) inner) (padd b first) ends else costs q sw inner b ends)
  | _ => None
  end.

Lemma lane_poly_ok g A : forall n, pv g (lane_poly A n) = at_index (map (fun p => (fst p, pv g (snd p))) A) n.
Proof.
  induction A as [|[s p] A IH]; intro n; [reflexivity|]. cbn [lane_poly map at_index fst snd].
  destruct A as [|m A]; [now rewrite scale_ok|]. rewrite padd_ok, scale_ok, IH. reflexivity.
Qed.
Lemma assoc_app {A} v (l m : list (positive * A)) x : assoc v (l ++ m) = Some x -> assoc v l = Some x \/ assoc v m = Some x.
Proof. induction l as [|[n y] l IH]; simpl; auto. destruct (Pos.eqb n v); auto. Qed.
Lemma other_primed v : primed v = true -> other v = true.
Proof.
  intro H. unfold other. apply Pos.ltb_lt. unfold primed in H.
  do 8 (destruct v as [v|v|]; try discriminate). all: lia.
Qed.
Lemma other_coordinate k : (k < 64)%nat -> other (coordinate k) = false.
Proof. intro L. unfold other, coordinate. apply Pos.ltb_ge. lia. Qed.
Section Claim.
  Variables (facts : list form) (st : state) (e g : env).
  Hypothesis M : meets facts st g.
  (* A request at its coordinates. *)
  Variable c : list Z.
  Definition at_request : env := fun v => if other v then g v else nth (Pos.to_nat v - 1) c 0.
  Lemma at_coordinate k : (k < 64)%nat -> at_request (coordinate k) = nth k c 0.
  Proof. intro L. unfold at_request. rewrite other_coordinate by auto. unfold coordinate. rewrite SuccNat2Pos.id_succ. f_equal. lia. Qed.
  Lemma at_good : good at_request.
  Proof. intros v P. unfold at_request. rewrite other_primed by auto. now apply (m_good _ _ _ M). Qed.
  Lemma clean_ok x p : clean st x = Some p -> pv at_request p = tv g x.
  Proof.
    intro H. apply some_in in H as (r & R & H). apply guard_some in H as [S H]. injection H as ->.
    rewrite <- (poly_ok facts st g M x p R). apply (pv_ext other); auto. intros v O. unfold at_request. now rewrite O.
  Qed.
  Lemma request_poly_ok B : (forall p, In p B -> tv g (snd p) = tv e (snd p)) -> forall k p, request_poly st k B = Some p ->
    valid (lay e B) (skipn k c) -> pv at_request p = offset (skipn k c) (lay e B).
  Proof.
    induction B as [|[s d] B IH]; intros D k p H V.
    - injection H as <-. simpl in V. inversion V. reflexivity.
    - cbn [request_poly] in H. apply some_in in H as (r & R & H). cbn [lay map fst snd] in V. inversion V as [|x m c' L X V' E1 E2]. subst.
      assert (N : nth k c 0 = x /\ skipn (S k) c = c').
      { clear - E1. revert k E1. induction c as [|y l IHl]; intros [|k] E; simpl in E; try discriminate; [injection E as -> ->; auto|].
        destruct (IHl k (eq_sym (eq_sym E))) as [A B]. split; auto. }
      destruct N as [N1 N2]. rewrite <- N2 in V'. specialize (IH (fun p I => D p (or_intror I)) _ _ R V'). rewrite N2 in IH.
      cbn [lay map offset fst snd]. fold (lay e B). destruct (is_one s) eqn:O.
      + injection H as <-. rewrite IH. destruct s as [[|[]|]| | | |]; try discriminate. simpl in X. replace x with 0 by lia. lia.
      + apply some_in in H as (pd & PD & H). apply guard_some in H as [L H]. apply Nat.ltb_lt in L.
        assert (E : p = padd (pmul (variable (coordinate k)) pd) r) by congruence. subst p.
        rewrite padd_ok, pmul_ok, variable_ok, at_coordinate, N1, IH, (clean_ok _ _ PD) by auto.
        pose proof (D (s, d) (or_introl eq_refl)) as Q. simpl in Q. now rewrite Q.
  Qed.
  Lemma request_ends_ok B : forall k v n, valid (lay e B) (skipn k c) -> assoc v (request_ends k B) = Some n -> 0 <= at_request v < n.
  Proof.
    induction B as [|[s d] B IH]; intros k v n V H; [discriminate|]. cbn [request_ends] in H. cbn [lay map fst snd] in V.
    inversion V as [|x m c' L X V' E1 E2]. subst.
    assert (N : nth k c 0 = x /\ skipn (S k) c = c').
    { clear - E1. revert k E1. induction c as [|y l IHl]; intros [|k] E; simpl in E; try discriminate; [injection E as -> ->; auto|].
      destruct (IHl k (eq_sym (eq_sym E))) as [A C]. split; auto. }
    destruct N as [N1 N2]. apply assoc_app in H as [H|H]; [|rewrite <- N2 in V'; eauto].
    destruct s as [z| | | |]; try discriminate. destruct (Nat.ltb_spec k 64) as [K|]; [|discriminate]. simpl in H.
    destruct (Pos.eqb_spec (coordinate k) v); [|discriminate]. injection H as <-. subst v. rewrite at_coordinate, N1 by auto. exact X.
  Qed.
  Lemma tops_ok d l v n : tops facts st d = Some l -> assoc v l = Some n -> 0 <= at_request v < n.
  Proof.
    unfold tops. destruct d as [| | | | |o]; intro H; try (injection H as <-; discriminate). apply guard_some in H as [_ H].
    revert l H. induction o as [|[w x] o IH]; simpl; intros l H A; [injection H as <-; discriminate|].
    destruct (factor facts st x) as [[p z]|] eqn:F; [|discriminate]. destruct (value (padd p (variable w))) as [top|] eqn:T; [|discriminate].
    destruct (primed w && Ways.has w (values st)) eqn:P; [|discriminate]. simpl in H. destruct (all _ o) as [r|] eqn:R; [|discriminate].
    injection H as <-. simpl in A. destruct (Pos.eqb_spec w v); [|eapply IH; eauto]. subst. injection A as <-.
    apply andb_true_iff in P as [P _]. apply (factor_ok facts st g M) in F as [F _]. apply (value_ok g) in T. rewrite padd_ok, variable_ok in T.
    unfold at_request. rewrite other_primed by auto. pose proof (m_good _ _ _ M v P). lia.
  Qed.
End Claim.
Theorem costs_so_ok facts st e g d c : meets facts st g -> (forall x, In x (leaves c) -> tv g x = tv e x) ->
  costs_so facts st d c = Some true -> meaning (instance e c).
Proof.
  intros M D H. destruct c as [ | | | | | | | |L n q sw x b| | |]; try discriminate. cbn [costs_so] in H.
  apply some_in in H as (lanes & N & H). apply some_in in H as (ends & T & H). apply some_in in H as (px & X & H).
  apply some_in in H as (pb & B & H). apply some_in in H as (A & PA & H). apply some_in in H as (more & R & H). injection H as H.
  cbn [instance meaning]. intros c V. set (G := at_request g c).
  assert (SK : @skipn (Z * Z) n (lay e L) = lay e (skipn n L)) by (unfold lay; apply skipn_map). rewrite SK in V |- *.
  assert (FI : @firstn (Z * Z) n (lay e L) = lay e (firstn n L)) by (unfold lay; apply firstn_map). rewrite FI.
  assert (DL : forall p, In p L -> tv g (snd p) = tv e (snd p)).
  { intros p I. apply D. unfold leaves. simpl. rewrite app_nil_r. right. right. apply in_flat_map. exists p. simpl. auto. }
  assert (LA : lay e (firstn n L) = map (fun p => (fst p, pv G (snd p))) A /\ fold_right (fun m k => fst m * k) 1 (lay e (firstn n L)) = lanes).
  { unfold lanes_of in N. apply some_in in N as (ss & SS & N). apply guard_some in N as [_ N]. injection N as <-.
    assert (DF : forall p, In p (firstn n L) -> tv g (snd p) = tv e (snd p)) by (intros p I; apply DL; rewrite <- (firstn_skipn n L); apply in_app_iff; auto).
    clear - SS PA DF M. revert ss A SS PA. induction (firstn n L) as [|[s d] l IH]; simpl; intros ss A SS PA.
    - injection SS as <-. injection PA as <-. auto.
    - destruct s as [z| | | |]; try discriminate. destruct (clean st d) as [p|] eqn:C; [|discriminate].
      match type of PA with context [all ?f l] => destruct (all f l) as [A'|] eqn:E; [|discriminate] end. injection PA as <-.
      destruct (1 <=? z); cbn [guard] in SS; [|discriminate].
      match type of SS with context [all ?f l] => destruct (all f l) as [ss'|] eqn:E'; [|discriminate] end. injection SS as <-.
      destruct (IH ltac:(intros; apply DF; simpl; auto) _ _ eq_refl eq_refl) as [I J]. simpl. rewrite J. split; auto. f_equal; auto.
      f_equal. unfold G. rewrite (clean_ok facts st g M c d p C). symmetry. apply (DF (Int z, d)). simpl. auto. }
  destruct LA as [LA LS]. fold (size (lay e (firstn n L))) in LS. rewrite LS.
  assert (PX : pv G px = tv e x) by (unfold G; rewrite (clean_ok facts st g M c x px X); apply D; simpl; auto).
  assert (PB : pv G pb = tv e b) by (unfold G; rewrite (clean_ok facts st g M c b pb B); apply D; simpl; auto).
  assert (PR : pv G more = offset c (lay e (skipn n L))).
  { apply (request_poly_ok facts st e g M c (skipn n L)) with (k := O); auto. intros p I. apply DL. rewrite <- (firstn_skipn n L). apply in_app_iff; auto. }
  assert (E : forall v m, assoc v (request_ends 0 (skipn n L) ++ ends) = Some m -> 0 <= G v < m).
  { intros v m I. apply assoc_app in I as [I|I]; [apply (request_ends_ok e g c (skipn n L) 0 v m); auto|].
    apply (tops_ok facts st g M c d ends v m T I). }
  set (inner := map (fun n => padd (padd px more) (lane_poly A n)) (below lanes)) in *.
  assert (IL : Z.of_nat (length inner) = Z.max lanes 0).
  { unfold inner, below. rewrite map_length. rewrite upwards_length. lia. }
  assert (IN : forall k, 0 <= k < lanes -> pv G (nth (Z.to_nat k) inner []) = tv e x + (at_index (lay e (firstn n L)) k + offset c (lay e (skipn n L)))).
  { intros k K. rewrite (nth_indep inner [] (padd (padd px more) (lane_poly A 0))) by lia. unfold inner.
    rewrite (map_nth (fun n => padd (padd px more) (lane_poly A n))).
    assert (U : forall m y i, (i < m)%nat -> nth i (upwards m y) 0 = y + Z.of_nat i).
    { induction m as [|m IH]; intros y i I; [lia|]. destruct i; simpl; [lia|]. rewrite IH by lia. lia. }
    unfold below. rewrite U by lia. rewrite !padd_ok, PX, PR, lane_poly_ok, <- LA. rewrite Z2Nat.id by lia. simpl. lia. }
  apply (served_ext q (fun k => pv G pb + swizzle sw (pv G (nth (Z.to_nat k) inner [])))).
  { intros k K. rewrite PB, IN by auto. reflexivity. }
  assert (GG : good G) by (apply (at_good facts st g M)).
  destruct (Z.le_gt_cases lanes 0) as [L0|L0]; [intros k K; lia|]. replace lanes with (Z.of_nat (length inner)) by lia.
  destruct (no_bits sw) eqn:Q; [|now apply (costs_ok q sw inner pb _ G H GG)].
  pose proof (costs_ok _ _ _ _ _ G H GG E) as S. rewrite map_length in S.
  eapply served_ext; [|exact S]. intros k K. cbv beta.
  assert (I : forall y, swizzle sw y = y).
  { intro y. destruct sw as [[s0 s1] s2]. unfold no_bits in Q. simpl in Q. rewrite (same_kept s0 s1 s2 0 0 y) by (now rewrite Q).
    apply Z.eqb_eq in Q. subst. now apply plain_ok. }
  rewrite !I. set (first := nth 0 inner []). rewrite (nth_indep _ [] (psub [] first)) by (rewrite map_length; lia).
  rewrite (map_nth (fun p => psub p first)), psub_ok, padd_ok. lia.
Qed.
