"""Host code: which launches it comes to, with which grids, arguments and memory."""
