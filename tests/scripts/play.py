#!/usr/bin/env python3
"""Play xiangqi games between two engines and report score and misbehaviour.

Games come in pairs with the same opening and swapped colours. pyffish is the
referee of legality. A side without a legal move loses. The third occurrence
of a position is a draw, unless exactly one side gave check with every move
since the first occurrence: that side loses. 120 plies without a capture and
400 plies in all are draws. An engine that plays an illegal move, ends, or
does not answer within its time and 5 seconds loses the game; each of these
makes the exit status 1. A is the first engine (--red), B the second.

    play.py --red ucci:target/release/chuhe --black fairy:fairy-stockfish \\
        --games 20 --time 100 --random-plies 4
"""

import argparse
import math
import queue
import random
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import pyffish

import engines
from engines import EngineCrash, EngineError, EngineHang, Limit, Position

VARIANT = "xiangqi"
MAX_QUIET_PLIES = 120
MAX_PLIES = 400
COLOURS = ("red", "black")


class Referee:
    """The state of one game: legal moves and the rules that end it."""

    def __init__(self):
        self.moves = []
        self.quiet = 0  # plies since the last capture
        self.keys = []  # position before each ply, and the current one last
        self.checks = [False]  # checks[i]: whether the i-th move gave check
        self.set_fen(engines.START_FEN)

    def set_fen(self, fen):
        self.fen = fen
        self.keys.append(fen.rsplit(" ", 2)[0])
        self.legal = {engines.to_ranks0(m) for m in pyffish.legal_moves(VARIANT, fen, [])}

    @property
    def side(self):
        return len(self.moves) % 2  # 0 when red is to move, 1 when black is

    def push(self, move):
        men = sum(map(str.isalpha, self.keys[-1].split()[0]))
        self.set_fen(pyffish.get_fen(VARIANT, self.fen, [engines.to_ranks1(move)]))
        self.moves.append(move)
        # pyffish's gives_check says whether the side to move is in check
        self.checks.append(pyffish.gives_check(VARIANT, self.fen, []))
        captured = sum(map(str.isalpha, self.keys[-1].split()[0])) < men
        self.quiet = 0 if captured else self.quiet + 1

    def result(self):
        """None, or (winner, reason) with winner 0 (red), 1 (black) or None."""
        if not self.legal:
            return 1 - self.side, "mate" if self.checks[-1] else "stalemate"
        if self.keys.count(self.keys[-1]) >= 3:
            first, last = self.keys.index(self.keys[-1]), len(self.moves)
            perpetual = [all(self.checks[i] for i in range(first + 1, last + 1)
                             if (i - 1) % 2 == side) for side in (0, 1)]
            if perpetual[0] != perpetual[1]:
                return (1 if perpetual[0] else 0), "perpetual check"
            return None, "repetition"
        if self.quiet >= MAX_QUIET_PLIES:
            return None, f"{MAX_QUIET_PLIES} plies without capture"
        if len(self.moves) >= MAX_PLIES:
            return None, f"{MAX_PLIES} plies"
        return None


@dataclass
class Tally:  # what one engine did over all games
    counts: Counter = field(default_factory=Counter)
    max_overrun: float = -math.inf


@dataclass
class Game:
    number: int
    red: int  # which of the two engines (0 or 1) plays red
    opening_seed: str
    winner: object = None  # 0 (red), 1 (black) or None
    reason: str = ""
    moves: list = field(default_factory=list)
    overruns: list = field(default_factory=lambda: [-math.inf, -math.inf])

    @property
    def score(self):
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]

    def won_by(self, index):
        return self.winner is not None and (self.red + self.winner) % 2 == index


