import ts from 'typescript';
import { faultAt, type Fault, type Source } from './source.ts';

const RUNNERS = new Set(['test', 'it', 'describe', 'suite', 'bench']);
const MODIFIERS: Readonly<Record<string, string>> = {
  only: 'The other tests do not run. Take .only away; name a file to vitest to run it alone.',
  skip: 'The test never runs. Mend it, remove it, or use skipIf with the condition it needs.',
  todo: 'A test that is not there proves nothing. Write it.',
  fails: 'A test that must fail proves a fault. Mend the fault.',
};

/** The name at the root of `test.concurrent.only` or `describe.each(rows)`. */
function rootName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
    return rootName(node.expression);
  }
  return undefined;
}

/** Tests left alone (`.only`), left out (`.skip`), or announced (`.todo`). */
export function focus(source: Source): Fault[] {
  const faults: Fault[] = [];
  for (const node of source.nodes(
    ts.SyntaxKind.PropertyAccessExpression,
    ts.SyntaxKind.CallExpression,
  )) {
    if (ts.isPropertyAccessExpression(node)) {
      const root = rootName(node.expression);
      const instead = MODIFIERS[node.name.text];
      if (root !== undefined && RUNNERS.has(root) && instead !== undefined) {
        faults.push(
          faultAt(source, node.name.getStart(source.tree), `.${node.name.text}: ${instead}`),
        );
      }
    }
    if (ts.isCallExpression(node)) {
      const root = rootName(node.expression);
      const options = node.arguments.find((argument) => ts.isObjectLiteralExpression(argument));
      if (root === undefined || !RUNNERS.has(root) || options === undefined) continue;
      for (const property of options.properties) {
        const name = property.name?.getText(source.tree) ?? '';
        const instead = MODIFIERS[name];
        if (instead !== undefined) {
          faults.push(faultAt(source, property.getStart(source.tree), `${name}: ${instead}`));
        }
      }
    }
  }
  return faults;
}
