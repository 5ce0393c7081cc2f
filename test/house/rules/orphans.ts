import { posix } from 'node:path';
import ts from 'typescript';
import { visit, type Fault, type Source } from './source.ts';

/** What the package's own name leads to. */
const DOORS: Readonly<Record<string, string>> = {
  millrace: 'src/index.ts',
  'millrace/testing': 'src/testing.ts',
  'millrace/clients': 'src/clients.ts',
};

/** Paths of the project's files that a source names: imports, re-exports, `import()`, `new URL(…)`. */
export function namedBy(source: Source): string[] {
  const found: string[] = [];
  const take = (node: ts.Node | undefined): void => {
    if (node === undefined || !ts.isStringLiteralLike(node)) return;
    if (node.text in DOORS) found.push(DOORS[node.text]);
    if (/^\.\.?\//.test(node.text)) {
      found.push(posix.join(posix.dirname(source.path), node.text));
    }
  };
  visit(source, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) take(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      take(node.arguments[0]);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      take(node.argument.literal);
    if (ts.isNewExpression(node) && node.expression.getText() === 'URL') take(node.arguments?.[0]);
  });
  return found;
}

/** Files that cannot be reached from the entry points. */
export function orphans(
  sources: readonly Source[],
  isEntry: (path: string) => boolean,
  isJudged: (path: string) => boolean,
): Fault[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const waiting = sources.filter(({ path }) => isEntry(path));
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (reached.has(source.path)) continue;
    reached.add(source.path);
    for (const path of namedBy(source)) {
      const next = byPath.get(path);
      if (next !== undefined) waiting.push(next);
    }
  }
  const message = 'Nothing leads here. Import it where it is needed, or remove it.';
  return sources
    .filter(({ path }) => isJudged(path) && !reached.has(path))
    .map(({ path }) => ({ where: path, message }));
}
