(* Claims in numbers, decided over all coordinates: true just where they hold. *)
Require Import ZArith List Bool Lia MSetPositive.
From Symcute Require Import Data Terms Layouts Service Claims.
Import ListNotations.
Open Scope Z_scope.

Fixpoint coordinates (L : layout) : list (list Z) :=
  match L with [] => [[]] | m :: L => let r := coordinates L in
    flat_map (fun x => map (cons x) r) (below (fst m)) end.
Lemma coordinates_in L : forall c, In c (coordinates L) <-> valid L c.
Proof.
  induction L as [|m L IH]; intro c; simpl.
  - split; [intros [<-|[]]; constructor|]. intro V. inversion V. auto.
  - rewrite in_flat_map. split.
    + intros (x & X & C). apply in_map_iff in C as (d & <- & D). constructor; [now apply below_in|now apply IH].
    + intro V. inversion V; subst. exists x. split; [now apply below_in|]. apply in_map. now apply IH.
Qed.
Fixpoint offsets (L : layout) : list Z :=
  match L with [] => [0] | m :: L => let r := offsets L in
    flat_map (fun x => let y := x * snd m in map (fun z => y + z) r) (below (fst m)) end.
Lemma flat_map_map {A B C} (f : B -> C) (g : A -> list B) l :
  map f (flat_map g l) = flat_map (fun x => map f (g x)) l.
Proof. induction l; simpl; auto. rewrite map_app. congruence. Qed.
Lemma offsets_ok L : offsets L = map (fun c => offset c L) (coordinates L).
Proof.
  induction L as [|[s d] L IH]; simpl; auto. rewrite flat_map_map. apply flat_map_ext. intro x.
  rewrite IH, !map_map. reflexivity.
Qed.
Definition admits (G : list (layout * Z)) (c : list Z) : bool := forallb (fun g => offset c (fst g) <? snd g) G.
Lemma admits_ok G c : admits G c = true <-> admitted G c.
Proof.
  unfold admits, admitted. rewrite forallb_forall, Forall_forall. split; intros H g I; apply H in I; now apply Z.ltb_lt.
Qed.
(* The offsets at the coordinates that guards admit, in order. *)
Definition images (L : layout) (G : list (layout * Z)) : list Z :=
  match G with [] => offsets L | _ => map (fun c => offset c L) (filter (admits G) (coordinates L)) end.
Lemma images_map L G : images L G = map (fun c => offset c L) (filter (admits G) (coordinates L)).
Proof.
  unfold images. destruct G; auto. rewrite offsets_ok. f_equal. unfold admits. simpl.
  induction (coordinates L) as [|c l IH]; simpl; congruence.
Qed.
Lemma images_in L G y : In y (images L G) <-> exists c, valid L c /\ admitted G c /\ offset c L = y.
Proof.
  rewrite images_map, in_map_iff. setoid_rewrite filter_In. setoid_rewrite coordinates_in.
  setoid_rewrite admits_ok. split; intros (c & H); exists c; tauto.
Qed.

Definition code (x : Z) : positive := match x with 0 => xH | Zpos p => xO p | Zneg p => xI p end.
Lemma code_inj x y : code x = code y -> x = y.
Proof. destruct x, y; simpl; congruence. Qed.
Definition set_of (l : list Z) : PositiveSet.t := fold_right (fun x s => PositiveSet.add (code x) s) PositiveSet.empty l.
Definition has (s : PositiveSet.t) (x : Z) : bool := PositiveSet.mem (code x) s.
Lemma has_ok l x : has (set_of l) x = true <-> In x l.
Proof.
  unfold has. rewrite PositiveSet.mem_spec. induction l as [|y l IH]; simpl.
  - split; [intro H; now apply PositiveSet.empty_spec in H|tauto].
  - rewrite PositiveSet.add_spec, IH. split; intros [H|H]; auto; left; [symmetry|]; [now apply code_inj|congruence].
Qed.
Fixpoint distinct_from (seen : PositiveSet.t) (l : list Z) : bool :=
  match l with [] => true | x :: l => if PositiveSet.mem (code x) seen then false
    else distinct_from (PositiveSet.add (code x) seen) l end.
Lemma distinct_from_ok l : forall seen, distinct_from seen l = true <->
  NoDup l /\ forall x, In x l -> ~ PositiveSet.In (code x) seen.
