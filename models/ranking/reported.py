#!/usr/bin/env python3
"""Fits the confidence that is reported to the share of right answers; needs numpy and scikit-learn.

  tests/bench/calibration.py --bin target/release/pathfinder --rows ROWS.json CHECKOUT...
  models/ranking/reported.py ROWS.json                       the lines `map`, for the end of server/core/src/decide/confidence.txt

A monotone piecewise linear function (isotonic regression) from the product of calibrate.py's two probabilities, as the program has
them, to the share of right answers. It is the identity at the bars, so it changes what is reported and no decision. A confidence at its
limit is reported as it is.

All checkouts count as THREE: that is the share of files that are gone, as in the tables of tests/bench/runs.
"""
import json, pathlib, sys

import numpy as np
from sklearn.isotonic import IsotonicRegression

# The lowest bar of server/core/src/decide/threshold.rs; from the next one on nothing is changed.
BARS = (0.78, 0.9)
POINTS = (*np.arange(0.05, 0.76, 0.05), 0.86)
# A point speaks for the values this near to it.
NEAR = 0.03
# Nothing reaches a bar that did not before.
BELOW_BAR = 0.01
THREE = 3


def main():
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())
    rows = [row for row in rows if row["unmapped"] < row["most"]]
    checkouts = {row["tree"] for row in rows} - {"cases"}
    weight = [1 if row["tree"] == "cases" else THREE / len(checkouts) for row in rows]
    unmapped, right = (np.array([row[name] for row in rows], float) for name in ("unmapped", "right"))
    fitted = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(unmapped, right, sample_weight=weight)
    said = {0: 0, **{bar: bar for bar in BARS}, 1: 1}
    for point in POINTS:
        most = min(bar for bar in BARS if bar > point) - BELOW_BAR
        said[point] = min(fitted.predict(np.linspace(point - NEAR, point + NEAR, 21)).mean(), most)
    print("\n".join(f"map {point:g} {value:.3f}" for point, value in sorted(said.items())))


if __name__ == "__main__":
    main()
