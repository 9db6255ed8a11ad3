"""Programs, as every front end hands them over: their text, their JSON, their execution."""
