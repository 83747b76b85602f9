"""Who is at the other end: the way to know users, the gate before all routes, the person of a page."""
