"""The library of compiled kernels: linked without a linker, the same each time, and compiled from plain functions."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from shutil import which

import pytest

from shared_object import shared_object
from turnwright.battlemap.compiled import PLAIN, KernelSet, words_of
from turnwright.workspace.kernel_library import KernelLibrary, await_kernels, kernel_library, library_file

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="links for Linux")
FUNCTIONS = """
@table = internal constant [4 x i64] [i64 3, i64 5, i64 7, i64 11]
define internal i64 @helper(i64 %place) noinline {
  %at = getelementptr [4 x i64], ptr @table, i64 0, i64 %place
  %value = load i64, ptr %at
  ret i64 %value
}
define i64 @entry(i64 %place) {
  %found = call i64 @helper(i64 %place)
  %twice = mul i64 %found, 2
  ret i64 %twice
}
define double @half(double %number) {
  %half = fmul double %number, 0.3
  ret double %half
}
"""


def object_file(text: str) -> bytes:
    import llvmlite.binding as llvm  # not for each worker

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(opt=0, reloc="pic", codemodel="small")
    return target.emit_object(llvm.parse_assembly(text))


@LINUX
def test_functions_call_each_other_and_read_constants(tmp_path):
    path = tmp_path / "made.so"
    path.write_bytes(shared_object(object_file(FUNCTIONS), ["half", "entry"]))
    library = ctypes.CDLL(str(path))
    assert [library.entry(place) for place in range(4)] == [6, 10, 14, 22]
    library.half.argtypes, library.half.restype = (ctypes.c_double,), ctypes.c_double
    assert library.half(5.0) == 0.3 * 5
    assert not hasattr(library, "helper")


@LINUX
@pytest.mark.parametrize(
    "text",
    [
        "declare i64 @outside(i64)\ndefine i64 @entry(i64 %n) {\n %r = call i64 @outside(i64 %n)\n ret i64 %r\n}",
        "@kept = internal global ptr @entry\ndefine ptr @entry() {\n %r = load ptr, ptr @kept\n ret ptr %r\n}",
    ],
)
def test_a_library_that_would_need_more_is_refused(text):
    with pytest.raises(ValueError, match="can't link"):
        shared_object(object_file(text), ["entry"])


@pytest.mark.skipif(which("readelf") is None, reason="readelf is missing")
@LINUX
def test_tools_read_the_library():
    assert await_kernels()
    path = library_file(kernel_library().folder)
    assert path is not None
    read = subprocess.run(
        ["readelf", "--wide", "--segments", "--dynamic", path], capture_output=True, text=True, check=True
    )
    assert read.stderr == ""
    assert "NEEDED" not in read.stdout
    assert "RWE" not in read.stdout


def test_every_kernel_has_a_word_for_each_number_and_array():
    import kernels  # loads numba

    for name in KernelSet.__slots__:
        words = [*words_of(getattr(PLAIN, name))]
        assert len({path for path, _ in words}) == len(words)
        entry = kernels.entry(name, getattr(PLAIN, name), "compiled")
        assert entry.count("ptr %words, i64") == len(words)


@pytest.mark.soak
def test_the_same_source_gives_the_same_bytes(tmp_path):
    import kernels

    assert await_kernels()
    here = library_file(kernel_library().folder)
    assert here is not None
    one = KernelLibrary(tmp_path, kernels.FOLDER.parents[1] / "packaging" / "kernels.py")
    percent = [*one.compile()]
    assert percent == sorted(percent)
    assert [path.name for path in tmp_path.iterdir()] == [here.name]
