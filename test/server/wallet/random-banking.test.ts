import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUSE, RECORDED_MARKET } from '../../../src/exchange/ledger/ledger.ts';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import type { TestSocket } from '../kit.ts';
import {
  MINUTE,
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
  type TransactionRow,
} from './harness.ts';

const MEMBERS = ['ann', 'bob', 'bot', 'spare'] as const;
const CODES = ['BTC', 'USDT', 'XRP'] as const;

/** Less than the time between two pings. */
const BEAT = 20 * SECOND;

const pick = fc.nat({ max: 5 });
const places = fc.constantFrom('wallet', 'spot', 'derivatives');

/** What somebody may ask for; much of it is refused. */
const step = fc.record({
  who: fc.constantFrom(...MEMBERS),
  other: fc.constantFrom(...MEMBERS),
  version: fc.constantFrom(2, 3),
  what: fc.constantFrom(
    'deposit',
    'withdraw',
    'withdraw',
    'offchain',
    'commit',
    'rollback',
    'transfer',
    'transfer',
    'internal',
    'convert',
    'family',
    'freeze',
    'activate',
    'pass',
  ),
  currency: fc.constantFrom(...CODES),
  amount: fc.constantFrom('0.5', '1', '2.25', '7', '400', '0.0000001'),
  source: places,
  destination: places,
  waits: fc.boolean(),
  includes: fc.boolean(),
  pick,
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A world in which random requests are made over HTTP, and everything is overheard. */
class Play {
  readonly branch: WalletHarness;
  readonly sockets: ReadonlyMap<string, TestSocket>;
  /** Withdrawals that wait, or did. */
  readonly #waiting: { readonly who: string; readonly id: string }[] = [];
  /** Who was frozen at some time. */
  readonly frozen = new Set<string>();
  passed = 0;

  constructor(branch: WalletHarness, sockets: ReadonlyMap<string, TestSocket>) {
    this.branch = branch;
    this.sockets = sockets;
  }

  async do(step: Step): Promise<void> {
    const [method, path, params] = await this.#request(step);
    if (path === '') return;
    const { status, body } = await this.branch.venue.call(method, path, {
      as: this.#caller(step),
      ...(method === 'DELETE' ? {} : { json: params }),
    });
    if (status !== 200) {
      expect([400, 401]).toContain(status);
      expect(body).toMatchObject({ error: { code: expect.any(Number) } });
      return;
    }
    this.passed += 1;
    if (step.what === 'freeze') this.frozen.add('bot');
    const { id } = body as { readonly id?: string };
    if (step.what === 'withdraw' && id !== undefined) this.#waiting.push({ who: step.who, id });
  }

  #caller({ what, who, pick: index }: Step): string {
    if (what === 'family' || what === 'freeze' || what === 'activate') return 'ann';
    // A withdrawal that waits is ended by its owner.
    return what === 'commit' || what === 'rollback' ? (this.#waiting.at(-index)?.who ?? who) : who;
  }

  async #request(step: Step): Promise<readonly [string, string, object]> {
    const { what, currency, amount, version, other, source, destination } = step;
    const money = { currency, amount };
    const bot = this.branch.account('bot');
    const ended = this.#waiting.at(-step.pick)?.id ?? 'none';
    const withdrawal =
      version === 3 ? '/api/3/wallet/crypto/withdraw' : `/api/2/account/crypto/withdraw`;
    switch (what) {
      case 'deposit':
        this.#deposit(step);
        return ['', '', {}];
      case 'pass':
        await this.#pass(step.waits || step.pick > 0 ? step.pick * SECOND : 61 * MINUTE);
        return ['', '', {}];
      case 'withdraw':
        return ['POST', withdrawal, this.#withdrawal(step, OUTSIDE)];
      case 'offchain': {
        const url = '/api/3/wallet/crypto/address';
        const answer = await this.branch.venue.call('POST', url, { as: other, json: { currency } });
        const { address = '', payment_id } = answer.body as Readonly<Record<string, string>>;
        const use_offchain = step.includes ? 'required' : 'never';
        const asked = { ...this.#withdrawal(step, address), use_offchain, payment_id };
        return ['POST', '/api/3/wallet/crypto/withdraw', asked];
      }
      case 'commit':
        return ['PUT', `${withdrawal}/${ended}`, {}];
      case 'rollback':
        return ['DELETE', `${withdrawal}/${ended}`, {}];
      case 'transfer':
        if (version === 3)
          return ['POST', '/api/3/wallet/transfer', { ...money, source, destination }];
        return [
          'POST',
          '/api/2/account/transfer',
          { ...money, type: step.waits ? 'bankToExchange' : 'exchangeToBank' },
        ];
      case 'internal': {
        const named = { ...money, by: 'username', identifier: other };
        if (version === 3) return ['POST', '/api/3/wallet/internal/withdraw', named];
        return ['POST', '/api/2/account/transfer/internal', named];
      }
      case 'convert': {
        const to = CODES[step.pick % CODES.length];
        const swap = { from_currency: currency, to_currency: to, amount };
        return ['POST', '/api/3/wallet/convert', swap];
      }
      case 'family': {
        const type = step.waits ? 'deposit' : 'withdraw';
        return ['POST', '/api/2/sub-acc/transfer', { ...money, subAccountId: bot, type }];
      }
      case 'freeze':
      case 'activate':
        return ['POST', `/api/2/sub-acc/${what}`, { ids: String(bot) }];
    }
  }

  #withdrawal({ currency, amount, waits, includes, version }: Step, address: string): object {
    const asked = { currency, amount, address, ...(currency === 'XRP' ? { payment_id: '7' } : {}) };
    return version === 3
      ? { ...asked, auto_commit: !waits, include_fee: includes }
      : { ...asked, paymentId: '7', autoCommit: !waits, includeFee: includes };
  }

  /** Lets time pass so that sockets can answer the pings that come meanwhile. */
  async #pass(us: number): Promise<void> {
    for (let left = us; left > 0; left -= BEAT) {
      this.branch.pass(Math.min(left, BEAT));
      if (us > BEAT) await Promise.all([...this.sockets.values()].map((socket) => socket.settle()));
    }
  }

  /** Somebody outside sends money. */
  #deposit({ who, currency, amount }: Step): void {
    const { trading } = this.branch.venue;
    trading.chains.send(this.branch.account(who), { currency, amount: decimal(amount) });
  }
}

