import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../src/model/errors.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { typeErrors } from '../../kit/type-check.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';
import { openHarness } from './inventory-harness.ts';
import { configured, run } from './planning-stage.ts';

/** The example that docs/rebalancing.md links. */
const EXAMPLE = readFileSync('examples/rebalancing/chain-node.ts', 'utf8');

let simulation: Simulation;
let venue = '';
beforeAll(async () => {
  simulation = await openExample({ ...hurried(example()), rateLimits: false });
  venue = urlOf(simulation);
});
afterAll(() => simulation.close());

/** A configuration whose wallets on Ethereum and Tron are reached by a module. */
function withModule(code: string, settings = `{ url: '${venue}' }`, name = 'node.ts'): string {
  const path = configured(venue, {});
  const module = join(dirname(path), 'nodes', name);
  mkdirSync(dirname(module), { recursive: true });
  writeFileSync(module, code);
  const node = `{ module: nodes/${name}, settings: ${settings}, secrets: { key: { env: VENUE_KEY } } }`;
  // The node of the page serves swaps alone: nothing else may move.
  const config = readFileSync(path, 'utf8')
    .replace(/^account:.*\n(?: {2}.*\n)+/m, '')
    .replace(/^ {2}exchangeOrders: .*\n/m, '')
    .replaceAll(
      /^( {2}(?:ethereum|tron): \{ node: )'[^']+'/gm,
      (_, before: string) => before + node,
    );
  expect(config).not.toMatch(/^account|exchangeOrders/m);
  expect(config.match(/module: nodes/g)).toHaveLength(2);
  writeFileSync(path, config);
  return path;
}

async function failure(path: string): Promise<MillraceError> {
  try {
    await run(path, { plan: true });
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('it was planned');
}

describe('a node by a module', () => {
  test('is written as the example, which compiles', () => {
    expect(EXAMPLE).toContain('export default');
    expect(typeErrors(new Map([['nodes/example.ts', EXAMPLE]]))).toEqual([]);
  });

  test('is what `millrace rebalance` reads wallets by and moves inventory with', async () => {
    const path = withModule(EXAMPLE);
    const { out, err } = await run(path, { execute: true, yes: true });
    expect(out).toMatch(/USDC@ethereum .* out /);
    expect(err).toMatch(/ is fulfilled\./);
  });

  test('is made once for all chains with the same module and settings, and closed in the end', async () => {
    const counted = `
      import { appendFileSync } from 'node:fs';
      import make from './example.ts';
      export default async (options) => {
        const { log, ...settings } = options.settings;
        appendFileSync(log, 'made ' + options.secrets.key + '\\n');
        const node = await make({ ...options, settings });
        const end = node.close.bind(node);
        node.close = async () => { appendFileSync(log, 'closed\\n'); await end(); };
        return node;
      };
    `;
    const path = withModule(EXAMPLE, `{ url: '${venue}', log: LOG }`, 'example.ts');
    writeFileSync(join(dirname(path), 'nodes', 'counted.mjs'), counted);
    const log = join(dirname(path), 'log.txt');
    const config = readFileSync(path, 'utf8')
      .replaceAll('LOG', log)
      .replaceAll('example.ts', 'counted.mjs');
    writeFileSync(path, config);
    await run(path, { plan: true });
    expect(readFileSync(log, 'utf8')).toBe('made demo\nclosed\n');
  });

  test('is what a bot that rebalances reads its inventory by', async ({
    onTestFinished: finish,
  }) => {
    const data = dirname(withModule(EXAMPLE));
    const module = join(data, 'nodes', 'node.ts');
    const node = `{ module: ${module}, settings: { url: '${venue}' } }`;
    const stage = await openHarness(venue, finish, data, undefined, (config) =>
      config.replace(`ethereum: { node: ${venue}`, `ethereum: { node: ${node}`),
    );
    const ledger = await stage.ledger();
    expect(stage.seen.at(-1)?.['ethereum']).toBe(ledger['ethereum']?.toFixed());
  });

  const PARTS = `
    const networks = async () => [{ id: 1, code: 'ethereum', name: 'E', family: 'evm', chainId: 1, blockUs: 1, confirmations: 1, customTokens: false },
      { id: 2, code: 'tron', name: 'T', family: 'tron', chainId: 2, blockUs: 1, confirmations: 1, customTokens: false }];
    const tokens = async () => ['ethereum', 'tron'].map((network, at) => ({ id: 10 + at, network, asset: 'USDC', name: 'U', contract: 'x', decimals: 6, ticker: 'u', listed: true }));
    const no = async () => { throw new Error('not here'); };
    const node = { networks, tokens, balance: async () => 1n, outputs: no, transaction: no, allowance: no, fee: no, prepare: no, send: no, outcome: no };
  `;

  test.each<[string, string, string[]]>([
    [
      'exports nothing',
      'export const node = 1;',
      ['exports nothing by default', 'ChainNodeFactory'],
    ],
    ['exports no function', 'export default { send: 1 };', ['a value of the type object']],
    ['cannot be read', 'export default (', ['node.ts']],
    ['fails while it is loaded', "throw new Error('no such thing');", ['no such thing']],
    ['makes nothing', 'export default () => undefined;', ['makes undefined instead of a node']],
    ['makes half a node', `${PARTS} delete node.send; delete node.outcome; export default () => node;`, ['without send, outcome']], // prettier-ignore
    ['does not like its settings', "export default () => { throw new Error('settings.url is missing'); };", ['settings.url is missing']], // prettier-ignore
  ])('that %s is a mistake of the configuration, with its file', async (_, code, parts) => {
    const error = await failure(withModule(code));
    expect(error.code).toBe('config-invalid');
    expect(error.message).toContain(join('nodes', 'node.ts'));
    for (const part of parts) expect(error.message).toContain(part);
  });

  test('whose file is not there is reported with the place in the configuration', async () => {
    const path = withModule(EXAMPLE);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('nodes/node.ts', 'nodes/gone.ts'));
    const error = await failure(path);
    expect(error).toMatchObject({ code: 'config-invalid', field: 'chains.ethereum.node.module' });
    expect(error.message).toMatch(/rebalancing\.yaml:\d+:\d+: there is no file .*nodes\/gone\.ts/);
  });

  test.each<[string, string, string]>([
    ['a balance that is no bigint', 'node.balance = async () => 1;', 'balance'],
    ['a balance below nothing', 'node.balance = async () => -1n;', 'balance'],
    ['a network without a family', 'node.networks = async () => [{ id: 1, code: "ethereum" }];', 'networks'], // prettier-ignore
    ['no tokens', 'node.tokens = async () => undefined;', 'tokens'],
  ])('that answers with %s is not believed', async (_, change, method) => {
    const error = await failure(withModule(`${PARTS} ${change} export default () => node;`));
    expect(error.code).toBe('answer-invalid');
    expect(error.message).toContain(`What ${method} of the node by`);
  });

  test('that cannot reach its chain is reported as any node is', async () => {
    const code = `${PARTS} node.networks = no; export default () => node;`;
    const error = await failure(withModule(code));
    expect(error.code).toBe('service-unavailable');
    expect(error.message).toContain('not here');
    expect(error.message).toContain(join('nodes', 'node.ts'));
  });
});