Proof.
  induction l as [|a l IH]; intro seen; simpl; [split; auto; intros _; split; [constructor|intros ? []]|].
  destruct (PositiveSet.mem (code a) seen) eqn:E.
  - split; [discriminate|]. intros [_ H]. apply PositiveSet.mem_spec in E. exfalso. apply (H a); auto.
  - rewrite IH. assert (E' : ~ PositiveSet.In (code a) seen) by (rewrite <- PositiveSet.mem_spec, E; discriminate).
    split.
    + intros [N F]. split.
      * constructor; auto. intro I. apply (F a I), PositiveSet.add_spec. auto.
      * intros x [<-|I] J; [auto|]. apply (F x I), PositiveSet.add_spec. auto.
    + intros [N F]. inversion N as [|? ? N1 N2]; subst. split; auto. intros x I J. apply PositiveSet.add_spec in J as [J|J].
      * apply code_inj in J. subst. auto.
      * apply (F x); auto.
Qed.
Lemma nodup_map {A B} (f : A -> B) l a b : NoDup (map f l) -> In a l -> In b l -> f a = f b -> a = b.
Proof.
  induction l as [|c l IH]; simpl; intros N IA IB E; [tauto|]. inversion N; subst.
  destruct IA as [<-|IA], IB as [<-|IB]; auto; exfalso; apply H1;
    [rewrite E|rewrite <- E]; now apply in_map.
Qed.
Lemma nodup_map_inj {A B} (f : A -> B) l : NoDup l -> (forall a b, In a l -> In b l -> f a = f b -> a = b) -> NoDup (map f l).
Proof.
  induction 1 as [|x l N D IH]; simpl; intro H; constructor.
  - rewrite in_map_iff. intros (y & E & I). apply N. rewrite <- (H y x); auto.
  - apply IH. auto.
Qed.
Lemma nodup_apart {A} (a b : list A) : NoDup a -> NoDup b -> (forall x, In x a -> ~ In x b) -> NoDup (a ++ b).
Proof.
  induction 1 as [|x a N D IH]; simpl; auto. intros NB H. constructor.
  - rewrite in_app_iff. intros [I|I]; [auto|]. now apply (H x (or_introl eq_refl)).
  - apply IH; auto.
Qed.
Lemma coordinates_nodup L : NoDup (coordinates L).
Proof.
  induction L as [|m L IH]; simpl; [repeat constructor; auto|].
  generalize (below_nodup (fst m)). generalize (below (fst m)) as l. induction l as [|x l IHl]; simpl; intro N; [constructor|].
  inversion N; subst. apply nodup_apart; auto.
  - apply nodup_map_inj; auto. intros. congruence.
  - intros c C D. apply in_map_iff in C as (d & <- & _). apply in_flat_map in D as (y & Y & D).
    apply in_map_iff in D as (d' & E & _). congruence.
Qed.
Lemma filter_nodup {A} (f : A -> bool) l : NoDup l -> NoDup (filter f l).
Proof.
  induction 1 as [|x l N D IH]; simpl; [constructor|]. destruct (f x); auto. constructor; auto.
  rewrite filter_In. tauto.
Qed.

Definition is_vector (L : layout) (v : Z) (sw : fields) (x behind i : Z) : bool :=
  let first := swizzle sw (x + at_index L i) in
  ((behind + first) mod v =? 0) &&
  forallb (fun k => swizzle sw (x + at_index L (i + k)) =? first + k) (below v).
Fixpoint is_true (c : claim Z bool) : bool :=
  match c with
  | Injective L G => distinct_from PositiveSet.empty (images L G)
  | InBounds L G sw x b => forallb (fun y => let z := swizzle sw (x + y) in (0 <=? z) && (z <? b)) (images L G)
  | Covers L b => let s := set_of (images L []) in forallb (has s) (below b)
  | Disjoint A B => let s := set_of (images B []) in forallb (fun y => negb (has s y) || (y =? 0)) (images A [])
  | Apart A B x => let s := set_of (images B []) in forallb (fun y => negb (has s (y - x))) (images A [])
  | SameImage A B => let a := images A [] in let b := images B [] in
    let s := set_of a in let t := set_of b in forallb (has t) a && forallb (has s) b
  | Agree l r D sw sw' x y =>
    forallb (fun i => swizzle sw (x + through l i) =? swizzle sw' (y + through r i)) (below (size D))
  | Vectors L v sw x behind => (size L mod v =? 0) &&
    forallb (fun i => negb (i mod v =? 0) || is_vector L v sw x behind i) (below (size L))
  | Requests L lanes q sw x behind => let A := firstn lanes L in
    forallb (fun y => serves q (fun n => behind + swizzle sw (x + (at_index A n + y))) (size A)) (images (skipn lanes L) [])
  | Holds f => f
  | Either cs => (fix some l := match l with [] => false | c :: l => is_true c || some l end) cs
  | Denied c => negb (is_true c)
  end.
Arguments images : simpl never.
Lemma reached_in L y : reached L y <-> In y (images L []).
Proof. rewrite images_in. split; intros (c & H); exists c; repeat split; try tauto; constructor. Qed.
Theorem is_true_ok c : is_true c = true <-> meaning c.
Proof.
  induction c as [L G|L G sw x b|L b|A B|A B x|A B|l r D sw sw' x y|L v sw x b|L n q sw x b|f|cs IH|c IH] using claim_induction; simpl.
  - rewrite distinct_from_ok, images_map. split.
    + intros [N _] c c' V V' M M' E. eapply nodup_map; eauto; apply filter_In; rewrite coordinates_in, admits_ok; auto.
    + intro H. split; [|intros y _ I; now apply PositiveSet.empty_spec in I]. apply nodup_map_inj.
      * apply filter_nodup, coordinates_nodup.
      * intros c c' I I' E. apply filter_In in I as [V M]. apply filter_In in I' as [V' M'].
        rewrite coordinates_in in V, V'. rewrite admits_ok in M, M'. auto.
  - rewrite forallb_forall. split.
    + intros H c V M. specialize (H (offset c L)). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in H.
      apply H, images_in. eauto.
    + intros H y Y. apply images_in in Y as (c & V & M & <-). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. auto.
  - rewrite forallb_forall. setoid_rewrite has_ok. setoid_rewrite below_in. setoid_rewrite reached_in. reflexivity.
  - rewrite forallb_forall. setoid_rewrite reached_in. split.
    + intros H y I J. apply H in I. apply orb_true_iff in I as [I|I]; [|now apply Z.eqb_eq].
      apply has_ok in J. now rewrite J in I.
    + intros H y I. destruct (has _ y) eqn:E; auto. simpl. apply Z.eqb_eq, H; auto. now apply has_ok.
  - rewrite forallb_forall. setoid_rewrite reached_in. split.
    + intros H y z I J E. apply H in I. subst. replace (x + z - x) with z in I by lia.
      apply has_ok in J. now rewrite J in I.
    + intros H y I. destruct (has _ (y - x)) eqn:E; auto. apply has_ok in E. exfalso. apply (H y (y - x) I E). lia.
  - rewrite andb_true_iff, !forallb_forall. setoid_rewrite has_ok. setoid_rewrite reached_in.
    split; [intros [H J] y; split; auto|intro H; split; intros y; apply H].
  - rewrite forallb_forall. setoid_rewrite below_in. setoid_rewrite Z.eqb_eq. reflexivity.
  - rewrite andb_true_iff, Z.eqb_eq, forallb_forall. setoid_rewrite below_in.
    apply and_iff_compat_l. assert (E : forall i, is_vector L v sw x b i = true <->
      (b + swizzle sw (x + at_index L i)) mod v = 0 /\
      forall k, 0 <= k < v -> swizzle sw (x + at_index L (i + k)) = swizzle sw (x + at_index L i) + k).
    { intro i. unfold is_vector. rewrite andb_true_iff, Z.eqb_eq, forallb_forall. setoid_rewrite below_in.
      setoid_rewrite Z.eqb_eq. reflexivity. }
    split.
    + intros H i I J. specialize (H i I). rewrite J in H. simpl in H. now apply E.
    + intros H i I. destruct (Z.eqb_spec (i mod v) 0); auto.
      simpl. apply E. auto.
  - rewrite forallb_forall. split.
    + intros H c V. apply serves_ok, H, images_in. exists c. repeat split; auto. constructor.
    + intros H y Y. apply images_in in Y as (c & V & _ & <-). apply serves_ok. auto.
  - reflexivity.
  - induction IH as [|c l C L IHl]; [easy|]. now rewrite orb_true_iff, C, IHl.
  - rewrite <- IH. destruct (is_true c); simpl; now split.
Qed.
