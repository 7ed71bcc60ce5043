"""Values of positions in play search: hundredths of a pawn, seen from the side that is named or to move.

An evaluation stays within `LARGEST_VALUE`; what is beyond is a mate, `MATE` less the plies until
then, or a hisshi.
"""

INFINITE = 2_000_000  # more than any value
MATE = 1_000_000  # of the side that mates; -MATE of the side to move that is mated
HISSHI_VALUE = 901_000  # of the side that has a hisshi (brinkmate), less its plies
LARGEST_VALUE = 900_000  # of an evaluation, and so of a quiescence search that ends without a mate
NO_VALUE = 1 << 40  # instead of a value: the search was told to give up