class Match:
    """The games still to play, shared by the worker threads, and their results."""

    def __init__(self, args):
        self.args = args
        self.specs = (args.red, args.black)
        self.options = (args.red_option, args.black_option)
        self.tallies = (Tally(), Tally())
        self.finished = []
        self.error = None
        self.lock = threading.Lock()
        self.pending = queue.SimpleQueue()
        for i in range(args.games):
            self.pending.put(Game(i + 1, i % 2, f"{args.seed}-{i // 2}"))
        self.pgn = open(args.pgn, "w", encoding="utf-8") if args.pgn else None

    def worker(self):
        running = [None, None]
        try:
            while self.error is None:
                game = self.pending.get_nowait()
                for i, spec in enumerate(self.specs):
                    if running[i] is None:
                        protocol, command = engines.parse_spec(spec)
                        running[i] = protocol(command, self.options[i])
                self.play(game, running)
                self.report(game)
        except queue.Empty:
            pass
        except Exception as error:  # an engine that does not start ends the match
            self.error = error
        finally:
            for engine in filter(None, running):
                engine.close()

    def open_game(self, seed):
        """Return a game that is random_plies into it and not ended."""
        rng = random.Random(seed)
        while True:
            referee = Referee()
            while len(referee.moves) < self.args.random_plies and not referee.result():
                referee.push(rng.choice(sorted(referee.legal)))
            if not referee.result():
                return referee

    def play(self, game, running):
        referee = self.open_game(game.opening_seed)
        game.moves = referee.moves
        base, increment = self.args.tc or (0, 0)
        clocks = [base, base]
        started = set()
        while (end := referee.result()) is None:
            side = referee.side
            index = (game.red + side) % 2
            limit = Limit(self.args.time, self.args.nodes, clocks[side], clocks[1 - side],
                          increment, side == 0)
            try:
                if index not in started:
                    running[index].new_game()
                    started.add(index)
                reply = running[index].search(Position(referee.moves, referee.fen), limit)
            except EngineError as error:
                kind = "hang" if isinstance(error, EngineHang) else "crash"
                print(f"game {game.number}: {kind} of {'AB'[index]}: {error}", flush=True)
                end = self.fault(index, kind, side)
                running[index].close()
                running[index] = None
                break
            late = self.check_time(game, index, reply.elapsed, limit)
            clocks[side] -= reply.elapsed
            if self.args.tc and late:
                end = self.fault(index, "time forfeit", side)
                break
            clocks[side] = max(0.0, clocks[side]) + increment
            if reply.move is None and reply.text == "resign":
                end = 1 - side, "resignation"
                break
            if reply.move not in referee.legal:
                print(f"game {game.number}: {'AB'[index]} answers {reply.text!r} in {referee.fen}"
                      f" after {' '.join(referee.moves)}", flush=True)
                end = self.fault(index, "illegal move", side)
                break
            referee.push(reply.move)
        game.winner, game.reason = end

    def fault(self, index, kind, side):
        with self.lock:
            self.tallies[index].counts[kind] += 1
        return 1 - side, f"{kind} by {COLOURS[side]}"

    def check_time(self, game, index, elapsed, limit):
        """Record elapsed - allotted; return whether it is a time overrun."""
        if limit.allotted is None:
            return False
        overrun = elapsed - limit.allotted
        late = overrun > self.args.overrun_ms
        game.overruns[index] = max(game.overruns[index], overrun)
        with self.lock:
            tally = self.tallies[index]
            tally.max_overrun = max(tally.max_overrun, overrun)
            tally.counts["overrun"] += late
        return late

    def report(self, game):
        late = "" if self.args.nodes else "  max overrun " + ", ".join(
            f"{name} {milliseconds(value)}" for name, value in zip("AB", game.overruns))
        with self.lock:
            self.finished.append(game)
            print(f"game {game.number}: {'AB'[game.red]}-{'BA'[game.red]} {game.score}  "
                  f"{game.reason}, {len(game.moves)} plies{late}", flush=True)
            if self.pgn:
                self.pgn.write(pgn_text(game, self.specs, self.args.random_plies))
                self.pgn.flush()

    def summary(self):
        wins, losses = (sum(g.won_by(i) for g in self.finished) for i in (0, 1))
        draws = len(self.finished) - wins - losses

        def both(kind):
            return "/".join(str(tally.counts[kind]) for tally in self.tallies)

        slowest = "/".join(milliseconds(tally.max_overrun) for tally in self.tallies)
        return (f"{self.specs[0]} vs {self.specs[1]}: W-D-L {wins}-{draws}-{losses}, "
                f"{score_text(wins, draws, losses)}; A/B: overruns {both('overrun')} "
                f"(max {slowest}), time forfeits {both('time forfeit')}, "
                f"illegal moves {both('illegal move')}, crashes {both('crash')}, "
                f"hangs {both('hang')}")

    def failed(self):
        kinds = ["illegal move", "crash", "hang"]
        if self.args.strict_time:
            kinds += ["overrun", "time forfeit"]
        return self.error is not None or any(
            tally.counts[kind] for tally in self.tallies for kind in kinds)


