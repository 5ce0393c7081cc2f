import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { suggest } from '../../model/suggest.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';

const FOLDER = join(PACKAGE_ROOT, 'docs');
/** Most characters of a page in one answer. */
const PART_LENGTH = 20_000;
const EXCERPT_LENGTH = 400;
const FOUND_MAX = 8;
/** Weight of a word in a heading relative to one in the text. */
const HEADING_WEIGHT = 5;

/** A page by its name without ending. */
export interface Page {
  readonly name: string;
  readonly title: string;
}

/** A section of a page that holds what was searched. */
export interface FoundSection {
  readonly page: string;
  readonly heading: string;
  readonly excerpt: string;
}

/** The pages that come with Millrace. */
export const pages = (): readonly Page[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.md'.length);
      return { name, title: /^# (.*)$/m.exec(textOf(name))?.[1] ?? name };
    });

const textOf = (name: string): string => readFileSync(join(FOLDER, `${name}.md`), 'utf8');

/** The whole text of a page. Throws `usage` for an unknown one. */
export function pageText(name: string): string {
  const names = pages().map((page) => page.name);
  if (names.includes(name)) return textOf(name);
  const near = suggest(name, names);
  throw new MillraceError(
    'usage',
    `There is no page "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`} Pages: ${names.join(', ')}.`,
    { field: 'page' },
  );
}

/** A part of a page from a character on, and where the next begins. */
export function pagePart(
  name: string,
  offset: number,
): { readonly text: string; readonly length: number; readonly nextOffset: number | null } {
  const text = pageText(name);
  const end = offset + PART_LENGTH;
  return {
    text: text.slice(offset, end),
    length: text.length,
    nextOffset: end < text.length ? end : null,
  };
}

/** The sections that match most of the words, the best first. */
export function searchPages(query: string): readonly FoundSection[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [])];
  return pages()
    .flatMap(({ name }) => sectionsOf(name))
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ section: { page, heading, text } }) => ({
      page,
      heading,
      excerpt: excerptOf(text, words),
    }));
}

interface Section {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const sectionsOf = (page: string): readonly Section[] =>
  textOf(page)
    .split(/^(?=#{1,3} )/m)
    .map((part) => {
      const end = part.indexOf('\n');
      return { page, heading: part.slice(0, end).replace(/^#+ /, ''), text: part.slice(end + 1) };
    });

/**
 * Each word counts by the logarithm of its frequency, so that many words weigh more than a frequent one.
 */
function scoreOf({ page, heading, text }: Section, words: readonly string[]): number {
  const [body, head] = [text.toLowerCase(), `${page} ${heading}`.toLowerCase()];
  let score = 0;
  for (const word of words) {
    score += Math.log2(body.split(word).length);
    if (head.includes(word)) score += HEADING_WEIGHT;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const body = text.toLowerCase();
  const places = words.map((word) => body.indexOf(word)).filter((index) => index >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = text.lastIndexOf('\n', Math.max(0, first - 1)) + 1;
  return text.slice(begin, begin + EXCERPT_LENGTH).trim();
}
