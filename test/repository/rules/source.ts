import ts from 'typescript';

/** Read once: every access through the package's object costs more than a node. */
const { forEachChild } = ts;

/** A break of a house rule: where it stands and what to do instead. */
export interface Fault {
  /** `path:line`, or the path alone where the whole file is meant. */
  readonly where: string;
  readonly message: string;
}

export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One TypeScript file, parsed. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** Without the parents of nodes and without doc comments as nodes, which cost as much again. */
  readonly tree: ts.SourceFile;
  /** All comments, in order; what looks like a comment inside a string is none. */
  readonly comments: readonly Comment[];
  /** The nodes of some kinds, parents first. */
  nodes(...kinds: readonly ts.SyntaxKind[]): readonly ts.Node[];
}

export function parse(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const byKind = nodesByKind(tree);
  const nodes = (...kinds: readonly ts.SyntaxKind[]): ts.Node[] =>
    kinds.flatMap((kind) => byKind.get(kind) ?? []).sort((a, b) => a.pos - b.pos);
  return { path, text, tree, nodes, comments: commentsOf(tree, nodes(...LITERALS)) };
}

/** One walk serves all rules: each asks for the few kinds that it judges. */
function nodesByKind(tree: ts.SourceFile): Map<ts.SyntaxKind, ts.Node[]> {
  const found = new Map<ts.SyntaxKind, ts.Node[]>();
  const descend = (node: ts.Node): void => {
    const same = found.get(node.kind);
    if (same === undefined) found.set(node.kind, [node]);
    else same.push(node);
    forEachChild(node, descend);
  };
  descend(tree);
  return found;
}

/** Line of a position, counted from 1. */
export const lineAt = (source: Source, position: number): number =>
  source.tree.getLineAndCharacterOfPosition(position).line + 1;

export const faultAt = (source: Source, position: number, message: string): Fault => ({
  where: `${source.path}:${lineAt(source, position)}`,
  message,
});

/** Texts in which slashes are no comment. */
const LITERALS = [
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
];

function commentsOf(tree: ts.SourceFile, literals: readonly ts.Node[]): Comment[] {
  const { text } = tree;
  const found: Comment[] = [];
  const opening = /\/[/*]/g;
  let next = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    while (next < literals.length && literals[next].end <= start) next += 1;
    if (next < literals.length && literals[next].getStart(tree) <= start) {
      opening.lastIndex = literals[next].end;
      continue;
    }
    const isLine = match[0] === '//';
    const close = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2) + 2;
    const end = close < start ? text.length : close;
    found.push({ start, end, text: text.slice(start, end) });
    opening.lastIndex = end;
  }
  return found;
}