def milliseconds(value):
    return "none" if math.isinf(value) else f"{value:+.0f} ms"


def score_text(wins, draws, losses):
    """Score in per cent and Elo difference with its 95 % error."""
    games = wins + draws + losses
    if not games:
        return "no games"

    def elo(share):
        if not 0 < share < 1:
            return math.copysign(math.inf, share - 0.5)
        return 400 * math.log10(share / (1 - share))

    score = (wins + draws / 2) / games
    variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2
                + losses * score ** 2) / games
    margin = 1.96 * math.sqrt(variance / games)
    low, high = elo(score - margin), elo(score + margin)
    error = (high - low) / 2 if math.isfinite(low) and math.isfinite(high) else math.inf
    return f"score {100 * score:.1f} %, Elo {elo(score):+.0f} ± {error:.0f}"


def pgn_text(game, specs, random_plies):
    """One game as xiangqi PGN with ICCS moves."""
    tags = {"Game": "Chinese Chess", "Event": "play.py", "Date": time.strftime("%Y.%m.%d"),
            "Round": game.number, "Red": specs[game.red], "Black": specs[1 - game.red],
            "Result": game.score, "Termination": game.reason, "Format": "ICCS",
            "RandomPlies": random_plies}
    moves = [f"{m[:2]}-{m[2:]}".upper() for m in game.moves]
    lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
    lines += [f"{i // 2 + 1}. " + " ".join(moves[i:i + 2]) for i in range(0, len(moves), 2)]
    return "\n".join(lines) + f"\n{game.score}\n\n"


def spec(text):
    try:
        engines.parse_spec(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from error
    return text


def time_control(text):
    """BASE+INC in seconds -> (base, increment) in milliseconds."""
    base, _, increment = text.partition("+")
    return round(float(base) * 1000), round(float(increment or 0) * 1000)


def option(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def parse_args():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    forms = "ucci:PATH, uci:PATH, fairy:PATH (Fairy-Stockfish) or cecp:PATH (HoiXiangqi)"
    parser.add_argument("--red", metavar="SPEC", type=spec, required=True,
                        help=f"engine A, red in the first game: {forms}")
    parser.add_argument("--black", metavar="SPEC", type=spec, required=True,
                        help="engine B: the same forms")
    for name in ("red", "black"):
        parser.add_argument(f"--{name}-option", metavar="NAME=VALUE", type=option,
                            action="append", default=[],
                            help=f"option set in the --{name} engine; may be repeated")
    parser.add_argument("--games", type=int, default=2, metavar="N")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--time", type=int, metavar="MS", help="time a move (default: 100)")
    limit.add_argument("--nodes", type=int, metavar="N", help="nodes a move")
    limit.add_argument("--tc", type=time_control, metavar="BASE+INC", help="clock, seconds")
    parser.add_argument("--concurrency", type=int, default=1, metavar="K")
    parser.add_argument("--random-plies", type=int, default=0, metavar="P",
                        help="random legal plies at the start of each pair of games")
    parser.add_argument("--seed", type=int, default=1, help="of the random plies")
    parser.add_argument("--pgn", metavar="FILE", help="write the games to FILE")
    parser.add_argument("--overrun-ms", type=int, default=50, metavar="MS",
                        help="count an overrun, and with --tc forfeit, past this (default: 50)")
    parser.add_argument("--strict-time", action="store_true",
                        help="overruns and time forfeits make the exit status 1 too")
    args = parser.parse_args()
    if not (args.time or args.nodes or args.tc):
        args.time = 100
    if args.nodes and any(s.startswith("cecp:") for s in (args.red, args.black)):
        parser.error("the xboard protocol has no node limit")
    return args


def main():
    match = Match(parse_args())
    threads = [threading.Thread(target=match.worker, daemon=True)
               for _ in range(match.args.concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if match.error is not None:
        print(f"match ended early: {match.error}")
    print(match.summary())
    return 1 if match.failed() else 0


if __name__ == "__main__":
    sys.exit(main())
