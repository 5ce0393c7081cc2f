/** Members of stored JSON under the names that earlier releases gave them, with their names now. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['refusal', 'rejection'],
  ['wished', 'managed'],
  ['executedLots', 'filledLots'],
]);

/** Kinds and codes of stored JSON in earlier releases, with what they are called now. */
const RENAMED_CODES: ReadonlyMap<unknown, string> = new Map([
  ['doubt', 'outcome-unknown'],
  ['fate-unknown', 'outcome-unknown'],
]);

type Revive = (name: string, value: unknown) => unknown;

/** Reads JSON that this or an earlier release wrote into a journal; `revive` as in `JSON.parse`. */
export const readStored = (text: string, revive: Revive = (_, value) => value): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    revive(
      name,
      name === 'kind' || name === 'code' ? (RENAMED_CODES.get(value) ?? value) : renamed(value),
    ),
  );

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!Object.keys(value).some((key) => RENAMED.has(key))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [RENAMED.get(key) ?? key, member]),
  );
}
