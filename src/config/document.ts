import { readFileSync } from 'node:fs';
import {
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';
import type { z } from 'zod';
import { MillraceError } from '../model/errors.ts';
import { explainIssue } from './explain.ts';

/** Plain YAML numbers pass through doubles, which hold this many significant digits exactly. */
const DIGITS_MAX = 15;

/**
 * Reads a YAML file and checks it against a schema.
 *
 * Throws `config-missing`, or `config-invalid` naming file, line and column, what was read and
 * what is expected; of several mistakes the first is told and the rest counted.
 */
export function readConfig<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new MillraceError(
      'config-missing',
      `The configuration ${path} cannot be read. Give the path of a YAML file, or leave it out to use the example.`,
      { where: path, cause },
    );
  }
  return parseConfig(text, path, schema);
}

/** The same for text at hand; `name` stands for the file in messages. */
export function parseConfig<S extends z.ZodType>(
  text: string,
  name: string,
  schema: S,
): z.output<S> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const broken = document.errors.at(0);
  if (broken !== undefined) {
    throw invalid(at(broken.pos[0]), `this is not YAML: ${broken.message}.`);
  }
  refuseLongNumbers(document, at);
  const parsed = schema.safeParse(document.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  // A misspelt key tells more than the key that is missing for it.
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
    ...(field === undefined ? {} : { field }),
  });

function refuseLongNumbers(document: Document, at: (offset: number) => string): void {
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value !== 'number' || source === undefined) return;
      const digits = source
        .replace(/[eE].*$/, '')
        .replace(/[^0-9]/g, '')
        .replace(/^0+/, '');
      if (digits.length > DIGITS_MAX) {
        throw invalid(
          at(range?.[0] ?? 0),
          `${source} has more than ${DIGITS_MAX} digits; write it in quotes so that it is kept exactly.`,
        );
      }
    },
  });
}

/** Where the value of a path stands, or the key itself where `key` names one below it. */
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
