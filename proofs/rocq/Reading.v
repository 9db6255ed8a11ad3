(* Trees of text as what they stand for: terms, shapes, layouts, formulas, and what they ask for to have a value. *)
Require Import String ZArith List Bool Lia.
From Symcute Require Import Data Terms Polynomials Claims Agreement Text.
Import ListNotations.
Open Scope Z_scope.

Definition throughout {A B} (f : A -> option B) : list A -> option (list B) :=
  fix go l := match l with [] => Some [] | x :: l => do y <- f x; do r <- go l; Some (y :: r) end.

(* --- expressions ------------------------------------------------------------------------------------------- *)

(* What an expression without dims is; none where it has no value, or is far too long. *)
Definition short (a b : Z) : bool := (Z.log2 (Z.abs a) + 1) * b <=? 8192.
Fixpoint computed (x : term) : option Z :=
  match x with
  | Int z => Some z | Dim _ => None
  | Neg a => do a <- computed a; Some (- a)
  | Pow a k => do a <- computed a; if short a (Z.of_N k) then Some (a ^ Z.of_N k) else None
  | Bin o a b => do a <- computed a; do b <- computed b;
    if match o with Mul => short a 1 | _ => true end then apply o a b else None
  end.
Open Scope string_scope.
(* Functions of two numbers, written as calls. *)
Definition functions : list (positive * op) := Eval compute in
  map (fun x => (word (fst x), snd x)) [("floor_div", FloorDiv); ("ceil_div", CeilDiv); ("mod", Mod); ("min", Min); ("max", Max)].
Definition c_pow2 := Eval compute in word "pow2".
Definition c_where := Eval compute in word "where".
Definition c_no_overflow := Eval compute in word "no_overflow".
Close Scope string_scope.
Definition operation (o : sign) : option op :=
  match o with SAdd => Some Add | SSub => Some Sub | SMul => Some Mul | SDiv => Some Div | SFloorDiv => Some FloorDiv
  | SMod => Some Mod | _ => None end.
Fixpoint leaf (t : tree) : option term :=
  match t with
  | TInt z => Some (Int z) | TDim n => Some (Dim n)
  | TOp SParen [a] => leaf a
  | TOp SNeg [a] => do a <- leaf a; Some (Neg a)
  | TOp SShl [a; b] | TOp SShr [a; b] =>
    do x <- leaf a; do y <- leaf b; do k <- computed y;
    guard ((0 <=? k) && (k <=? 4096))
      (Some (Bin match t with TOp SShl _ => Mul | _ => FloorDiv end x (Int (2 ^ k))))
  | TOp SPow [a; b] =>
    do x <- leaf a; do y <- leaf b; do k <- computed y;
    guard ((0 <=? k) && (k <=? 64)) (Some (Pow x (Z.to_N k)))
  | TOp o [a; b] => do o <- operation o; do x <- leaf a; do y <- leaf b; Some (Bin o x y)
  | TCall f [a; b] => do o <- assoc f functions; do x <- leaf a; do y <- leaf b; Some (Bin o x y)
  | _ => None
  end.

(* An expression as a polynomial, where it is seen to be one; a product of long ones is not looked at. *)
Definition times (p q : poly) : option poly :=
  guard (Z.of_nat (length p) * Z.of_nat (length q) <=? 1000) (Some (pmul p q)).
Fixpoint sum_of (x : term) : option poly :=
  match x with
  | Int z => Some (constant z) | Dim n => Some (variable n)
  | Neg a => do p <- sum_of a; Some (scale (-1) p)
  | Pow a k => do p <- sum_of a;
    match value p with
    | Some c => if short c (Z.of_N k) then Some (constant (c ^ Z.of_N k)) else None
    | None => guard ((Nat.leb (length p) 1) || (k <=? 3)%N) (Some (ppow p k)) end
  | Bin o a b => do p <- sum_of a; do q <- sum_of b;
    match o with
    | Add => Some (padd p q) | Sub => Some (psub p q) | Mul => times p q
    | Div => match value q with
      | Some c => guard (negb (c =? 0) && forallb (fun t => snd t mod c =? 0) p) (Some (part c p))
      | None => None end
    | _ => match value p, value q with
      | Some c, Some d => do v <- apply o c d; Some (constant v) | _, _ => None end
    end
  end.
