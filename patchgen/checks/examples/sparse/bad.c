#include <linux/types.h>

struct lamp_frame {
	__le32 level;
};

static void lamp_fill(struct lamp_frame *frame, u32 level)
{
	frame->level = level;
}
