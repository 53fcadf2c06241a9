"""Compares the package with the command, position by position, for every small game; prints JSON.

    python crates/kanzen-py/benches/equal.py COMMAND [--data DIR] [--positions N] [--only GAME ...] [--also GAME ...]

A game is small if the command solves it on first use. Some of these store a line only, so their positions cannot be
sampled. For each random position one child is compared too: in Ostle a child may have a forbidden move and then has no
number. Any difference is an error and ends the program.
"""

from __future__ import annotations

import argparse
import json
import subprocess

import numpy as np

import kanzen

WORDS = {"win": 1, "draw": 0, "loss": -1}
SMALL_SECONDS = 15.0


def probed(command: str, game: kanzen.Game, data: str | None, texts: list[str]) -> list[dict[str, object]]:
    """Returns the command's probes of positions."""
    folder = ["--data", data] if data else []
    asked = [command, "probe", game.id, "-", "--json", "--quiet", *folder]
    done = subprocess.run(asked, input="\n".join(texts), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{game.id}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def numbers_of(value: str, distance: int | None) -> tuple[int, int]:
    """Converts a value and a distance to the numbers used in arrays."""
    return WORDS[value], -1 if distance is None else distance


def compare(command: str, game: kanzen.Game, data: str | None, positions: int) -> dict[str, object]:
    """Compares one game and returns the counts."""
    numbers = game.sample(positions, seed=3)
    texts = game.texts(numbers)
    children = [moves[len(moves) // 2][1] for moves in game.legal_moves(texts) if moves]
    moves = 0
    for asked in [numbers, texts, children]:
        named = asked if isinstance(asked, list) else texts
        answers = list(zip(*(array.tolist() for array in game.values(asked))))
        for text, answer, theirs, probe in zip(named, answers, game.moves(asked), probed(command, game, data, named)):
            mine = sorted((name, value, distance) for name, value, distance in theirs[3])
            wanted = sorted((move["move"], *numbers_of(move["value"], move["distance"])) for move in probe["moves"])
            if answer != numbers_of(probe["value"], probe["distance"]) or answer != theirs[1:3] or mine != wanted:
                raise SystemExit(f"{game.id}: {text} is {answer} here, and {probe['value']} to the command")
            moves += len(mine)
    unnumbered = sum(game.position(text).number is None for text in children)
    return {
        "game": game.id,
        "positions": len(texts),
        "children": len(children),
        "children_without_number": unnumbered,
        "moves": moves,
        "wins": int(np.count_nonzero(game.values(numbers)[0] == 1)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--data")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--also", nargs="*", default=[])
    asked = parser.parse_args()
    listing = kanzen.games(asked.data)
    small = [game["id"] for game in listing if game["forecast"]["seconds"] <= SMALL_SECONDS]
    games, lines = [], []
    for name in (asked.only or small) + [name for name in asked.also if name not in small]:
        game = kanzen.open(name, asked.data, solve=True, progress=False)
        try:
            game.sample(1)
        except kanzen.NotStored:
            lines.append(name)
        else:
            games.append(compare(asked.command, game, asked.data, asked.positions))
    print(json.dumps({"positions_each": asked.positions, "differences": 0, "games": games, "only_a_line": lines}))


if __name__ == "__main__":
    main()
