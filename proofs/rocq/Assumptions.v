(* What the theorems rest on beside the kernel: nothing. *)
From Symcute Require Import Terms Sums Ways Ranges Settling Claims Evaluation Agreement Requests Parts Certificates Splitting Stated Plain.
Print Assumptions accepted_holds.
Print Assumptions accepted_met.
Print Assumptions is_true_ok.
Print Assumptions combined_ok.
Print Assumptions in_ranges_ok.
Print Assumptions settle_ok.
Print Assumptions agree_holds.
Print Assumptions obligations_ok.
Print Assumptions exported.
Print Assumptions parts_mean.
Print Assumptions primitives_mean.
Print Assumptions stated_means.
Print Assumptions accepted_text_holds.
Print Assumptions costs_so_ok.
