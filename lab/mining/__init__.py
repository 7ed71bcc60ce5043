"""The problem miner of ``hisshi compose``: positions made at random, and what is kept of them."""
