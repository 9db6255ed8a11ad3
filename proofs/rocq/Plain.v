(* Statements in plain mathematics over Z, without terms, and that what is accepted holds of them. *)
Require Import ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Sums Ways Settling Layouts Service Claims Evaluation Parts Denials Requests Certificates.
Import ListNotations.
Open Scope Z_scope.

Fixpoint every_of (l : list Prop) : Prop := match l with [] => True | P :: l => match l with [] => P | _ => P /\ every_of l end end.
Fixpoint one_of (l : list Prop) : Prop := match l with [] => False | P :: l => match l with [] => P | _ => P \/ one_of l end end.
Lemma every_of_ok l : every_of l <-> Forall (fun P => P) l.
Proof.
  induction l as [|P l IH]; [split; constructor|]. rewrite Forall_cons_iff, <- IH.
  clear IH. destruct l as [|Q l]; [split; [intro H; split; [exact H|exact I]|intros [H _]; exact H]|reflexivity].
Qed.
Lemma one_of_ok l : one_of l <-> exists P : Prop, In P l /\ P.
Proof.
  induction l as [|P l IH]; [split; [intros []|intros (P & [] & _)]|].
  transitivity (P \/ one_of l); [clear IH; destruct l; [split; [intro H; left; exact H|intros [H|[]]; exact H]|reflexivity]|]. rewrite IH. split.
  - intros [H|(Q & I & H)]; [exists P|exists Q]; simpl; auto.
  - intros (Q & [<- | I] & H); [auto|right; eauto].
Qed.

(* A formula, with the values that its operators have at all numbers. *)
Fixpoint says (e : env) (f : form) : Prop :=
  match f with
  | Rel Eq a b => tv e a = tv e b | Rel Ne a b => tv e a <> tv e b
  | Rel Le a b => tv e a <= tv e b | Rel Lt a b => tv e a < tv e b
  | Rel Divides a b => tv e a <> 0 /\ tv e b mod tv e a = 0
  | And l => every_of (map (says e) l) | Or l => one_of (map (says e) l)
  | Not f => ~ says e f | Implies f g => says e f -> says e g
  end.
Lemma says_ok e f : fv e f = true <-> says e f.
Proof.
  induction f as [r a b|l IH|l IH|f IH|f g IHf IHg] using form_induction; cbn [says].
  - destruct r; simpl.
    + apply Z.eqb_eq. + rewrite negb_true_iff. apply Z.eqb_neq. + apply Z.leb_le. + apply Z.ltb_lt.
    + rewrite andb_true_iff, negb_true_iff, Z.eqb_neq, Z.eqb_eq. reflexivity.
  - rewrite every_of_ok, Forall_map. simpl. rewrite forallb_forall, Forall_forall. rewrite Forall_forall in IH.
    split; intros H f I; apply IH; auto.
  - rewrite one_of_ok. simpl. rewrite existsb_exists. rewrite Forall_forall in IH. split.
    + intros (f & I & H). exists (says e f). split; [now apply in_map|]. now apply IH.
    + intros (P & I & H). apply in_map_iff in I as (f & <- & I). exists f. split; auto. now apply IH.
  - rewrite <- IH. simpl. destruct (fv e f); simpl; intuition congruence.
  - rewrite <- IHf, <- IHg. simpl. destruct (fv e f), (fv e g); simpl; intuition congruence.
Qed.

(* --- layouts as functions of their coordinates -------------------------------------------------------------- *)

Fixpoint each (L : layout) (P : list Z -> Prop) : Prop :=
  match L with [] => P [] | m :: L => forall x, 0 <= x < fst m -> each L (fun c => P (x :: c)) end.
Fixpoint some (L : layout) (P : list Z -> Prop) : Prop :=
  match L with [] => P [] | m :: L => exists x, 0 <= x < fst m /\ some L (fun c => P (x :: c)) end.
Lemma each_ok L : forall P, each L P <-> forall c, valid L c -> P c.
Proof.
  induction L as [|m L IH]; intro P; simpl.
  - split; [intros H c V; inversion V; auto|intro H; apply H; constructor].
  - split.
    + intros H c V. inversion V as [|x ? c' ? X V']; subst. now apply (proj1 (IH (fun c => P (x :: c))) (H x X)).
    + intros H x X. apply IH. intros c V. apply H. now constructor.
