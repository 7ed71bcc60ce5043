"""Orders in which a node's moves are tried."""
