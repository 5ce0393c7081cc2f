import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import retextSimplify from 'retext-simplify';
import { unified } from 'unified';
import { VFile } from 'vfile';
import WORDS from './words.json' with { type: 'json' };

/** About 20 words are the aim; beyond this a sentence has to be read twice. */
export const SENTENCE_WORDS_MAX = 30;

/** A break of the rules of prose: the line of its paragraph, and what to write instead. */
export interface ProseFault {
  readonly line: number;
  readonly message: string;
}

const markdown = unified().use(remarkParse).use(remarkGfm);
const english = unified()
  .use(retextEnglish)
  .use(retextRepeatedWords)
  .use(retextIndefiniteArticle)
  .use(retextSimplify, { ignore: WORDS.plain });

type Page = ReturnType<typeof markdown.parse>;
type PageNode = Page | Page['children'][number];
type Text = ReturnType<typeof english.parse>;
type TextNode = Text | Text['children'][number];

const banned = Object.entries({ ...WORDS.private, ...WORDS.weak }).map(([pattern, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'giu'),
  instead,
}));

/** Replaces code in a sentence. Its capital lets a sentence begin with it. */
const CODE = 'Code';

/** The text that a reader sees, with a noun in place of code. */
function textOf(node: PageNode): string {
  if (node.type === 'inlineCode') return CODE;
  if (node.type === 'break') return ' ';
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** Paragraphs, headings and cells of tables, each with the line where it begins. */
function blocksOf(tree: Page): { readonly line: number; readonly text: string }[] {
  const blocks: { line: number; text: string }[] = [];
  const descend = (node: PageNode): void => {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      blocks.push({ line: node.position?.start.line ?? 0, text: textOf(node) });
    } else if ('children' in node) {
      node.children.forEach(descend);
    }
  };
  descend(tree);
  return blocks;
}

/** Counts of words of all sentences. */
function sentenceLengths(node: TextNode): number[] {
  if (node.type === 'SentenceNode') {
    return [node.children.filter(({ type }) => type === 'WordNode').length];
  }
  return 'children' in node ? node.children.flatMap(sentenceLengths) : [];
}

function faultsOfText(text: string): string[] {
  const file = new VFile(text);
  const tree = english.parse(file);
  english.runSync(tree, file);
  const long = sentenceLengths(tree)
    .filter((words) => words > SENTENCE_WORDS_MAX)
    .map((words) => `A sentence of ${words} words. Say one idea in at most ${SENTENCE_WORDS_MAX}.`);
  const words = banned.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(([word]) => `"${word}": write ${instead}.`),
  );
  const plain = file.messages
    .map(({ reason }) => `${reason}.`)
    // What a reader sees there is the code itself.
    .filter((reason) => !reason.includes(`\`${CODE}\``));
  return [...long, ...words, ...plain];
}

/** What is wrong with the prose of a page in Markdown; code is not judged. */
export function proseFaults(page: string): ProseFault[] {
  return blocksOf(markdown.parse(page)).flatMap(({ line, text }) =>
    faultsOfText(text).map((message) => ({ line, message })),
  );
}
