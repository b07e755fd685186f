"""Links an object file into a shared library for Linux on x86-64, so that compiling needs no linker.

It does what kernels need: functions that call each other and read constants, without anything outside, and without data
that they change. The result is one segment for code and constants, and one for the table that the loader reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct, pack
from typing import NamedTuple

PAGE = 4096
ELF_HEADER = Struct("<4s5B7xHHIQQQIHHHHHH")
PROGRAM_HEADER = Struct("<IIQQQQQQ")
SYMBOL = Struct("<IBBHQQ")
RELOCATION = Struct("<QQq")
ALLOCATED = 2  # flag of sections that are loaded
SYMBOLS, RELOCATIONS, UNWINDING = 2, 4, 0x70000001  # types of sections
RELATIVE = (2, 4)  # R_X86_64_PC32 and R_X86_64_PLT32: the distance to a symbol, as 32 bits
LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551  # types of segments
READ, WRITE, EXECUTE = 4, 2, 1


class Section(NamedTuple):
    """A section of an object file, as in its table."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class Symbol(NamedTuple):
    """A symbol of an object file, as in its table."""

    name: int
    info: int
    other: int
    section: int
    value: int
    size: int


def shared_object(code: bytes, names: Sequence[str]) -> bytes:
    """Return the library of an object file that exports the functions of these names.

    Raise ValueError if the object file needs anything that isn't in it, or that this linker can't do.
    """
    table, count = int.from_bytes(code[40:48], "little"), int.from_bytes(code[60:62], "little")
    row = Struct("<IIQQQQIIQQ")
    sections = [Section(*row.unpack_from(code, table + row.size * number)) for number in range(count)]
    (listed,) = (section for section in sections if section.type == SYMBOLS)
    symbols = [Symbol(*row) for row in SYMBOL.iter_unpack(_content(code, listed))]
    texts = _content(code, sections[listed.link])
    by_name = {_text(texts, symbol.name): symbol for symbol in symbols}

    strings = b"\0" + b"".join(name.encode() + b"\0" for name in names)
    # The loader finds a name by a hash table; in one with a single list, the hash doesn't matter.
    chain = pack(f"<{len(names) + 4}I", 1, len(names) + 1, 1, 0, *range(2, len(names) + 1), 0)
    symbols_at = ELF_HEADER.size + 4 * PROGRAM_HEADER.size
    chain_at = symbols_at + SYMBOL.size * (len(names) + 1)
    strings_at = chain_at + len(chain)

    image, places = bytearray(strings_at + len(strings)), dict[int, int]()
    for number, section in enumerate(sections):
        if section.flags & ALLOCATED and section.size and section.type != UNWINDING:
            image += bytes(-len(image) % section.alignment)
            places[number] = len(image)
            image += _content(code, section)
    for section in sections:
        if section.type == RELOCATIONS and section.info in places:
            for offset, info, addend in RELOCATION.iter_unpack(_content(code, section)):
                symbol = symbols[info >> 32]
                if info & 0xFFFFFFFF not in RELATIVE or symbol.section not in places:
                    raise ValueError(f"can't link {_text(texts, symbol.name)!r}, relocation {info & 0xFFFFFFFF}")
                at = places[section.info] + offset
                distance = places[symbol.section] + symbol.value + addend - at
                image[at : at + 4] = distance.to_bytes(4, "little", signed=True)
    end = len(image)
    image += bytes(-end % PAGE)
    dynamic_at = len(image)
    entries = ((4, chain_at), (5, strings_at), (6, symbols_at), (10, len(strings)), (11, SYMBOL.size), (0, 0))
    image += b"".join(pack("<QQ", *entry) for entry in entries)

    size = len(image) - dynamic_at
    heads = [
        (LOAD, READ | EXECUTE, 0, 0, 0, end, end, PAGE),
        (LOAD, READ | WRITE, dynamic_at, dynamic_at, dynamic_at, size, size, PAGE),
        (DYNAMIC, READ | WRITE, dynamic_at, dynamic_at, dynamic_at, size, size, 8),
        (STACK, READ | WRITE, 0, 0, 0, 0, 0, 16),
    ]
    header = ELF_HEADER.pack(
        b"\x7fELF", 2, 1, 1, 0, 0, 3, 62, 1, 0, ELF_HEADER.size, 0, 0, ELF_HEADER.size, 56, 4, 64, 0, 0
    )
    exported = [SYMBOL.pack(0, 0, 0, 0, 0, 0)]
    for name in names:
        symbol = by_name[name]
        place = places[symbol.section] + symbol.value
        exported.append(SYMBOL.pack(strings.index(b"\0" + name.encode() + b"\0") + 1, 0x12, 0, 1, place, symbol.size))
    front = header + b"".join(PROGRAM_HEADER.pack(*head) for head in heads) + b"".join(exported) + chain + strings
    image[: len(front)] = front
    return bytes(image)


def _content(code: bytes, section: Section) -> bytes:
    return code[section.offset : section.offset + section.size]


def _text(texts: bytes, at: int) -> str:
    return texts[at : texts.index(b"\0", at)].decode()
