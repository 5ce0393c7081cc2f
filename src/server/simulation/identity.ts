import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { MarketPlan } from '../market/open.ts';
import type { SimulationSettings } from './settings.ts';

/** Settings as JSON. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;

interface PlainObject {
  readonly [key: string]: Plain;
}

/** Credentials are no part of the state, and secrets must not be stored. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['keys', 'affiliateKey', 'publicKey', 'requestsPerSecond', 'seed'],
]);
/** Bytes of both ends that identify a recording. */
const ENDS_BYTES = 1 << 16;
const DIFFERENCES_REPORTED = 5;

/**
 * Settings that the state of a venue depends on: only with the same settings the same inputs lead to the
 * same state. The seed of the chains is secret and stored separately.
 */
export function identityOf(settings: SimulationSettings): Plain {
  const { symbols, members, market, exchange, chains, kept, faults, outside } = settings;
  return plain({
    symbols,
    members,
    market: market.map(withSeed),
    exchange,
    chains,
    kept,
    faults,
    outside,
  });
}

/** A market is identified by its seed or its recordings. */
const withSeed = (part: MarketPlan[number]): object =>
  part.kind === 'recorded'
    ? { ...part, files: part.files.map(contentsOf) }
    : { ...part, startsFrom: part.seed };

/** Throws `venue-data-differs`, with the differences, if settings are not those of a stored state. */
export function checkIdentity(kept: Plain, given: Plain, folder: string): void {
  const found = [...differences(kept, given, '')];
  if (found.length === 0) return;
  const reported = found.slice(0, DIFFERENCES_REPORTED).join('; ');
  const more = found.length - DIFFERENCES_REPORTED;
  throw new MillraceError(
    'venue-data-differs',
    `The state in ${folder} is that of a venue with another configuration: ${reported}${more > 0 ? `; and ${more} more` : ''}. Set it back, or begin with another folder.`,
    { where: folder },
  );
}

function plain(value: unknown): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value.toString();
  if (Decimal.isDecimal(value)) return new Decimal(value).toFixed();
  if (value instanceof Map) return plain(Object.fromEntries(value as Map<string, unknown>));
  if (value instanceof Set) return [...(value as Set<unknown>)].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value)
    .filter(([key, member]) => !LEFT_OUT.has(key) && isReported(member))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, plain(member)]));
}

const isReported = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

/** Name of a list's member, if it has one: a symbol, a member, a network. */
function nameOf(member: Plain | undefined, index: number): string {
  if (typeof member !== 'object' || member === null) return String(index);
  const object = member as Readonly<Record<string, Plain | undefined>>;
  const terms = object['terms'];
  if (typeof terms === 'object' && terms !== null) return nameOf(terms, index);
  const name = object['symbol'] ?? object['name'] ?? object['code'] ?? object['network'];
  return typeof name === 'string' ? name : String(index);
}

function* differences(
  kept: Plain | undefined,
  given: Plain | undefined,
  path: string,
): Generator<string> {
  if (Array.isArray(kept) && Array.isArray(given)) {
    const length = Math.max(kept.length, given.length);
    for (let index = 0; index < length; index += 1) {
      const one = (kept as readonly Plain[])[index];
      const other = (given as readonly Plain[])[index];
      yield* differences(one, other, below(path, nameOf(one ?? other, index)));
    }
  } else if (isObject(kept) && isObject(given)) {
    for (const key of new Set([...Object.keys(kept), ...Object.keys(given)])) {
      yield* differences(kept[key], given[key], below(path, key));
    }
  } else if (kept !== given) yield `${path} was ${reported(kept)} and is ${reported(given)}`;
}

const isObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const reported = (value: Plain | undefined): string =>
  value === undefined ? 'absent' : isObject(value) ? nameOf(value, 0) : JSON.stringify(value);

/** Identifies the content of a recording, which may be moved. */
function contentsOf(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(ENDS_BYTES, size));
    const hash = createHash('sha256').update(String(size));
    for (const position of [0, size - bytes.length]) {
      readSync(file, bytes, 0, bytes.length, position);
      hash.update(bytes);
    }
    return hash.digest('hex');
  } catch {
    // Opening it reports the error.
    return 'unreadable';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
