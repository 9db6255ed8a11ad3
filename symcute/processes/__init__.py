"""Processes: started, spoken to within a deadline, limited in memory, killed; what became of them.

The one supervisor of all that the package runs beside itself. What is asked is no matter of its.
"""
