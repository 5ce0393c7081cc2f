import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { readResult } from '../../backtest/stored-result.ts';
import { bounded } from './answers.ts';
import type { Bounds } from './bounds.ts';
import { pages, pageText } from './documents.ts';
import { codes } from './reading-tools.ts';

const JSON_TYPE = 'application/json';
const RUNS_MAX = 200;
const RESULT_BYTES_MAX = 64 << 20;

/** Pages, codes and results, for clients that show or attach them. */
export function addResources(server: McpServer, bounds: Bounds): void {
  server.registerResource(
    'docs',
    new ResourceTemplate('millrace://docs/{page}', {
      list: () => ({
        resources: pages().map(({ name, title }) => ({
          uri: `millrace://docs/${name}`,
          name: title,
          mimeType: 'text/markdown',
        })),
      }),
    }),
    { description: 'A page of the documentation.', mimeType: 'text/markdown' },
    ({ href }, { page }) => read(href, 'text/markdown', pageText(String(page))),
  );
  server.registerResource(
    'error-codes',
    'millrace://errors',
    { description: 'Every code of an error or a rejection.', mimeType: JSON_TYPE },
    ({ href }) => read(href, JSON_TYPE, bounded(codes())),
  );
  server.registerResource(
    'runs',
    new ResourceTemplate('millrace://runs/{run}', {
      list: () => ({
        resources: runs(bounds).map((run) => ({
          uri: `millrace://runs/${run}`,
          name: run,
          mimeType: JSON_TYPE,
        })),
      }),
    }),
    { description: 'A backtest in runs/: figures, warnings, files.', mimeType: JSON_TYPE },
    ({ href }, { run }) => read(href, JSON_TYPE, bounded(runFigures(bounds, String(run)))),
  );
}

const read = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
});

/** The folders of runs, the newest first. */
function runs({ root }: Bounds): readonly string[] {
  const folder = join(root, 'runs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const found = statSync(join(folder, name, 'result.json'), { throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, at: found.mtimeMs }];
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, RUNS_MAX)
    .map(({ name }) => name);
}

function runFigures(bounds: Bounds, run: string): object {
  const folder = join('runs', run);
  const path = bounds.within(join(folder, 'result.json'), 'run');
  const result = readResult(path, RESULT_BYTES_MAX);
  const { hash, strategy, recordings, warnings, assumptions, metrics, orders, balances } = result;
  const files = { report: join(folder, 'report.html'), result: join(folder, 'result.json') };
  return { hash, strategy, recordings, warnings, assumptions, metrics, orders, balances, files };
}
