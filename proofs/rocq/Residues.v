(* What phases of requests cost, decided in each class of residues of what lanes' offsets depend on. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Lemmas Agreement Separation Denials Facts.
Import ListNotations.
Open Scope Z_scope.

(* --- swizzles and what is added beyond their bits ---------------------------------------------------------------- *)

Definition reach (sw : fields) : Z := let '(bits, base, shift) := sw in bits + base + Z.abs shift.
Lemma lxor_beyond m a k z : 0 <= m -> Z.shiftr z m = 0 -> Z.lxor (a + 2 ^ m * k) z = Z.lxor a z + 2 ^ m * k.
Proof.
  intros M S. assert (P : 0 < 2 ^ m) by (apply Z.pow_pos_nonneg; lia).
  assert (E : forall u, Z.lxor u z = 2 ^ m * (u / 2 ^ m) + Z.lxor (u mod 2 ^ m) (z mod 2 ^ m)).
  { intro u. rewrite (Z.div_mod (Z.lxor u z) (2 ^ m)) by lia. f_equal.
    - f_equal. rewrite <- !Z.shiftr_div_pow2, Z.shiftr_lxor, S by auto. apply Z.lxor_0_r.
    - rewrite <- !Z.land_ones by auto. apply Z.bits_inj'. intros i I. rewrite !Z.land_spec, !Z.lxor_spec, !Z.land_spec.
      destruct (Z.testbit (Z.ones m) i); [now rewrite !andb_true_r|now rewrite !andb_false_r]. }
  rewrite (E (a + 2 ^ m * k)), (E a). rewrite (Z.mul_comm (2 ^ m) k), Z.div_add, Z.mod_add by lia. lia.
Qed.
Lemma swizzle_beyond sw x k : is_field sw = true -> swizzle sw (x + 2 ^ reach sw * k) = swizzle sw x + 2 ^ reach sw * k.
Proof.
  destruct sw as [[bits base] shift]. unfold is_field. rewrite !andb_true_iff, !Z.leb_le. intros [[B0 B1] B2]. unfold swizzle, reach.
  set (m := bits + base + Z.abs shift). set (mask := Z.shiftl (Z.ones bits) (base + Z.max shift 0)).
  assert (M : 0 <= m) by lia.
  assert (L : Z.land (x + 2 ^ m * k) mask = Z.land x mask).
  { assert (G : forall u, Z.land u mask = Z.land (u mod 2 ^ m) mask).
    { intro u. rewrite <- Z.land_ones, <- Z.land_assoc by auto. f_equal. apply Z.bits_inj'. intros i I.
      rewrite Z.land_spec. unfold mask. rewrite mask_bit by lia.
      destruct (Z.ltb_spec i m); [rewrite Z.ones_spec_low by lia; auto|].
      rewrite Z.ones_spec_high by lia. destruct (Z.ltb_spec i (base + Z.max shift 0 + bits)); [lia|]. now rewrite andb_false_r. }
    rewrite (G (x + 2 ^ m * k)), (G x). f_equal. rewrite Z.mul_comm. apply Z.mod_add. pose proof (Z.pow_pos_nonneg 2 m); lia. }
  cbv zeta. rewrite L. apply lxor_beyond; auto. apply Z.bits_inj'. intros i I. rewrite Z.shiftr_spec, Z.bits_0 by auto.
  destruct (Z.leb_spec 0 shift).
  - rewrite Z.shiftr_spec, Z.land_spec by lia. unfold mask. rewrite mask_bit by lia.
    destruct (Z.ltb_spec (i + m + shift) (base + Z.max shift 0 + bits)); [lia|]. now rewrite !andb_false_r.
  - rewrite Z.shiftl_spec by lia. rewrite Z.land_spec.
    destruct (Z.leb_spec 0 (i + m - - shift)); [|lia]. unfold mask. rewrite mask_bit by lia.
    destruct (Z.ltb_spec (i + m - - shift) (base + Z.max shift 0 + bits)); [lia|]. now rewrite !andb_false_r.
Qed.
Lemma swizzle_near sw x : is_field sw = true -> Z.abs (swizzle sw x - x) <= period sw - 1.
Proof.
  intro F. assert (S : small_fields sw = true).
  { destruct sw as [[bits base] shift]. unfold is_field, small_fields in *. rewrite !andb_true_iff in *. tauto. }
  pose proof (period_pos sw S) as P. pose proof (swizzle_block sw x S) as E.
  pose proof (Z.div_mod (swizzle sw x) (period sw) ltac:(lia)). pose proof (Z.mod_pos_bound (swizzle sw x) (period sw) P).
  pose proof (Z.div_mod x (period sw) ltac:(lia)). pose proof (Z.mod_pos_bound x (period sw) P). rewrite E in *. nia.
Qed.

(* --- classes of residues ------------------------------------------------------------------------------------------ *)

(* By multiples of what each variable may differ, for a polynomial to stay the same modulo Q. *)
Definition needs (Q : Z) (p : poly) : list (positive * Z) := flat_map (fun t => map (fun v => (v, Q / Z.gcd Q (snd t))) (fst t)) p.
Definition alike (g h : env) (l : list (positive * Z)) := forall v n, In (v, n) l -> (n | g v - h v).
Lemma alike_app g h l m : alike g h (l ++ m) <-> alike g h l /\ alike g h m.
Proof.
  unfold alike. split; [intro H; split; intros v n I; apply H, in_app_iff; auto|].
  intros [A B] v n I. apply in_app_iff in I as [I|I]; auto.
Qed.
Lemma needs_ok Q g h p : 1 <= Q -> alike g h (needs Q p) -> (Q | pv g p - pv h p).
Proof.
  intros Q1. induction p as [|[m c] p IH]; intro A; [simpl; apply Z.divide_0_r|].
  unfold needs in A. cbn [flat_map fst snd] in A. apply alike_app in A as [A B]. specialize (IH B). cbn [pv].
  assert (G : 0 < Z.gcd Q c) by (pose proof (Z.gcd_nonneg Q c); destruct (Z.eq_dec (Z.gcd Q c) 0) as [E|]; [apply Z.gcd_eq_0_l in E|]; lia).
  destruct (Z.gcd_divide_l Q c) as [a QE], (Z.gcd_divide_r Q c) as [b CE].
  assert (PE : Q / Z.gcd Q c = a) by (rewrite QE at 1; apply Z.div_mul; lia). rewrite PE in A.
  assert (M : (a | mv g m - mv h m)).
  { clear - A. induction m as [|v m IH]; simpl; [apply Z.divide_0_r|].
    destruct (A v a) as [s S]; [simpl; auto|]. destruct IH as [t T]; [intros w n I; apply A; simpl; auto|].
    exists (s * mv g m + h v * t). replace (g v) with (h v + s * a) by lia. replace (mv g m) with (mv h m + t * a) by lia. ring. }
  destruct M as [t T]. destruct IH as [r R]. exists (b * t + r).
  replace (c * mv g m + pv g p - (c * mv h m + pv h p)) with (c * (mv g m - mv h m) + (pv g p - pv h p)) by ring.
  rewrite T, R. clear - CE QE. remember (Z.gcd Q c) as k eqn:K. clear K. subst c Q. ring.
Qed.
Definition common (l : list (positive * Z)) (v : positive) : Z :=
  fold_right (fun t n => if Pos.eqb (fst t) v then Z.lcm (snd t) n else n) 1 l.
Lemma common_ok l v n : In (v, n) l -> (n | common l v).
Proof.
  induction l as [|[w k] l IH]; simpl; [tauto|]. intros [E | I].
  - injection E as -> ->. rewrite Pos.eqb_refl. apply Z.divide_lcm_l.
  - apply IH in I. destruct (Pos.eqb w v); auto. eapply Z.divide_trans; [exact I|apply Z.divide_lcm_r].
Qed.
(* The values of variables of which one is in each class; a variable may be known to be below some end. *)
Definition domains (l ends : list (positive * Z)) : list (positive * Z) :=
  map (fun v => let n := common l v in (v, match assoc v ends with Some m => Z.min m n | None => n end)) (nodup Pos.eq_dec (map fst l)).
Fixpoint each_class (said : env -> bool) (ds : list (positive * Z)) (h : env) : bool :=
  match ds with [] => said h | d :: ds => forallb (fun k => each_class said ds (upd h (fst d) k)) (below (snd d)) end.
Lemma each_class_ok said (R : positive -> Z -> Prop) ds : forall h, each_class said ds h = true ->
  (forall v n, In (v, n) ds -> exists r, 0 <= r < n /\ R v r) ->
  exists g, said g = true /\ (forall v, In v (map fst ds) -> R v (g v)) /\ forall v, ~ In v (map fst ds) -> g v = h v.
Proof.
  induction ds as [|[v n] ds IH]; intros h H D; simpl in H.
  - exists h. repeat split; auto. intros v [].
  - destruct (D v n (or_introl eq_refl)) as (r & B & C). rewrite forallb_forall in H.
    destruct (IH (upd h v r)) as (g & S & I & J); [apply H; now apply below_in|intros w k K; apply D; simpl; auto|].
    exists g. split; auto. split.
    + intros w [<- | W]; auto. simpl. destruct (in_dec Pos.eq_dec v (map fst ds)) as [V|V]; [now apply I|].
      rewrite J by auto. unfold upd. now rewrite Pos.eqb_refl.
    + intros w W. simpl in W. rewrite J by tauto. unfold upd. destruct (Pos.eqb_spec w v); auto. subst. tauto.
Qed.
Lemma classes_met said l ends g h0 : (forall v n, assoc v ends = Some n -> 0 <= g v < n) ->
  forallb (fun v => 1 <=? common l v) (map fst l) = true -> each_class said (domains l ends) h0 = true ->
  exists h, said h = true /\ alike g h l.
Proof.
  intros E P H. rewrite forallb_forall in P.
  destruct (each_class_ok said (fun v r => (common l v | g v - r)) _ h0 H) as (h & S & A & _).
  - intros v n I. unfold domains in I. apply in_map_iff in I as (w & I & W). apply nodup_In in W. injection I as -> <-.
    specialize (P v W). apply Z.leb_le in P.
    assert (M : exists r, 0 <= r < common l v /\ (common l v | g v - r)).
    { exists (g v mod common l v). pose proof (Z.mod_pos_bound (g v) (common l v) ltac:(lia)).
      split; auto. exists (g v / common l v). pose proof (Z.div_mod (g v) (common l v) ltac:(lia)). lia. }
    destruct (assoc v ends) as [m|] eqn:Q; auto. specialize (E v m Q).
    destruct (Z.le_gt_cases (common l v) m); [rewrite Z.min_r by auto; auto|]. rewrite Z.min_l by lia.
    exists (g v). split; auto. exists 0. lia.
  - exists h. split; auto. intros v n I. eapply Z.divide_trans; [apply (common_ok l v n I)|]. apply A.
    unfold domains. rewrite map_map. apply in_map_iff. exists v. split; auto. apply nodup_In.
    apply in_map_iff. now exists (v, n).
Qed.

(* --- one class ------------------------------------------------------------------------------------------------------ *)

Lemma cost_most n m us : 0 <= m ->
  (forall u, In u us -> Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod n =? u mod n) us))) <= m) -> cost n us <= m.
