"""A file of `kanzen export` in DuckDB and in Polars; docs/data-frames.md shows what it prints.

    kanzen export nocca-4x4 --where "only_move AND distance >= 15" --columns position,value,distance,moves,gap --to nocca.parquet
    python3 docs/examples/frames.py nocca.parquet
"""
import sys

import duckdb
import polars

file = sys.argv[1]

# SQL over the file, as it lies: of each distance how many positions, and the richest choice of moves.
print(duckdb.sql(f"""
    SELECT distance, count(*) AS positions, max(moves) AS choices
    FROM '{file}' WHERE value = 'win'
    GROUP BY distance ORDER BY distance DESC
"""))

# The same as a lazy frame: only the columns that are named are read.
print(
    polars.scan_parquet(file)
    .filter(polars.col("value") == "win")
    .group_by("distance")
    .agg(polars.len().alias("positions"), polars.col("moves").max().alias("choices"))
    .sort("distance", descending=True)
    .collect()
)
