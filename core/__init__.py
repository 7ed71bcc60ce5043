"""The board kernel, contracts, registry and composition that every plugin builds on."""
