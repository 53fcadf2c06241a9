"""How many positions a second `values` answers, and a loop of single probes beside it; prints JSON.

    python crates/kanzen-py/benches/values.py GAME [POSITIONS] [--data DIR]
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import numpy as np

import kanzen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("positions", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--data")
    parser.add_argument("--probes", type=int, default=3000)
    asked = parser.parse_args()
    game = kanzen.open(asked.game, asked.data)
    numbers = np.random.default_rng(1).integers(game.positions, size=asked.positions, dtype=np.uint64)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(2):  # the second time the pages are warm
        start = time.perf_counter()
        values, distances = game.values(numbers)
        seconds.append(time.perf_counter() - start)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
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
    print(
        json.dumps(
            {
                "game": game.id,
                "positions": asked.positions,
                "seconds_first": round(seconds[0], 3),
                "seconds_warm": round(seconds[1], 3),
                "per_second": round(rate),
                "probes_per_second": round(asked.probes / probe[1]),
                "single_values_per_second": round(asked.probes / value[1]),
                "times_a_loop_of_probes": round(rate * probe[1] / asked.probes, 1),
                "array_bytes": numbers.nbytes + values.nbytes + distances.nbytes,
                "peak_rss_bytes_before": before * 1024,
                "peak_rss_bytes": after * 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
