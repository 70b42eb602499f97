"""Real kernels: prepare a tree, build each patch, boot it, read the self-tests."""
