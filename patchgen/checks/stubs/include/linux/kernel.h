/* Helpers that take types or declare things. */
#define container_of(ptr, type, member) ((type *)__container_of(ptr))
#define container_of_const(ptr, type, member) ((type *)__container_of(ptr))
#define list_entry(ptr, type, member) ((type *)__container_of(ptr))
#define list_first_entry(ptr, type, member) ((type *)__list_first(ptr))
#define list_last_entry(ptr, type, member) ((type *)__list_first(ptr))
#define list_first_entry_or_null(ptr, type, member) ((type *)__list_first_or_null(ptr))
#define list_next_entry(pos, member) __list_next(pos)
#define list_prev_entry(pos, member) __list_next(pos)
#define hlist_entry(ptr, type, member) ((type *)__container_of(ptr))
#define hlist_entry_safe(ptr, type, member) ((type *)__container_of(ptr))
#define rb_entry(ptr, type, member) ((type *)__container_of(ptr))
#define llist_entry(ptr, type, member) ((type *)__container_of(ptr))
#define list_for_each_entry(pos, head, member) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define list_for_each_entry_safe(pos, n, head, member) for (pos = __list_first(head), n = __list_next(pos); __list_more(head); pos = n, n = __list_next(n))
#define list_for_each_entry_rcu(pos, head, member, ...) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define list_for_each_entry_reverse(pos, head, member) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define list_for_each_entry_safe_reverse(pos, n, head, member) for (pos = __list_first(head), n = __list_next(pos); __list_more(head); pos = n, n = __list_next(n))
#define list_for_each_entry_continue(pos, head, member) for (pos = __list_next(pos); __list_more(head); pos = __list_next(pos))
#define list_for_each_entry_continue_reverse(pos, head, member) for (pos = __list_next(pos); __list_more(head); pos = __list_next(pos))
#define list_for_each_entry_from(pos, head, member) for (; __list_more(head); pos = __list_next(pos))
#define list_for_each(pos, head) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define list_for_each_safe(pos, n, head) for (pos = __list_first(head), n = __list_next(pos); __list_more(head); pos = n, n = __list_next(n))
#define hlist_for_each_entry(pos, head, member) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define hlist_for_each_entry_safe(pos, n, head, member) for (pos = __list_first(head), n = __list_next(pos); __list_more(head); pos = n)
#define hlist_for_each_entry_rcu(pos, head, member) for (pos = __list_first(head); __list_more(head); pos = __list_next(pos))
#define for_each_sg(sglist, sg, nr, i) for (i = 0, sg = (sglist); i < (nr); i++, sg = sg_next(sg))
#define for_each_sgtable_sg(sgt, sg, i) for (i = 0, sg = (sgt)->sgl; i < (sgt)->orig_nents; i++, sg = sg_next(sg))
#define for_each_sgtable_dma_sg(sgt, sg, i) for (i = 0, sg = (sgt)->sgl; i < (sgt)->nents; i++, sg = sg_next(sg))
#define for_each_set_bit(bit, addr, size) for (bit = find_first_bit(addr, size); bit < (size); bit++)
#define for_each_clear_bit(bit, addr, size) for (bit = find_first_zero_bit(addr, size); bit < (size); bit++)
#define for_each_cpu(cpu, mask) for (cpu = 0; __list_more(mask); cpu++)
#define for_each_possible_cpu(cpu) for (cpu = 0; cpu < nr_cpu_ids; cpu++)
#define for_each_online_cpu(cpu) for (cpu = 0; cpu < nr_cpu_ids; cpu++)
#define for_each_present_cpu(cpu) for (cpu = 0; cpu < nr_cpu_ids; cpu++)
#define for_each_child_of_node(parent, child) for (child = __first_child(parent); child; child = __next_child(child))
#define for_each_available_child_of_node(parent, child) for (child = __first_child(parent); child; child = __next_child(child))
#define for_each_pci_dev(d) while ((d = pci_get_device(0, 0, d)))
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, v, lo, hi) clamp((type)(v), (type)(lo), (type)(hi))
#define swap(a, b) __swap(&(a), &(b))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define field_sizeof(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
#define BUILD_BUG_ON_ZERO(e) 0
#define this_cpu_ptr(p) (p)
#define raw_cpu_ptr(p) (p)
#define per_cpu(var, cpu) (*__per_cpu(&(var), cpu))
#define alloc_percpu(type) ((type *)__alloc_percpu())
#define alloc_percpu_gfp(type, gfp) ((type *)__alloc_percpu(gfp))
#define alloc_percpu_aligned(type) ((type *)__alloc_percpu())
#define DEFINE_PER_CPU(type, name) type name
#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU_ALIGNED(type, name) type name
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define DEFINE_SPINLOCK(name) spinlock_t name
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define DEFINE_RWLOCK(name) rwlock_t name
#define DEFINE_MUTEX(name) struct mutex name
#define DECLARE_RWSEM(name) struct rw_semaphore name
#define DEFINE_SEMAPHORE(name, ...) struct semaphore name
#define DEFINE_IDA(name) struct ida name
#define DEFINE_IDR(name) struct idr name
#define DEFINE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)]
#define DECLARE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)]
#define DEFINE_XARRAY(name) struct xarray name
#define DEFINE_XARRAY_ALLOC(name) struct xarray name
#define DEFINE_STATIC_KEY_FALSE(name) struct static_key name
#define DEFINE_STATIC_KEY_TRUE(name) struct static_key name
#define DECLARE_STATIC_KEY_FALSE(name) extern struct static_key name
#define DEFINE_STATIC_CALL(name, f) struct static_call_key name
#define DEFINE_WAIT(name) wait_queue_entry_t name
#define LIST_HEAD(name) struct list_head name = { 0 }
#define HLIST_HEAD(name) struct hlist_head name = { 0 }
#define LLIST_HEAD(name) struct llist_head name = { 0 }
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name
#define DECLARE_WAITQUEUE(name, task) wait_queue_entry_t name
#define DECLARE_COMPLETION(name) struct completion name = { 0 }
#define DECLARE_COMPLETION_ONSTACK(name) struct completion name = { 0 }
#define DECLARE_CRYPTO_WAIT(name) struct crypto_wait name = { 0 }
#define DECLARE_WORK(name, f) struct work_struct name = { .func = f }
#define DECLARE_DELAYED_WORK(name, f) struct delayed_work name = { .work = f }
#define DECLARE_TASKLET(name, f) struct tasklet_struct name = { .callback = f }
#define DECLARE_TASKLET_OLD(name, f) struct tasklet_struct name = { .func = f }
#define DEFINE_TIMER(name, f) struct timer_list name = { .function = f }
#define ATOMIC_NOTIFIER_HEAD(name) struct atomic_notifier_head name
#define BLOCKING_NOTIFIER_HEAD(name) struct blocking_notifier_head name
#define DEFINE_DEBUGFS_ATTRIBUTE(name, get, set, fmt) static const struct file_operations name = { .read = get, .write = set }
#define DEFINE_SIMPLE_ATTRIBUTE(name, get, set, fmt) static const struct file_operations name = { .read = get, .write = set }
#define DEFINE_SHOW_ATTRIBUTE(name) static const struct file_operations name##_fops = { .read = name##_show }
#define DEVICE_ATTR(name, mode, show, store) struct device_attribute dev_attr_##name = { .show = show, .store = store }
#define DEVICE_ATTR_RO(name) struct device_attribute dev_attr_##name = { .show = name##_show }
#define DEVICE_ATTR_RW(name) struct device_attribute dev_attr_##name = { .show = name##_show, .store = name##_store }
#define DEVICE_ATTR_WO(name) struct device_attribute dev_attr_##name = { .store = name##_store }
#define ATTRIBUTE_GROUPS(name) static const struct attribute_group *name##_groups[] = { &name##_group, 0 }
#define SIMPLE_DEV_PM_OPS(name, s, r) struct dev_pm_ops name = { .suspend = s, .resume = r }
#define DEFINE_SIMPLE_DEV_PM_OPS(name, s, r) struct dev_pm_ops name = { .suspend = s, .resume = r }
#define UNIVERSAL_DEV_PM_OPS(name, s, r, i) struct dev_pm_ops name = { .suspend = s, .resume = r }
#define DEFINE_RUNTIME_DEV_PM_OPS(name, s, r, i) struct dev_pm_ops name = { .runtime_suspend = s, .runtime_resume = r }
#define SET_SYSTEM_SLEEP_PM_OPS(s, r) .suspend = s, .resume = r,
#define SET_LATE_SYSTEM_SLEEP_PM_OPS(s, r) .suspend_late = s, .resume_early = r,
#define SET_NOIRQ_SYSTEM_SLEEP_PM_OPS(s, r) .suspend_noirq = s, .resume_noirq = r,
#define SET_RUNTIME_PM_OPS(s, r, i) .runtime_suspend = s, .runtime_resume = r,
#define SYSTEM_SLEEP_PM_OPS(s, r) .suspend = s, .resume = r,
#define RUNTIME_PM_OPS(s, r, i) .runtime_suspend = s, .runtime_resume = r,
#define of_match_ptr(p) (p)
#define acpi_match_ptr(p) (p)
#define ACPI_PTR(p) (p)
#define pm_ptr(p) (p)
#define pm_sleep_ptr(p) (p)
#define PTR_IF(c, p) (p)
#define virtio_cread_le(dev, type, member, place) __virtio_cread(dev, place)
#define virtio_cread(dev, type, member, place) __virtio_cread(dev, place)
#define virtio_cwrite_le(dev, type, member, place) __virtio_cread(dev, place)
#define BITS_PER_TYPE(type) (8 * sizeof(type))