/** What all accounts have together in all places, the house and the tape included. */
function total(branch: WalletHarness, currency: string): Decimal {
  const { wallets, ledger, derivatives } = branch.venue.trading.exchange;
  const accounts = [HOUSE, RECORDED_MARKET, ...branch.accounts.values()];
  return [wallets, ledger, derivatives].reduce((sum, each) => {
    const index = each.currency(currency);
    return accounts.reduce(
      (more, account) =>
        more.plus(each.available(account, index)).plus(each.reserved(account, index)),
      sum,
    );
  }, ZERO);
}

const sum = (rows: readonly TransactionRow[]): Decimal =>
  rows.reduce((all, { native }) => all.plus(native.amount), ZERO);

/** Money that has come from outside less money that has left, from what REST tells. */
function crossed(rows: readonly TransactionRow[], currency: string): Decimal {
  const done = rows.filter((row) => row.status === 'SUCCESS' && row.native.currency === currency);
  const outside = (row: TransactionRow) =>
    row.subtype === 'BLOCKCHAIN' || row.subtype === 'UNCLASSIFIED';
  const deposits = done.filter((row) => row.type === 'DEPOSIT' && outside(row));
  const withdrawals = done.filter((row) => row.type === 'WITHDRAW' && outside(row));
  return sum(deposits).minus(sum(withdrawals));
}

interface Balance {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
}

