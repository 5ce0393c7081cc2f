/** Names that were changed before 0.1.0, with the names that they have now. */
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
 * The known word that has replaced what was written; else the known word nearest to what was written, when it is near enough to have been meant: one slip
 * for each three letters, and two in a short word that begins alike.
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
 * Insertions, deletions and substitutions of letters, and exchanges of two neighbours, one each: the
 * optimal string alignment distance.
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
