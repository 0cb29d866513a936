#!/usr/bin/env python3
"""Compare an engine's legal moves with pyffish's in positions of random games.

The games start from the start position and are played at random with the
moves that pyffish allows; half of them prefer captures or checks, so that
sparse and tactical positions occur. Every position is sent to the engine as
`position fen ...` and `go perft 1`, hundreds at a time through one pipe. The
engine must list exactly pyffish's moves, each once and with the count 1, and
their number as the total. The exit status is 1 on any difference.

    legal_moves.py --engine target/release/chuhe --positions 100000
"""

import argparse
import multiprocessing
import os
import queue
import random
import shlex
import signal
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


def parse_board(fen):
    """Map (file, rank) to the piece letter; rank 0 is red's back rank."""
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


def board_fen(board, red_to_move):
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(board.get((file, rank), " ") for file in range(9))
        for gap in range(9, 0, -1):
            row = row.replace(" " * gap, str(gap))
        rows.append(row)
    return "/".join(rows) + (" w" if red_to_move else " b") + " - - 0 1"


def squares(move):
    """Origin and target of a move with ranks 0-9."""
    file1, rank1, file2, rank2 = move
    return (ord(file1) - 97, int(rank1)), (ord(file2) - 97, int(rank2))


def after(board, move):
    origin, target = squares(move)
    board = dict(board)
    board[target] = board.pop(origin)
    return board


def gives_check(board, red):
    """Whether a piece of the side `red` attacks the other side's king."""
    rook, cannon, knight, pawn, king = "RCNPk" if red else "rcnpK"
    x, y = next(square for square, letter in board.items() if letter == king)
    for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        met = []
        for step in range(1, 10):
            letter = board.get((x + step * dx, y + step * dy))
            if letter:
                met.append(letter)
                if step == 1 and letter == pawn and dy != (1 if red else -1):
                    return True
        if met[:1] == [rook] or met[1:2] == [cannon]:
            return True
    for dx in (-1, 1):
        for dy in (-1, 1):
            if (x + dx, y + dy) not in board and knight in (
                    board.get((x + 2 * dx, y + dy)), board.get((x + dx, y + 2 * dy))):
                return True
    return False


def choose(rng, style, board, red, moves):
    """Pick the next move of a random game."""
    if style == "checks" and rng.random() < 0.6:
        checks = [m for m in moves if gives_check(after(board, m), red)]
        if checks:
            return rng.choice(checks)
    if style != "random" and rng.random() < 0.5:
        captures = [m for m in moves if squares(m)[1] in board]
        if captures:
            return rng.choice(captures)
    return rng.choice(moves)


def generate(task):
    """Return `count` pairs of FEN and sorted legal moves, from games seeded by `seed`."""
    seed, count = task
    rng = random.Random(seed)
    found = []
    while True:
        board, red, style = parse_board(START_FEN), True, rng.choice(STYLES)
        for _ in range(MAX_PLIES):
            fen = board_fen(board, red)
            # a FEN without history: no repetition can end the game and empty the list
            moves = sorted(map(to_ranks0, pyffish.legal_moves(VARIANT, fen, [])))
            found.append((fen, moves))
            if len(found) == count:
                return found
            if not moves or not set("".join(board.values())) & set("rncpRNCP"):
                break
            board = after(board, choose(rng, style, board, red, moves))
            red = not red


class Perft:
    """The engine in UCI mode; a watchdog kills it when it stays silent."""

    def __init__(self, command, timeout):
        self.child = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, errors="replace",
                                      start_new_session=True)
        self.timeout = timeout
        self.hung = False
        self.waiting_since = None  # None while no answer is awaited
        threading.Thread(target=self._watch, daemon=True).start()
        self.send("uci\n")
        self.waiting_since = time.monotonic()
        while self.read_line() != "uciok":
            pass
        self.waiting_since = None

    def _watch(self):
        while not self.hung:
            time.sleep(0.5)
            since = self.waiting_since
            if since is not None and time.monotonic() - since > self.timeout:
                self.hung = True
                os.killpg(self.child.pid, signal.SIGKILL)  # also what it started

    def send(self, text):
        try:
            self.child.stdin.write(text)
            self.child.stdin.flush()
        except OSError:
            pass  # the reader sees the end of the output

    def read_line(self):
        line = self.child.stdout.readline()
        if line:
            return line.strip()
        status = self.child.wait()
        raise RuntimeError(f"no answer within {self.timeout:g} s" if self.hung
                           else f"the engine ended, exit status {status}")

    def read_answer(self):
        """Return (moves with their counts, total) of one `go perft 1`."""
        self.waiting_since = time.monotonic()
        moves = []
        while True:
            move, colon, count = self.read_line().partition(": ")
            if move == "Nodes searched":
                self.waiting_since = None
                return moves, int(count)
            if colon and len(move) == 4 and count.isdigit():
                moves.append((move, int(count)))

    def close(self):
        self.send("quit\n")
        try:
            self.child.wait(2)
        except subprocess.TimeoutExpired:
            self.child.kill()


def difference(expected, answer):
    """Describe how the engine's answer differs from the expected moves, or return None."""
    counted, total = answer
    moves = sorted(move for move, _ in counted)
    if moves != expected:
        missing, extra = set(expected) - set(moves), set(moves) - set(expected)
        return (f"\n  pyffish: {' '.join(expected) or '(none)'}"
                f"\n  engine:  {' '.join(moves) or '(none)'}"
                f"\n  missing: {' '.join(sorted(missing)) or '(none)'}"
                f", extra: {' '.join(sorted(extra)) or '(none)'}")
    if total != len(expected) or any(count != 1 for _, count in counted):
        return f": {len(expected)} moves, but counts {counted} and the total {total}"
    return None


def compare(args):
    """Run the comparison; return (positions compared, differences)."""
    sizes = [CHUNK] * (args.positions // CHUNK) + [args.positions % CHUNK]
    tasks = [(f"{args.seed}-{i}", size) for i, size in enumerate(sizes) if size]
    done = differences = mates = 0
    distinct = set()
    sent = queue.Queue()  # chunks written to the engine, in order
    with multiprocessing.Pool(args.workers) as pool:
        engine = Perft(args.engine, args.timeout)

        def write():
            for chunk in pool.imap(generate, tasks):
                sent.put(chunk)
                engine.send("".join(f"position fen {fen}\ngo perft 1\n" for fen, _ in chunk))

        threading.Thread(target=write, daemon=True).start()
        try:
            for _ in tasks:
                for fen, expected in sent.get():
                    answer = engine.read_answer()
                    done += 1
                    mates += not expected
                    distinct.add(hash(fen))
                    text = difference(expected, answer)
                    if text:
                        differences += 1
                        if differences <= MAX_SHOWN:
                            print(f"{fen}{text}", flush=True)
        except RuntimeError as error:
            differences += 1
            print(f"position {done + 1}, {fen}: {error}")
        engine.close()
    print(f"{len(distinct)} distinct positions, {mates} without a legal move")
    return done, differences


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="PATH", help="UCI engine, ranks 0-9")
    parser.add_argument("--positions", type=int, default=10000, metavar="N",
                        help="positions to compare (default: 10000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="K",
                        help="processes that generate positions (default: one per CPU)")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS",
                        help="longest silence allowed (default: 10)")
    args = parser.parse_args()
    try:
        done, differences = compare(args)
    except (OSError, RuntimeError) as error:
        print(f"{args.engine}: {error}")
        done, differences = 0, 1
    print(f"{done} positions, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
