"""Tables equal the command's rows and are readable through Arrow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kanzen

from conftest import lines

QUESTION = "value = 'win' AND distance > 5 AND only_move"


def test_find_returns_the_rows_of_the_command(nocca: kanzen.Game, data: Path, command: str) -> None:
    columns = "position,value,distance,moves,only_move,gap"
    theirs = lines(command, "find", "nocca-3x3", "--where", QUESTION, "--columns", columns, "--data", str(data))
    table = nocca.find(QUESTION, columns=columns.split(","))
    assert list(table) == theirs and len(table) == len(theirs) > 0
    assert nocca.count(QUESTION) == len(theirs)
    ordered = nocca.find("value = 'loss'", order="-distance", limit=7)
    assert ordered["distance"].tolist() == sorted(ordered["distance"].tolist(), reverse=True) and len(ordered) == 7


def test_a_scan_in_pieces_equals_the_whole_table(nocca: kanzen.Game) -> None:
    whole = nocca.find("value = 'draw'")
    pieces = list(nocca.scan("value = 'draw'", rows=100))
    assert [len(piece) for piece in pieces[:-1]] == [100] * (len(pieces) - 1)
    assert [row for piece in pieces for row in piece] == list(whole)
    assert [len(piece) for piece in nocca.scan("distance > 10000")] == [0]


def test_the_census_equals_that_of_the_command(nocca: kanzen.Game, data: Path, command: str) -> None:
    [stats] = lines(command, "stats", "nocca-3x3", "--data", str(data))
    table = nocca.stats()
    for name in ["positions", "wins", "losses", "draws"]:
        assert table.meta[name] == stats[name]
    assert int(table["wins"].sum()) == stats["wins"] and int(table["losses"].sum()) == stats["losses"]
    assert int(np.ma.sum(table["draws"])) == stats["draws"]


def test_missing_cells_are_masked_and_none(nocca: kanzen.Game) -> None:
    table = nocca.find("value = 'draw'", limit=3)
    assert table["distance"].mask.all() and table.to_dict()["distance"] == [None] * 3  # type: ignore[attr-defined]
    assert table["position"].dtype == object
    with pytest.raises(KeyError, match="there is no column"):
        table["nothing"]
    assert "position" in repr(table) and "<table>" in table._repr_html_()


def test_arrow_reads_a_table_without_pyarrow_knowing_kanzen(nocca: kanzen.Game) -> None:
    polars = pytest.importorskip("polars")
    table = nocca.find("", columns="position,value,distance,only_move", limit=5000)
    frame = polars.DataFrame(table)
    assert frame.columns == table.column_names and frame.height == len(table)
    assert frame.to_dicts() == list(table)
    # The columns are shared and outlive the table.
    rows = list(table)
    del table
    assert frame.to_dicts() == rows
    empty = polars.DataFrame(nocca.find("distance > 10000"))
    assert empty.height == 0 and empty.columns == ["position", "value", "distance"]


def test_other_readers_of_arrow(nocca: kanzen.Game) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = nocca.find("", limit=100)
    assert pyarrow.table(table).to_pylist() == list(table)
    assert pyarrow.schema(table).names == table.column_names


def test_pandas_reads_a_table(nocca: kanzen.Game) -> None:
    pandas = pytest.importorskip("pandas", minversion="3")
    pytest.importorskip("pyarrow")  # pandas needs it to read Arrow
    table = nocca.find("", columns="position,value,distance,moves", limit=1000)
    frame = pandas.DataFrame.from_arrow(table)
    assert list(frame.columns) == table.column_names and len(frame) == 1000
    assert frame["moves"].sum() == table["moves"].sum()
    assert frame["position"].tolist() == table.to_dict()["position"]
    assert frame["distance"].isna().sum() == np.ma.count_masked(table["distance"])


def test_duckdb_queries_a_table(nocca: kanzen.Game) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = nocca.find("", columns="value,distance", limit=5000)
    with duckdb.connect() as connection:
        connection.register("positions", table)
        rows = connection.sql("SELECT value, count(*), max(distance) FROM positions GROUP BY value").fetchall()
    mine = table.to_dict()
    for value, count, longest in rows:
        plies = [d for v, d in zip(mine["value"], mine["distance"]) if v == value]
        assert count == len(plies) and longest == max((d for d in plies if d is not None), default=None)
    assert {value for value, _, _ in rows} == set(mine["value"])
