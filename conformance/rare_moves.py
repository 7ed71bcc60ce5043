"""Positions in which rare moves can be made: with every kind of piece there is a check and an evasion of every kind.

A generator that leaves out, say, the checks of a knight that promotes is right on nearly all positions of games. The
first is made by hand, the others by chance, and chosen so that none is superfluous; black is to move. What "every kind"
is, and that none is missing, is in tests/conformance/test_positions.py.
"""

RARE = (
    "4k4/4p4/4L4/9/9/9/9/9/4K4 b - 1",  # the lance takes, and stays one: the one such check on the second rank
    "5+N3/2+N3k2/R4P1P1/2S2+p3/G+P3B3/1P7/9/3G5/9 b RBGSNLPnl 1",
    "pG1kp4/9/5+pBS1/P1R3L+L1/6+p2/9/7P1/9/9 b BGSNLPsp 1",
    "1+P+N+Pl3+s/P1G6/1PP6/7k1/7N1/1p7/9/5+B3/4K4 b RBGSLPsnp 1",
    "2pp2S2/B3k3+s/P1+R3S2/5G1+N1/3L1N3/9/6+p2/5p3/9 b RGSNPbn 1",
    "3+P+S4/2k3G2/1R1LP2P1/2P3+L1B/9/9/3K5/9/3PB4 b RGLsp 1",
    "1+P2p4/1+p1k3+P1/6s1+P/1g7/4+Pp3/3P5/3L5/9/1+r4KS1 b RBGSNLPnp 1",
    "5S1k1/5K3/2P6/8+B/9/9/3B5/9/9 b RSLPgp 1",
    "2+l4+b1/8k/6S2/8P/2+N2G3/1pK3+P2/9/9/4+P4 b GNLlp 1",
    "4+L4/G4+S3/5P1S1/2G4b1/9/6N2/9/4k4/9 b RBGSNLPgsnl 1",
    "4+SG+P1k/1Ps1P1P2/L3p1Kr1/3P3P1/4+NpNL+P/9/9/9/9 b RBSNs 1",
    "3K3r1/9/kS5s1/2N5g/1G1+p5/9/9/7p1/9 b RBGSNLP 1",
    "1S7/pn1k1BP2/SBN2n3/+p1+L2L3/1P7/6K2/9/3G5/9 b GSl 1",
    "7+l1/B8/8+p/1+B3Sk2/4p4/+R5P2/9/4l4/3+p4+p b RSPsn 1",
    "R8/2P2P3/3S5/3k4P/1+P7/9/9/9/8K b SLPn 1",
    "3S2kl1/8P/9/9/4B+p3/9/9/5N3/7K1 b BGSNLlp 1",
    "4k2+P+P/4p3p/5b1p1/8S/5R3/9/1K7/9/4P4 b BSPrsp 1",
    "1K3+L1+P1/+Sr7/8k/+p8/1L4g2/9/P8/3g5/9 b RBSNbgl 1",
    "k1K4+n1/9/2P1+b2+p1/4+RS3/3P5/5+p3/9/9/9 b RGSNLPslp 1",
    "1+P1k5/+P6+L1/n1R4b1/1S1+L3g1/6p1n/9/3K5/9/1+P7 b GSNLrbs 1",
    "3p1+P2+P/2l1k+ppPG/+nB+P2P3/1L2S4/1+n1+n5/4K4/9/2+n3+S2/9 b SLPrbs 1",
    "6K2/2+p3g1k/1B3B3/L+P7/9/9/9/9/9 b RGSPgn 1",
    "9/4g4/8+P/P7R/7P1/7+S1/6k2/8K/9 b NPrgslp 1",
    "9/2G1GL+S2/7p1/9/4kL2+R/7K1/9/9/9 b RBSNPsn 1",
    "+p+N+n1k4/1s+P6/1PK6/9/9/3+L5/9/9/9 b RBNLPp 1",
    "1k4+P2/5l2+P/1+P2S3p/+SPl6/9/4P4/9/9/5K3 b Bsp 1",
    "8+p/R2+P2PlS/5+SS2/4p4/l5+p2/K8/9/3P5/8k b RGSNg 1",
    "K3+PS2+S/g8/L3P+p1+sb/2p1+rp2+s/4k1n2/9/B8/9/9 b Ngnl 1",
    "8K/6L2/2kS2p2/9/2p6/9/2+P6/9/9 b BSNPb 1",
    "p7k/9/2P6/2+p6/5P3/9/b7K/9/2+p5L b Prbnl 1",
    "2k4l+P/8G/2P4P1/3gp4/9/9/9/K8/3+p5 b RGNLr 1",
    "9/k6+N1/9/2L6/3L3+p1/N2P5/9/9/3K5 b RGSrbgsl 1",
    "9/3k3+N1/1L3gl2/3+P+pb3/5P3/2pK5/9/9/9 b RBPgp 1",
    "9/1r4G2/3K1+s+p2/3r4k/9/9/4P4/9/3L2S2 b BGSLPs 1",
    "+n+R3+L3/1K3+P2k/1N3P3/1S7/2P1P4/9/9/9/9 b SLrbgl 1",
    "n7+P/5S3/+N8/1P3+L+S2/7k1/5G3/5K2r/9/5N3 b GSNPrbg 1",
)
