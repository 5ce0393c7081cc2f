"""The SMA sweep of bench/sweep.ts as a vectorised loop: no orders, no book, fills at the close, doubles."""

import json
import sys
import time

import numpy as np

SLOW = 200
FEE = 0.0025

closes = np.fromfile(sys.argv[1], dtype="<f8")
sets = int(sys.argv[2])
began = time.process_time()
sums = np.concatenate(([0.0], np.cumsum(closes)))


def mean(length):
    return (sums[length:] - sums[:-length]) / length


slow = mean(SLOW)
price = closes[SLOW:]
found = []
for length in range(2, 2 + sets):
    above = mean(length)[SLOW - length :] > slow
    change = np.diff(above.astype(np.float64))
    cost = change * price + FEE * np.abs(change) * price
    equity = np.cumsum(change) * price - np.cumsum(cost)
    fallen = np.maximum.accumulate(equity) - equity
    found.append((equity[-1], fallen.max(), np.count_nonzero(change), equity.std()))
print(json.dumps({"ms": (time.process_time() - began) * 1000 / sets, "fills": int(found[0][2])}))