/** What a socket told of balances: all at first, then those that changed. */
function heldBy(socket: TestSocket | undefined): readonly Balance[] {
  const held = new Map<string, Balance>();
  for (const { params } of socket?.received('wallet_balances') ?? []) {
    for (const each of params as readonly Balance[]) held.set(each.currency, each);
  }
  for (const { params } of socket?.received('wallet_balance_update') ?? []) {
    const each = params as Balance;
    held.set(each.currency, each);
  }
  const order = ['BTC', 'USDT', 'XRP'];
  return [...held.values()]
    .filter(({ available, reserved }) => available !== '0' || reserved !== '0')
    .sort((one, other) => order.indexOf(one.currency) - order.indexOf(other.currency));
}

/** The last that a socket told of each transaction, as REST lists them. */
function streamed(socket: TestSocket | undefined): readonly TransactionRow[] {
  const latest = new Map<number, TransactionRow>();
  for (const { params } of socket?.received('transaction_update') ?? []) {
    const row = params as TransactionRow;
    latest.set(row.id, row);
  }
  return [...latest.values()].sort((one, other) => other.id - one.id);
}

async function begin(): Promise<Play> {
  const branch = await openHarness();
  for (const name of ['bot', 'spare']) {
    const id = branch.sub(name, 'ann');
    for (const code of CODES) branch.credit(name, code, '100');
    const rights = { deposit_address_generation_enabled: true, withdraw_enabled: true };
    const permitted = { sub_account_ids: String(id), ...rights };
    await branch.ok('ann', 'POST', '/api/3/sub-account/acl', permitted);
  }
  const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
  for (const [side, price] of [
    ['buy', '1000'],
    ['sell', '1002'],
  ]) {
    await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side, price });
  }
  const sockets = new Map<string, TestSocket>();
  for (const name of MEMBERS) {
    const socket = await branch.venue.tradingSocket(name, '/api/3/ws/wallet');
    await socket.request('subscribe_transactions');
    await socket.request('subscribe_wallet_balances');
    sockets.set(name, socket);
  }
  return new Play(branch, sockets);
}

test('whatever is requested over HTTP, money of every currency only comes and goes by deposits and withdrawals, and REST and sockets agree', async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 60, maxLength: 80, size: 'max' }),
      async (steps) => {
        const play = await begin();
        const { branch } = play;
        const before = new Map(CODES.map((code) => [code, total(branch, code)]));
        for (const each of steps) await play.do(each);
        passed += play.passed;
        const listed = new Map<string, readonly TransactionRow[]>();
        const bot = { ids: String(branch.account('bot')) };
        // A frozen sub-account cannot be asked.
        await branch.venue.call('POST', '/api/2/sub-acc/activate', { as: 'ann', json: bot });
        for (const name of MEMBERS) {
          const query = { limit: '1000', order_by: 'id' };
          const url = '/api/3/wallet/transactions';
          listed.set(name, await branch.ok<TransactionRow[]>(name, 'GET', url, query));
        }
        const all = [...listed.values()].flat();
        for (const code of CODES) {
          const credits = all.filter(
            ({ subtype, native }) => subtype === 'UNCLASSIFIED' && native.currency === code,
          );
          const since = crossed(all, code).minus(sum(credits));
          expect(
            total(branch, code)
              .minus(before.get(code) ?? ZERO)
              .toFixed(),
          ).toBe(since.toFixed());
        }
        for (const name of MEMBERS) {
          const socket = play.sockets.get(name);
          await socket?.settle();
          const rows = (listed.get(name) ?? []).filter(({ subtype }) => subtype !== 'UNCLASSIFIED');
          // Whoever was frozen meanwhile was told nothing any more.
          if (play.frozen.has(name)) continue;
          expect(streamed(socket)).toEqual(rows);
          const balances = await branch.ok<Balance[]>(name, 'GET', '/api/3/wallet/balance');
          expect(heldBy(socket)).toEqual(balances);
        }
      },
    ),
    { numRuns: 6, seed: 20, endOnFailure: true },
  );
  expect(passed).toBeGreaterThan(150);
}, 60_000);
