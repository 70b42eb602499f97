/* SPDX-License-Identifier: GPL-2.0-only */
/* What a routine needs of the kernel's linkage macros, for the emulator only. */
#define SYM_FUNC_START(name)		.globl name; .p2align 2; .type name, %function; name: bti c;
#define SYM_FUNC_START_LOCAL(name)	.p2align 2; .type name, %function; name: bti c;
#define SYM_FUNC_END(name)		.size name, . - name;
#define SYM_TYPED_FUNC_START(name)	SYM_FUNC_START(name)
#define SYM_DATA_START(name)		.globl name; name:
#define SYM_DATA_START_LOCAL(name)	name:
#define SYM_DATA_END(name)		.size name, . - name;
