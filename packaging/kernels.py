"""Compiles the kernels of the map and the forecast into one small library: `python packaging/kernels.py`.

numba translates the plain functions for LLVM, which optimises them together. The library needs neither of the two, nor
Python or any other library. Each kernel is a C function that takes the address of a table of 64-bit words: the address
of numpy's type of arrays, then the arguments. An array is the address of its Python object, a record its fields.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from inspect import get_annotations, isfunction
from itertools import chain
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "desktop"))

import llvmlite.binding as llvm
import numba
import numpy as np

from kernel_types import map_type_of, type_of
from shared_object import shared_object
from turnwright.battlemap.arrays import ARRAYS
from turnwright.battlemap.compiled import PLAIN, REFUSED, KernelSet, words_of
from turnwright.battlemap.kernels import corners, paths, rays, segments
from turnwright.forecast import kernel, policy, random_stream
from turnwright.workspace.kernel_library import PROGRESS, edition, library_file, library_name

FOLDER = Path(__file__).resolve().parent.parent / "build" / "kernels"
MAP = (paths, segments, rays, corners)
FORECAST = (random_stream, policy, kernel)
OFTEN = (  # functions called in every turn of every fight
    policy.can_pay, policy.has_target, policy.action_for, policy.target_for, kernel.take_damage, kernel.arriving, kernel.hit,
    kernel.attack, kernel.perform, kernel.refill_supplies, kernel.start_turn, kernel.end_turn, kernel.take_turn,
    kernel.play_fight,
)  # fmt: skip
LITTLE = 620  # bytes of bytecode; a call of a smaller function costs more than its body
PROCESSOR = "x86-64-v2" if platform.machine() in ("x86_64", "AMD64") else "generic"  # no newer instructions
SHARE = 70  # per cent of the time before LLVM optimises
HEAD = 16  # bytes of a Python object before its own fields; see `HEADER` in workspace/kernel_library.py
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400  # numpy's flags of arrays

Compiled = dict[FunctionType, Any]


def main() -> None:
    """Compile the library into a folder, unless it is there."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--into", type=Path, default=FOLDER, help="the folder (default: build/kernels)")
    folder = parser.parse_args().into
    if not links_itself() and shutil.which("cc") is None:
        raise SystemExit("kernels: cc is missing, which links the library on this system")
    if library_file(folder) is None:
        if hasattr(os, "nice"):
            os.nice(5)
        print(build(folder).name)


