/* SPDX-License-Identifier: GPL-2.0-only */
/* Offsets that the kernel build computes; these fit the emulator's task and CPU areas. */
#define TSK_TI_FLAGS			0
#define TSK_TI_PREEMPT			16
#define PREEMPT_DISABLE_OFFSET		1
#define SOFTIRQ_SHIFT			8
