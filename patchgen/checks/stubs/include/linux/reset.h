/* Reset lines. */
int reset_control_assert(struct reset_control *line);
int reset_control_deassert(struct reset_control *line);
