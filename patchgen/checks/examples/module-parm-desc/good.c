static unsigned int threshold = 256;
module_param(threshold, uint, 0644);
MODULE_PARM_DESC(threshold, "Bytes up to which the CPU does the work");
