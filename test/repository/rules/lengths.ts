import ts from 'typescript';
import { faultAt, lineAt, type Fault, type Source } from './source.ts';

export const FILE_LINES_MAX = 550;
export const FUNCTION_LINES_MAX = 70;

const SPLIT_FILE = 'Give its second noun a file of its own.';
const SPLIT_FUNCTION = 'Name its parts and make each a function.';

type LineRange = readonly [first: number, last: number];

/**
 * A table of data: an array or object literal that holds no function. It is read by looking
 * something up and not from top to bottom, so its lines do not count.
 */
function isTable(node: ts.Node): boolean {
  if (!ts.isArrayLiteralExpression(node) && !ts.isObjectLiteralExpression(node)) return false;
  let plain = true;
  const descend = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) plain = false;
    if (plain) ts.forEachChild(child, descend);
  };
  descend(node);
  return plain;
}

/** Lines of the tables of more than a few lines, the outermost of each nest. */
function tables(source: Source): LineRange[] {
  const found: LineRange[] = [];
  const descend = (node: ts.Node): void => {
    if (isTable(node)) {
      // The first and last line are part of the statement around it.
      found.push([
        lineAt(source, node.getStart(source.tree)) + 1,
        lineAt(source, node.getEnd()) - 1,
      ]);
    } else {
      ts.forEachChild(node, descend);
    }
  };
  descend(source.tree);
  return found;
}

const mark = (lines: Set<number>, [first, last]: LineRange): void => {
  for (let line = first; line <= last; line += 1) lines.add(line);
};

/** Lines that carry code to read: not blank, not only comment, not inside a table. */
function linesToRead(source: Source): Set<number> {
  const skipped = new Set<number>();
  tables(source).forEach((range) => {
    mark(skipped, range);
  });
  let bare = source.text;
  for (const { start, end } of source.comments) {
    bare =
      bare.slice(0, start) + source.text.slice(start, end).replace(/\S/g, ' ') + bare.slice(end);
  }
  const kept = new Set<number>();
  bare.split('\n').forEach((line, index) => {
    if (line.trim() !== '' && !skipped.has(index + 1)) kept.add(index + 1);
  });
  return kept;
}

/** Files beyond 550 lines, tables of data not counted. */
export function longFiles(source: Source): Fault[] {
  const all = source.text.replace(/\n$/, '').split('\n').length;
  // Nearly all files are short with their tables, and need not be looked through for them.
  if (all <= FILE_LINES_MAX) return [];
  const inTables = new Set<number>();
  tables(source).forEach((range) => {
    mark(inTables, range);
  });
  const lines = all - inTables.size;
  if (lines <= FILE_LINES_MAX) return [];
  const message = `${lines} lines, of at most ${FILE_LINES_MAX}. ${SPLIT_FILE}`;
  return [{ where: source.path, message }];
}

const FUNCTIONS = [
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.Constructor,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
  ts.SyntaxKind.ClassStaticBlockDeclaration,
  ts.SyntaxKind.FunctionType,
  ts.SyntaxKind.MethodSignature,
];

/** The callbacks of `describe`: chapters and not functions. */
function chapters({ tree, nodes }: Source): Set<ts.Node> {
  const calls = nodes(ts.SyntaxKind.CallExpression).filter((node) => ts.isCallExpression(node));
  const chapter = calls.filter(({ expression }) => /^describe\b/.test(expression.getText(tree)));
  return new Set(chapter.flatMap((call) => call.arguments));
}

/** Functions beyond 70 lines; blank lines, comments and tables of data are not counted. */
export function longFunctions(source: Source): Fault[] {
  const long = source.nodes(...FUNCTIONS).flatMap((node) => {
    const start = node.getStart(source.tree);
    const first = lineAt(source, start);
    const last = lineAt(source, node.getEnd());
    return last - first < FUNCTION_LINES_MAX ? [] : [{ node, start, first, last }];
  });
  // Nearly all files have none, whatever is counted.
  if (long.length === 0) return [];
  const toRead = linesToRead(source);
  const exempt = chapters(source);
  return long.flatMap(({ node, start, first, last }) => {
    let lines = 0;
    for (let line = first; line <= last; line += 1) if (toRead.has(line)) lines += 1;
    if (lines <= FUNCTION_LINES_MAX || exempt.has(node)) return [];
    const message = `A function of ${lines} lines, of at most ${FUNCTION_LINES_MAX}. ${SPLIT_FUNCTION}`;
    return [faultAt(source, start, message)];
  });
}
