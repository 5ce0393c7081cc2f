import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { faultAt, type Fault, type Source } from './source.ts';

/** Words that only this project used for a thing, with the words of the field. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('./private-words.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >,
  ),
);

/** Where one word of a name ends: `toldRate`, `TOLD_RATE`, `told-rate`. */
const BETWEEN_WORDS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\-./#]+/;

const wordsIn = (name: string): readonly string[] =>
  name.split(BETWEEN_WORDS).map((word) => word.toLowerCase());

const messageOf = (word: string, name: string): string =>
  `"${name}" has a word of our own, "${word}". The field says: ${WORDS.get(word) ?? ''}.`;

/** Private words in the name of a file or of a folder. */
export function privateWordsInPath(path: string): Fault[] {
  return wordsIn(path)
    .filter((word) => WORDS.has(word))
    .map((word) => ({ where: path, message: messageOf(word, path) }));
}

const NAMED = [
  ...[ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.InterfaceDeclaration],
  ...[ts.SyntaxKind.TypeAliasDeclaration, ts.SyntaxKind.FunctionDeclaration],
  ...[ts.SyntaxKind.MethodDeclaration, ts.SyntaxKind.MethodSignature],
  ...[ts.SyntaxKind.PropertyDeclaration, ts.SyntaxKind.PropertySignature],
  ...[ts.SyntaxKind.PropertyAssignment, ts.SyntaxKind.GetAccessor, ts.SyntaxKind.SetAccessor],
  ...[ts.SyntaxKind.VariableDeclaration, ts.SyntaxKind.Parameter, ts.SyntaxKind.BindingElement],
];

/** Files that read and write what is stored under names of before. */
const STORED = new Set(['src/bot/journal/order-rows.ts', 'src/bot/rebalancing/transfer-row.ts']);

/** Private words in the names that a file of the sources declares. */
export function privateWords(source: Source): Fault[] {
  if (!/^(src|strategies|bench)\//.test(source.path) || STORED.has(source.path)) return [];
  return source.nodes(...NAMED).flatMap((node) => {
    const { name } = node as ts.NamedDeclaration;
    if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
    return wordsIn(name.text)
      .filter((word) => WORDS.has(word))
      .map((word) => faultAt(source, name.getStart(source.tree), messageOf(word, name.text)));
  });
}

/** Names of classes with their files; only a class of the sources that is exported has one. */
export function exportedClasses(source: Source): readonly { name: string; fault: Fault }[] {
  if (!source.path.startsWith('src/')) return [];
  return source.nodes(ts.SyntaxKind.ClassDeclaration).flatMap((node) => {
    const { name, modifiers } = node as ts.ClassDeclaration;
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (name === undefined || !isExported) return [];
    const message = `Another class is called ${name.text}: a name has one meaning.`;
    return [{ name: name.text, fault: faultAt(source, name.getStart(source.tree), message) }];
  });
}

/** Classes that share a name with one before them. */
export function sharedNames(classes: readonly { name: string; fault: Fault }[]): Fault[] {
  const seen = new Set<string>();
  return classes.flatMap(({ name, fault }) => {
    if (seen.has(name)) return [fault];
    seen.add(name);
    return [];
  });
}
