"""Engine processes and move notation shared by the scripts in this folder.

Inside the scripts a move is four characters with ranks 0-9 ("h2e2"), as UCCI
and Chuhe write it. Fairy-Stockfish in UCI mode and pyffish count the ranks
1-10 ("h3e3"); `to_ranks0` and `to_ranks1` convert.
"""

import queue
import re
import shlex
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import NamedTuple, Optional

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
START_TIMEOUT = 10.0  # seconds for a greeting, readyok or pong
HANG_MARGIN = 5.0  # seconds past the allotted time until a silent engine hangs
UNTIMED_LIMIT = 60_000.0  # milliseconds allowed to a search without a time limit

_MOVE = re.compile(r"([a-i])(\d+)([a-i])(\d+)$")


def _shift_ranks(move, delta):
    match = _MOVE.match(move)
    if not match:
        raise ValueError(f"not a move: {move!r}")
    file1, rank1, file2, rank2 = match.groups()
    return f"{file1}{int(rank1) + delta}{file2}{int(rank2) + delta}"


def to_ranks0(move):
    """Convert a move with ranks 1-10 to ranks 0-9."""
    return _shift_ranks(move, -1)


def to_ranks1(move):
    """Convert a move with ranks 0-9 to ranks 1-10."""
    return _shift_ranks(move, 1)


class EngineError(Exception):
    """The engine cannot be used any further; one of the two below."""


class EngineCrash(EngineError):
    """The engine process ended, or refuses the protocol."""


class EngineHang(EngineError):
    """The engine did not answer in time."""


class Process:
    """A child process that is talked to in lines; a thread reads its output."""

    def __init__(self, command):
        self.command = command
        try:
            self.child = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, errors="replace", bufsize=1)
        except OSError as error:
            raise EngineCrash(f"cannot start {command}: {error}") from error
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._read_all, daemon=True).start()

    def _read_all(self):
        for line in self.child.stdout:
            self.lines.put((time.monotonic(), line.strip()))
        self.lines.put((time.monotonic(), None))

    def _crashed(self):
        time.sleep(0.1)  # the exit status may come after the end of the output
        return EngineCrash(f"{self.command} ended, exit status {self.child.poll()}")

    def send(self, line):
        try:
            self.child.stdin.write(line + "\n")  # line-buffered
        except (OSError, ValueError) as error:
            raise self._crashed() from error

    def read(self, deadline):
        """Return (arrival time, line); raise EngineHang past the deadline."""
        try:
            stamp, line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise EngineHang(f"{self.command} does not answer") from None
        if line is None:
            raise self._crashed()
        return stamp, line

    def read_until(self, wanted, timeout=START_TIMEOUT):
        """Read up to the first line for which `wanted` holds; return all lines."""
        deadline = time.monotonic() + timeout
        lines = []
        while not lines or not wanted(lines[-1]):
            lines.append(self.read(deadline)[1])
        return lines

    def close(self):
        """Ask the process to quit, then make sure that it is gone."""
        try:
            self.send("quit")
            self.child.wait(1)
        except (EngineError, subprocess.TimeoutExpired):
            self.child.kill()
            self.child.wait()


@dataclass
class Limit:
    """Nodes, time a move or the mover's and the other's clock; milliseconds."""

    movetime: Optional[int] = None
    nodes: Optional[int] = None
    own: float = 0.0
    other: float = 0.0
    increment: int = 0
    red_to_move: bool = True

    @property
    def allotted(self):
        """The most milliseconds the search may take, None without a time limit."""
        return None if self.nodes else self.movetime or self.own

    def deadline(self, start):
        milliseconds = UNTIMED_LIMIT if self.nodes else self.allotted
        return start + milliseconds / 1000 + HANG_MARGIN


class Position(NamedTuple):
    moves: list  # from the start position
    fen: str  # after the moves


class Reply(NamedTuple):
    move: Optional[str]  # None when the answer names none
    elapsed: float  # milliseconds
    text: str  # the line the engine wrote


class Engine:
    def __init__(self, command, options=()):
        self.process = Process(command)
        try:
            self.start(options)
        except EngineError:
            self.process.close()
            raise

    def close(self):
        self.process.close()


class Uci(Engine):
    """A UCI engine with ranks 0-9."""

    greeting = "uci"

    def start(self, options):
        self.process.send(self.greeting)
        self.listing = self.process.read_until(lambda line: line == self.greeting + "ok")
        for name, value in options:
            self.set_option(name, value)
        self.wait_ready()

    def set_option(self, name, value):
        self.process.send(f"setoption name {name} value {value}")

    def new_game(self):
        self.process.send("ucinewgame")
        self.wait_ready()

    def wait_ready(self):
        self.process.send("isready")
        self.process.read_until(lambda line: line == "readyok")

    def go(self, limit):
        if limit.nodes:
            return f"go nodes {limit.nodes}"
        if limit.movetime:
            return f"go movetime {limit.movetime}"
        own, other = ("w", "b") if limit.red_to_move else ("b", "w")
        return (f"go {own}time {int(limit.own)} {other}time {int(limit.other)} "
                f"winc {limit.increment} binc {limit.increment}")

    def encode(self, move):
        return move

    def decode(self, move):
        return move if _MOVE.match(move) else None

    def search(self, position, limit):
        """Return the engine's Reply for the position."""
        command = f"position fen {START_FEN}"
        if position.moves:
            command += " moves " + " ".join(map(self.encode, position.moves))
        self.process.send(command)
        start = time.monotonic()
        self.process.send(self.go(limit))
        deadline = limit.deadline(start)
        while True:
            stamp, line = self.process.read(deadline)
            words = line.split()
            if words and words[0] in ("bestmove", "nobestmove"):
                break
        elapsed = (stamp - start) * 1000
        try:
            return Reply(self.decode(words[1]), elapsed, line)
        except (IndexError, ValueError):
            return Reply(None, elapsed, line)  # "nobestmove", "bestmove (none)", not a move


