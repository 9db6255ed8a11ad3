(* What primitive claims mean, over Z; those with terms, at an instance; and how they are read. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Layouts Service.
Import ListNotations.
Open Scope Z_scope.

Definition fields := (Z * Z * Z)%type.
Definition PLAIN : fields := (0, 0, 0).
(* Sw<bits,base,shift>: a field of bits is exclusive-ored with the one `shift` above, or below. *)
Definition swizzle (sw : fields) (x : Z) : Z :=
  let '(bits, base, shift) := sw in
  let moved := Z.land x (Z.shiftl (Z.ones bits) (base + Z.max shift 0)) in
  Z.lxor x (if 0 <=? shift then Z.shiftr moved shift else Z.shiftl moved (- shift)).

(* A layout at a 1-D index: the last mode takes what is left. *)
Fixpoint at_index (L : layout) (i : Z) : Z :=
  match L with
  | [] => 0
  | m :: L' => match L' with [] => i * snd m | _ => (i mod fst m) * snd m + at_index L' (i / fst m) end
  end.
Definition through (chain : list layout) (i : Z) : Z := fold_right at_index i chain.

Section Claims.
  Variables T F : Type.
  Inductive claim :=
    | Injective (L : list (T * T)) (G : list (list (T * T) * T))
    | InBounds (L : list (T * T)) (G : list (list (T * T) * T)) (sw : fields) (x b : T)
    | Covers (L : list (T * T)) (b : T)
    | Disjoint (A B : list (T * T)) | Apart (A B : list (T * T)) (x : T) | SameImage (A B : list (T * T))
    | Agree (l r : list (list (T * T))) (D : list (T * T)) (sw sw' : fields) (x y : T)
    | Vectors (L : list (T * T)) (v : Z) (sw : fields) (x behind : T)
    | Requests (L : list (T * T)) (lanes : nat) (q : service) (sw : fields) (x behind : T)
    | Holds (f : F) | Either (cs : list claim) | Denied (c : claim).
End Claims.
Arguments Injective {T F}. Arguments InBounds {T F}. Arguments Covers {T F}. Arguments Disjoint {T F}.
Arguments Apart {T F}. Arguments SameImage {T F}. Arguments Agree {T F}. Arguments Vectors {T F}. Arguments Requests {T F}.
Arguments Holds {T F}. Arguments Either {T F}. Arguments Denied {T F}.

Section ClaimInd.
  Variables T F : Type.
  Variable P : claim T F -> Prop.
  Hypotheses (H1 : forall L G, P (Injective L G)) (H2 : forall L G s x b, P (InBounds L G s x b))
    (H3 : forall L b, P (Covers L b)) (H4 : forall A B, P (Disjoint A B)) (H5 : forall A B x, P (Apart A B x))
    (H6 : forall A B, P (SameImage A B)) (H7 : forall l r D s s' x y, P (Agree l r D s s' x y))
    (H8 : forall L v s x b, P (Vectors L v s x b))
    (H12 : forall L n q s x b, P (Requests L n q s x b)) (H9 : forall f, P (Holds f))
    (H10 : forall l, Forall P l -> P (Either l)) (H11 : forall c, P c -> P (Denied c)).
  Fixpoint claim_induction (c : claim T F) : P c :=
    let fix go l : Forall P l := match l with [] => Forall_nil P
      | c :: l => Forall_cons c (claim_induction c) (go l) end in
    match c with
    | Injective L G => H1 L G | InBounds L G s x b => H2 L G s x b | Covers L b => H3 L b
    | Disjoint A B => H4 A B | Apart A B x => H5 A B x | SameImage A B => H6 A B
    | Agree l r D s s' x y => H7 l r D s s' x y | Vectors L v s x b => H8 L v s x b
    | Requests L n q s x b => H12 L n q s x b | Holds f => H9 f
    | Either l => H10 l (go l) | Denied c => H11 c (claim_induction c)
    end.
End ClaimInd.

(* --- meaning ---------------------------------------------------------------------------------------- *)

(* Guards admit the coordinates at which each of their layouts is below its bound. *)
Definition admitted (G : list (layout * Z)) (c : list Z) := Forall (fun g => offset c (fst g) < snd g) G.
Definition reached (L : layout) (y : Z) := exists c, valid L c /\ offset c L = y.
Fixpoint meaning (c : claim Z bool) : Prop :=
  match c with
  | Injective L G => forall c c', valid L c -> valid L c' -> admitted G c -> admitted G c' ->
      offset c L = offset c' L -> c = c'
  | InBounds L G sw x b => forall c, valid L c -> admitted G c -> 0 <= swizzle sw (x + offset c L) < b
  | Covers L b => forall y, 0 <= y < b -> reached L y
  | Disjoint A B => forall y, reached A y -> reached B y -> y = 0
  | Apart A B x => forall y z, reached A y -> reached B z -> y <> x + z
  | SameImage A B => forall y, reached A y <-> reached B y
  | Agree l r D sw sw' x y => forall i, 0 <= i < size D ->
      swizzle sw (x + through l i) = swizzle sw' (y + through r i)
  | Vectors L v sw x behind => size L mod v = 0 /\ forall i, 0 <= i < size L -> i mod v = 0 ->
      (behind + swizzle sw (x + at_index L i)) mod v = 0 /\
      forall k, 0 <= k < v -> swizzle sw (x + at_index L (i + k)) = swizzle sw (x + at_index L i) + k
  (* The first modes are the lanes, the others the requests. *)
  | Requests L lanes q sw x behind => forall c, valid (skipn lanes L) c ->
      served q (fun n => behind + swizzle sw (x + (at_index (firstn lanes L) n + offset c (skipn lanes L)))) (size (firstn lanes L))
  | Holds f => f = true
  | Either cs => (fix some l := match l with [] => False | c :: l => meaning c \/ some l end) cs
  | Denied c => ~ meaning c
  end.

(* --- claims with terms ------------------------------------------------------------------------------- *)

Definition modes := list (term * term).
Definition primitive_claim := claim term form.
Definition lay (e : env) (m : modes) : layout := map (fun x => (tv e (fst x), tv e (snd x))) m.
Definition guards_at (e : env) (G : list (modes * term)) := map (fun g => (lay e (fst g), tv e (snd g))) G.
Fixpoint instance (e : env) (c : primitive_claim) : claim Z bool :=
  match c with
  | Injective L G => Injective (lay e L) (guards_at e G)
  | InBounds L G sw x b => InBounds (lay e L) (guards_at e G) sw (tv e x) (tv e b)
  | Covers L b => Covers (lay e L) (tv e b)
  | Disjoint A B => Disjoint (lay e A) (lay e B)
  | Apart A B x => Apart (lay e A) (lay e B) (tv e x)
  | SameImage A B => SameImage (lay e A) (lay e B)
  | Agree l r D sw sw' x y => Agree (map (lay e) l) (map (lay e) r) (lay e D) sw sw' (tv e x) (tv e y)
  | Vectors L v sw x b => Vectors (lay e L) v sw (tv e x) (tv e b)
  | Requests L n q sw x b => Requests (lay e L) n q sw (tv e x) (tv e b)
  | Holds f => Holds (fv e f) | Either cs => Either (map (instance e) cs) | Denied c => Denied (instance e c)
  end.
Fixpoint layouts_of (c : primitive_claim) : list modes :=
  match c with
  | Injective L G | InBounds L G _ _ _ => L :: map fst G
  | Covers L _ | Vectors L _ _ _ _ | Requests L _ _ _ _ _ => [L] | Disjoint A B | Apart A B _ | SameImage A B => [A; B]
  | Agree l r D _ _ _ _ => l ++ r ++ [D]
  | Holds _ => [] | Either cs => flat_map layouts_of cs | Denied c => layouts_of c
  end.
Fixpoint terms_of (c : primitive_claim) : list term :=
  match c with
  | Injective _ G => map snd G | InBounds _ G _ x b => x :: b :: map snd G
  | Covers _ b | Apart _ _ b => [b] | Agree _ _ _ _ _ x y | Vectors _ _ _ x y
  | Requests _ _ _ _ x y => [x; y]
  | Disjoint _ _ | SameImage _ _ | Holds _ => []
  | Either cs => flat_map terms_of cs | Denied c => terms_of c
  end.
Fixpoint formulas_of (c : primitive_claim) : list form :=
  match c with Holds f => [f] | Either cs => flat_map formulas_of cs | Denied c => formulas_of c | _ => [] end.
Definition extents (c : primitive_claim) : list term := map fst (concat (layouts_of c)).
Definition leaves (c : primitive_claim) : list term :=
  terms_of c ++ flat_map (fun m => [fst m; snd m]) (concat (layouts_of c)).

(* It holds at an instance: all that it speaks of has a value, its extents are at least 1, and it is so. *)
Definition means (e : env) (c : primitive_claim) : Prop :=
  Forall (fun x => number e x = Some (tv e x)) (leaves c) /\
  Forall (fun f => truth e f = Some (fv e f)) (formulas_of c) /\
  Forall (fun s => 1 <= tv e s) (extents c) /\ meaning (instance e c).

Definition at_least_one (s : term) : list form :=
  match s with Int z => if 1 <=? z then [] else [le (Int 1) s] | _ => [le (Int 1) s] end.
Definition conditions (c : primitive_claim) : list form :=
  flat_map at_least_one (extents c) ++ flat_map asked (leaves c) ++ flat_map asks (formulas_of c).
Lemma so_flat_map {A} e (f : A -> list form) l : so e (flat_map f l) <-> Forall (fun x => so e (f x)) l.
Proof.
  induction l as [|x l IH]; simpl; [split; intros; constructor|].
  rewrite so_app, Forall_cons_iff. tauto.
Qed.
Lemma conditions_ok e c : so e (conditions c) -> meaning (instance e c) -> means e c.
Proof.
  unfold conditions. rewrite !so_app, !so_flat_map. intros (A & B & C) M. repeat split; auto.
  - eapply Forall_impl; [|exact B]. intro. apply asked_number.
  - eapply Forall_impl; [|exact C]. intro. apply asks_truth.
  - eapply Forall_impl; [|exact A]. intros s S. unfold at_least_one in S.
    destruct s; try (inversion S as [|? ? X]; apply Z.leb_le in X; exact X).
    simpl. destruct (Z.leb_spec 1 z); [lia|]. inversion S as [|? ? X]. now apply Z.leb_le in X.
Qed.

(* --- reading ------------------------------------------------------------------------------------------ *)

Definition fields_of (d : data) : option fields :=
  match d with
  | DList [DInt bits; DInt base; DInt shift] =>
    guard ((0 <=? bits) && (0 <=? base) && (bits <=? Z.abs shift) && (bits + base + Z.abs shift <=? 64))
      (Some (bits, base, shift))
  | _ => None
  end.
Definition modes_of (d : data) : option modes :=
  do l <- items d;
  guard (Nat.leb (length l) 64)
    (all (fun d => match d with DList [s; d] => do s <- term_of s; do d <- term_of d; Some (s, d) | _ => None end) l).
Open Scope string_scope.
Definition k_kind := Eval compute in word "kind".
Definition k_layouts := Eval compute in word "layouts".
Definition k_leaf := Eval compute in word "leaf".
Definition k_guards := Eval compute in word "guards".
Definition k_split := Eval compute in word "split".
Definition k_swizzle := Eval compute in word "swizzle".
Definition k_offset := Eval compute in word "offset".
Definition k_body := Eval compute in word "body".
Inductive kind := KInjective | KInBounds | KCovers | KDisjoint | KApart | KSameImage | KAgree | KVectors | KRequests
  | KHolds | KEither | KDenied.
Definition kinds : list (positive * (kind * list positive)) := Eval compute in
  map (fun x => (word (fst x), snd x)) [
    ("injective", (KInjective, [k_guards])); ("in_bounds", (KInBounds, [k_leaf; k_guards; k_swizzle; k_offset]));
    ("covers", (KCovers, [k_leaf])); ("disjoint", (KDisjoint, [])); ("apart", (KApart, [k_leaf]));
    ("same_image", (KSameImage, [])); ("agree", (KAgree, [k_split; k_leaf; k_body; k_swizzle; k_offset]));
    ("vectors", (KVectors, [k_leaf; k_split; k_swizzle; k_offset])); ("requests", (KRequests, [k_leaf; k_body; k_swizzle; k_offset])); ("holds", (KHolds, [k_body]));
    ("either", (KEither, [k_body])); ("denied", (KDenied, [k_body]))].
Close Scope string_scope.
Definition or_else {A} (x : option data) (y : A) (f : data -> option A) : option A :=
  match x with None => Some y | Some d => f d end.
Definition bounded (n : Z) (d : data) : option Z :=
  match d with DInt z => guard ((0 <=? z) && (z <? n)) (Some z) | _ => None end.
Definition MAX_NUMBER := 1073741824.
Definition power_of_two (n : Z) : bool := (1 <=? n) && (n =? 2 ^ Z.log2 n).
(* At most so many lanes there are. *)
Definition WARP := 32.
(* How many modes are lanes, and how they are served: no access is wider than a unit. *)
Definition service_of (d : data) : option (nat * service) :=
  match d with
  | DList [e; w; n; u; p; t; m; l; DBool two] =>
    do e <- bounded MAX_NUMBER e; do w <- bounded MAX_NUMBER w; do n <- bounded 65 n; do u <- bounded MAX_NUMBER u;
    do p <- bounded MAX_NUMBER p; do t <- bounded MAX_NUMBER t; do m <- bounded MAX_NUMBER m; do l <- bounded MAX_NUMBER l;
    guard (forallb power_of_two [e; w; u; p; t] && (e <=? w) && (w <=? 1024) && (w <=? u))
      (Some (Z.to_nat n, {| element := e; width := w; unit_bits := u; places := p; together := t; most := m; least := l; pairs := two |}))
  | _ => None
  end.
(* The lanes are numbers from 1 on, and no more than a warp has. *)
Definition lanes_of (n : nat) (m : modes) : option Z :=
  do ss <- all (fun p => match fst p with Int s => guard (1 <=? s) (Some s) | _ => None end) (firstn n m);
  let lanes := fold_right Z.mul 1 ss in guard (Nat.leb 1 n && Nat.leb n (length m) && (lanes <=? WARP)) (Some lanes).
Lemma lanes_of_ok e n m k : lanes_of n m = Some k -> size (lay e (firstn n m)) = k.
Proof.
  unfold lanes_of. destruct (all _ (firstn n m)) as [ss|] eqn:SS; [|discriminate]. destruct (_ && _); [|discriminate].
  intro N. injection N as <-. revert ss SS. induction (firstn n m) as [|[s d] l IH]; simpl; intros ss SS.
  - now injection SS as <-.
  - destruct s as [z| | | |]; try discriminate. destruct (1 <=? z); [|discriminate]. cbn [guard] in SS.
    match type of SS with context [all ?f l] => destruct (all f l) as [r|]; [|discriminate] end. injection SS as <-.
    unfold size in *. simpl. now rewrite (IH r eq_refl).
Qed.
Fixpoint claim_of (fuel : nat) (d : data) : option primitive_claim :=
  match fuel, d with
  | S n, DObj o =>
    do k <- key k_kind o;
    match k with DStr k =>
      do (kind, beside) <- assoc k kinds;
      guard (distinct (map fst o) && forallb (fun x => existsb (Pos.eqb (fst x)) (k_kind :: k_layouts :: beside)) o)
      (do L <- or_else (key k_layouts o) [] (every modes_of);
       do leaf <- or_else (key k_leaf o) (Int 0) term_of;
       do x <- or_else (key k_offset o) (Int 0) term_of;
       do sw <- or_else (key k_swizzle o) PLAIN fields_of;
       do split <- or_else (key k_split o) 0 (bounded MAX_NUMBER);
       do G <- or_else (key k_guards o) [] (every (fun d => match d with
         | DList [g; m] => do g <- modes_of g; do m <- term_of m; Some (g, m) | _ => None end));
       let whole := match L with l :: _ => forallb (fun g => Nat.eqb (length (fst g)) (length l)) G | [] => true end in
       let body := match key k_body o with Some d => d | None => DNull end in
       match kind, L with
       | KInjective, [l] => guard whole (Some (Injective l G))
       | KInBounds, [l] => guard whole (Some (InBounds l G sw x leaf))
       | KCovers, [l] => Some (Covers l leaf)
       | KDisjoint, [a; b] => Some (Disjoint a b)
       | KApart, [a; b] => Some (Apart a b leaf)
       | KSameImage, [a; b] => Some (SameImage a b)
       | KAgree, _ =>
         do sw' <- match body with DNull => Some PLAIN | d => fields_of d end;
         match rev (skipn (Z.to_nat split) L) with
         | D :: r => Some (Agree (firstn (Z.to_nat split) L) (rev r) D sw sw' x leaf) | [] => None end
       | KVectors, [l] => guard (1 <=? split) (Some (Vectors l split sw x leaf))
       | KRequests, [l] => do (n, q) <- service_of body; do _ <- lanes_of n l; Some (Requests l n q sw x leaf)
       | KHolds, [] => do f <- form_of body; Some (Holds f)
       | KEither, [] => do cs <- every (claim_of n) body; match cs with [] => None | _ => Some (Either cs) end
       | KDenied, [] => do cs <- every (claim_of n) body;
         match cs with
         | [Holds _] | [Requests _ _ _ _ _ _] | [Either _] | [Denied _] => None | [c] => Some (Denied c) | _ => None end
       | _, _ => None
       end)
    | _ => None end
  | _, _ => None
  end.
