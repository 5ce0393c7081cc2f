import type { CallToolResult } from '@modelcontextprotocol/server';
import { MillraceError } from '../../model/errors.ts';
import { internalError } from '../failure.ts';

/** Most characters of an answer; a longer one says how to get less. */
const ANSWER_LENGTH = 60_000;

/** Answers a call with JSON as text: the result of the work, or why it failed. */
export async function answered(work: () => unknown): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: bounded(await work()) }] };
  } catch (error) {
    return failed(error);
  }
}

/** JSON of at most this many characters. Throws `usage` for more: a part of it could be misread. */
export function bounded(data: unknown): string {
  const text = JSON.stringify(data);
  if (text.length <= ANSWER_LENGTH) return text;
  throw new MillraceError(
    'usage',
    `The answer has ${text.length} characters, and ${ANSWER_LENGTH} are the limit. Ask for less: one strategy, fewer files, or read the file of the result.`,
  );
}

/** An error that the model reads and can act on: the code is stable, the sentence says what to do. */
function failed(error: unknown): CallToolResult {
  const known = error instanceof MillraceError ? error : internalError(error);
  const { code, message, field, where } = known;
  return {
    content: [{ type: 'text', text: JSON.stringify({ error: { code, message, field, where } }) }],
    isError: true,
  };
}