def build(folder: Path) -> Path:
    """Compile the library into a folder, and remove older ones there. Return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    kernels = {name: getattr(PLAIN, name) for name in KernelSet.__slots__} | {"play_fights": kernel.play_fights}
    content = linked(machine_code(kernels, folder / PROGRESS), list(kernels))
    path = folder / library_name(content, edition())
    for old in folder.glob("kernels-*.so"):
        with suppress(OSError):  # another program may be using it
            old.unlink()
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).replace(path)
    (folder / PROGRESS).unlink(missing_ok=True)
    return path


def machine_code(kernels: dict[str, Any], progress: Path) -> bytes:
    """Compile kernels to an object file."""
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = PROCESSOR, ""
    numba.config.OPT = type(numba.config.OPT)(0)  # functions aren't optimised before they are together
    compiled: Compiled = {}
    count = sum(len(functions(module)) for module in (*MAP, *FORECAST))
    for function, result in chain(compile_modules(MAP, map_type_of), compile_modules(FORECAST, type_of, OFTEN)):
        compiled[function] = result
        progress.write_text(str(SHARE * len(compiled) // count), "utf-8")
    module = llvm.parse_assembly("")
    for name, plain in kernels.items():
        (result,) = compiled[plain].overloads.values()
        module.link_in(llvm.parse_assembly(result.library.get_llvm_str()))
        module.link_in(llvm.parse_assembly(entry(name, plain, result.fndesc.llvm_func_name)))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in kernels:
            value.linkage = "internal"
    llvm.set_option("kernels", "--disable-loop-idiom-all")  # it would call memset, which is in another library
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu=PROCESSOR, opt=3, reloc="pic", codemodel="small")
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def compile_modules(
    modules: tuple[ModuleType, ...], kind_of: Callable[[str], Any], inlined: tuple[object, ...] = ()
) -> Iterator[tuple[FunctionType, Any]]:
    """Compile the functions of modules. Yield each with numba's result.

    Functions must be defined before their callers. They are copied to a separate scope in which they call each other's
    compiled versions. Kernels allocate nothing, so they don't need reference counting (`_nrt`): it would change counts
    atomically in each helper that takes an array, which makes pathfinding six times slower. If some functions are
    `inlined`, so are all small ones.
    """
    compiled: Compiled = {}
    options = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    for module in modules:
        scope = {
            name: compiled.get(value, value) if isfunction(value) else value for name, value in vars(module).items()
        }
        for plain in functions(module):
            signature = [kind_of(word) for name, word in get_annotations(plain).items() if name != "return"]
            copy = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
            inline = bool(inlined) and (plain in inlined or len(plain.__code__.co_code) < LITTLE)
            result = numba.njit(tuple(signature), error_model="numpy", forceinline=inline, **options)(copy)
            compiled[plain] = scope[plain.__name__] = result
            yield plain, result


def functions(module: ModuleType) -> list[FunctionType]:
    """Return the functions defined in a module, in order."""
    return [value for value in vars(module).values() if isfunction(value) and value.__module__ == module.__name__]


class Entry:
    """The text of a C function for LLVM that reads a kernel's arguments from a table of words."""

    def __init__(self) -> None:
        self.types: list[str] = []  # lines that check whether the objects are arrays
        self.lines: list[str] = []  # lines that check the arrays and read the arguments
        self.passed = ["ptr %result", "ptr %error"]
        self._count = 0

    def add(self, lines: list[str], text: str) -> str:
        """Add a line that computes a value, and return the value's name."""
        self._count += 1
        lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def read(self, lines: list[str], base: str, offset: int, kind: str) -> str:
        """Add lines that read a value at an offset from an address."""
        return self.add(lines, f"load {kind}, ptr {self.add(lines, f'getelementptr i8, ptr {base}, i64 {offset}')}")

    def require(self, lines: list[str], kind: str, value: str, wanted: object) -> None:
        """Add lines that refuse the call unless a value is as wanted. `%ok` is kept in memory until it is optimised."""
        same = self.add(lines, f"icmp eq {kind} {value}, {wanted}")
        both = self.add(lines, f"and i1 {self.add(lines, 'load i1, ptr %ok')}, {same}")
        lines.append(f"  store i1 {both}, ptr %ok")

    def add_array(self, place: int, dtype: np.dtype[Any], dimensions: int, *, is_written: bool) -> None:
        """Add an array, whose object has its data, dimensions, item type and flags at fixed places of its header."""
        holder = self.read(self.types, "%words", place, "ptr")
        self.require(self.types, "ptr", self.read(self.types, holder, 8, "ptr"), "%array")
        self.require(self.lines, "i32", self.read(self.lines, holder, HEAD + 8, "i32"), dimensions)
        item = self.read(self.lines, holder, HEAD + 40, "ptr")
        self.require(self.lines, "i8", self.read(self.lines, item, HEAD + 10, "i8"), ord(dtype.byteorder))
        self.require(self.lines, "i32", self.read(self.lines, item, HEAD + 12, "i32"), dtype.num)
        wanted = CONTIGUOUS | ALIGNED | (WRITEABLE if is_written else 0)
        flags = self.add(self.lines, f"and i32 {self.read(self.lines, holder, HEAD + 48, 'i32')}, {wanted}")
        self.require(self.lines, "i32", flags, wanted)
        data = self.read(self.lines, holder, HEAD, "ptr")
        sizes = self.read(self.lines, holder, HEAD + 16, "ptr")
        shape = [self.read(self.lines, sizes, 8 * number, "i64") for number in range(dimensions)]
        strides = [str(dtype.itemsize)]
        for size in reversed(shape[1:]):
            strides.insert(0, self.add(self.lines, f"mul i64 {strides[0]}, {size}"))
        count = self.add(
            self.lines, f"sdiv i64 {self.add(self.lines, f'mul i64 {strides[0]}, {shape[0]}')}, {strides[-1]}"
        )
        self.passed += ["ptr null", "ptr null", f"i64 {count}", f"i64 {dtype.itemsize}", f"ptr {data}"]
        self.passed += [f"i64 {number}" for number in (*shape, *strides)]

    def add_word(self, place: int, word: str) -> None:
        """Add a number, or the address of a fight."""
        if word == "bool":
            number = self.read(self.lines, "%words", place, "i64")
            self.passed.append(f"i8 {self.add(self.lines, f'trunc i64 {number} to i8')}")
        else:
            kind = {"int": "i64", "float": "double", "FightTables": "ptr"}[word]
            self.passed.append(f"{kind} {self.read(self.lines, '%words', place, kind)}")


def entry(name: str, plain: FunctionType, compiled: str) -> str:
    """Return the module of a kernel's entry, as text for LLVM. `compiled` is the name of numba's function."""
    made = Entry()
    for number, (_, word) in enumerate(words_of(plain), 1):
        if word in ARRAYS:
            kind = ARRAYS[word]
            made.add_array(8 * number, np.dtype(kind.dtype), kind.dimensions, is_written=kind.is_written)
        else:
            made.add_word(8 * number, word)
    kinds = ", ".join(argument.split()[0] for argument in made.passed)
    return "\n".join(
        (
            f'declare i32 @"{compiled}"({kinds})',
            f'define i64 @"{name}"(ptr %words) {{',
            "  %ok = alloca i1",
            "  %result = alloca i64",
            "  %error = alloca ptr",
            "  store i1 true, ptr %ok",
            "  store i64 0, ptr %result",
            "  %array = load ptr, ptr %words",
            *made.types,
            "  %are_arrays = load i1, ptr %ok",
            "  br i1 %are_arrays, label %check, label %refuse",
            "check:",
            *made.lines,
            "  %fit = load i1, ptr %ok",
            "  br i1 %fit, label %run, label %refuse",
            "run:",
            f'  %status = call i32 @"{compiled}"({", ".join(made.passed)})',
            "  %value = load i64, ptr %result",
            "  %failed = icmp ne i32 %status, 0",
            "  br i1 %failed, label %refuse, label %end",
            "end:",
            "  ret i64 %value",
            "refuse:",
            f"  ret i64 {REFUSED}",
            "}",
        )
    )


def links_itself() -> bool:
    """Return whether `shared_object` makes libraries for this system."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def linked(code: bytes, names: list[str]) -> bytes:
    """Return the library of an object file, linked by `shared_object` or by `cc`."""
    if links_itself():
        return shared_object(code, names)
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "kernels.o"), Path(folder, "kernels.so")
        source.write_bytes(code)
        subprocess.run(["cc", "-shared", source, "-o", library], check=True)
        return library.read_bytes()


if __name__ == "__main__":
    main()
