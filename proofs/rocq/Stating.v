(* Claims about layouts as the primitive claims that they are made of. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Layouts Service Claims Agreement Text Reading.
Import ListNotations.
Open Scope Z_scope.

Inductive claim_name := CInjective | CInBounds | CBijective | CCompact | CEqual | CComposition | CRight | CLeft | CDisjoint
  | CApart | CSameImage | CComplement | CCovers | CPartition | CExact | CMonotone | CIncreasing | CAligned | CCompatible
  | CRefines | CNoOverflow | CBanks | CSectors | CCoalesced.
Open Scope string_scope.
Definition claim_names : list (positive * claim_name) := Eval compute in
  map (fun x => (word (fst x), snd x)) [
    ("injective", CInjective); ("in_bounds", CInBounds); ("bijective", CBijective); ("compact", CCompact); ("equal", CEqual);
    ("is_composition", CComposition); ("is_right_inverse", CRight); ("is_left_inverse", CLeft); ("disjoint", CDisjoint);
    ("apart", CApart); ("same_image", CSameImage); ("is_complement", CComplement); ("covers", CCovers);
    ("partition", CPartition); ("partition_exact", CExact); ("monotone", CMonotone); ("increasing", CIncreasing);
    ("aligned", CAligned); ("compatible", CCompatible); ("refines", CRefines); ("no_overflow", CNoOverflow);
    ("bank_conflict", CBanks); ("sectors", CSectors); ("coalesced", CCoalesced)].
Definition c_access := Eval compute in word "access".
Close Scope string_scope.

Definition is_where (t : tree) : bool :=
  match t with TCall f [_; _] => Pos.eqb f c_where | _ => false end.
(* The arguments of a claim, and the guards that stand behind them. *)
Definition parted (l : list tree) : option (list tree * list tree) :=
  match l with
  | [] => None
  | a :: l => let gs := filter is_where l in
    let n := (length l - length gs)%nat in guard (forallb is_where (skipn n l)) (Some (a :: firstn n l, skipn n l))
  end.

(* Formulas of modes. *)
Definition each_mode (r : term -> term -> form) (m : modes) : list form := map (fun p => Or [eq (fst p) (Int 1); r (fst p) (snd p)]) m.
(* From an index to the next the modes below some k fall back and mode k takes a step. *)
Fixpoint growing (r : rel) (below : term) (m : modes) : list form :=
  match m with
  | [] => []
  | (s, d) :: m => Or [eq s (Int 1); Rel r below d] :: growing r (add below (mul (Bin Sub s (Int 1)) d)) m
  end.
Definition is_swizzled (t : tree) : bool := match strip t with TSwizzled _ _ _ _ _ => true | _ => false end.
(* The same swizzle, or both of no bits. *)
Definition same_fields (a b : fields) : bool :=
  let '(n, m, s) := a in let '(n', m', s') := b in (n =? n') && ((n =? 0) || (m =? m') && (s =? s')).
Definition literal (x : term) : bool := match x with Int _ => true | _ => false end.
Definition is_still (p : term * term) : bool := match number_of (snd p) with Int 0 => true | _ => false end.
Definition still_modes : modes -> modes := filter is_still.
Definition kept_modes (m : modes) : modes := match filter (fun p => negb (is_still p)) m with [] => [(Int 1, Int 0)] | l => l end.
Fixpoint fits (s t : nested) : form :=
  match s, t with
  | Leaf x, t => eq x (fold_left mul (flat t) (Int 1))
  | Tuple l, Tuple m =>
    if Nat.eqb (length l) (length m)
    then conjunction ((fix go l m := match l, m with x :: l, y :: m => fits x y :: go l m | _, _ => [] end) l m)
    else eq (Int 0) (Int 1)
  | _, _ => eq (Int 0) (Int 1)
  end.
(* The numbers, names and operations of an expression, operands first, each once. *)
Definition same_tree (x y : tree) : bool := data_eqb (tree_data x) (tree_data y).
Fixpoint in_order (t : tree) : list tree :=
  match t with
  | TOp SParen l => flat_map in_order l
  | TOp _ l | TCall _ l => flat_map in_order l ++ [t]
  | _ => [t]
  end.
Definition once (l : list tree) : list tree :=
  rev (fold_left (fun found x => if existsb (same_tree x) found then found else x :: found) l []).

(* A number that is written, or that dims fall out of. *)
Definition number_in (t : tree) : option Z :=
  do x <- leaf t; match number_of x with Int n => guard (0 <=? n) (Some n) | _ => None end.
(* access(L, bits of an element, bits of an access, base): the layout, the two widths, what is added behind it, and how many
   of its modes are lanes. *)
Definition access_of (t : tree) : option (tree * Z * Z * term * nat) :=
  match t with
  | TCall f (L :: e :: more) =>
    do e <- number_in e; do (_, _, plain) <- turned L; do s <- shape_of plain;
    do (w, b) <- match more with
      | [] => Some (e, Int 0) | [w] => do w <- number_in w; Some (w, Int 0)
      | [w; b] => do w <- number_in w; do b <- leaf b; Some (w, b) | _ => None end;
    do lanes <- match s with Leaf _ => Some 1%nat | Tuple (s :: _) => Some (length (flat s)) | _ => None end;
    guard (Pos.eqb f c_access && power_of_two e && power_of_two w && (e <=? w) && (8 <=? w) && (w <=? 256)) (Some (L, e, w, b, lanes))
  | _ => None
  end.
(* Shared memory has 32 banks of 32 bits, and serves at once as many lanes as fill them; of global memory each sector of 256
   bits counts, for 32 lanes at once. *)
Definition in_banks (e w k n : Z) : service :=
  let together := Z.min 32 (1024 / w) in
  {| element := e; width := w; unit_bits := Z.max 32 w; places := 1024 / Z.max 32 w; together := together; most := k; least := n;
     pairs := together <? 32 |}.
Definition in_sectors (e w k n : Z) : service :=
  {| element := e; width := w; unit_bits := 256; places := 1; together := 32; most := k; least := n; pairs := false |}.
(* As many sectors as the bits of so many lanes fill. *)
Definition filled (lanes w : Z) : Z := - (- (lanes * w) / 256).
Definition least_of (more : list tree) : option Z := match more with [] => Some 0 | [n] => number_in n | _ => None end.

(* `or` over `and`: the disjunctions that take one of each side. *)
Definition distributed {A} (l : list (list (list A))) : list (list A) :=
  fold_right (fun side found => flat_map (fun c => map (app c) found) side) [[]] l.
Definition few_clauses {A} (l : list (list A)) : bool := fold_right (fun c n => Z.of_nat (length c) * n) 1 l <=? 64.

Section Reader.
  (* What is asked for, or given: what has a value where that holds. *)
  Variable known : list form.
  Definition asked_for (fs : list form) : bool := forallb (fun f => member f known) fs.
  Definition sure (x : term) : option term := guard (asked_for (asked x)) (Some (number_of x)).
  Definition read_leaf (t : tree) : option term := do x <- leaf t; sure x.
  Definition read_mode (p : term * term) : option (term * term) := do s <- sure (fst p); do d <- sure (snd p); Some (s, d).
  Definition read_as (change : modes -> modes) (t : tree) : option modes :=
    do m <- modes_written t; guard (asked_for (flat_map at_least_one (map fst m))) (throughout read_mode (change m)).
  Definition read_modes := read_as (fun m => m).
  Definition read_turned (t : tree) : option (fields * term * modes) :=
    do (sw, x, l) <- turned t; do x <- sure x; do m <- read_modes l; Some (sw, x, m).
  Definition read_guard (t : tree) : option (modes * term) :=
    match t with TCall _ [g; b] => do m <- read_modes g; do b <- read_leaf b; Some (m, b) | _ => None end.
  Definition same_extents (m g : modes) : bool :=
    Nat.eqb (length m) (length g) && forallb (fun p => alike (fst (fst p)) (fst (snd p))) (combine m g).
  Definition read_tuple (t : tree) : option (list term) := do s <- shape_of t; throughout sure (flat s).
  Definition many_parts (t : tree) : bool := match shape_of t with Some (Tuple (_ :: _ :: _)) => true | _ => false end.

  Definition same_size (a b : modes) : primitive_claim := Holds (eq (size_of a) (size_of b)).
  Definition agreeing (l r : list modes) (D : modes) : primitive_claim := Agree l r D PLAIN PLAIN (Int 0) (Int 0).
  Fixpoint sure_shape (s : nested) : option nested :=
    match s with Leaf x => do x <- sure x; Some (Leaf x) | Tuple l => do l <- throughout sure_shape l; Some (Tuple l) end.
  Definition read_shape (t : tree) : option nested := do s <- shape_of t; sure_shape s.
  Definition read_requests (t : tree) (serve : Z -> Z -> Z -> option service) : option (list primitive_claim) :=
    do (L, e, w, b, n) <- access_of t; do (sw, x, m) <- read_turned L; do b <- sure b; do lanes <- lanes_of n m;
    do q <- serve e w lanes; Some [Requests m n q sw x b].
  Definition sure_form (f : form) : option form := guard (asked_for (asks f)) (Some (numbers_of f)).
  Definition parts_of (f : positive) (l : list tree) : option (list primitive_claim) :=
    do (l, gs) <- parted l; do c <- assoc f claim_names; do G <- throughout read_guard gs;
    match c, l, G with
    | CInjective, [a], _ => do (_, _, m) <- read_turned a;
      guard (forallb (fun g => same_extents m (fst g)) G) (Some [Injective m G])
    | CInBounds, [a; b], _ => do (sw, x, m) <- read_turned a; do b <- read_leaf b;
      guard (forallb (fun g => same_extents m (fst g)) G) (Some [InBounds m G sw x b])
    | CBijective, [a], [] => do (sw, x, m) <- read_turned a; Some [Injective m []; InBounds m [] sw x (number_of (size_of m))]
    | CCompact, [a], [] => do (sw, x, l) <- turned a; do x <- sure x; do m <- read_as kept_modes l;
      Some [Injective m []; InBounds m [] sw x (size_of m)]
    | CEqual, [a; b], [] => do (sw, x, m) <- read_turned a; do (sw', y, n) <- read_turned b;
      if is_swizzled a || is_swizzled b
      then if same_fields sw sw'
        then Some [same_size m n; Holds (eq x y); agreeing [m] [n] m]
        else Some [same_size m n; Agree [m] [n] m sw sw' x y]
      else Some [same_size m n; agreeing [m] [n] m]
    | CComposition, [c; a; b], [] => do c <- read_modes c; do a <- read_modes a; do b <- read_modes b;
      Some [same_size c b; agreeing [c] [a; b] b]
    | CRight, [r; a], [] => do r <- read_modes r; do a <- read_modes a; Some [agreeing [a; r] [] r]
    | CLeft, [i; a], [] => do i <- read_modes i; do a <- read_modes a; Some [agreeing [i; a] [] a]
    | CDisjoint, [a; b], [] => do a <- read_modes a; do b <- read_modes b; Some [Disjoint a b]
    | CApart, [a; b], [] => do a <- read_modes a; do b <- read_modes b; Some [Apart a b (Int 0)]
    | CApart, [a; b; x], [] => do a <- read_modes a; do b <- read_modes b; do x <- read_leaf x; Some [Apart a b x]
    | CSameImage, [a; b], [] => do a <- read_modes a; do b <- read_modes b; Some [SameImage a b]
    | CComplement, [b; a; n], [] =>
      do b <- read_modes b; do all_ <- read_modes a; do kept <- read_as (filter (fun p => negb (is_still p))) a; do n <- read_leaf n;
      let real := filter (fun p => negb (literal (snd p))) kept in
      Some [Disjoint all_ b; Holds (conjunction (growing Lt (Int 0) b));
        Holds (conjunction [conjunction (each_mode (fun _ d => Rel Ne d (Int 0)) real); le n (mul (size_of kept) (size_of b))])]
    | CCovers, [a; n], [] => do a <- read_modes a; do n <- read_leaf n; Some [Covers a n]
    | CPartition, [a; n], [] =>
      guard (match strip a with TOp SLayout _ => true | _ => false end)
        (do a <- read_modes a; do n <- read_leaf n;
         Some [Injective a [(a, n)]; Covers a n; Holds (conjunction (each_mode (fun _ d => le (Int 0) d) a))])
    | CExact, a :: tile :: more, [] =>
      guard (many_parts a)
        (do copies <- match more with [] => Some (Int 1) | [n] => read_leaf n | _ => None end;
         do kept <- read_as kept_modes a; do still <- read_as still_modes a; do tile <- read_tuple tile;
         guard (negb (match tile with [] => true | _ => false end) && forallb (fun s => match s with Int z => 1 <=? z | _ => true end) tile)
           (let whole := fold_left mul tile (Int 1) in
            Some [Holds (conjunction ([eq (size_of kept) whole; eq (size_of still) copies]
                    ++ map (le (Int 1)) (filter (fun s => negb (literal s)) tile)));
                  Injective kept []; InBounds kept [] PLAIN (Int 0) whole]))
    | CMonotone, [a], [] => do a <- read_modes a; Some [Holds (conjunction (growing Le (Int 0) a))]
    | CIncreasing, [a], [] => do a <- read_modes a; Some [Holds (conjunction (growing Lt (Int 0) a))]
    | CAligned, [a; n], [] => do a <- read_modes a; do n <- read_leaf n;
      Some [Holds (le (Int 1) n); Holds (conjunction (each_mode (fun _ d => Rel Divides n d) a))]
    | CCompatible, [s; t], [] | CRefines, [t; s], [] =>
      do s <- read_shape s; do t <- read_shape t; Some [Holds (fits s t)]
    | CNoOverflow, TText s :: more, [] =>
      do bits <- match more with [] => Some (Int 32) | [n] => read_leaf n | _ => None end;
      match bits with
      | Int bits => guard ((1 <=? bits) && (bits <=? 128))
        (do t <- parse s; do xs <- throughout read_leaf (once (in_order t));
         let limit := 2 ^ (bits - 1) in
         Some [Holds (conjunction (flat_map (fun x => [le (Int (- limit)) x; Rel Lt x (Int limit)]) xs))])
      | _ => None end
    | CBanks, a :: k :: more, [] => do k <- number_in k; do n <- least_of more;
      read_requests a (fun e w _ => guard (w <=? 128) (Some (in_banks e w k n)))
    | CSectors, a :: k :: more, [] => do k <- number_in k; do n <- least_of more;
      read_requests a (fun e w _ => Some (in_sectors e w k n))
    | CCoalesced, [a], [] => read_requests a (fun e w lanes => Some (in_sectors e w (filled lanes w) 0))
    | _, _, _ => None
    end.
  (* The disjunctions of which a claim is the conjunction; a claim about layouts is not denied here. *)
  Definition related (t : tree) : option form := do f <- formula t; sure_form f.
  Fixpoint clauses (t : tree) : option (list (list primitive_claim)) :=
    if is_relation t then do f <- related t; Some [[Holds f]]
    else match t with
      | TOp SParen [a] => clauses a
      | TOp SAnd l => do l <- throughout clauses l; Some (concat l)
      | TOp SOr l => do l <- throughout clauses l; guard (few_clauses l) (Some (distributed l))
      | TOp SImplies [a; b] =>
        guard (is_relation a) (do f <- related a; do l <- clauses b; Some (distributed [[[Holds (Not f)]]; l]))
      | TCall f l => do ps <- parts_of f l; Some (map (fun p => [p]) ps)
      | _ => None end.
  Definition one_claim (c : list primitive_claim) : primitive_claim := match c with [p] => p | _ => Either c end.
  Definition primitives (t : tree) : option (list primitive_claim) := do cs <- clauses t; Some (map one_claim cs).
End Reader.
