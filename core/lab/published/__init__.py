"""The benchmarks' own files, as their authors publish them, brought into our form."""
