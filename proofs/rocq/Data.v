(* Certificates as data: what JSON says. A string is the number whose bytes, behind a 1, are its own. *)
Require Import Ascii String ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Inductive data :=
  | DInt (z : Z) | DStr (s : positive) | DBool (b : bool) | DNull
  | DList (l : list data) | DObj (l : list (positive * data)).

Definition byte (p : positive) (c : ascii) : positive :=
  let bit (b : bool) p := if b then xI p else xO p in
  match c with Ascii a b c d e f g h =>
    bit a (bit b (bit c (bit d (bit e (bit f (bit g (bit h p))))))) end.
Fixpoint word_from (p : positive) (s : string) : positive :=
  match s with EmptyString => p | String c s => word_from (byte p c) s end.
Definition word : string -> positive := word_from 1.

(* The bytes of a string, the last one first. *)
Fixpoint bytes_of (fuel : nat) (p : positive) : list Z :=
  match fuel, p with
  | O, _ | _, 1%positive => []
  | S n, _ => Zpos p mod 256 :: match Zpos p / 256 with Zpos q => bytes_of n q | _ => [] end
  end.
Definition bytes (p : positive) : list Z := bytes_of 400 p.

Definition letter (c : Z) : bool :=
  (65 <=? c) && (c <=? 90) || (97 <=? c) && (c <=? 122) || (c =? 95).
Definition digit (c : Z) : bool := (48 <=? c) && (c <=? 57).
(* A name: [A-Za-z_][A-Za-z0-9_]* *)
Definition is_name (p : positive) : bool :=
  let s := bytes p in
  forallb (fun c => letter c || digit c) s && match rev s with c :: _ => letter c | [] => false end.

Fixpoint natural (l : list Z) : option Z :=
  match l with
  | [] => Some 0
  | c :: l => if digit c then match natural l with Some n => Some (10 * n + (c - 48)) | None => None end
              else None
  end.
(* A rational number: -?[0-9]+(/[0-9]+)?, as numerator and denominator. *)
Fixpoint apart_at (c : Z) (l : list Z) : list Z * option (list Z) :=
  match l with
  | [] => ([], None)
  | x :: l => if x =? c then ([], Some l) else let (a, b) := apart_at c l in (x :: a, b)
  end.
Definition whole (l : list Z) : option Z := match l with [] => None | _ => natural l end.
Definition signed_whole (l : list Z) : option Z :=
  match rev l with
  | 45 :: l => match whole (rev l) with Some n => Some (- n) | None => None end
  | _ => whole l
  end.
Definition rational (p : positive) : option (Z * positive) :=
  match apart_at 47 (bytes p) with
  | (n, None) => match signed_whole n with Some n => Some (n, 1%positive) | None => None end
  | (d, Some n) => match signed_whole n, whole d with
    | Some n, Some (Zpos d) => Some (n, d) | _, _ => None end
  end.

(* --- lists and objects --------------------------------------------------------------------------- *)

Fixpoint all {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | x :: l => match f x, all f l with Some y, Some r => Some (y :: r) | _, _ => None end
  end.
Definition items (d : data) : option (list data) := match d with DList l => Some l | _ => None end.
Definition every {B} (f : data -> option B) (d : data) : option (list B) :=
  match d with DList l => all f l | _ => None end.
Fixpoint key (k : positive) (l : list (positive * data)) : option data :=
  match l with [] => None | (n, d) :: l => if Pos.eqb n k then Some d else key k l end.
Fixpoint distinct (l : list positive) : bool :=
  match l with [] => true | x :: l => negb (existsb (Pos.eqb x) l) && distinct l end.
(* An object with just these keys. *)
Definition keyed (ks : list positive) (l : list (positive * data)) : bool :=
  distinct (map fst l) && forallb (fun k => existsb (Pos.eqb k) (map fst l)) ks
  && forallb (fun x => existsb (Pos.eqb (fst x)) ks) l.
Definition int (d : data) : option Z := match d with DInt z => Some z | _ => None end.
Definition at_number {A} (l : list A) (k : Z) : option A :=
  if k <? 0 then None else nth_error l (Z.to_nat k).
Definition index (n : nat) (d : data) : option nat :=
  match d with DInt z => if (0 <=? z) && (z <? Z.of_nat n) then Some (Z.to_nat z) else None | _ => None end.
Definition guard {A} (b : bool) (x : option A) : option A := if b then x else None.

Notation "'do' x <- a ; b" := (match a with Some x => b | None => None end)
  (at level 200, x pattern, a at level 100, b at level 200).
