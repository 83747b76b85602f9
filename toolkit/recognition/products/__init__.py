"""Product families, a file each for those of one provider or mission.

A family says how its files are named, what its bands are and how their values are stored. A band is
``name: role`` or ``name: {role, encoding, unit}``; the family's ``encoding`` holds for its reflectance bands.
Band names are compared without case and without leading zeros (B4 = B04). ``variants`` replace entries where
the named groups of the file name match. ``specification`` names the document that it was built from, and
``tried`` the real products that it was tried on, if any.
"""
