import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkSolana } from '../../src/bot/doctor/solana.ts';
import { Random } from '../../src/platform/random.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = 'DQVs6CqYL8DLLgDgNCCSkiiLwWA2XNbfgRqK9v4awPMq';
const seconds = (): number => Math.floor(new SystemScheduler().now() / 1e6);
const context = { slot: 1000 };

/** A node on a socket that answers so, by method; an error of the node where it has no answer. */
async function open(changes: Record<string, unknown> = {}): Promise<string> {
  const answers: Record<string, unknown> = {
    getGenesisHash: GENESIS,
    getSlot: 1000,
    getBlockTime: seconds(),
    getTokenSupply: { context, value: { amount: '1', decimals: 6 } },
    getBalance: { context, value: 2_000_000_000 },
    ...changes,
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string };
      const result = answers[method];
      const said = result === undefined ? { error: { code: -32_602, message: 'not a mint' } } : { result }; // prettier-ignore
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function told(...urls: readonly string[]): Promise<readonly string[]> {
  const usual = { network: 'solana', name: '', ticker: '', listed: true };
  const options = {
    network: { id: 0, code: 'solana', name: 'Solana', family: 'solana', blockUs: 400_000, confirmations: 32, customTokens: false }, // prettier-ignore
    genesis: GENESIS,
    coin: 0,
    tokens: [
      { ...usual, id: 0, asset: 'SOL', contract: 'SOL', decimals: 9 },
      { ...usual, id: 1, asset: 'USDC', contract: MINT, decimals: 6 },
    ],
    urls,
    feeBound: 1_000_000_000n,
    dayBound: 1_000_000_000n,
    priorityPercentile: 50,
    payments: 'never-opened',
  } as const;
  const surroundings = { scheduler: new SystemScheduler(), random: new Random(7) };
  const found = await checkSolana({ place: 'solana', address: WALLET, options }, surroundings);
  return found.map(({ verdict, check, message }) => `${verdict} ${check}: ${message}`);
}

test('a Solana network gets one line for each check', async () => {
  const urls = [await open(), await open({ getSlot: 1007 })];
  expect(await told(...urls)).toEqual([
    `ok node: ${urls[0]} answers for the chain of ${GENESIS}.`,
    `ok node: ${urls[1]} answers for the chain of ${GENESIS}.`,
    expect.stringMatching(/^ok clock: Block 1000 of .* is \d s old\.$/),
    expect.stringMatching(/^ok clock: Block 1007 of .* is \d s old\.$/),
    'ok agreement: The nodes are 7 final slots apart.',
    `ok token: USDC is at ${MINT} and has 6 decimals.`,
    `ok coin for fees: ${WALLET} holds 2 SOL; one transaction may cost 1 SOL.`,
  ]);
});

test('a difference from the configuration is reported with both values', async () => {
  const other = await open({ getGenesisHash: MINT });
  expect(await told(other)).toEqual([
    `fail node: ${other} is of another chain than Solana, whose first block is ${GENESIS}.`,
  ]);
  const odd = await open({
    getBlockTime: seconds() - 600,
    getTokenSupply: { context, value: { decimals: 9 } },
    getBalance: { context, value: 0 },
  });
  expect((await told(odd)).slice(1)).toEqual([
    expect.stringMatching(/^warn clock: Block 1000 of .* is 60\d s old\.$/),
    `fail token: USDC: the contract ${MINT} says 9 decimals, and the configuration 6.`,
    `fail coin for fees: ${WALLET} holds none to pay fees with.`,
  ]);
  const empty = await open({ getBlockTime: null, getTokenSupply: undefined, getBalance: 'x' });
  expect((await told(empty, await open({ getSlot: 2000 }))).slice(2)).toEqual([
    expect.stringMatching(/^fail clock: .* has no block that can be read\.$/),
    expect.stringMatching(/^ok clock: /),
    'warn agreement: The nodes are 2000 final slots apart.',
    `fail token: USDC: the contract ${MINT} says no decimals, and the configuration 6.`,
    `fail coin for fees: What ${WALLET} holds cannot be read.`,
  ]);
});
