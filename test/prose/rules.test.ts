import { describe, expect, test } from 'vitest';
import { proseFaults, SENTENCE_WORDS_MAX } from './rules.ts';

const messages = (page: string): string[] => proseFaults(page).map(({ message }) => message);
const sentence = (words: number): string =>
  `${Array.from({ length: words }, (_, index) => `word${index}`).join(' ')}.`;

describe('the check of prose', () => {
  test('accepts a plain page', () => {
    expect(
      messages('# Orders\n\nA limit order rests in the book. `GTC` is the default.\n'),
    ).toEqual([]);
  });

  test('names the line of a private word, and what to write', () => {
    expect(proseFaults('# A page\n\nThe exchange told the strategy.\n')).toEqual([
      { line: 3, message: '"told": write send, emit, report.' },
    ]);
  });

  test('finds a private word in a heading, a list and a table', () => {
    const page = '# Truth\n\n- a wish\n\n| a | b |\n| - | - |\n| x | a purse |\n';
    expect(proseFaults(page).map(({ line }) => line)).toEqual([1, 3, 7]);
  });

  test('passes over code, and over words that contain a private one', () => {
    expect(messages('`wish` is a key. Understand the worthless.\n\n```\nwish\n```\n')).toEqual([]);
  });

  test('finds a sentence beyond the limit and none at it', () => {
    expect(messages(sentence(SENTENCE_WORDS_MAX))).toEqual([]);
    expect(messages(sentence(SENTENCE_WORDS_MAX + 1))).toHaveLength(1);
  });

  test.each([
    ['the order of the the book', 'repeated'],
    ['this is a order', '`an`'],
    ['utilize the book', '`use`'],
    ['it is very fast', '"very"'],
  ])('finds the fault of "%s"', (text, part) => {
    expect(messages(text).join('\n')).toContain(part);
  });
});
