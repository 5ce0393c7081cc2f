import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../kit/recordings.ts';
import { blocks } from '../pages.ts';
import { connected } from './client.ts';

const PAGE = 'docs/agents.md';

/** The arguments after `millrace mcp` that a configuration of a client has. */
const argumentsIn = (block: string): readonly string[] => {
  const [, list = ''] = /"?args"?\s*[:=]\s*(\[[^\]]*\])/.exec(block) ?? [];
  const [program, command, ...args] = JSON.parse(list) as string[];
  expect([program, command]).toEqual(['millrace', 'mcp']);
  return args;
};

test(`${PAGE} shows configurations whose commands serve the tools that it lists`, async () => {
  const folder = temporaryFolder();
  cpSync('config/bot.yaml', join(folder, 'config', 'bot.yaml'));
  const told = [...blocks(PAGE, 'json'), ...blocks(PAGE, 'toml')].map(argumentsIn);
  expect(told).toHaveLength(3);
  const listed = new Set<string>();
  for (const args of told) {
    const { client } = await connected(folder, args);
    for (const { name } of (await client.listTools()).tools) listed.add(name);
  }
  const [, tools = ''] = readFileSync(PAGE, 'utf8').split(/^## (?:Tools|Bots)$/m);
  const named = [...tools.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...listed].sort());
});