(* A leaf that is the same number whatever the dims are counts as that number. *)
Definition number_of (x : term) : term :=
  match x with
  | Int _ | Dim _ => x
  | _ => match sum_of x with Some p => match value p with Some c => Int c | None => x end | None => x end
  end.
Fixpoint numbers_of (f : form) : form :=
  match f with
  | Rel r a b => Rel r (number_of a) (number_of b)
  | And l => And (map numbers_of l) | Or l => Or (map numbers_of l)
  | Not f => Not (numbers_of f) | Implies f g => Implies (numbers_of f) (numbers_of g)
  end.
Definition alike (x y : term) : bool :=
  term_eqb x y || match sum_of (number_of x), sum_of (number_of y) with Some p, Some q => same p q | _, _ => false end.

(* --- shapes and layouts ------------------------------------------------------------------------------------- *)

Inductive nested := Leaf (x : term) | Tuple (l : list nested).
Fixpoint strip (t : tree) : tree := match t with TOp SParen [a] => strip a | _ => t end.
Fixpoint htuple (t : tree) : option nested :=
  match t with
  | TOp STuple l | TOp SParen l => do l <- throughout htuple l; Some (Tuple l)
  | _ => do x <- leaf t; Some (Leaf x)
  end.
Fixpoint flat (s : nested) : list term := match s with Leaf x => [x] | Tuple l => flat_map flat l end.
Fixpoint congruent (s t : nested) : bool :=
  match s, t with
  | Leaf _, Leaf _ => true
  | Tuple l, Tuple m => (fix go l m := match l, m with [], [] => true | x :: l, y :: m => congruent x y && go l m | _, _ => false end) l m
  | _, _ => false
  end.
Definition is_paren (t : tree) : bool := match t with TOp SParen _ => true | _ => false end.
(* Shape and stride of what is written shape:stride: `(M*N):1` groups, `(8):(1)` has tuples of one. *)
Definition sides (x y : tree) : option (nested * nested) :=
  let f t := if Bool.eqb (is_paren x) (is_paren y) then t else strip t in
  do s <- htuple (f x); do d <- htuple (f y); guard (congruent s d) (Some (s, d)).
(* A shape by itself has the strides of its columns, and 0 where an extent is the number 1. *)
Fixpoint columns (stride : term) (l : list term) : modes :=
  match l with
  | [] => []
  | s :: l => (s, match s with Int 1 => Int 0 | _ => stride end) :: columns (number_of (mul stride s)) l
  end.
Definition shape_of (t : tree) : option nested :=
  match strip t with TOp SLayout [x; y] => do (s, _) <- sides x y; Some s | _ => htuple t end.
(* The modes of a layout, its extents and strides as they are written. *)
Definition modes_written (t : tree) : option modes :=
  do m <- match strip t with
    | TOp SLayout [x; y] => do (s, d) <- sides x y; Some (combine (flat s) (flat d))
    | TSwizzled _ _ _ _ _ => None
    | _ => do s <- htuple t; Some (columns (Int 1) (map number_of (flat s)))
    end;
  guard (Nat.leb (length m) 64) (Some m).
(* The swizzle, the offset before it, and the layout, of a layout that may be swizzled. *)
Definition turned (t : tree) : option (fields * term * tree) :=
  match strip t with
  | TSwizzled b m s x l => do sw <- fields_of (DList [DInt b; DInt m; DInt s]); do x <- leaf x; Some (sw, x, l)
  | _ => Some (PLAIN, Int 0, t)
  end.

(* --- formulas ----------------------------------------------------------------------------------------------- *)

