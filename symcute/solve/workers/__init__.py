"""What runs in the solvers' own processes: it imports little, since each starts anew."""
