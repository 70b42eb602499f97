module_platform_driver(eng_driver);
MODULE_LICENSE("GPL");
