"""The running program: start-up, exceptions, garbage collection and other windows."""
