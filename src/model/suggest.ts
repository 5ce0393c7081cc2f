/** Names from before 0.1.0, with their current names. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['otherBalances', 'nonSpotBalances'],
  ['worth', 'prices'],
  ['minimumWorth', 'minimumValue'],
  ['maximumWorth', 'maximumValue'],
  ['fees.worth', 'fees.value'],
  ['truth', 'snapshot'],
  ['hearing', 'connectionState'],
  ['place', 'location'],
  ['bound', 'tolerance'],
  ['slots', 'holdings'],
]);

/**
 * The current name of a renamed word; else the nearest known word, if it is near enough: one typing
 * mistake for each three letters, and two in a short word with the same beginning.
 */
export function suggest(written: string, known: readonly string[]): string | undefined {
  const replaced = RENAMED.get(written);
  if (replaced !== undefined && known.includes(replaced)) return replaced;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const [a, b] = [written.toLowerCase(), word.toLowerCase()];
    const distance = editDistance(a, b);
    const most = Math.max(b.startsWith(a.slice(0, 1)) ? 2 : 1, Math.floor(a.length / 3));
    if (distance <= most && distance < least) {
      least = distance;
      nearest = word;
    }
  }
  return nearest;
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and exchanges of
 * neighboring letters, one each.
 */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2] + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
