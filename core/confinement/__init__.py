"""What others wrote is opened and drawn in processes without network, and with limits of time and memory.

The files of a team's members are read by libraries in C that have had faults and will have more. In such a
process a fault reaches no other address, an endless file ends after its seconds, and a crash takes nothing
with it. A process can still read what the server's account may read.
"""

from treeline.core.confinement.calling import call, call_and_attend, call_patiently, confine, is_confining
from treeline.core.confinement.network import can_cut_network
from treeline.core.confinement.worker import Attendant, Line

__all__ = [
    "Attendant",
    "Line",
    "call",
    "call_and_attend",
    "call_patiently",
    "can_cut_network",
    "confine",
    "is_confining",
]
