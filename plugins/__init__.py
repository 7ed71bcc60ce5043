"""The bundled plugins: one idea a file, found through the same entry points as third-party ones."""