Qed.
Lemma some_ok L : forall P, some L P <-> exists c, valid L c /\ P c.
Proof.
  induction L as [|m L IH]; intro P; simpl.
  - split; [intro H; exists []; split; auto; constructor|]. intros (c & V & H). inversion V. now subst.
  - split.
    + intros (x & X & H). apply IH in H as (c & V & H). exists (x :: c). split; auto. now constructor.
    + intros (c & V & H). inversion V as [|x ? c' ? X V']; subst. exists x. split; auto. apply IH. eauto.
Qed.
Fixpoint at_ (c : list Z) (L : layout) : Z :=
  match c, L with
  | x :: c, m :: L => match c, L with [], [] => x * snd m | _, _ => x * snd m + at_ c L end | _, _ => 0 end.
Lemma at_ok c : forall L, at_ c L = offset c L.
Proof.
  induction c as [|x c IH]; intros [|[s d] L]; auto. cbn [at_ offset snd]. rewrite IH.
  destruct c, L; simpl; try lia; destruct m; lia.
Qed.
Fixpoint count (L : layout) : Z := match L with [] => 1 | m :: L => match L with [] => fst m | _ => fst m * count L end end.
Lemma count_ok L : count L = size L.
Proof. induction L as [|m L IH]; auto. unfold size in *. cbn [count fold_right]. rewrite <- IH. destruct L; simpl; lia. Qed.
Fixpoint same (c c' : list Z) : Prop :=
  match c, c' with x :: c, y :: c' => match c with [] => x = y | _ => x = y /\ same c c' end | _, _ => True end.
Lemma same_ok L c : forall c', valid L c -> valid L c' -> same c c' <-> c = c'.
Proof.
  revert c. induction L as [|m L IH]; intros c c' V V'; inversion V as [|x ? c1 ? X V1]; subst; inversion V' as [|y ? c2 ? Y V2]; subst; [now split|].
  specialize (IH c1 c2 V1 V2). assert (E : same (x :: c1) (y :: c2) <-> x = y /\ same c1 c2).
  { cbn [same]. destruct c1; [|reflexivity]. cbn [same]. tauto. }
  rewrite E, IH. split; [intros [-> ->]; auto|intro H; injection H; auto].
Qed.
Definition admitting (G : list (layout * Z)) (c : list Z) (P : Prop) : Prop := fold_right (fun g (P : Prop) => at_ c (fst g) < snd g -> P) P G.
Lemma admitting_ok G c P : admitting G c P <-> (admitted G c -> P).
Proof.
  unfold admitting, admitted. induction G as [|g G IH]; simpl; [split; auto; intro H; apply H; constructor|].
  rewrite IH, Forall_cons_iff, at_ok. tauto.
Qed.
Definition behind (e : env) (x : term) (y : Z) : Z := match x with Int 0 => y | _ => tv e x + y end.
Lemma behind_ok e x y : behind e x y = tv e x + y.
Proof. unfold behind. destruct x as [[]| | | |]; simpl; lia. Qed.
Definition swizzled (sw : fields) (y : Z) : Z := if plain_fields sw then y else swizzle sw y.
Lemma swizzled_ok sw y : swizzled sw y = swizzle sw y.
Proof. unfold swizzled. destruct (plain_fields sw) eqn:E; auto. now rewrite plain_ok. Qed.

Fixpoint plain (e : env) (c : primitive_claim) : Prop :=
  match c with
  | Injective L G => each (lay e L) (fun c => each (lay e L) (fun c' =>
      admitting (guards_at e G) c (admitting (guards_at e G) c' (at_ c (lay e L) = at_ c' (lay e L) -> same c c'))))
  | InBounds L G sw x b => each (lay e L) (fun c => admitting (guards_at e G) c
      (0 <= swizzled sw (behind e x (at_ c (lay e L))) < tv e b))
  | Covers L b => forall y, 0 <= y < tv e b -> some (lay e L) (fun c => at_ c (lay e L) = y)
  | Disjoint A B => each (lay e A) (fun c => each (lay e B) (fun c' =>
      at_ c (lay e A) = at_ c' (lay e B) -> at_ c (lay e A) = 0))
  | Apart A B x => each (lay e A) (fun c => each (lay e B) (fun c' => at_ c (lay e A) <> behind e x (at_ c' (lay e B))))
  | SameImage A B => forall y, some (lay e A) (fun c => at_ c (lay e A) = y) <-> some (lay e B) (fun c => at_ c (lay e B) = y)
  | Agree l r D sw sw' x y => forall i, 0 <= i < count (lay e D) ->
      swizzled sw (behind e x (through (map (lay e) l) i)) = swizzled sw' (behind e y (through (map (lay e) r) i))
  | Vectors L v sw x b => count (lay e L) mod v = 0 /\ forall i, 0 <= i < count (lay e L) -> i mod v = 0 ->
      (behind e b (swizzled sw (behind e x (at_index (lay e L) i)))) mod v = 0 /\ forall k, 0 <= k < v ->
      swizzled sw (behind e x (at_index (lay e L) (i + k))) = swizzled sw (behind e x (at_index (lay e L) i)) + k
  | Requests L lanes q sw x b => each (lay e (skipn lanes L)) (fun c => served q
      (fun n => behind e b (swizzled sw (behind e x (at_index (lay e (firstn lanes L)) n + at_ c (lay e (skipn lanes L))))))
      (count (lay e (firstn lanes L))))
  | Holds f => says e f
  | Either cs => one_of (map (plain e) cs)
  | Denied c => ~ plain e c
  end.
Theorem plain_meaning e c : plain e c <-> meaning (instance e c).
Proof.
  induction c as [L G|L G sw x b|L b|A B|A B x|A B|l r D sw sw' x y|L v sw x b|L n q sw x b|f|cs IH|c IH] using claim_induction; cbn [plain instance meaning].
  - rewrite each_ok. setoid_rewrite each_ok. setoid_rewrite admitting_ok. setoid_rewrite admitting_ok. setoid_rewrite at_ok.
    split; intros H c V; [intros c' V' A A' E|intros c' V' A A' E].
    + apply (same_ok (lay e L)); auto.
    + apply (same_ok (lay e L)); auto.
  - rewrite each_ok. setoid_rewrite admitting_ok. setoid_rewrite swizzled_ok. setoid_rewrite behind_ok. setoid_rewrite at_ok. reflexivity.
  - setoid_rewrite some_ok. setoid_rewrite at_ok. reflexivity.
  - rewrite each_ok. setoid_rewrite each_ok. setoid_rewrite at_ok. split.
    + intros H y (c & V & <-) (c' & V' & E). eauto.
    + intros H c V c' V' E. apply H; [exists c|exists c']; auto.
  - rewrite each_ok. setoid_rewrite each_ok. setoid_rewrite behind_ok. setoid_rewrite at_ok. split.
    + intros H y z (c & V & <-) (c' & V' & <-). auto.
    + intros H c V c' V'. apply H; [exists c|exists c']; auto.
  - setoid_rewrite some_ok. setoid_rewrite at_ok. reflexivity.
  - rewrite count_ok. setoid_rewrite swizzled_ok. setoid_rewrite behind_ok. reflexivity.
  - rewrite count_ok. setoid_rewrite behind_ok. setoid_rewrite swizzled_ok. setoid_rewrite behind_ok. reflexivity.
  - rewrite each_ok, count_ok. assert (S : skipn n (lay e L) = lay e (skipn n L) /\ firstn n (lay e L) = lay e (firstn n L)).
    { unfold lay. now rewrite skipn_map, firstn_map. }
    destruct S as [S F]. unfold mode in *. rewrite S, F.
    assert (X : forall c, served q (fun k => behind e b (swizzled sw (behind e x (at_index (lay e (firstn n L)) k + at_ c (lay e (skipn n L))))))
        (size (lay e (firstn n L))) <-> served q (fun k => tv e b + swizzle sw (tv e x + (at_index (lay e (firstn n L)) k + offset c (lay e (skipn n L)))))
        (size (lay e (firstn n L)))).
    { intro c. split; intro S0; refine (served_ext q _ _ _ _ S0); intros k K; now rewrite !behind_ok, swizzled_ok, at_ok. }
    split; intros H c V; apply X; auto.
  - symmetry. apply says_ok.
  - rewrite one_of_ok, some_of. rewrite Forall_forall in IH. split.
    + intros (P & I & H). apply in_map_iff in I as (c & <- & I). exists (instance e c). split; [now apply in_map|]. now apply IH.
    + intros (d & I & H). apply in_map_iff in I as (c & <- & I). exists (plain e c). split; [now apply in_map|]. now apply IH.
  - now rewrite IH.
Qed.

(* --- statements ----------------------------------------------------------------------------------------------- *)

(* Dims by their names, the others 0. *)
Definition at_dims (l : list (positive * Z)) : env := fun n => match assoc n l with Some z => z | None => 0 end.
(* What the lower bounds of dims say already. *)
Definition obvious (dims : lower_bounds) (f : form) : bool :=
  match f with Rel Le (Int a) (Dim n) => match assoc n dims with Some c => a <=? c | None => false end | _ => false end.
Definition once (l : list form) : list form := fold_right (fun f l => if member f l then l else f :: l) [] l.
(* Where dims are at least their lower bounds, and what is given holds, with values, what is stated is so. *)
Definition plain_statement (s : statement) (e : env) : Prop :=
  fold_right (fun d (P : Prop) => snd d <= e (fst d) -> P)
    (fold_right (fun f (P : Prop) => fold_right (fun g (P : Prop) => says e g -> P) (says e f -> P) (once (filter (fun g => negb (obvious (s_dims s) g)) (asks f))))
      (every_of (map (says e) (once (filter (fun f => negb (obvious (s_dims s) f)) (s_defined s))) ++ map (plain e) (s_parts s)))
      (s_given s)) (s_dims s).
Lemma arrows {A} (Q : A -> Prop) (P : Prop) l : (Forall Q l -> P) -> fold_right (fun x (P : Prop) => Q x -> P) P l.
Proof. induction l as [|x l IH]; simpl; intro H; [apply H; constructor|]. intro X. apply IH. intro F. apply H. now constructor. Qed.
Lemma once_in l f : In f l <-> In f (once l).
Proof.
  induction l as [|g l IH]; simpl; [tauto|]. destruct (member g (once l)) eqn:E.
  - apply member_in in E. rewrite <- IH. split; [intros [<- | H]; auto; now apply IH|auto].
  - simpl. rewrite IH. tauto.
Qed.
Lemma obvious_ok dims e f : within_bounds dims e -> obvious dims f = true -> fv e f = true.
Proof.
  intros B H. destruct f as [[] [a| | | |] [|n| | |]| | | |]; try discriminate. simpl in H.
  destruct (assoc n dims) as [c|] eqn:A; [|discriminate]. apply assoc_in in A. unfold within_bounds in B.
  rewrite Forall_forall in B. apply B in A. simpl in *. apply Z.leb_le in H. apply Z.leb_le. lia.
Qed.
(* What a certificate proves; nothing where it is rejected. *)
Definition proved (depth : nat) (d : data) : statement :=
  match accepted depth d with Some (s, _) => s | None => {| s_dims := []; s_given := []; s_defined := []; s_parts := [] |} end.
Theorem exported depth d s e : option_map fst (accepted depth d) = Some s -> plain_statement s e.
Proof.
  destruct (accepted depth d) as [[s' m]|] eqn:A; [|discriminate]. intro E. injection E as ->. apply accepted_holds in A.
  unfold plain_statement. apply arrows. intro B. change (within_bounds (s_dims s) e) in B.
  assert (X : forall gs (P : Prop), (Forall (fun f => truth e f = Some true) gs -> P) -> fold_right (fun f (P : Prop) => fold_right (fun g (P : Prop) => says e g -> P)
      (says e f -> P) (once (filter (fun g => negb (obvious (s_dims s) g)) (asks f)))) P gs).
  { induction gs as [|f gs IH]; simpl; intros P H; [apply H; constructor|]. apply arrows. intro F. intro S.
    apply IH. intro G. apply H. constructor; auto. rewrite asks_truth; [f_equal; now apply says_ok|].
    apply Forall_forall. intros g I. destruct (obvious (s_dims s) g) eqn:O; [eapply obvious_ok; eauto|].
    apply says_ok. rewrite Forall_forall in F. apply F. rewrite <- once_in. apply filter_In. now rewrite O. }
  apply X. intro G. destruct (A e B G) as [D M]. apply every_of_ok, Forall_app. split; apply Forall_map, Forall_forall.
  - intros f I. apply once_in, filter_In in I as [I _]. rewrite Forall_forall in D. apply D, truth_fv in I. now apply says_ok.
  - intros c I. rewrite Forall_forall in M. apply M in I. apply plain_meaning, I.
Qed.
