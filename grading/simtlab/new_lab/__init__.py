"""Makes the folders of a new lab: whole in form, with a mark at every part that its author has to write."""
