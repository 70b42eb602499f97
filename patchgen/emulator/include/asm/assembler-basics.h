/* SPDX-License-Identifier: GPL-2.0-only */
/* What routines use of the kernel's assembler macros besides ours, for the emulator only. */
	.macro	adr_l, dst, sym
	adrp	\dst, \sym
	add	\dst, \dst, :lo12:\sym
	.endm

	.macro	ldr_l, dst, sym, tmp
	.ifb	\tmp
	adrp	\dst, \sym
	ldr	\dst, [\dst, :lo12:\sym]
	.else
	adrp	\tmp, \sym
	ldr	\dst, [\tmp, :lo12:\sym]
	.endif
	.endm

#ifdef __AARCH64EB__
#define CPU_LE(code...)
#define CPU_BE(code...)			code
#else
#define CPU_LE(code...)			code
#define CPU_BE(code...)
#endif
