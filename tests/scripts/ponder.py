#!/usr/bin/env python3
"""Plays games of the engine against itself with pondering on both sides.

One side speaks UCCI, the other UCI (or as `--protocols` says); they change seats
after each game. Each ponders on the move it expects while the other thinks; a right
guess is answered by `ponderhit`, a wrong one by `stop`. Fails on an illegal move (as
the engine's own `go perft 1` sees it), a missing answer, or a clock that falls by
more than the margin.

    ponder.py --engine PATH --games 100 --tc 1+0.01 --threads 2
"""
import argparse
import collections
import queue
import subprocess
import sys
import threading
import time

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MAX_PLIES = 300
PATIENCE = 5  # seconds beyond the clock after which an engine hangs


class Fault(Exception):
    pass


class Engine:
    def __init__(self, path, protocol, threads):
        self.protocol = protocol
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send(protocol)
        self.option("threads", threads)
        self.option("ponder", "true")
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("ascii", "replace").strip())
        self.lines.put(None)

    def send(self, *lines):
        self.process.stdin.write(("\n".join(lines) + "\n").encode())
        self.process.stdin.flush()

    def option(self, name, value):
        self.send(f"setoption name {name} value {value}" if self.protocol == "uci" else f"setoption {name} {value}")

    def ready(self):
        self.send("isready")
        self.wait("readyok", 10)

    def new_game(self):
        self.send("ucinewgame" if self.protocol == "uci" else "setoption newgame")
        self.ready()

    def next_line(self, deadline):
        try:
            line = self.lines.get(timeout=max(0.001, deadline - time.monotonic()))
        except queue.Empty:
            raise Fault("no answer") from None
        if line is None:
            raise Fault("the engine has ended")
        return line

    def wait(self, prefixes, seconds):
        deadline = time.monotonic() + seconds
        while True:
            line = self.next_line(deadline)
            if line.startswith(prefixes):
                return line

    def best_move(self, seconds):
        """The move and the one expected behind it; no move at all where none is legal."""
        words = self.wait(("bestmove", "nobestmove"), seconds).split()
        if words[0] == "nobestmove" or words[1] == "(none)":
            return None, None
        return words[1], words[3] if len(words) > 3 and words[2] == "ponder" else None

    def go(self, moves, side, clocks, inc, ponder=False):
        word = "ponder " if ponder else ""
        if self.protocol == "uci":
            limits = f"wtime {clocks[0]} btime {clocks[1]} winc {inc} binc {inc}"
        else:
            limits = f"time {clocks[side]} increment {inc} opptime {clocks[1 - side]} oppincrement {inc}"
        self.send(position(moves), f"go {word}{limits}")

    def legal(self, moves):
        self.send(position(moves), "go perft 1")
        found, deadline = set(), time.monotonic() + 10
        while True:
            line = self.next_line(deadline)
            if line.startswith("Nodes searched"):
                return found
            if len(line.split(":")[0]) == 4:
                found.add(line.split(":")[0])


def position(moves):
    return f"position fen {START} moves " + " ".join(moves)


class Tally:
    def __init__(self):
        self.ends = collections.Counter()
        self.hits = self.misses = self.late = 0
        self.worst_ms = 0.0


def play(seats, referee, base, inc, margin, opening, tally):
    """How the game ended; raises Fault."""
    for engine in seats:
        engine.new_game()
    moves, clocks, pondering = [opening], [base, base], [None, None]
    seen = collections.Counter()
    while len(moves) < MAX_PLIES:
        side = len(moves) % 2
        engine = seats[side]
        start = time.monotonic()
        if pondering[side] == moves:
            tally.hits += 1
            engine.send("ponderhit")
        else:
            if pondering[side]:
                tally.misses += 1
                engine.send("stop")
                engine.best_move(PATIENCE)
            engine.go(moves, side, clocks, inc)
        pondering[side] = None
        best, guess = engine.best_move(clocks[side] / 1000 + PATIENCE)
        left = clocks[side] - 1000 * (time.monotonic() - start)
        tally.late += left < 0
        tally.worst_ms = max(tally.worst_ms, -left)
        if left < -margin:
            raise Fault(f"time loss by {-left:.0f} ms at ply {len(moves)}")
        clocks[side] = max(0, int(left)) + inc
        legal = referee.legal(moves)
        if best is None:
            if legal:
                raise Fault("no move given")
            return "mate or stalemate"
        if best not in legal:
            raise Fault(f"illegal move {best}")
        moves.append(best)
        seen[tuple(moves[-8:])] += 1
        if seen[tuple(moves[-8:])] >= 4:
            return "repetition"
        if guess:
            pondering[side] = moves + [guess]
            engine.go(pondering[side], side, clocks, inc, ponder=True)
    return "long"


def settle(engines):
    for engine in engines:
        engine.send("stop", "isready")
        engine.wait("readyok", 10)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--engine", required=True)
    args.add_argument("--games", type=int, default=20)
    args.add_argument("--tc", default="1+0.01", help="seconds and increment of a game")
    args.add_argument("--threads", type=int, default=2)
    args.add_argument("--margin", type=float, default=100, help="milliseconds a clock may fall below zero")
    args.add_argument("--protocols", nargs=2, default=["ucci", "uci"], choices=["ucci", "uci"])
    args = args.parse_args()
    base, inc = (int(1000 * float(part)) for part in args.tc.split("+"))
    engines = [Engine(args.engine, protocol, args.threads) for protocol in args.protocols]
    referee = Engine(args.engine, "uci", 1)
    openings = sorted(referee.legal([]))
    tally = Tally()
    for number in range(args.games):
        seats = engines[::-1] if number % 2 else engines
        try:
            end = play(seats, referee, base, inc, args.margin, openings[number // 2 % len(openings)], tally)
            settle(engines)
        except Fault as fault:
            end = f"FAULT {fault}"
            print(f"game {number + 1}: {end}", flush=True)
            for engine in engines:
                engine.process.kill()
            engines = [Engine(args.engine, protocol, args.threads) for protocol in args.protocols]
        tally.ends[end] += 1
        if number % 10 == 9:
            print(f"{number + 1} games", flush=True)
    for engine in engines + [referee]:
        engine.send("quit")
        engine.process.wait(5)
    faults = sum(count for end, count in tally.ends.items() if end.startswith("FAULT"))
    print(f"{args.games} games with pondering, {faults} faults: {dict(tally.ends)}")
    print(f"{tally.hits} hits, {tally.misses} misses; {tally.late} moves after the clock's end, by {tally.worst_ms:.0f} ms at most")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
