"""What every size is: text as syntax, expressions, polynomials, formulas, assumptions."""