Proof.
  intros M H. unfold cost. assert (G : forall l, incl l us ->
    fold_right Z.max 0 (map (fun u => Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod n =? u mod n) us)))) l) <= m).
  { induction l as [|u l IH]; intro I; simpl; [lia|]. apply incl_cons_inv in I as [I J]. specialize (IH J). specialize (H u I). lia. }
  apply G, incl_refl.
Qed.
Lemma cost_least n us u : In u us -> Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod n =? u mod n) us))) <= cost n us.
Proof.
  intro I. unfold cost. assert (G : forall l, In u l ->
    Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod n =? u mod n) us))) <=
    fold_right Z.max 0 (map (fun u => Z.of_nat (length (nodup Z.eq_dec (filter (fun v => v mod n =? u mod n) us)))) l)).
  { induction l as [|v l IH]; intros []; simpl; [subst; lia|]. specialize (IH H). lia. }
  now apply G.
Qed.
Lemma congruent a c d p : p <> 0 -> (a + d) mod p = (c + d) mod p -> (p | a - c).
Proof.
  intros P E. exists ((a + d) / p - (c + d) / p). pose proof (Z.div_mod (a + d) p P). pose proof (Z.div_mod (c + d) p P). lia.
Qed.
Lemma filter_map {A B} (f : B -> bool) (g : A -> B) l : filter f (map g l) = map g (filter (fun x => f (g x)) l).
Proof. induction l as [|x l IH]; simpl; auto. destruct (f (g x)); simpl; congruence. Qed.
Lemma nodup_map_length {A B} (da : forall x y : A, {x = y} + {x <> y}) (db : forall x y : B, {x = y} + {x <> y}) (f : A -> B) l :
  (length (nodup db (map f l)) <= length (nodup da l))%nat.
