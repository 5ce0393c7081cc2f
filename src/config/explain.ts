import { z } from 'zod';
import { excerpt, shown } from './excerpt.ts';
import { suggest } from '../model/suggest.ts';

/** A schema's issue as a sentence. */
export interface Explanation {
  /** Path in the data, outermost first. */
  readonly path: readonly PropertyKey[];
  /** A key below `path` that should not be there. */
  readonly key?: string;
  /** `path` as a person writes it: `recordings.0`. */
  readonly field: string;
  readonly sentence: string;
}

/** Marks the issue of a check whose message is a whole sentence. */
export const IS_SENTENCE = 'whole';

/** Turns an issue of zod into a sentence with what was read and what is expected. */
export function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): Explanation {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const known = keysAt(schema, issue.path);
    const near = suggest(key, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    return {
      path: issue.path,
      key,
      field: [...issue.path.map(String), key].join('.'),
      sentence: `"${excerpt(key)}" is not a key here.${hint}${known.length === 0 ? '' : ` Expected: ${known.join(', ')}.`}`,
    };
  }
  if (issue.code === 'custom' && issue.params?.[IS_SENTENCE] === true) {
    return { path: issue.path, field, sentence: issue.message };
  }
  const name = field === '' ? 'the file' : field;
  const read =
    issue.input === undefined
      ? ABSENT.has(issue.code)
        ? ' is missing'
        : ''
      : ` is ${isSecret(issue) ? 'something else' : shown(issue.input)}`;
  return {
    path: issue.path,
    field,
    sentence: `${name}${read}; expected ${expectation(issue)}.`,
  };
}

/** Complaints that a value which is not there can lead to. */
const ABSENT: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value']);

/** Members whose values must not appear in messages and logs. */
const SECRETS: ReadonlySet<unknown> = new Set(['secret', 'token']);

const isSecret = ({ path, input }: z.core.$ZodIssue): boolean =>
  SECRETS.has(path.at(-1)) && typeof input !== 'object' && input !== '';

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? `${article(issue.expected)} ${issue.expected}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `at least ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `at most ${amount(issue.maximum, issue.origin)}`;
    case 'invalid_key': {
      const [why] = issue.issues;
      return `a key of ${why === undefined ? 'another form' : expectation(why)}`;
    }
    case 'invalid_format':
      return issue.message.replace(/^Invalid string: must /, 'text to ');
    case 'invalid_union':
      // For discriminated unions zod says only this.
      return issue.message
        .replace(/^Invalid discriminator value\. Expected /, 'one of ')
        .replaceAll(' | ', ', ')
        .replaceAll("'", '"');
    default:
      return issue.message.replace(/^must be /, '').replace(/\.$/, '');
  }
}

function amount(limit: number | bigint, origin: string): string {
  const one = Number(limit) === 1;
  if (origin === 'string') return `${limit} ${one ? 'character' : 'characters'}`;
  if (origin === 'array') return `${limit} ${one ? 'entry' : 'entries'}`;
  return String(limit);
}

/** zod's own names for types. */
const TYPES: Readonly<Partial<Record<string, string>>> = {
  int: 'a whole number',
  record: 'keys with values',
  object: 'keys with values',
  array: 'a list',
  string: 'text',
};

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a');

/** Members of a JSON schema that lead further down; a record's values are its additional properties. */
interface JsonNode {
  readonly properties: Readonly<Partial<Record<string, unknown>>>;
  readonly additionalProperties: unknown;
  readonly items: unknown;
}

/** The keys that an object schema has at a path; empty if it is no object. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const part of path) {
    const node = here as Partial<JsonNode> | undefined;
    here =
      typeof part === 'number'
        ? node?.items
        : (node?.properties?.[String(part)] ?? node?.additionalProperties);
  }
  return Object.keys((here as { properties?: object } | undefined)?.properties ?? {});
}
