#!/usr/bin/env python3
"""Plays games of a UCCI engine against itself with pondering on both sides.

Each side ponders on the move it expects while the other thinks; a right guess is
answered by `ponderhit`, a wrong one by `stop`. Fails on an illegal move (as the
engine's own `go perft 1` sees it), a missing answer, or a clock that falls.

    ponder.py --engine PATH --games 100 --tc 1+0.01 --threads 2
"""
import argparse
import queue
import subprocess
import sys
import threading
import time

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


class Engine:
    def __init__(self, path, threads):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send("ucci", f"setoption threads {threads}", "setoption ponder true", "isready")
        self.wait("readyok", 10)

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("ascii", "replace").strip())
        self.lines.put(None)

    def send(self, *lines):
        self.process.stdin.write(("\n".join(lines) + "\n").encode())
        self.process.stdin.flush()

    def wait(self, prefixes, seconds):
        deadline = time.monotonic() + seconds
        while True:
            line = self.lines.get(timeout=max(0.001, deadline - time.monotonic()))
            if line is None:
                raise RuntimeError("the engine has ended")
            if line.startswith(prefixes):
                return line

    def legal(self, moves):
        self.send(position(moves), "go perft 1")
        found = set()
        while True:
            line = self.lines.get(timeout=10)
            if line.startswith("Nodes searched"):
                return found
            if ": " in line and len(line.split(":")[0]) == 4:
                found.add(line.split(":")[0])


def position(moves):
    return f"position fen {START} moves " + " ".join(moves)


def answer(line):
    words = line.split()
    if words[0] == "nobestmove":
        return None, None
    ponder = words[3] if len(words) > 3 and words[2] == "ponder" else None
    return words[1], ponder


def play(engines, referee, base, inc, number):
    moves, clocks = [], [base, base]
    pondering = [None, None]
    for engine in engines:
        engine.send("setoption newgame")
    opening = sorted(referee.legal([]))[number % 44]
    moves.append(opening)
    seen = {}
    for ply in range(300):
        side = len(moves) % 2
        engine, clock = engines[side], f"time {clocks[side]} increment {inc}"
        start = time.monotonic()
        if pondering[side] and pondering[side] == moves:
            engine.send("ponderhit")
        else:
            if pondering[side]:
                engine.send("stop")
                engine.wait(("bestmove", "nobestmove"), 5)
            engine.send(position(moves), "go " + clock)
        pondering[side] = None
        line = engine.wait(("bestmove", "nobestmove"), clocks[side] / 1000 + 5)
        clocks[side] -= int(1000 * (time.monotonic() - start))
        if clocks[side] < 0:
            return f"time loss of side {side} at ply {ply}", False
        clocks[side] += inc
        best, guess = answer(line)
        legal = referee.legal(moves)
        if best is None:
            return ("mate or stalemate", True) if not legal else ("no move given", False)
        if best not in legal:
            return f"illegal move {best}", False
        moves.append(best)
        key = tuple(moves[-8:])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] >= 4:
            return "repetition", True
        if guess and len(moves) > 2:
            pondering[side] = moves + [guess]
            engine.send(position(pondering[side]), f"go ponder time {clocks[side]} increment {inc}")
    return "300 plies", True


def settle(engines):
    for engine in engines:
        engine.send("stop", "isready")
        engine.wait("readyok", 10)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--engine", required=True)
    args.add_argument("--games", type=int, default=20)
    args.add_argument("--tc", default="1+0.01")
    args.add_argument("--threads", type=int, default=2)
    args = args.parse_args()
    base, inc = (int(1000 * float(part)) for part in args.tc.split("+"))
    engines = [Engine(args.engine, args.threads) for _ in range(2)]
    referee = Engine(args.engine, 1)
    ends, faults = {}, 0
    for number in range(args.games):
        end, fine = play(engines, referee, base, inc, number)
        settle(engines)
        ends[end] = ends.get(end, 0) + 1
        faults += not fine
        if not fine or number % 10 == 9:
            print(f"game {number + 1}: {end}", flush=True)
    for engine in engines + [referee]:
        engine.send("quit")
    print(f"{args.games} games with pondering, {faults} faults: {ends}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
