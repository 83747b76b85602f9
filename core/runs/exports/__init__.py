"""A run as a file to take away.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``forms``               the kinds of file by name; the command line and the pages offer these
``exported_run``        what of a run an export is made of
``markdown``            question, answer and steps as text
``report``              the same as one HTML file with pictures; ``pictures`` draws maps,
                        ``html_parts`` tables and bars
``script``              the calls as a Python script; ``notebook`` the same as a Jupyter notebook
``inspect_log``         the run, or a benchmark's results, in the form of Inspect's logs
``bundle``              the run with its products and their hashes, which another Treeline opens
======================  ==============================================================================
"""
