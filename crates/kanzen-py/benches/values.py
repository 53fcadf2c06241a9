"""Measures the throughput of `values` against a loop of single probes; prints JSON.

    python crates/kanzen-py/benches/values.py GAME [POSITIONS] [--data DIR] [--memory BYTES]

Memory is the resident set: before the queries and at its peak during them. Mapped pages of the database, which the system
can reclaim at any time, are reported separately.
"""

from __future__ import annotations

import argparse
import json
import threading
import time

import numpy as np

import kanzen


def resident() -> tuple[int, int]:
    """Returns the resident bytes of anonymous memory and of mapped files."""
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return tuple(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile"))  # type: ignore[return-value]


class Most:
    """Samples the peak memory of a block, a hundred times a second."""

    def __enter__(self) -> Most:
        self.first = self.most = resident()
        self.done = threading.Event()
        self.looking = threading.Thread(target=self.look)
        self.looking.start()
        return self

    def look(self) -> None:
        while not self.done.wait(0.01):
            now = resident()
            self.most = (max(self.most[0], now[0]), max(self.most[1], now[1]))

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.looking.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("positions", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--data")
    parser.add_argument("--memory", type=int)
    parser.add_argument("--probes", type=int, default=3000)
    asked = parser.parse_args()
    game = kanzen.open(asked.game, asked.data, memory=asked.memory)
    numbers = np.random.default_rng(1).integers(game.positions, size=asked.positions, dtype=np.uint64)
    seconds = []
    with Most() as memory:
        for _ in range(2):  # the second time the pages are warm
            start = time.perf_counter()
            values, distances = game.values(numbers)
            seconds.append(time.perf_counter() - start)
    single = numbers[: asked.probes]
    texts = game.texts(single)
    probe, value = [], []
    for _ in range(2):
        start = time.perf_counter()
        probed = [game.position(text).moves for text in texts]
        probe.append(time.perf_counter() - start)
        start = time.perf_counter()
        alone = [game.position(text).value for text in texts]
        value.append(time.perf_counter() - start)
    assert alone == values[: asked.probes].tolist() and len(probed) == len(texts)
    rate = asked.positions / seconds[1]
    answers = values.nbytes + distances.nbytes
    report = {
        "game": game.id,
        "positions": asked.positions,
        "seconds_first": round(seconds[0], 3),
        "seconds_warm": round(seconds[1], 3),
        "per_second": round(rate),
        "probes_per_second": round(asked.probes / probe[1]),
        "single_values_per_second": round(asked.probes / value[1]),
        "times_a_loop_of_probes": round(rate * probe[1] / asked.probes, 1),
        "array_bytes": numbers.nbytes + answers,
        # The second result is allocated while the first is still alive.
        "work_bytes": memory.most[0] - memory.first[0] - 2 * answers,
        "mapped_bytes": memory.most[1] - memory.first[1],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
