import ts from 'typescript';
import { faultAt, type Fault, type Source } from './source.ts';

/** Comments that switch a check off, each with what to do instead. */
const SWITCHES: readonly (readonly [RegExp, string])[] = [
  [/@ts-(ignore|nocheck)\b/, 'Give the value the type it has: narrow it, or parse it with zod.'],
  [
    /\b(eslint|oxlint)-disable/,
    'Mend what the rule found, or change the rule in oxlint.config.ts for all.',
  ],
  [/\b(v8|c8|istanbul) ignore\b/, 'Write the test that reaches it, or remove what none can reach.'],
];
const EXPECT_ERROR = /@ts-expect-error\b/;

/** Ways around the type checker, the linter and the coverage. */
export function escapes(source: Source): Fault[] {
  const faults: Fault[] = [];
  for (const node of source.nodes(
    ts.SyntaxKind.AsExpression,
    ts.SyntaxKind.TypeAssertionExpression,
  )) {
    const cast = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
    if (cast && node.type.kind === ts.SyntaxKind.AnyKeyword) {
      const message = 'A cast to any. Cast to the type it has, or to unknown and narrow it.';
      faults.push(faultAt(source, node.type.getStart(source.tree), message));
    }
  }
  for (const { start, text } of source.comments) {
    for (const [pattern, instead] of SWITCHES) {
      if (pattern.test(text))
        faults.push(faultAt(source, start, `A check switched off. ${instead}`));
    }
    // In tests it states a fact: that something does not compile.
    if (EXPECT_ERROR.test(text) && !source.path.startsWith('test/')) {
      faults.push(
        faultAt(source, start, 'An expected type error. Give the value the type it has.'),
      );
    }
  }
  return faults;
}
