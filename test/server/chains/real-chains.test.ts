import { expect, test } from 'vitest';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { nextTurn } from '../../../src/platform/turn.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { UNLOGGED, type Inputs } from '../../../src/server/data/inputs.ts';
import { RealChains, realNetworksOf } from '../../../src/server/simulation/real-chains.ts';
import type {
  RealChain,
  RealTransfer,
  TransferResult,
} from '../../../src/swaps/chains/real-networks.ts';
import type { Intent } from '../../../src/swaps/intents/intent.ts';
import { STARTED, TOKENS, USDC_ETHEREUM } from '../../swaps/chains/harness.ts';

const [USDC] = TOKENS;
const [ESCROW, RESOLVER] = ['escrow', 'resolver'];
const MADE = { hash: '0xab', lots: 5n };

/** A chain of a test: balances by address, and transfers that end when they are told to. */
class TestChain implements RealChain {
  readonly balances = new Map<string, bigint>();
  readonly begun: string[] = [];
  readonly ends = new Map<string, (result: TransferResult) => void>();
  fault: Error | undefined;
  isClosed = false;

  async check(): Promise<void> {
    await this.#answer();
  }

  async balance(_: number, address: string): Promise<bigint> {
    await this.#answer();
    return this.balances.get(address) ?? 0n;
  }

  async allowance(): Promise<bigint> {
    await this.#answer();
    return 77n;
  }

  async transfer({ id }: RealTransfer): Promise<TransferResult> {
    this.begun.push(id);
    return new Promise((settle) => this.ends.set(id, settle));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.resolve();
  }

  async #answer(): Promise<void> {
    await Promise.resolve();
    if (this.fault !== undefined) throw this.fault;
  }
}

function opened(inputs: Inputs = UNLOGGED) {
  const scheduler = new VirtualScheduler(STARTED);
  const chain = new TestChain();
  const addresses = { escrow: ESCROW, resolver: RESOLVER };
  const network = { keys: addresses, addresses, open: async () => Promise.resolve(chain) };
  const settings = new Map([['ethereum', network]]);
  const real = realNetworksOf(settings);
  const logged: string[] = [];
  const log = (error: unknown, where: string): void => {
    logged.push(`${where}: ${(error as Error).message}`);
  };
  const tokens = TOKENS.filter(({ id }) => id === USDC_ETHEREUM);
  const chains = new RealChains({ settings, tokens, folder: 'data', scheduler, log }, real, inputs);
  const pass = async (seconds: number): Promise<void> => {
    scheduler.advanceTo(micros(scheduler.now() + seconds * US_PER_SECOND));
    await settled();
  };
  return { chain, chains, real, logged, pass };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
};

const transfer = (id: string): RealTransfer => ({
  ...{ id, network: 'ethereum', token: USDC_ETHEREUM, from: RESOLVER, to: 'user', lots: 5n },
});

test('what the service has is known when it starts, and read again every ten seconds', async () => {
  const { chain, chains, real, pass } = opened();
  chain.balances.set(RESOLVER, 100n);
  await chains.start(true);
  expect(real.balance(USDC_ETHEREUM, RESOLVER)).toBe(100n);
  chain.balances.set(RESOLVER, 90n);
  await pass(9);
  expect(real.balance(USDC_ETHEREUM, RESOLVER)).toBe(100n);
  await pass(1);
  expect(real.balance(USDC_ETHEREUM, RESOLVER)).toBe(90n);
  await chains.close();
  expect(chain.isClosed).toBe(true);
});

test('a transfer that was wanted before the start, as after a restart, is begun by it, and each once', async () => {
  const { chain, chains, real } = opened();
  const results: TransferResult[] = [];
  real.want(transfer('first'), (result) => results.push(result));
  await chains.start(true);
  real.want(transfer('second'), (result) => results.push(result));
  await settled();
  expect(chain.begun).toEqual(['first', 'second']);
  chain.ends.get('second')?.(MADE);
  await settled();
  expect(results).toEqual([MADE]);
  expect(real.wanted().map(({ id }) => id)).toEqual(['first']);
  await chains.close();
});

test('a transfer is begun once its want is on the disk, and not while the disk is full', async () => {
  let [isFull, durable] = [true, (): void => undefined];
  const kinds: string[] = [];
  const inputs: Inputs = {
    ...UNLOGGED,
    take: (kind, run, payload) => {
      kinds.push(`${kind} ${JSON.stringify(payload())}`);
      return run();
    },
    get isFull() {
      return isFull;
    },
    whenDurable: (then) => {
      durable = then;
    },
  };
  const { chain, chains, real, pass } = opened(inputs);
  await chains.start(true);
  real.want(transfer('a'), () => undefined);
  await settled();
  await pass(3);
  expect(kinds).toEqual([]);
  isFull = false;
  await pass(1);
  expect(kinds).toEqual(['real:wanted {"id":"a"}']);
  expect(chain.begun).toEqual([]);
  durable();
  await settled();
  expect(chain.begun).toEqual(['a']);
  chain.ends.get('a')?.(MADE);
  await settled();
  expect(kinds.at(1)).toBe('real:settled {"id":"a","result":{"hash":"0xab","lots":"5"}}');
  await chains.close();
});

test('replayed inputs make the same knowledge without a chain', () => {
  const replays = new Map<string, (payload: unknown) => void>();
  const inputs = { ...UNLOGGED, replays: (kind: string, run: (payload: unknown) => void) => replays.set(kind, run) }; // prettier-ignore
  const { real } = opened(inputs);
  const results: TransferResult[] = [];
  const seen = { network: 'ethereum', token: USDC_ETHEREUM, address: RESOLVER, lots: '9', allowance: '4' }; // prettier-ignore
  replays.get('real:seen')?.(seen);
  expect(real.balance(USDC_ETHEREUM, RESOLVER)).toBe(9n);
  expect(real.allowance(USDC_ETHEREUM, RESOLVER)).toBe(4n);
  real.want(transfer('a'), (result) => results.push(result));
  replays.get('real:wanted')?.({ id: 'a' });
  replays.get('real:settled')?.({ id: 'a', result: { hash: '0xab', lots: '5' } });
  const refused = { code: 'transfer-invalid', message: 'no' };
  real.want(transfer('b'), (result) => results.push(result));
  replays.get('real:settled')?.({ id: 'b', result: refused });
  expect(results).toEqual([MADE, refused]);
  expect(real.balance(USDC_ETHEREUM, RESOLVER)).toBe(4n);
});

test('what an approval is judged by is read from the chain, and what cannot be read is thrown', async () => {
  const { chain, chains, real } = opened();
  await chains.start(true);
  const intent = { order: { token: USDC, from: 'user' } } as unknown as Intent;
  chain.balances.set('user', 12n);
  await chains.readOwner(intent);
  expect(real.balance(USDC_ETHEREUM, 'user')).toBe(12n);
  expect(real.allowance(USDC_ETHEREUM, 'user')).toBe(77n);
  chain.fault = new MillraceError('service-unavailable', 'no answer');
  await expect(chains.readOwner(intent)).rejects.toThrow('no answer');
  await chains.close();
});

test('a chain that answers no more is named in the log, and read again', async () => {
  const { chain, chains, real, logged, pass } = opened();
  await chains.start(true);
  chain.fault = new MillraceError('service-unavailable', 'no answer');
  await pass(10);
  expect(logged).toEqual(['the balances on real chains: no answer']);
  chain.fault = undefined;
  chain.balances.set(ESCROW, 3n);
  await pass(10);
  expect(real.balance(USDC_ETHEREUM, ESCROW)).toBe(3n);
  await chains.close();
});
