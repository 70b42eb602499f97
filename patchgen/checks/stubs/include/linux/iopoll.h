/* Polling registers with a limit. */
int readl_poll_timeout(const void *address, u32 value, int condition, unsigned long sleep_us, u64 timeout_us);
int readl_poll_timeout_atomic(const void *address, u32 value, int condition, unsigned long delay_us, u64 timeout_us);
