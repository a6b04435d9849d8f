"""What of the grader runs beside `make test`: the audit of the student's own files, and the lab's hint for a failure.

It is given to students, so it needs Python's own library and pyelftools alone, and nothing else of the grader than
`audit/`, `errors`, `text` and `verdict`.
"""
