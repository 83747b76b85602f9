"""Serves a folder with byte ranges, as cloud storage does: ``python -m ... FOLDER`` prints its port.

In a process of its own, because GDAL waits for an answer without giving other threads their turn.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class RangeHandler(SimpleHTTPRequestHandler):
    """Answers a request for a part of a file with that part."""

    def do_GET(self) -> None:
        path, asked = (
            Path(self.translate_path(self.path)),
            re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")),
        )
        if asked is None or not path.is_file():
            super().do_GET()
            return
        content = path.read_bytes()
        first, last = int(asked[1]), min(int(asked[2] or len(content)), len(content) - 1)
        part = content[first : last + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: Any) -> None:
        return None


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(RangeHandler, directory=sys.argv[1]))
    print(server.server_port, flush=True)
    server.serve_forever()
