#!/usr/bin/env python3
"""Play one game of an engine against itself through the PyPI package cchess.

This is the test that an existing client drives the engine: cchess's UcciEngine
(or, with --uci, UciEngine) starts it, sends `position` and `go` and parses its
answers, and cchess's ChessBoard judges the moves. As cchess's own manager
does, each position is sent as a bare FEN of two fields; --history sends the
start position and the moves instead. The game ends with mate or stalemate
(where the engine must say that it has no move), the third occurrence of a
position, 120 plies without a capture, or after --max-plies. The exit status
is 1 on an illegal move, a missing or late answer, or a crash.

    cchess_client.py --engine target/release/chuhe --movetime 50
"""

import argparse
import logging
import os
import shutil
import subprocess
import sys
import time
from collections import Counter

import cchess

from engines import HANG_MARGIN, START_TIMEOUT

MAX_QUIET_PLIES = 120
FULL_START_FEN = cchess.FULL_INIT_FEN + " - - 0 1"


class Failure(Exception):
    """The engine misbehaved."""


def start(args):
    """Load the engine in cchess's client and wait for its greeting."""
    # cchess starts the engine in the engine's own folder, so its path must be absolute
    path = shutil.which(args.engine)
    if path is None:
        raise Failure(f"{args.engine} is not an executable file")
    client = cchess.UciEngine() if args.uci else cchess.UcciEngine()
    if not client.load(os.path.abspath(path)):
        raise Failure(f"cchess cannot start {path}")
    if not client.wait_for_ready(START_TIMEOUT):
        stop(client)
        raise Failure(f"no {client.ok_resp()} within {START_TIMEOUT:g} s")
    for option in args.option:
        client.set_option(*option.split("=", 1))
    return client


def stop(client):
    """End the engine and cchess's reader thread, which would spin at the end of the output."""
    try:
        client.quit()
    except cchess.EngineErrorException:
        pass  # already gone
    client.running = False
    try:
        client.process.wait(1)
    except subprocess.TimeoutExpired:
        client.process.kill()
        client.process.wait()


def ask(client, fen, params, timeout):
    """Return cchess's action for the engine's answer, and the number of info lines."""
    if not client.go_from(fen, params):
        raise Failure("cchess could not send the position")
    deadline = time.monotonic() + timeout
    infos = 0
    while True:
        action = client.get_action()
        if action is None:
            # get_action takes one line a call, and not every line is an action
            if not client.engine_out_queque.empty():
                continue
            if client.process.poll() is not None:
                raise Failure(f"the engine ended, exit status {client.process.returncode}")
            if time.monotonic() > deadline:
                raise Failure(f"no answer within {timeout:g} s")
            time.sleep(0.002)
        elif action["action"] in ("bestmove", "dead", "draw"):
            return action, infos
        else:
            infos += action["action"] == "info_move"


def is_legal(board, move):
    """Whether cchess accepts the move and it leaves the own king safe."""
    try:
        origin, target = cchess.iccs2pos(move)
        return (len(move) == 4 and board.is_valid_move(origin, target)
                and not board.is_checked_move(origin, target))
    except (ValueError, IndexError):
        return False


def play(client, args):
    """Play the game; return a description of it."""
    if args.uci:
        params = {"movetime": args.movetime}
    else:
        params = {"time": args.movetime, "movestogo": 1}
    timeout = args.movetime / 1000 + HANG_MARGIN
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    moves, quiet, infos = [], 0, 0
    seen = Counter([board.to_fen()])
    slowest = 0.0
    while len(moves) < args.max_plies:
        fen = board.to_fen()
        if args.history:
            fen = FULL_START_FEN + (" moves " + " ".join(moves) if moves else "")
        started = time.monotonic()
        action, count = ask(client, fen, params, timeout)
        slowest = max(slowest, time.monotonic() - started)
        infos += count
        where = f"in {board.to_fen()} after {' '.join(moves)}"
        if board.no_moves():
            if action["action"] != "dead":
                raise Failure(f"{action['raw_msg']!r} without a legal move {where}")
            end = "no legal move"
            break
        if action["action"] != "bestmove":
            raise Failure(f"{action['raw_msg']!r} with legal moves {where}")
        move = action["move"]
        if not is_legal(board, move):
            raise Failure(f"illegal move {action['raw_msg']!r} {where}")
        quiet = quiet + 1 if board.get_fench(cchess.iccs2pos(move)[1]) is None else 0
        board.move_iccs(move)
        board.next_turn()
        moves.append(move)
        seen[board.to_fen()] += 1
        if args.verbose:
            print(len(moves), action["raw_msg"], flush=True)
        if seen[board.to_fen()] >= 3 and not board.no_moves():
            end = "third occurrence of a position"
            break
        if quiet >= MAX_QUIET_PLIES and not board.no_moves():
            end = f"{MAX_QUIET_PLIES} plies without a capture"
            break
    else:
        end = "ply limit"
    return (f"{len(moves)} plies, end: {end}; slowest answer {1000 * slowest:.0f} ms, "
            f"{infos} info lines parsed")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, metavar="PATH")
    parser.add_argument("--movetime", type=int, default=50, metavar="MS",
                        help="time a move (default: 50)")
    parser.add_argument("--uci", action="store_true", help="use cchess's UCI client, not UCCI")
    parser.add_argument("--history", action="store_true",
                        help="send the start position with the moves, not bare FENs")
    parser.add_argument("--max-plies", type=int, default=300, metavar="N")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="option set through cchess; may be repeated")
    parser.add_argument("--verbose", action="store_true",
                        help="print every answer, and cchess's log of the traffic")
    args = parser.parse_args()
    if args.verbose:
        logging.basicConfig(level=logging.DEBUG)
    protocol = "UCI" if args.uci else "UCCI"
    client = None
    try:
        client = start(args)
        text, status = "OK: " + play(client, args), 0
    except (Failure, cchess.EngineErrorException) as error:
        text, status = f"FAILED: {error}", 1
    except (IndexError, KeyError, ValueError, AttributeError) as error:
        # cchess's parser lets these escape on output that it does not understand
        text, status = f"FAILED: cchess cannot parse the engine's output: {error!r}", 1
    finally:
        if client is not None:
            stop(client)
    print(f"cchess {protocol} {args.engine}: {text}")
    return status


if __name__ == "__main__":
    sys.exit(main())
