/* Give the descripter to the engine, which transfered the last one */
static int ready;
