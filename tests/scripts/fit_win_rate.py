#!/usr/bin/env python3
"""Fits the chances of win, draw and loss to the scores of own games.

Reads self-play games in the game-file format (see `src/tools/datagen/game_file.rs`),
plain or packed by zstd, and fits by maximum likelihood

    win(v) = 1 / (1 + exp((a - v) / b)),   loss(v) = win(-v),   draw = the rest

a is the score at which half of the games are won. It falls with the attackers on the
board: log a is a parabola in their weight (a horse or cannon 1, a rook 2, both sides
together), b is constant. Prints the constants for `src/engine/win_rate.rs`, what the
model misses by buckets, and U, which is a of the same model without material. Needs
numpy, and the `zstd` program for packed files.

    chuhe datagen --games 1000 --nodes 20000 --out games
    fit_win_rate.py games/*.gam
"""
import argparse
import struct
import subprocess

import numpy as np

MEN = [0, 0, 0, 1, 2, 1, 0] * 2  # horse 1, rook 2, cannon 1: 16 at the start
FULL_MATERIAL = 16
MAX_SCORE = 2_000
STEP = 10  # centipawns of a score bin
PARTS = 10
DEGREE = 2  # of log a in the material


def read(path):
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dc", path], check=True, stdout=subprocess.PIPE).stdout
    with open(path, "rb") as file:
        return file.read()


def games(data):
    """Start board, side to move, result for Red in half points, (move, score) pairs."""
    at = 0
    while at + 36 <= len(data):
        head = data[at:at + 32]
        at += 32
        occupied = int.from_bytes(head[:12], "little")
        squares = [sq for sq in range(90) if occupied >> sq & 1]
        board = {sq: head[12 + n // 2] >> (4 * (n % 2)) & 15 for n, sq in enumerate(squares)}
        plies = []
        while True:
            mv, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if mv == 0:
                break
            plies.append((mv, score))
        yield board, head[31], struct.unpack_from("<h", head, 28)[0], plies


def samples(paths):
    """Rows of part, score, material, ply, outcome (0 loss, 1 draw, 2 win of the mover)."""
    rows, count = [], 0
    for path in paths:
        for board, side, result, plies in games(read(path)):
            material = sum(MEN[piece] for piece in board.values())
            for ply, (mv, score) in enumerate(plies):
                if abs(score) < MAX_SCORE:
                    outcome = 2 - result if side else result
                    rows.append((count % PARTS, score, material, ply, outcome))
                piece = board.pop(mv // 90)
                material -= MEN[board[mv % 90]] if mv % 90 in board else 0
                board[mv % 90] = piece
                side ^= 1
            count += 1
    return np.array(rows, dtype=np.int32), count


def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -40, 40)))


def chances(score, a, b):
    """Loss, draw, win."""
    win, loss = sigmoid((score - a) / b), sigmoid((-score - a) / b)
    return np.stack([loss, np.maximum(1 - win - loss, 1e-9), win], axis=1)


def curve(design, theta):
    """a and b of every row. The logarithms are fitted, so that both stay positive."""
    return np.exp(design @ theta[:-1]), np.exp(theta[-1])


def log_loss(score, design, counts, theta):
    p = np.maximum(chances(score, *curve(design, theta)), 1e-9)
    return -(counts * np.log(p)).sum() / counts.sum()


def fit(score, design, counts):
    """Fisher scoring, steps halved until they gain. The coefficients of log a, then log b."""
    theta = np.zeros(design.shape[1] + 1)
    theta[0], theta[-1] = np.log(300.0), np.log(200.0)
    best = log_loss(score, design, counts, theta)
    for _ in range(100):
        a, b = curve(design, theta)
        p = np.maximum(chances(score, a, b), 1e-9)
        win, loss = p[:, 2] * (1 - p[:, 2]), p[:, 0] * (1 - p[:, 0])
        zw, zl = (score - a) / b, (-score - a) / b
        by_a = np.stack([-loss, win + loss, -win], axis=1) * (a / b)[:, None]
        by_b = np.stack([-loss * zl, win * zw + loss * zl, -win * zw], axis=1)
        slopes = np.concatenate([by_a[:, :, None] * design[:, None, :], by_b[:, :, None]], axis=2)
        gradient = np.einsum("nk,nkj->j", counts / p, slopes)
        information = np.einsum("nk,nki,nkj->ij", counts.sum(1)[:, None] / p, slopes, slopes)
        step = np.linalg.solve(information, gradient)
        while np.abs(step).max() > 1e-5:
            tried = log_loss(score, design, counts, theta + step)
            if tried < best:
                break
            step = step / 2
        else:
            break
        theta, best = theta + step, tried
    return theta, best


