"""Does this follow? Polynomials, products, instances and solvers, behind one entailment."""
