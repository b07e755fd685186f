"""Compile the loops of the battle map and the forecast into numba's cache, unless they are there: once for all workers."""

from turnwright.battlemap.compiled import Kernels
from turnwright.workspace.loop_compilation import fill_cache, is_cached

if __name__ == "__main__" and not is_cached():
    Kernels().warm()
    fill_cache()
