/** Members of stored JSON under the names that earlier releases gave them, with their names now. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['refusal', 'rejection'],
  ['wished', 'managed'],
  ['executedLots', 'filledLots'],
]);

const CODED: ReadonlySet<string> = new Set(['kind', 'code', 'end']);

/** Values of those members in earlier releases, with what they are called now. */
const RENAMED_CODES: ReadonlyMap<unknown, string> = new Map([
  ['doubt', 'outcome-unknown'],
  ['fate-unknown', 'outcome-unknown'],
  ['cleared', 'settled'],
]);

type Revive = (name: string, value: unknown) => unknown;

/** Reads JSON that this or an earlier release wrote into a journal; `revive` as in `JSON.parse`. */
export const readStored = (text: string, revive: Revive = (_, value) => value): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    revive(name, CODED.has(name) ? (RENAMED_CODES.get(value) ?? value) : renamed(value)),
  );

/** JSON with renamed members; other values stay as they are. */
export function renamed(value: unknown, names = RENAMED): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!Object.keys(value).some((key) => names.has(key))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [names.get(key) ?? key, member]),
  );
}
