"""Steps: one module per kind of change to a tree (architecture page, "step")."""