Proof.
  rewrite <- (map_length f (nodup da l)). apply NoDup_incl_length; [apply NoDup_nodup|].
  intros y Y. apply nodup_In, in_map_iff in Y as (x & <- & X). apply in_map, nodup_In, X.
Qed.

Definition tagged := (Z * (nat * Z))%type.
Definition tag_dec (x y : nat * Z) : {x = y} + {x <> y}.
Proof. decide equality; [apply Z.eq_dec|apply Nat.eq_dec]. Defined.

Section Class.
  Variables (q : service) (sw : fields).
  (* Each lane's offset is a number behind one of some polynomials, its kind; `outer` is added behind the swizzle. *)
  Variables (rests : list poly) (kinds : list nat) (numbers : list Z) (outer : poly) (far : list (list bool)) (steps : list Z).
  Definition count := Z.of_nat (length kinds).
  Definition kind (n : Z) : nat := nth (Z.to_nat n) kinds O.
  Definition is_far (m n : Z) : bool := nth (Z.to_nat n) (nth (Z.to_nat m) far []) false.
  (* The round of the places that the bits of the swizzle lie within. *)
  Definition round : Z := Z.max (unit_bits q * places q / element q) (2 ^ reach sw).

  Section At.
    (* What the polynomials come to. *)
    Variables (start : Z) (moved : list Z).
    Definition inside (n : Z) : Z := nth (Z.to_nat n) numbers 0 + nth (kind n) moved 0.
    Definition bits_at (n : Z) : Z := element q * (start + swizzle sw (inside n)).
    Definition tag (n : Z) : tagged := (n, (kind n, bits_at n / unit_bits q)).
    Definition place (x : tagged) : Z := snd (snd x) mod places q.
    (* Units of lanes that do not differ by a number count as different in the most, and in the least where they are far apart. *)
    Definition places_of (ps : list tagged) : list Z := nodup Z.eq_dec (map place ps).
    Definition at_most_so (ps : list tagged) : bool :=
      forallb (fun b => Z.of_nat (length (nodup tag_dec (map snd (filter (fun y => place y =? b) ps)))) <=? most q) (places_of ps).
    Definition differ (x y : tagged) : bool :=
      if Nat.eqb (fst (snd x)) (fst (snd y)) then negb (snd (snd x) =? snd (snd y)) else is_far (fst x) (fst y).
    Fixpoint chosen (b : Z) (ps : list tagged) (found : list tagged) : list tagged :=
      match ps with
      | [] => found
      | x :: ps => chosen b ps (if (place x =? b) && forallb (differ x) found then x :: found else found)
      end.
    Definition at_least_so (ps : list tagged) : bool :=
      (least q <=? 0) || existsb (fun b => least q <=? Z.of_nat (length (chosen b ps []))) (places_of ps).
    Definition may_be_one (n m : Z) : bool :=
      let gap := inside n - inside m in if Nat.eqb (kind n) (kind m) then gap =? 0 else gap mod round =? 0.
    Definition may_be_paired (s : Z) : bool :=
      forallb (fun n => (count <=? Z.lxor n s) || may_be_one n (Z.lxor n s)) (below count).
    Definition phases (k : Z) (so : list tagged -> bool) : bool :=
      forallb (fun n => if n mod k =? 0 then so (map tag (phase k count n)) else true) (below count).
    Definition costs_at : bool :=
      forallb (fun n => bits_at n mod width q =? 0) (below count) &&
      phases (together q) (fun ps => at_most_so ps && at_least_so ps) &&
      (if existsb may_be_paired steps then phases (2 * together q) at_most_so else true).
  End At.
  Definition costs_in (h : env) : bool := costs_at (pv h outer) (map (pv h) rests).

  (* What is so of the members of one class: `start` and `moved` are of the one that is looked at. *)
  Variables (start start' : Z) (moved moved' : list Z).
  Definition address (n : Z) : Z := start' + swizzle sw (nth (Z.to_nat n) numbers 0 + nth (kind n) moved' 0).
  Hypothesis F : is_field sw = true.
  Hypothesis E0 : 1 <= element q.
  Hypothesis U0 : 1 <= unit_bits q.
  Hypothesis P0 : 1 <= places q.
  Hypothesis T0 : 1 <= together q.
  Hypothesis M0 : 0 <= most q.
  Hypothesis WU : (width q | unit_bits q).
  Hypothesis W0 : 1 <= width q.
  Hypothesis RU : (unit_bits q * places q | element q * round).
  Hypothesis RR : (2 ^ reach sw | round).
  Hypothesis SO : (unit_bits q | element q * (start' - start)).
  Hypothesis MO : forall k, (round | nth k moved' 0 - nth k moved 0).
  Hypothesis FAR : forall m n, is_far m n = true -> unit_bits q <= element q * Z.abs (address m - address n).
  Hypothesis STEPS : pairs q = true -> forall s, s = 1 \/ s = 2 -> paired address count s -> In s steps.

  Definition turn (k : nat) : Z := element q * (nth k moved' 0 - nth k moved 0) / (unit_bits q * places q).
  Definition ahead : Z := element q * (start' - start) / unit_bits q.
  Lemma address_bits n : element q * address n = bits_at start moved n + unit_bits q * (ahead + places q * turn (kind n)).
  Proof.
    unfold address, bits_at, inside, ahead, turn. set (a := nth (Z.to_nat n) numbers 0). set (k := kind n).
    destruct SO as [s S]. destruct (MO k) as [t M]. destruct RR as [r R]. destruct RU as [u V].
    replace (a + nth k moved' 0) with (a + nth k moved 0 + 2 ^ reach sw * (r * t)) by lia.
    rewrite swizzle_beyond by auto. rewrite S, M, Z.div_mul by lia.
    replace (element q * (t * round)) with (t * (element q * round)) by ring. rewrite V.
    replace (t * (u * (unit_bits q * places q))) with ((t * u) * (unit_bits q * places q)) by ring.
    rewrite Z.div_mul by nia. set (x := swizzle sw (a + nth k moved 0)).
    replace (2 ^ reach sw * (r * t)) with (t * round) by (rewrite R; ring).
    replace (element q * (start' + (x + t * round))) with
      (element q * (start + x) + element q * (start' - start) + t * (element q * round)) by ring.
    rewrite S, V. ring.
  Qed.
  (* The unit that a lane needs, by its kind and the one that it needs in the class. *)
  Definition unit_of (x : nat * Z) : Z := snd x + ahead + places q * turn (fst x).
  Lemma unit_at n : element q * address n / unit_bits q = unit_of (snd (tag start moved n)).
  Proof.
    rewrite address_bits. unfold unit_of, tag. cbn [fst snd]. rewrite Z.mul_comm with (n := unit_bits q), Z.div_add by lia. lia.
  Qed.
  Lemma same_place x y : (unit_of (snd y) mod places q =? unit_of (snd x) mod places q) = (place y =? place x).
  Proof.
    unfold unit_of, place. set (u := snd (snd x)). set (v := snd (snd y)).
    assert (X : forall w k, (w + ahead + places q * k) mod places q = (w mod places q + ahead) mod places q).
    { intros w k. rewrite Z.mul_comm, Z.mod_add by lia. now rewrite Z.add_mod_idemp_l by lia. }
    rewrite !X. pose proof (Z.mod_pos_bound u (places q) ltac:(lia)). pose proof (Z.mod_pos_bound v (places q) ltac:(lia)).
    destruct (Z.eqb_spec (v mod places q) (u mod places q)) as [->|N]; [apply Z.eqb_refl|].
    apply Z.eqb_neq. intro E. apply N.
    assert (D : (places q | v mod places q - u mod places q)) by (apply (congruent _ _ ahead); auto; lia).
    destruct D as [d D]. clear - D H H0 P0. destruct (Z.lt_trichotomy d 0) as [L|[->|L]]; nia.
  Qed.
  Lemma units_of k n : map (fun m => element q * address m / unit_bits q) (phase k count n) =
    map (fun x => unit_of (snd x)) (map (tag start moved) (phase k count n)).
  Proof. rewrite map_map. apply map_ext. intro m. apply unit_at. Qed.
  Lemma at_most_ok k n : at_most_so (map (tag start moved) (phase k count n)) = true -> phase_cost q address k count n <= most q.
  Proof.
    unfold phase_cost. rewrite units_of. set (ps := map _ _). intro H. unfold at_most_so in H. rewrite forallb_forall in H.
    apply cost_most; auto. intros u I. apply in_map_iff in I as (x & <- & X). specialize (H (place x) ltac:(apply nodup_In, in_map, X)). apply Z.leb_le in H.
    rewrite filter_map, (filter_ext _ _ (same_place x)).
    set (l := filter _ ps) in *. rewrite <- (map_map snd unit_of). etransitivity; [|exact H].
    apply Nat2Z.inj_le, nodup_map_length.
  Qed.
  Lemma differ_ok m n : differ (tag start moved m) (tag start moved n) = true ->
    unit_of (snd (tag start moved m)) <> unit_of (snd (tag start moved n)).
  Proof.
    unfold differ. cbn [fst snd tag]. destruct (Nat.eqb_spec (kind m) (kind n)) as [K|K].
    - rewrite negb_true_iff, Z.eqb_neq. unfold unit_of. cbn [fst snd]. rewrite K. lia.
    - intros H E. apply FAR in H. change (unit_of (snd (tag start moved m)) = unit_of (snd (tag start moved n))) in E.
      rewrite <- !unit_at in E.
      pose proof (Z.div_mod (element q * address m) (unit_bits q) ltac:(lia)).
      pose proof (Z.mod_pos_bound (element q * address m) (unit_bits q) ltac:(lia)).
      pose proof (Z.div_mod (element q * address n) (unit_bits q) ltac:(lia)).
      pose proof (Z.mod_pos_bound (element q * address n) (unit_bits q) ltac:(lia)).
      rewrite E in *. nia.
  Qed.
  Lemma chosen_ok b ps : forall found, incl found ps \/ True ->
    (forall x, In x ps \/ In x found -> exists n, x = tag start moved n) ->
    (forall x, In x found -> place x = b) -> NoDup (map (fun x => unit_of (snd x)) found) ->
    let l := chosen b ps found in
    (forall x, In x l -> (In x ps \/ In x found) /\ place x = b) /\ NoDup (map (fun x => unit_of (snd x)) l).
  Proof.
    induction ps as [|x ps IH]; intros found _ T B N; [simpl; auto|]. cbn [chosen].
    destruct ((place x =? b) && forallb (differ x) found) eqn:C.
    - apply andb_true_iff in C as [C D]. apply Z.eqb_eq in C. rewrite forallb_forall in D.
      destruct (IH (x :: found)) as [I J]; auto.
      + intros y [Y|[<-|Y]]; apply T; simpl; auto.
      + intros y [<-|Y]; auto.
      + simpl. constructor; auto. intro I. apply in_map_iff in I as (y & E & Y).
        destruct (T x (or_introl (or_introl eq_refl))) as [m ->]. destruct (T y (or_intror Y)) as [n ->].
        now apply (differ_ok m n (D _ Y)).
      + split; auto. intros y Y. destruct (I y Y) as [[Q|[<-|Q]] R]; simpl; auto.
    - destruct (IH found) as [I J]; auto.
      + intros y [Y|Y]; apply T; simpl; auto.
      + split; auto. intros y Y. destruct (I y Y) as [[Q|Q] R]; simpl; auto.
  Qed.
  Lemma at_least_ok k n : 1 <= k -> 0 <= n < count -> at_least_so (map (tag start moved) (phase k count n)) = true ->
    least q <= phase_cost q address k count n.
  Proof.
    intros K I. unfold phase_cost. rewrite units_of. set (ps := map (tag start moved) _). unfold at_least_so. rewrite orb_true_iff, Z.leb_le, existsb_exists.
    intros [H|(b & X & H)].
    - assert (C : forall us, 0 <= cost (places q) us) by (intro us; unfold cost; induction (map _ us); simpl; lia). specialize (C (map (fun x => unit_of (snd x)) ps)). lia.
    - apply nodup_In, in_map_iff in X as (x & <- & X). apply Z.leb_le in H. destruct (chosen_ok (place x) ps []) as [A N]; auto.
      + intros y [Y|[]]. apply in_map_iff in Y as (m & <- & _). eauto.
      + intros y [].
      + constructor.
      + set (l := chosen (place x) ps []) in *. etransitivity; [exact H|].
        etransitivity; [|apply (cost_least _ _ (unit_of (snd x))); apply in_map_iff; now exists x].
        apply Nat2Z.inj_le. rewrite <- (map_length (fun x : tagged => unit_of (snd x)) l). apply NoDup_incl_length; auto.
        intros u U. apply in_map_iff in U as (y & <- & Y). destruct (A y Y) as [[Q|[]] R]. apply nodup_In, filter_In. split; [apply in_map_iff; now exists y|].
        rewrite same_place. now apply Z.eqb_eq.
  Qed.
  Lemma phases_ok k so : 1 <= k -> phases start moved k so = true -> forall n, 0 <= n < count -> so (map (tag start moved) (phase k count n)) = true.
  Proof.
    intros K H n N. unfold phases in H. rewrite forallb_forall in H. specialize (H (n / k * k)).
    pose proof (Z.div_mod n k ltac:(lia)). pose proof (Z.mod_pos_bound n k ltac:(lia)). assert (0 <= n / k) by (apply Z.div_pos; lia).
    rewrite Z.mod_mul in H by lia. simpl in H.
    assert (P : phase k count (n / k * k) = phase k count n) by (unfold phase; now rewrite Z.div_mul by lia).
    rewrite P in H. apply H, below_in. nia.
  Qed.
  Theorem costs_at_ok : costs_at start moved = true -> served q address count.
  Proof.
    unfold costs_at. rewrite !andb_true_iff. intros [[A B] C] n N. rewrite forallb_forall in A. split; [|split].
    - specialize (A n (proj2 (below_in _ _) N)). apply Z.eqb_eq in A. rewrite address_bits. destruct WU as [w W]. rewrite W.
      replace (w * width q * (ahead + places q * turn (kind n))) with (w * (ahead + places q * turn (kind n)) * width q) by ring.
      rewrite Z.mod_add by lia. exact A.
    - pose proof (phases_ok _ _ T0 B n N) as H. apply andb_true_iff in H as [H1 H2].
      split; [now apply at_least_ok|now apply at_most_ok].
    - intros Q P. destruct (existsb (may_be_paired moved) steps) eqn:D; [|exfalso].
      2: { assert (X : existsb (may_be_paired moved) steps = true); [|congruence].
        apply existsb_exists. assert (S : exists s, (s = 1 \/ s = 2) /\ paired address count s) by (destruct P; eauto).
        destruct S as (s & S1 & S2). exists s. split; [now apply STEPS|]. unfold may_be_paired. apply forallb_forall. intros m M.
        apply below_in in M. apply orb_true_iff. destruct (Z.leb_spec count (Z.lxor m s)) as [L|L]; auto. right.
        specialize (S2 m M L). unfold address in S2. unfold may_be_one, inside. set (m' := Z.lxor m s) in *.
        assert (E : nth (Z.to_nat m) numbers 0 + nth (kind m) moved' 0 = nth (Z.to_nat m') numbers 0 + nth (kind m') moved' 0).
        { apply (swizzle_injective sw); auto. lia. }
        cbv zeta. destruct (Nat.eqb_spec (kind m) (kind m')) as [K|K]; apply Z.eqb_eq; [rewrite K in *; lia|].
        apply Z.mod_divide; [pose proof (Z.pow_pos_nonneg 2 (reach sw)); unfold round; intro; destruct sw as [[b0 b1] b2]; unfold is_field, reach in *; rewrite !andb_true_iff, !Z.leb_le in F; lia|].
        destruct (MO (kind m)) as [s1 D1], (MO (kind m')) as [s2 D2]. exists (s2 - s1). lia. }
      pose proof (phases_ok (2 * together q) _ ltac:(lia) C n N). now apply at_most_ok.
  Qed.
End Class.
