module_platform_driver(eng_driver);
MODULE_DESCRIPTION("Example engine");
MODULE_LICENSE("GPL");
