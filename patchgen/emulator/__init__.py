"""Assemble a rendered arm64 routine and run it under an emulator, with guard pages.

``assemble`` needs the extra ``asm`` (a cross clang by pip), ``machine`` the extra
``emulate`` (Unicorn, pyelftools); each raises ``ToolMissingError`` with its install line.
"""
