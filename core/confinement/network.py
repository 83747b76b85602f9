"""Cutting a process off the network, for good: a filter of system calls, which Linux grants to any account.

Sockets of every family but that of the machine itself are refused, and so is the second way to make them,
io_uring. What a process has opened before stays open, so it is done first of all.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

# Of linux/seccomp.h, linux/audit.h and linux/filter.h.
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
# Let the call through; or let it fail with an error that libraries expect, instead of ending the process.
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
# Instructions of the classic packet filter in which the kernel takes the rules.
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
# Where these lie in the structure that a rule reads; of an argument its lower half.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
# AF_UNIX, the one family that leads nowhere beyond the machine: processes here speak to each other by it.
_UNIX = 1
# A second table of numbers on x86-64, in which the same calls have others.
_OTHER_TABLE = 0x40000000
# io_uring_setup, the same on every machine: its ring makes sockets without the call that is refused here.
_IO_URING = 425

# Machine: its number in linux/audit.h, and that of the call that makes a socket.
_MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def can_cut_network() -> bool:
    """Return whether this machine offers the filter."""
    return sys.platform == "linux" and platform.machine() in _MACHINES


def cut_network() -> None:
    """Refuse this process every connection from now on.

    Raises
    ------
    OSError
        The system does not grant it.
    """
    if not can_cut_network():
        raise OSError(errno.ENOSYS, "no filter of system calls is known for this machine")
    code = _instructions(*_MACHINES[platform.machine()])
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.prctl(
        _SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the filter of system calls is not granted")


def _instructions(architecture: int, socket: int) -> bytes:
    """Return the filter: each line is an operation, how far to jump if it holds and if not, and a number."""
    lines = (
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 5, 0, _OTHER_TABLE),
        (_EQUAL, 4, 0, _IO_URING),
        (_EQUAL, 0, 2, socket),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 0, 1, _UNIX),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    )
    return b"".join(struct.pack("HBBI", *line) for line in lines)