def binned(rows):
    """Counts of the outcomes by score bin and material."""
    score = np.round(rows[:, 1] / STEP).astype(int)
    keys = np.stack([score, rows[:, 2]], axis=1)
    cells, place = np.unique(keys, axis=0, return_inverse=True)
    counts = np.zeros((len(cells), 3))
    np.add.at(counts, (place.ravel(), rows[:, 4]), 1)
    return cells, counts


def design(material, degree):
    return np.stack([(material / FULL_MATERIAL) ** power for power in range(degree + 1)], axis=1)


def fit_rows(rows, degree):
    cells, counts = binned(rows)
    return fit(cells[:, 0] * STEP, design(cells[:, 1], degree), counts)


def jackknife(estimates):
    """Standard errors from estimates that each leave one part out."""
    return np.sqrt((PARTS - 1) * np.var(estimates, axis=0))


def residuals(rows, theta, name, buckets):
    """What was seen and what the constants say, in per mille."""
    said = 1000 * chances(rows[:, 1], *curve(design(rows[:, 2], DEGREE), theta))
    seen = 1000 * np.eye(3)[rows[:, 4]]
    print(f"\n{name:>12} {'rows':>8}   {'win':>11}   {'draw':>11}   {'loss':>11}   (seen, said)")
    worst = 0.0
    for label, mask in buckets:
        if mask.sum() >= 200:
            s, m = seen[mask].mean(0), said[mask].mean(0)
            worst = max(worst, np.abs(s - m).max())
            cells = "   ".join(f"{s[k]:5.0f} {m[k]:5.0f}" for k in (2, 1, 0))
            print(f"{label:>12} {mask.sum():8d}   {cells}")
    print(f"largest miss {worst:.0f} per mille")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("games", nargs="+")
    args = args.parse_args()
    rows, count = samples(args.games)
    share = np.bincount(rows[:, 4], minlength=3) / len(rows)
    print(f"{count} games, {len(rows)} rows; draws {share[1]:.3f}")
    for degree in range(DEGREE + 1):
        theta, loss = fit_rows(rows, degree)
        print(f"degree {degree}: log loss {loss:.4f}, log a and log b {np.round(theta, 2).tolist()}")
    parts = [rows[rows[:, 0] != part] for part in range(PARTS)]
    flat = [np.exp(fit_rows(part, 0)[0]) for part in parts]
    halves = np.exp(design(np.arange(0, 17, 4), DEGREE) @ theta[:-1])
    of_parts = [np.exp(design(np.arange(0, 17, 4), DEGREE) @ fit_rows(part, DEGREE)[0][:-1]) for part in parts]
    errors = jackknife(of_parts)
    edges = [-2000, -1200, -800, -600, -400, -300, -200, -100, -50, 0, 50, 100, 200, 300, 400, 600, 800, 1200, 2000]
    score, material, ply = rows[:, 1], rows[:, 2], rows[:, 3]
    residuals(rows, theta, "score", [(f"{low}..", (score >= low) & (score < high))
                                     for low, high in zip(edges, edges[1:])])
    residuals(rows, theta, "material", [(f"{m}..{m + 3}", (material >= m) & (material < m + 4))
                                        for m in range(0, 17, 4)])
    residuals(rows, theta, "ply", [(f"{p}..", (ply >= p) & (ply < p + 40)) for p in range(0, 320, 40)])
    print("\nhalf of the games are won at, by material:", end=" ")
    print(", ".join(f"{m}: {half:.0f} +- {error:.0f} cp" for m, half, error in zip(range(0, 17, 4), halves, errors)))
    even, scale = np.exp(fit_rows(rows, 0)[0])
    print(f"U = {even:.0f} +- {jackknife(flat)[0]:.0f} cp, scale {scale:.0f}, without regard to material\n")
    print("const LOG_EVEN_CHANCE: [f64; 3] = [" + ", ".join(f"{value:.3f}" for value in theta[:-1]) + "];")
    print(f"const SCALE_CP: f64 = {np.exp(theta[-1]):.1f};")
    print(f"const EVEN_CHANCE: Score = {even:.0f};")


if __name__ == "__main__":
    main()
