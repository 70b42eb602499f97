static int pick(int mode)
{
	int ret;

	switch (mode) {
	case 0:
		ret = 1;
		break;
	case 1:
		ret = 2;
		break;
	}
	return ret;
}
