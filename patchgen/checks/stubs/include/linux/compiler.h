/* Words for the compiler and for other checkers; C without them means the same. */
#define __user
#define __iomem
#define __percpu
#define __rcu
#define __kernel
#define __force
#define __bitwise
#define __nocast
#define __safe
#define __private
#define __init
#define __exit
#define __devinit
#define __devexit
#define __initdata
#define __initconst
#define __exitdata
#define __refdata
#define __ref
#define __meminit
#define __cpuinit
#define __net_init
#define __net_exit
#define __read_mostly
#define __ro_after_init
#define __packed
#define __weak
#define __pure
#define __cold
#define __hot
#define __used
#define __unused
#define __visible
#define __malloc
#define __must_check
#define __maybe_unused
#define __always_unused
#define __deprecated
#define __noreturn
#define __naked
#define __no_kcsan
#define __no_sanitize_address
#define __nonstring
#define __cacheline_aligned
#define __cacheline_aligned_in_smp
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __page_aligned_bss
#define __page_aligned_data
#define __crypto_align
#define __latent_entropy
#define __randomize_layout
#define __no_randomize_layout
#define __designated_init
#define __lockfunc
#define __sched
#define __kprobes
#define __ksym
#define __bpf_kfunc
#define __cpuidle
#define __noclone
#define __nostackprotector
#define __flatten
#define __extension__
#define __nosavedata
#define asmlinkage
#define notrace
#define noinline
#define noinline_for_stack
#define fallthrough
#define dotraplinkage
#define __always_inline inline
#define __inline inline
#define __inline__ inline
#define __const const
#define __volatile__ volatile
#define __restrict restrict
#define __signed__ signed
#define __aligned(n)
#define __aligned_largest
#define __attribute__(x)
#define __attribute(x)
#define __section(x)
#define __printf(a, b)
#define __scanf(a, b)
#define __alloc_size(...)
#define __assume_aligned(...)
#define __counted_by(m)
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __cond_acquires(x)
#define __acquire(x)
#define __release(x)
#define __alias(x)
#define __target(x)
#define __diag_push()
#define __diag_pop()
#define __PASTE(a, b) a##b
#define __private_extern
#define typeof_member(t, m) __typeof_t
#define __builtin_offsetof(t, m) offsetof(t, m)
#define __builtin_types_compatible_p(a, b) 1
#define likely(x) (x)
#define unlikely(x) (x)
#define static_assert(...) _Static_assert(__VA_ARGS__, "")
#define uninitialized_var(x) x = x
#define struct_group(name, ...) __VA_ARGS__
#define struct_group_attr(name, attrs, ...) __VA_ARGS__
#define struct_group_tagged(tag, name, ...) __VA_ARGS__
#define DECLARE_FLEX_ARRAY(type, name) type name[]
#define va_arg(ap, type) (*(type *)(ap))
#define __va_copy(a, b) va_copy(a, b)
#define CRYPTO_MINALIGN_ATTR
