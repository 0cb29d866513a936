#!/usr/bin/env python3
"""Fits the material and square weights of the hand-made evaluation.

Reads self-play games in the game-file format (32-byte start record, then per
ply `u16 from*90+to, i16 score`, a zero pair ends the game) from files packed
by zstd, and fits, by logistic regression on the search scores, one middlegame
and one endgame weight for each kind on each square (left-right symmetric).
Prints Rust rows for `src/eval/hce.rs`. Needs numpy and the `zstd` program.

    fit_hce.py --positions 600000 --steps 300 GAMES.gam.zst ...
"""
import argparse
import struct
import subprocess
import sys

import numpy as np

KINDS = "KABNRCP"
PHASE = np.array([0, 0, 0, 1, 2, 1, 0])
PHASE_MAX = 16


def games(path):
    data = subprocess.run(["zstd", "-dc", path], check=True, stdout=subprocess.PIPE).stdout
    at = 0
    while at + 36 <= len(data):
        head = data[at:at + 32]
        at += 32
        plies = []
        while True:
            mv, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if mv == 0 and score == 0:
                break
            plies.append((mv, score))
        yield head, plies


def board_of(head):
    occupied = int.from_bytes(head[:12], "little")
    board, n = [None] * 90, 0
    for sq in range(90):
        if occupied >> sq & 1:
            board[sq] = head[12 + n // 2] >> (4 * (n % 2)) & 15
            n += 1
    return board, head[31]


def relative(piece, sq):
    """Index of kind and own-view square, files folded: 50 squares a kind."""
    kind, black = piece % 7, piece >= 7
    rank, file = divmod(sq, 9)
    rank = 9 - rank if black else rank
    return kind * 50 + rank * 5 + min(file, 8 - file), (-1 if black else 1)


def collect(paths, limit):
    idx = np.full((limit, 32), 350, dtype=np.int32)
    sign = np.zeros((limit, 32), dtype=np.float32)
    phase = np.zeros(limit, dtype=np.float32)
    stm = np.zeros(limit, dtype=np.float32)
    target = np.zeros(limit, dtype=np.float32)
    table = [[relative(p, s) for s in range(90)] for p in range(14)]
    n = 0
    for path in paths:
        for head, plies in games(path):
            board, side = board_of(head)
            for mv, score in plies:
                frm, to = divmod(mv, 90)
                if board[to] is None and abs(score) < 2500 and (n * 7 + mv) % 3 == 0:
                    k, ph = 0, 0
                    for sq, piece in enumerate(board):
                        if piece is not None:
                            idx[n, k], sign[n, k] = table[piece][sq]
                            ph += PHASE[piece % 7]
                            k += 1
                    phase[n] = min(1.0, ph / PHASE_MAX)
                    stm[n] = 1 - 2 * side
                    target[n] = score * stm[n]
                    n += 1
                    if n == limit:
                        return idx, sign, phase, stm, target
                board[to], board[frm] = board[frm], None
                side ^= 1
    return idx[:n], sign[:n], phase[:n], stm[:n], target[:n]


def fit(idx, sign, phase, stm, target, steps):
    start = np.zeros((2, 351), dtype=np.float32)
    for kind, value in enumerate((0, 120, 120, 400, 900, 420, 110)):
        start[:, kind * 50:kind * 50 + 50] = value
    # Unknown squares stay near the mean of their kind: weights are deviations.
    dev = np.zeros_like(start)
    tempo = 20.0
    seen = np.bincount(idx.ravel(), minlength=351)
    goal = 1 / (1 + np.exp(-target / 400))
    m, v = np.zeros_like(dev), np.zeros_like(dev)
    mt = vt = 0.0
    flat = idx.ravel()
    for step in range(1, steps + 1):
        w = start + dev
        mid = (w[0][idx] * sign).sum(1)
        end = (w[1][idx] * sign).sum(1)
        y = phase * mid + (1 - phase) * end + tempo * stm
        p = 1 / (1 + np.exp(-y / 400))
        err = p - goal
        g = err * p * (1 - p)
        gm = np.bincount(flat, (sign * (g * phase)[:, None]).ravel(), 351)
        ge = np.bincount(flat, (sign * (g * (1 - phase))[:, None]).ravel(), 351)
        grad = np.stack([gm, ge]) / len(g) * 400 + 2e-6 * dev
        gt = (g * stm).mean() * 400
        lr = 6.0 * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 0.1
        m = 0.9 * m + 0.1 * grad
        v = 0.99 * v + 0.01 * grad ** 2
        dev -= lr * (m / (1 - 0.9 ** step)) / (np.sqrt(v / (1 - 0.99 ** step)) + 1e-4)
        mt, vt = 0.9 * mt + 0.1 * gt, 0.99 * vt + 0.01 * gt ** 2
        tempo -= lr * (mt / (1 - 0.9 ** step)) / (np.sqrt(vt / (1 - 0.99 ** step)) + 1e-4)
        if step % 20 == 0 or step == steps:
            print(f"step {step} loss {(err ** 2).mean():.5f} tempo {tempo:.1f}", file=sys.stderr, flush=True)
    return start + dev, tempo, seen


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--positions", type=int, default=600_000)
    args.add_argument("--steps", type=int, default=300)
    args.add_argument("games", nargs="+")
    args = args.parse_args()
    data = collect(args.games, args.positions)
    print(f"{len(data[4])} positions", file=sys.stderr, flush=True)
    w, tempo, seen = fit(*data, args.steps)
    for phase, name in enumerate(("MIDDLEGAME", "ENDGAME")):
        print(f"// {name}, tempo {tempo:.0f}")
        for kind, letter in enumerate(KINDS):
            print(f"    // {letter}, rank 0 first, files a to e")
            print("    [")
            for rank in range(10):
                row = []
                for file in range(5):
                    i = kind * 50 + rank * 5 + file
                    row.append(f"{w[phase][i] if seen[i] > 200 else 0:.0f}")
                print("        " + ", ".join(row) + ",")
            print("    ],")


if __name__ == "__main__":
    main()
