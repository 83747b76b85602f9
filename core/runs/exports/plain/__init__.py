"""The calls of a run in rasterio and numpy alone.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``helpers``             functions that are copied into each script; they import no Treeline
``rasters``             where the pixels of an address lie and how they are read, as literals of a script
``tools``               the tools that can be said so, each with the code of a call
``script``              the script; it names each step that it cannot say, and holds its numbers against
                        those of the run
======================  ==============================================================================
"""
