"""The checks that every plugin must pass, bundled or not: ``pytest --pyargs hisshi.conformance``.

A check is a test function of a ``test_….py`` file here. It gets a `subject` (`hisshi.conformance.subjects`): one plugin
with one choice of its options. A file's `ROLES` says for which roles its checks are.
"""
