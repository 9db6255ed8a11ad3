(* The text of claims: words, and trees of them. What a tree means stands in Reading.v and Meaning.v. *)
Require Import String Ascii ZArith List Bool.
From Symcute Require Import Data Terms.
Import ListNotations.
Open Scope Z_scope.

(* --- words ------------------------------------------------------------------------------------------------ *)

(* The bytes of a word, in order. *)
Fixpoint bits_of (p : positive) : list bool :=
  match p with xH => [] | xO p => false :: bits_of p | xI p => true :: bits_of p end.
Fixpoint bytes_from (l : list bool) (found : list Z) : list Z :=
  match l with
  | a :: b :: c :: d :: e :: f :: g :: h :: l =>
    bytes_from l (fold_right (fun (b : bool) n => 2 * n + Z.b2z b) 0 [a; b; c; d; e; f; g; h] :: found)
  | _ => found
  end.
Definition characters (p : positive) : list Z := bytes_from (bits_of p) [].
Definition word_of (l : list Z) : positive := fold_left (fun p c => byte p (ascii_of_N (Z.to_N c))) l 1%positive.

Inductive token := Number (n : Z) | Name (s : positive) | Quoted (s : positive) | Swizzle (b m s : Z) | Sign (s : positive).

(* What a list begins with: as many as a test takes. *)
Fixpoint taken (f : Z -> bool) (l : list Z) : list Z * list Z :=
  match l with c :: r => if f c then let (a, b) := taken f r in (c :: a, b) else ([], l) | [] => ([], []) end.
Definition decimal (l : list Z) : Z := fold_left (fun n c => 10 * n + (c - 48)) l 0.
(* As many digits as Python reads. *)
Definition MAX_DIGITS := 4300.
Definition few (l : list Z) : bool := match l with [] => false | _ => Nat.leb (length l) 3 end.

(* Sw<bits,base,shift>, without spaces, at most three digits each. *)
Definition swizzle_word (l : list Z) : option (token * list Z) :=
  match l with
  | 83 :: 119 :: 60 :: l =>
    let (b, l) := taken digit l in
    match l with 44 :: l =>
      let (m, l) := taken digit l in
      match l with 44 :: l =>
        let '(sign, l) := match l with 45 :: l => (-1, l) | _ => (1, l) end in
        let (s, l) := taken digit l in
        match l with 62 :: l =>
          guard (few b && few m && few s) (Some (Swizzle (decimal b) (decimal m) (sign * decimal s), l))
        | _ => None end
      | _ => None end
    | _ => None end
  | _ => None
  end.
Definition is_in (l : list Z) (c : Z) : bool := existsb (Z.eqb c) l.
(* A sign of two characters, or else one. *)
Definition sign_word (l : list Z) : option (token * list Z) :=
  match l with
  | 42 :: 42 :: l => Some (Sign (word_of [42; 42]), l) | 47 :: 47 :: l => Some (Sign (word_of [47; 47]), l)
  | 60 :: 60 :: l => Some (Sign (word_of [60; 60]), l) | 62 :: 62 :: l => Some (Sign (word_of [62; 62]), l)
  | c :: r =>
    let one := guard (is_in [45; 43; 42; 47; 37; 60; 62; 40; 41; 58; 44; 124; 64] c) (Some (Sign (word_of [c]), r)) in
    match r with
    | 61 :: r => if is_in [60; 62; 61; 33] c then Some (Sign (word_of [c; 61]), r) else one
    | _ => one end
  | [] => None
  end.
Definition first_word (l : list Z) : option (token * list Z) :=
  match swizzle_word l with
  | Some found => Some found
  | None =>
    match l with
    | [] => None
    | c :: r =>
      if digit c then let (n, l) := taken digit l in guard (Z.of_nat (length n) <=? MAX_DIGITS) (Some (Number (decimal n), l))
      else if letter c then let (n, l) := taken (fun c => letter c || digit c) l in Some (Name (word_of n), l)
      else if c =? 34 then let (q, r) := taken (fun c => negb (is_in [34; 10] c)) r in
        match r with 34 :: r => Some (Quoted (word_of q), r) | _ => None end
      else sign_word l
    end
  end.
