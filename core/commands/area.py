"""The option of the commands that work inside an area of interest."""

from __future__ import annotations

import argparse


def add_area(parser: argparse.ArgumentParser) -> None:
    """Declare the area of interest."""
    parser.add_argument(
        "--aoi",
        metavar="FILE|WKT|minx,miny,maxx,maxy",
        help="area of interest, inside which every tool works: a GeoJSON or GeoPackage file "
        "(FILE#ATTRIBUTE=VALUE for one of its features), or WKT or a box in longitude and latitude; 'none' "
        "drops that of the run that --after names",
    )
