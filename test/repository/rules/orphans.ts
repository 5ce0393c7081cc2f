import { posix } from 'node:path';
import ts from 'typescript';
import type { Fault, Source } from './source.ts';

/** What the package's own name leads to. */
const DOORS: Readonly<Record<string, string>> = {
  millrace: 'src/index.ts',
  'millrace/testing': 'src/testing.ts',
  'millrace/clients': 'src/clients.ts',
  'millrace/backtest': 'src/backtest.ts',
  'millrace/feeds': 'src/feeds.ts',
  'millrace/gateway': 'src/gateway.ts',
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
  for (const node of source.nodes(
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.ExportDeclaration,
    ts.SyntaxKind.CallExpression,
    ts.SyntaxKind.ImportType,
    ts.SyntaxKind.NewExpression,
  )) {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) take(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      take(node.arguments[0]);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      take(node.argument.literal);
    if (ts.isNewExpression(node) && node.expression.getText(source.tree) === 'URL')
      take(node.arguments?.[0]);
  }
  return found;
}

/** A file, and the paths of the files that it names. */
export interface Naming {
  readonly path: string;
  readonly named: readonly string[];
}

/** Files that cannot be reached from the entry points. */
export function orphans(
  files: readonly Naming[],
  isEntry: (path: string) => boolean,
  isJudged: (path: string) => boolean,
): Fault[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = files.filter(({ path }) => isEntry(path));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file.path)) continue;
    reached.add(file.path);
    for (const path of file.named) {
      const next = byPath.get(path);
      if (next !== undefined) waiting.push(next);
    }
  }
  const message = 'Nothing leads here. Import it where it is needed, or remove it.';
  return files
    .filter(({ path }) => isJudged(path) && !reached.has(path))
    .map(({ path }) => ({ where: path, message }));
}
