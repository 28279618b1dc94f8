"""The exercise: a starter to write the loop oneself, and the grading of what was written.

`scripts`, `tools` and `play` are copied into the starter with `app/engine`: they need Python alone.
`starter` writes it. `grading` runs a learner's file (`child`, in a process of its own), `judge`
finds the first thing that is wrong in its history.
"""
