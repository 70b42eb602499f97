static unsigned int threshold = 256;
module_param(threshold, uint, 0644);
