import {
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';
import type { z } from 'zod';
import { errorText, MillraceError } from '../model/errors.ts';
import { fullStop } from '../model/full-stop.ts';
import { excerpt } from './excerpt.ts';
import { explainIssue } from './explain.ts';
import { FileTooLong, readSmallFile } from './small-file.ts';

/** Plain YAML numbers pass through doubles, which hold this many significant digits exactly. */
const DIGITS_MAX = 15;

/** YAML also has hexadecimal and octal numbers, infinity and NaN; none of these is a price. */
const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

/** A configuration is a page; a file of more is something else, a recording perhaps. */
const BYTES_MAX = 1 << 20;

/** Most characters shown of the YAML reader's error. */
const SENTENCE = 160;

/**
 * Reads a YAML file and checks it against a schema.
 *
 * Throws `config-missing`, or `config-invalid` naming file, line and column, what was read and what is
 * expected; of several mistakes the first is reported and the rest counted.
 */
export function readConfig<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  return parseConfig(textOf(path), path, schema);
}

/** A configuration that knows the location of its values in the file, for checks beyond its schema. */
export interface ConfigDocument<T> {
  readonly data: T;
  /** `bot.yaml:12:5`: location of a path's value, or of its nearest parent. */
  where(path: readonly (string | number)[]): string;
}

/** Reads a file as `readConfig` does and keeps the locations. */
export function readConfigDocument<S extends z.ZodType>(
  path: string,
  schema: S,
): ConfigDocument<z.output<S>> {
  return parseConfigDocument(textOf(path), path, schema);
}

function textOf(path: string): string {
  try {
    return readSmallFile(path, { bytesMax: BYTES_MAX }).text;
  } catch (cause) {
    if (cause instanceof FileTooLong) {
      throw invalid(path, fullStop(`this is no configuration: ${cause.message}`));
    }
    throw new MillraceError(
      'config-missing',
      `The configuration ${path} cannot be read${reason(cause)}. Give the path of a YAML file.`,
      { where: path, cause },
    );
  }
}

const reason = (cause: unknown): string =>
  cause instanceof Error && !('code' in cause && cause.code === 'ENOENT')
    ? ` (${cause.message})`
    : '';

/** The same for given text; `name` replaces the file in messages. */
export function parseConfig<S extends z.ZodType>(
  text: string,
  name: string,
  schema: S,
): z.output<S> {
  return parseConfigDocument(text, name, schema).data;
}

/** The same, keeping the locations. */
export function parseConfigDocument<S extends z.ZodType>(
  text: string,
  name: string,
  schema: S,
): ConfigDocument<z.output<S>> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const broken = document.errors.at(0) ?? document.warnings.at(0);
  if (broken !== undefined) {
    throw invalid(
      at(broken.pos[0]),
      fullStop(`this is not YAML: ${excerpt(broken.message, SENTENCE)}`),
    );
  }
  refuse(document, at);
  const parsed = schema.safeParse(plain(document, at) ?? {}, { reportInput: true });
  if (parsed.success) {
    return { data: parsed.data, where: (path) => at(offsetOf(document, path)) };
  }
  // A misspelt key explains more than the key that is missing for it.
  const unknownFirst = parsed.error.issues.toSorted(
    (a, b) => Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys'),
  );
  const [issue, ...rest] = unknownFirst.map((each) => explainIssue(each, schema));
  if (issue === undefined) throw parsed.error;
  const more = rest.length === 0 ? '' : ` (${rest.length} more like this)`;
  throw invalid(
    at(offsetOf(document, issue.path, issue.key)),
    `${issue.sentence}${more}`,
    issue.field,
  );
}

const invalid = (where: string, sentence: string, field?: string): MillraceError =>
  new MillraceError('config-invalid', `${where}: ${sentence}`, {
    where,
    field,
  });

/** Rejects YAML features that a configuration does not use, each with its location. */
function refuse(document: Document, at: (offset: number) => string): void {
  const stop = (node: Node, sentence: string): never => {
    throw invalid(at(node.range?.[0] ?? 0), sentence);
  };
  visit(document, {
    Pair(_, { key }) {
      if (!isNode(key)) return;
      if (!isScalar(key)) stop(key, 'a key is plain text here.');
      else if (key.value === '__proto__') stop(key, '"__proto__" is not a key here.');
    },
    Alias(_, alias) {
      const meant = alias.resolve(document);
      if (meant === undefined) stop(alias, `nothing before here is named &${alias.source}.`);
      else if (encloses(meant, alias)) stop(alias, `*${alias.source} would hold itself.`);
    },
    Scalar(_, scalar) {
      const { value, source } = scalar;
      if (typeof value !== 'number' || source === undefined) return;
      if (!PLAIN_NUMBER.test(source) || !Number.isFinite(value)) {
        stop(scalar, `${excerpt(source)} is no number here; write digits, such as 16 or 0.001.`);
      }
      const digits = source
        .replace(/[eE].*$/, '')
        .replace(/[^0-9]/g, '')
        .replace(/^0+/, '');
      if (digits.length > DIGITS_MAX) {
        stop(
          scalar,
          `${excerpt(source)} has more than ${DIGITS_MAX} digits; write it in quotes so that it is kept exactly.`,
        );
      }
    },
  });
}

const encloses = (outer: Node, inner: Node): boolean =>
  (outer.range?.[0] ?? 0) <= (inner.range?.[0] ?? 0) &&
  (outer.range?.[1] ?? 0) >= (inner.range?.[1] ?? 0);

/** The document as plain values. YAML refuses aliases of aliases that would grow without end. */
function plain(document: Document, at: (offset: number) => string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    let where = 0;
    visit(document, {
      Alias(_, { range }) {
        where = range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    throw invalid(at(where), fullStop(`aliases cannot be followed: ${messageOf(cause)}`));
  }
}

const messageOf = (cause: unknown): string => excerpt(errorText(cause), SENTENCE);

/** Location of a path's value, or of the key `key` below it. */
function offsetOf(document: Document, path: readonly PropertyKey[], key?: string): number {
  const keys = path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  for (let length = keys.length; length >= 0; length -= 1) {
    const found = length === 0 ? document.contents : document.getIn(keys.slice(0, length), true);
    const node = found as Node | null | undefined;
    if (node?.range === undefined || node.range === null) continue;
    if (key !== undefined && length === keys.length && isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && item.key.value === key,
      );
      if (pair !== undefined && isScalar(pair.key)) return pair.key.range?.[0] ?? node.range[0];
    }
    return node.range[0];
  }
  return 0;
}
