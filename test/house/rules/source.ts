import ts from 'typescript';

/** A break of a house rule: where it stands and what to do instead. */
export interface Fault {
  /** `path:line`, or the path alone where the whole file is meant. */
  readonly where: string;
  readonly message: string;
}

/** One TypeScript file, parsed. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

export function parse(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Line of a position, counted from 1. */
export const lineAt = (source: Source, position: number): number =>
  source.tree.getLineAndCharacterOfPosition(position).line + 1;

export const faultAt = (source: Source, position: number, message: string): Fault => ({
  where: `${source.path}:${lineAt(source, position)}`,
  message,
});

/** Visits every node of the tree, parents first. */
export function visit(source: Source, see: (node: ts.Node) => void): void {
  const descend = (node: ts.Node): void => {
    see(node);
    ts.forEachChild(node, descend);
  };
  descend(source.tree);
}

export interface Comment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All comments, in order; what looks like a comment inside a string is none. */
export function comments(source: Source): Comment[] {
  const found = new Map<number, Comment>();
  const take = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) {
      found.set(pos, { start: pos, end, text: source.text.slice(pos, end) });
    }
  };
  const descend = (node: ts.Node): void => {
    if (node.kind !== ts.SyntaxKind.JSDoc) {
      take(ts.getLeadingCommentRanges(source.text, node.getFullStart()));
      take(ts.getTrailingCommentRanges(source.text, node.getEnd()));
      node.getChildren(source.tree).forEach(descend);
    }
  };
  descend(source.tree);
  return [...found.values()].sort((a, b) => a.start - b.start);
}