Fixpoint ungrouped (t : tree) : tree := match t with TOp SParen (a :: _) => ungrouped a | _ => t end.
Definition c_mod := fst (nth 2 functions (1%positive, Add)).
(* x and c of `x % c == 0`, which says that c is not 0 and divides x. *)
Definition remainder (t : tree) : option (tree * tree) :=
  match t with
  | TOp SEq [x; z] =>
    match ungrouped z, ungrouped x with
    | TInt 0, TOp SMod [x; c] => Some (x, c)
    | TInt 0, TCall f [x; c] => if Pos.eqb f c_mod then Some (x, c) else None
    | _, _ => None end
  | _ => None
  end.
Definition by_zero (c : term) : bool := match number_of c with Int 0 => true | _ => false end.
Fixpoint equal_leaves (s t : nested) : form :=
  match s, t with
  | Leaf x, Leaf y => Rel Eq x y
  | Tuple l, Tuple m =>
    if Nat.eqb (length l) (length m)
    then conjunction ((fix go l m := match l, m with x :: l, y :: m => equal_leaves x y :: go l m | _, _ => [] end) l m)
    else Rel Eq (Int 0) (Int 1)
  | _, _ => Rel Eq (Int 0) (Int 1)
  end.
Definition compared (o : sign) (x y : tree) : option form :=
  match o with
  | SEq | SNe => do s <- htuple (ungrouped x); do t <- htuple (ungrouped y);
    Some match s, t with
      | Leaf x, Leaf y => Rel (match o with SEq => Eq | _ => Ne end) x y
      | _, _ => match o with SEq => equal_leaves s t | _ => Not (equal_leaves s t) end end
  | _ => do x <- leaf x; do y <- leaf y;
    match o with
    | SLe => Some (Rel Le x y) | SLt => Some (Rel Lt x y) | SGe => Some (Rel Le y x) | SGt => Some (Rel Lt y x)
    | SDivides => Some (Rel Divides x y) | _ => None end
  end.
Fixpoint formula (t : tree) : option form :=
  match t with
  | TOp SParen [a] => formula a
  | TOp SAnd l => do l <- throughout formula l; Some (conjunction l)
  | TOp SOr l => do l <- throughout formula l; Some (Or l)
  | TOp SNot [a] => do f <- formula a; Some (Not f)
  | TOp SImplies [a; b] => do f <- formula a; do g <- formula b; Some (Implies f g)
  | TOp o [x; y] =>
    guard (relation o) match remainder t with
      | Some (x, c) => do x <- leaf x; do c <- leaf c; guard (negb (by_zero c)) (Some (Rel Divides c x))
      | None => compared o x y end
  | TCall f [x] => guard (Pos.eqb f c_pow2)
      (do x <- leaf x; Some (And [Rel Le (Int 1) x; Rel Divides x (Int (2 ^ 64))]))
  | _ => None
  end.
(* What is made of relations, without claims about layouts. *)
Fixpoint is_relation (t : tree) : bool :=
  match t with
  | TOp SParen [a] | TOp SNot [a] => is_relation a
  | TOp SAnd l | TOp SOr l | TOp SImplies l => forallb is_relation l
  | TCall f _ => existsb (Pos.eqb f) (c_pow2 :: map fst functions)
  | _ => true
  end.

(* --- what a text asks for to have a value ------------------------------------------------------------------- *)

Definition quotient (o : option op) (a b : tree) : option (list form) :=
  match o with
  | Some ((Div | FloorDiv | CeilDiv | Mod) as o) =>
    do x <- leaf a; do y <- leaf b;
    Some match o, y with
      | Div, _ => [Rel Divides y x] | _, Int z => if z =? 0 then [Rel Ne y (Int 0)] else [] | _, _ => [Rel Ne y (Int 0)] end
  | _ => Some []
  end.
