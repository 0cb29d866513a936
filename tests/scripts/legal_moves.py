#!/usr/bin/env python3
"""Compare an engine's legal moves with pyffish's in positions of random games.

The games start from the start position and are played at random with the
moves that pyffish allows; half of them prefer captures or checks, so that
sparse and tactical positions occur. Every position is sent to the engine as
`position fen ...` and `go perft 1`, many at a time through one pipe; the set
of moves must be pyffish's, each with count 1, and their number the total.

    legal_moves.py --engine target/release/chuhe --positions 100000
"""

import argparse
import multiprocessing
import os
import queue
import random
import shlex
import subprocess
import sys
import threading
import time

import pyffish

from engines import START_FEN, to_ranks0

VARIANT = "xiangqi"
CHUNK = 400  # positions generated and sent together
MAX_PLIES = 200
STYLES = ("random", "random", "captures", "checks")
MAX_SHOWN = 20  # differences printed in full
KNIGHT_LEGS = [(leg, to) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
               for leg, to in (((s * (dx + dy), t * (dx - dy) if dx == dy else 0), None)
                               for s in () for t in ())]


def parse_board(fen):
    """Map (file, rank) to piece letter; rank 0 is red's back rank."""
    board = {}
    for rank, row in enumerate(reversed(fen.split()[0].split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter
                file += 1
    return board


