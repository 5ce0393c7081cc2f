/** The generator of Park and Miller: small enough to follow by hand, in the worked values of these tests. */
export function parkMiller(seed: number): () => number {
  let x = seed;
  return () => {
    x = (16_807 * x) % 2_147_483_647;
    return x / 2_147_483_647;
  };
}

/** Rows of returns, row by row: 0.02 (u₁ + u₂ + u₃ − 1.5) and what each column has beside. */
export function columns(rows: number, added: readonly number[], seed: number): number[][] {
  const unit = parkMiller(seed);
  const made: number[][] = added.map(() => []);
  for (let row = 0; row < rows; row += 1) {
    added.forEach((each, column) => {
      made[column].push(0.02 * (unit() + unit() + unit() - 1.5) + each);
    });
  }
  return made;
}
