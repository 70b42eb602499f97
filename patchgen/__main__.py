"""``python -m patchgen``."""

from patchgen.cli.main import main

raise SystemExit(main())
