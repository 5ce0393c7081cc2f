import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ERRORS, MillraceError } from '../../model/errors.ts';
import { REJECTIONS } from '../../model/rejections.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import { answered } from './answers.ts';
import { pagePart, pages, searchPages } from './documents.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const SCHEMAS = ['backtest', 'bot', 'venue', 'rebalancing', 'mapping'] as const;

/** Every code of an error or a rejection, and what it means. */
export const codes = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...ERRORS, ...REJECTIONS }).map(([code, row]) => [
      code,
      typeof row === 'string' ? row : row.means,
    ]),
  );

/** Tools that read what comes with Millrace. */
export function addReadingTools(server: McpServer): void {
  server.registerTool(
    'search_docs',
    {
      description: 'Search the documentation of Millrace; gives sections with excerpts.',
      inputSchema: z.strictObject({ query: z.string().min(1).max(200) }),
      annotations: READS,
    },
    ({ query }) => answered(() => ({ found: searchPages(query), pages: pages() })),
  );
  server.registerTool(
    'read_docs',
    {
      description:
        'Read a page of the documentation, such as writing-a-strategy; a long one in parts.',
      inputSchema: z.strictObject({
        page: z.string(),
        offset: z.int().nonnegative().optional().describe('Where to go on: nextOffset.'),
      }),
      annotations: READS,
    },
    ({ page, offset }) => answered(() => ({ page, ...pagePart(page, offset ?? 0) })),
  );
  server.registerTool(
    'read_schema',
    {
      description:
        'Read a schema: commands lists the members of every command of a strategy; the others are JSON Schemas of configuration files.',
      inputSchema: z.strictObject({ of: z.enum(['commands', ...SCHEMAS]) }),
      annotations: READS,
    },
    ({ of }) =>
      answered(() => (of === 'commands' ? pagePart('commands', 0) : JSON.parse(schemaText(of)))),
  );
  server.registerTool(
    'explain_code',
    {
      description: 'Explain a code of an error or a rejection.',
      inputSchema: z.strictObject({ code: z.string() }),
      annotations: READS,
    },
    ({ code }) =>
      answered(() => {
        const means = codes()[code];
        if (means !== undefined) return { code, means };
        throw new MillraceError('usage', `There is no code "${code}"; docs/errors.md lists all.`, {
          field: 'code',
        });
      }),
  );
}

const schemaText = (of: (typeof SCHEMAS)[number]): string =>
  readFileSync(join(PACKAGE_ROOT, 'config', 'schema', `${of}.json`), 'utf8');