Fixpoint words (fuel : nat) (l : list Z) : option (list token) :=
  match snd (taken (is_in [32; 9; 13; 10]) l), fuel with
  | [], _ => Some []
  | _, O => None
  | l, S n => do (t, l) <- first_word l; do ts <- words n l; Some (t :: ts)
  end.
Definition MAX_CHARACTERS := 20000.
Definition words_of (l : list Z) : option (list token) :=
  guard (Z.of_nat (length l) <=? MAX_CHARACTERS) (words (length l) l).

(* --- trees ------------------------------------------------------------------------------------------------ *)

Inductive sign := SImplies | SOr | SAnd | SNot | SEq | SNe | SLe | SLt | SGe | SGt | SDivides | SLayout | SShl | SShr
  | SAdd | SSub | SMul | SDiv | SFloorDiv | SMod | SNeg | SPow | SParen | STuple | SApply | SAny.
Inductive tree :=
  | TInt (z : Z) | TDim (n : positive) | TText (s : positive) | TOp (o : sign) (l : list tree)
  | TCall (f : positive) (l : list tree) | TSwizzle (b m s : Z) | TSwizzled (b m s : Z) (x l : tree).

Open Scope string_scope.
(* Operators between two operands, and how tightly they bind. *)
Definition infixes : list (positive * (sign * Z)) := Eval compute in
  map (fun x => (word (fst x), snd x)) [
    ("implies", (SImplies, 0)); ("or", (SOr, 1)); ("and", (SAnd, 2)); ("==", (SEq, 4)); ("!=", (SNe, 4));
    ("<=", (SLe, 4)); ("<", (SLt, 4)); (">=", (SGe, 4)); (">", (SGt, 4)); ("|", (SDivides, 4)); (":", (SLayout, 5));
    ("<<", (SShl, 6)); (">>", (SShr, 6)); ("+", (SAdd, 7)); ("-", (SSub, 7)); ("*", (SMul, 8)); ("/", (SDiv, 8));
    ("//", (SFloorDiv, 8)); ("%", (SMod, 8)); ("**", (SPow, 10))].
Definition x_open := Eval compute in word "(".
Definition x_close := Eval compute in word ")".
Definition x_comma := Eval compute in word ",".
Definition x_minus := Eval compute in word "-".
Definition x_not := Eval compute in word "not".
Definition x_o := Eval compute in word "o".
Definition x_any := Eval compute in word "_".
Definition x_implies := Eval compute in word "implies".
Definition x_or := Eval compute in word "or".
Definition x_and := Eval compute in word "and".
Close Scope string_scope.
Definition infix_of (t : token) : option (sign * Z) :=
  match t with Sign s | Name s => assoc s infixes | _ => None end.
Definition is_sign (s : positive) (t : token) : bool := match t with Sign r => Pos.eqb r s | _ => false end.
Definition is_word (s : positive) (t : token) : bool := match t with Name r => Pos.eqb r s | _ => false end.
(* `_8` and `_m1` are how CuTe writes numbers. *)
Definition a_number (s : positive) : bool :=
  match characters s with
  | 95 :: 109 :: c :: l | 95 :: c :: l => forallb digit (c :: l) | _ => false end.
Definition a_name (s : positive) : bool :=
  negb (a_number s || existsb (Pos.eqb s) [x_any; x_not; x_and; x_or; x_implies]).
Definition relation (o : sign) : bool :=
  match o with SEq | SNe | SLe | SLt | SGe | SGt | SDivides => true | _ => false end.

(* What an operator makes of what stands left and right of it; `a < b < c` says `a < b and b < c`. *)
Definition joined (o : sign) (x y : tree) : option tree :=
  let chained links := match rev links with
    | TOp _ [_; middle] :: _ => Some (TOp SAnd (links ++ [TOp o [middle; y]])) | _ => None end in
  match x with
  | TOp p l =>
    match p, o with
    | SAnd, SAnd | SOr, SOr => Some (TOp o (l ++ [y]))
    | _, _ => if relation o && match p with SAnd => true | _ => false end then chained l
        else if relation o && relation p then chained [x] else Some (TOp o [x; y])
    end
  | _ => Some (TOp o [x; y])
  end.