class Ucci(Uci):
    """A UCCI engine; its times are milliseconds."""

    greeting = "ucci"

    def start(self, options):
        super().start(options)
        if any(line.startswith("option usemillisec") for line in self.listing):
            self.set_option("usemillisec", "true")

    def set_option(self, name, value):
        self.process.send(f"setoption {name} {value}")

    def new_game(self):
        self.wait_ready()

    def go(self, limit):
        if limit.nodes:
            return f"go nodes {limit.nodes}"
        if limit.movetime:
            return f"go time {limit.movetime} movestogo 1"
        return (f"go time {int(limit.own)} increment {limit.increment} "
                f"opptime {int(limit.other)} oppincrement {limit.increment}")


class Fairy(Uci):
    """Fairy-Stockfish in UCI mode: variant xiangqi, ranks 1-10."""

    def start(self, options):
        super().start([("UCI_Variant", "xiangqi"), *options])

    def encode(self, move):
        return to_ranks1(move)

    def decode(self, move):
        return to_ranks0(move)


class Cecp(Engine):
    """An xboard-protocol engine as HoiXiangqi speaks it.

    `st` takes whole seconds, so a shorter time a move is given as a clock that
    always shows forty times as much, of which HoiXiangqi spends a fortieth.
    """

    RESULTS = ("1-0", "0-1", "1/2-1/2")

    def start(self, options):
        self.process.send("xboard\nprotover 2")
        features = self.process.read_until(lambda line: "done=1" in line)
        self.has_ping = any("ping=1" in line for line in features)
        self.pings = 0
        for name, value in options:
            self.process.send(f"option {name}={value}")

    def new_game(self):
        self.thinking = False  # whether the engine answers a move by itself
        self.known = 0  # how many moves of the game the engine has seen
        self.game_over = False  # the engine considers the game ended
        self.process.send("new\nvariant xiangqi\nforce\neasy\nnopost")
        self.synchronise()

    def synchronise(self):
        """Wait until everything sent is processed; note a result it announces."""
        if not self.has_ping:
            return
        self.pings += 1
        self.process.send(f"ping {self.pings}")
        lines = self.process.read_until(lambda line: line == f"pong {self.pings}")
        self.game_over |= any(line.startswith(self.RESULTS) for line in lines)

    def resume(self, position):
        """Give an engine that believes in a result the bare position, without history."""
        self.new_game()
        board, side = position.fen.split()[:2]
        board = board.translate(str.maketrans("nNbB", "hHeE"))
        self.process.send(f"setboard {board} {side} 0 1")
        self.known = len(position.moves)

    def set_time(self, limit):
        own, other, increment = limit.own, limit.other, limit.increment
        if limit.movetime and limit.movetime % 1000 == 0:
            self.process.send(f"st {limit.movetime // 1000}")
            return
        if limit.movetime:
            own, other, increment = 40 * limit.movetime, 40 * limit.movetime, 0
        if not self.thinking:
            minutes, seconds = divmod(max(1, int(own / 1000)), 60)
            self.process.send(f"level 0 {minutes}:{seconds:02} {increment / 1000:g}")
        self.process.send(f"time {max(1, int(own / 10))}")
        self.process.send(f"otim {max(1, int(other / 10))}")

    def search(self, position, limit, retry=True):
        """Return the engine's Reply for the position."""
        missing = position.moves[self.known:]
        if not self.thinking:
            for move in missing:
                self.process.send(f"usermove {move}")
            self.synchronise()
        if self.game_over:
            self.resume(position)
        self.set_time(limit)
        start = time.monotonic()
        self.process.send(f"usermove {missing[-1]}" if self.thinking else "go")
        self.thinking = True
        self.known = len(position.moves) + 1
        deadline = limit.deadline(start)
        while True:
            stamp, line = self.process.read(deadline)
            elapsed = (stamp - start) * 1000
            if line.startswith("move "):
                self.synchronise()
                return Reply(line.split()[1], elapsed, line)
            if line == "resign":
                return Reply(None, elapsed, line)
            if line.startswith(("Illegal move", "Error", "tellusererror")):
                raise EngineCrash(f"{self.process.command} says: {line}")
            if line.startswith(self.RESULTS):  # it ends the game with the opponent's move
                if not retry:
                    raise EngineCrash(f"{self.process.command} insists: {line}")
                self.game_over = True
                return self.search(position, limit, retry=False)


PROTOCOLS = {"uci": Uci, "ucci": Ucci, "fairy": Fairy, "cecp": Cecp}


def parse_spec(spec):
    """Split "PROTOCOL:COMMAND" into a protocol class and a command line."""
    protocol, colon, command = spec.partition(":")
    if not colon or protocol not in PROTOCOLS or not command:
        raise ValueError(f"{spec!r} is not one of "
                         + ", ".join(f"{name}:PATH" for name in PROTOCOLS))
    return PROTOCOLS[protocol], command
