(* The checker as a program: of each line of standard input it prints the number that a function of
   Gallina says of it. Nothing of a certificate is read here.

   A line is one item: N, T and F for null, true and false; I, a sign where there is one, and
   hexadecimal digits for an integer; S and hexadecimal bytes for a string; a list in brackets; an
   object in braces, each key, as a string, before its item. *)
open Checker

exception Broken

let digit = function
  | '0' .. '9' as c -> Char.code c - 48
  | 'a' .. 'f' as c -> Char.code c - 87
  | _ -> -1

(* A number with four more bits behind it. *)
let behind p d =
  let bit p k = if d land (1 lsl k) = 0 then XO p else XI p in
  bit (bit (bit (bit p 3) 2) 1) 0

let read line =
  let at = ref 0 in
  let next () = if !at < String.length line then line.[!at] else raise Broken in
  let take () = let c = next () in incr at; c in
  let rec digits p =
    if !at < String.length line && digit line.[!at] >= 0 then digits (behind p (digit (take ())))
    else p in
  let rec positive () =
    if !at >= String.length line then None else
    match digit line.[!at] with
    | -1 -> None
    | 0 -> incr at; positive ()
    | d ->
      incr at;
      let rec first d =
        if d = 1 then XH else if d land 1 = 0 then XO (first (d / 2)) else XI (first (d / 2)) in
      Some (digits (first d)) in
  let rec item () =
    match take () with
    | 'N' -> DNull
    | 'T' -> DBool true
    | 'F' -> DBool false
    | 'S' -> DStr (digits XH)
    | 'I' ->
      let negative = next () = '-' in
      if negative then incr at;
      DInt (match positive () with None -> Z0 | Some p -> if negative then Zneg p else Zpos p)
    | '[' -> DList (items [])
    | '{' -> DObj (entries [])
    | _ -> raise Broken
  and items found = if next () = ']' then (incr at; List.rev found) else items (item () :: found)
  and entries found =
    match take () with
    | '}' -> List.rev found
    | 'S' -> let key = digits XH in entries ((key, item ()) :: found)
    | _ -> raise Broken in
  let found = item () in
  if !at < String.length line then raise Broken;
  found

let rec integer = function XH -> 1 | XO p -> 2 * integer p | XI p -> 2 * integer p + 1

let () =
  let rec depth n = if n = 0 then O else S (depth (n - 1)) in
  let answer = match Sys.argv.(1) with
    | "texts" -> read_alike
    | n -> verdict (depth (int_of_string n)) in
  try
    while true do
      let said = match answer (read (input_line stdin)) with
        | Z0 -> 0 | Zpos p -> integer p | Zneg p -> - integer p in
      print_endline (string_of_int said)
    done
  with End_of_file -> ()
