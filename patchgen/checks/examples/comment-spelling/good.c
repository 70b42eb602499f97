/* Give the descriptor to the engine, which transferred the last one */
static int ready;