Definition tokens := list token.
Section Parser.
  Variable inner : Z -> tokens -> option (tree * tokens).
  (* What stands up to the closing parenthesis, and whether no comma ends it. *)
  Fixpoint items (fuel : nat) (comma : bool) (ts : tokens) : option (list tree * bool * tokens) :=
    match ts, fuel with
    | t :: ts', S n =>
      if is_sign x_close t then Some ([], negb comma, ts')
      else if comma then
        do (x, ts) <- inner 0 ts;
        let '(comma, ts) := match ts with t :: ts' => if is_sign x_comma t then (true, ts') else (false, ts) | [] => (false, []) end in
        do (found, ts) <- items n comma ts;
        let (l, bare) := found : list tree * bool in Some (x :: l, bare, ts)
      else None
    | _, _ => None
    end.
  Definition items_of (ts : tokens) := items (S (length ts)) true ts.
  Definition simple (ts : tokens) : option (tree * tokens) :=
    match ts with
    | Number n :: ts => Some (TInt n, ts)
    | Quoted s :: ts => Some (TText s, ts)
    | Swizzle b m s :: ts =>
      match ts with
      | t :: ts' => if is_word x_o t then
          do (x, ts) <- inner 5 ts';
          match ts with
          | t :: ts' => if is_word x_o t then do (l, ts) <- inner 5 ts'; Some (TSwizzled b m s x l, ts)
                        else Some (TSwizzled b m s (TInt 0) x, ts)
          | [] => Some (TSwizzled b m s (TInt 0) x, []) end
        else Some (TSwizzle b m s, ts)
      | [] => Some (TSwizzle b m s, [])
      end
    | Sign s :: ts =>
      if Pos.eqb s x_minus then do (x, ts) <- inner 9 ts;
        Some (match x with TInt n => TInt (- n) | _ => TOp SNeg [x] end, ts)
      else if Pos.eqb s x_open then do (found, ts) <- items_of ts;
        Some (match found with ([x], true) => TOp SParen [x] | (l, _) => TOp STuple l end, ts)
      else None
    | Name s :: ts =>
      if Pos.eqb s x_not then do (x, ts) <- inner 3 ts; Some (TOp SNot [x], ts)
      else if Pos.eqb s x_any then Some (TOp SAny [], ts)
      else guard (a_name s) match ts with
        | t :: ts' => if is_sign x_open t then do (found, ts) <- items_of ts'; Some (TCall s (fst found), ts)
                      else Some (TDim s, ts)
        | [] => Some (TDim s, []) end
    | [] => None
    end.
  (* A layout at a coordinate is written like a call. *)
  Fixpoint applied (fuel : nat) (x : tree) (ts : tokens) : option (tree * tokens) :=
    match fuel, ts with
    | S n, t :: ts' =>
      if is_sign x_open t then
        match x with
        | TOp SParen _ | TOp SApply _ | TCall _ _ | TSwizzle _ _ _ =>
          do (found, ts) <- items_of ts'; applied n (TOp SApply (x :: fst found)) ts
        | _ => None end
      else Some (x, ts)
    | _, _ => Some (x, ts)
    end.
  Definition operand (ts : tokens) : option (tree * tokens) :=
    do (x, ts) <- simple ts; applied (length ts) x ts.
  Fixpoint rest (fuel : nat) (floor : Z) (x : tree) (ts : tokens) : option (tree * tokens) :=
    match fuel, ts with
    | S n, t :: ts' =>
      match infix_of t with
      | Some (o, level) =>
        if level <? floor then Some (x, ts)
        else let right_level := match o with SPow => level - 1 | SImplies => level | _ => level + 1 end in
          do (y, ts) <- inner right_level ts'; do x <- joined o x y; rest n floor x ts
      | None => Some (x, ts) end
    | _, _ => Some (x, ts)
    end.
End Parser.
(* Precedence climbing; `depth` is how deep expressions may be nested. *)
Fixpoint expression (depth : nat) (floor : Z) (ts : tokens) : option (tree * tokens) :=
  match depth with
  | O => None
  | S n => do (x, ts) <- operand (expression n) ts; rest (expression n) (length ts) floor x ts
  end.

Fixpoint deep (x : tree) : nat :=
  match x with
  | TOp _ l | TCall _ l => S (fold_right (fun x n => Nat.max (deep x) n) O l)
  | TSwizzled _ _ _ x l => S (Nat.max (deep x) (deep l))
  | _ => 1%nat
  end.
Definition MAX_NESTING := 200%nat.
(* A tree within a tree at most this often. *)
Definition MAX_TREE := 151%nat.
Definition parse (text : positive) : option tree :=
  do ts <- words_of (characters text);
  do (x, ts) <- expression MAX_NESTING 0 ts;
  match ts with [] => guard (Nat.leb (deep x) MAX_TREE) (Some x) | _ => None end.

(* --- trees as data, to be compared with another reader's -------------------------------------------------- *)

Open Scope string_scope.
Definition sign_name (o : sign) : positive := word
  match o with
  | SImplies => "implies" | SOr => "or" | SAnd => "and" | SNot => "not" | SEq => "eq" | SNe => "ne" | SLe => "le"
  | SLt => "lt" | SGe => "ge" | SGt => "gt" | SDivides => "divides" | SLayout => "layout" | SShl => "shl" | SShr => "shr"
  | SAdd => "add" | SSub => "sub" | SMul => "mul" | SDiv => "div" | SFloorDiv => "floor_div" | SMod => "mod"
  | SNeg => "neg" | SPow => "pow" | SParen => "paren" | STuple => "tuple" | SApply => "apply" | SAny => "any" end.
Definition n_int := Eval compute in word "int".
Definition n_dim := Eval compute in word "dim".
Definition n_text := Eval compute in word "text".
Definition n_call := Eval compute in word "call".
Definition n_swizzle := Eval compute in word "swizzle".
Definition n_swizzled := Eval compute in word "swizzled".
Close Scope string_scope.
Fixpoint tree_data (x : tree) : data :=
  DList match x with
  | TInt z => [DStr n_int; DInt z] | TDim n => [DStr n_dim; DStr n] | TText s => [DStr n_text; DStr s]
  | TOp o l => DStr (sign_name o) :: map tree_data l
  | TCall f l => DStr n_call :: DStr f :: map tree_data l
  | TSwizzle b m s => [DStr n_swizzle; DInt b; DInt m; DInt s]
  | TSwizzled b m s x l => [DStr n_swizzled; DInt b; DInt m; DInt s; tree_data x; tree_data l]
  end.
Fixpoint data_eqb (a b : data) : bool :=
  let fix list_eqb l m := match l, m with [], [] => true | x :: l, y :: m => data_eqb x y && list_eqb l m | _, _ => false end in
  match a, b with
  | DInt x, DInt y => x =? y | DStr s, DStr t => Pos.eqb s t | DBool x, DBool y => Bool.eqb x y | DNull, DNull => true
  | DList l, DList m => list_eqb l m
  | DObj l, DObj m => (fix go l m := match l, m with [], [] => true
      | x :: l, y :: m => Pos.eqb (fst x) (fst y) && data_eqb (snd x) (snd y) && go l m | _, _ => false end) l m
  | _, _ => false
  end.
(* What is said of a text and the tree that another reader makes of it, null where it makes none: 0 where
   the readers differ, 1 where the tree is the same, 2 where none reads it, 3 where it is refused here alone. *)
Definition read_alike (d : data) : Z :=
  match d with
  | DList [DStr text; other] =>
    match parse text, other with
    | Some x, _ => if data_eqb (tree_data x) other then 1 else 0
    | None, DNull => 2 | None, _ => 3 end
  | _ => 0
  end.