Fixpoint asked_of (t : tree) : option (list form) :=
  let inside l := do l <- throughout asked_of l; Some (concat l) in
  match t with
  | TOp SImplies [p; c] =>
    if is_relation p then do a <- asked_of p; do b <- asked_of c; do f <- formula p;
      Some (a ++ map (Implies (numbers_of f)) b)
    else inside [p; c]
  | TOp SEq [x; z] => match remainder t with
    | Some _ =>
      (fix go t := match t with
        | TOp SParen (a :: _) => go a | TOp SMod l | TCall _ l => inside l | _ => None end) x
    | None => inside [x; z] end
  | TOp o l => do found <- inside l;
    match l with [a; b] => do more <- quotient (operation o) a b; Some (found ++ more) | _ => Some found end
  | TCall f l =>
    do found <- if Pos.eqb f c_no_overflow
      then match l with TText s :: l => do t <- parse s; do x <- leaf t; do l <- inside l; Some (asked x ++ l) | _ => inside l end
      else inside l;
    match assoc f functions, l with
    | Some ((FloorDiv | CeilDiv | Mod) as o), [a; b] => do more <- quotient (Some o) a b; Some (found ++ more)
    | Some (FloorDiv | CeilDiv | Mod), _ => None
    | _, _ => Some found end
  | TSwizzled _ _ _ x l => inside [x; l]
  | _ => Some []
  end.

Open Scope string_scope.
(* How many of the first arguments of a claim are layouts, or which are shapes. *)
Definition layouts_in : list (positive * (list nat * list nat)) := Eval compute in
  map (fun x => (word (fst x), snd x)) (
    map (fun n => (n, ([0%nat], []))) ["injective"; "bijective"; "compact"; "in_bounds"; "covers"; "partition_exact"; "monotone";
      "increasing"; "aligned"; "vectorizable"; "table"; "where"; "access"]
    ++ map (fun n => (n, ([0%nat; 1%nat], []))) ["equal"; "disjoint"; "apart"; "is_complement"; "same_elements"; "same_image";
      "is_right_inverse"; "is_left_inverse"]
    ++ [("is_composition", ([0%nat; 1%nat; 2%nat], [])); ("compatible", ([], [0%nat; 1%nat])); ("refines", ([], [0%nat; 1%nat]));
      ("size", ([], [0%nat])); ("crd2idx", ([], [1%nat])); ("idx2crd", ([], [1%nat]))]).
Close Scope string_scope.
Fixpoint extents_of_shape (t : tree) : option (list term) :=
  match t with
  | TOp SParen [a] => extents_of_shape a
  | TOp STuple l => do l <- throughout extents_of_shape l; Some (concat l)
  | _ => do x <- leaf t; match x with Int z => guard (1 <=? z) (Some []) | _ => Some [x] end
  end.
Definition is_layout (t : tree) : bool := match strip t with TOp SLayout _ | TSwizzled _ _ _ _ _ => true | _ => false end.
(* Tuples and expressions alone. *)
Fixpoint is_shape (t : tree) : bool :=
  match t with
  | TInt _ | TDim _ => true
  | TOp (SNeg | SAdd | SSub | SMul | SDiv | SFloorDiv | SMod | SPow | SShl | SShr | STuple | SParen) l => forallb is_shape l
  | TCall f l => existsb (Pos.eqb f) (map fst functions) && forallb is_shape l
  | _ => false
  end.
(* The extents of the layouts in a tree that are no numbers, in the order written. *)
Fixpoint extents_of (t : tree) : option (list term) :=
  let inside l := do l <- throughout extents_of l; Some (concat l) in
  match t with
  | TOp SLayout [x; y] => do a <- extents_of_shape x; do b <- inside [x; y]; Some (a ++ b)
  | TOp _ l => inside l
  | TCall f l =>
    let '(ls, ss) := match assoc f layouts_in with Some p => p | None => ([], []) end in
    (fix go k l := match l with
      | [] => Some []
      | x :: l =>
        do a <- if existsb (Nat.eqb k) ls && negb (is_layout x) || existsb (Nat.eqb k) ss && is_shape x
          then extents_of_shape x else Some [];
        do b <- extents_of x; do c <- go (S k) l; Some (a ++ b ++ c) end) O l
  | TSwizzled _ _ _ x l => do a <- extents_of x; do b <- (if is_layout l then Some [] else extents_of_shape l);
    do c <- extents_of l; Some (a ++ b ++ c)
  | _ => Some []
  end.
