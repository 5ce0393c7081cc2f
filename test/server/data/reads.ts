import type { Call } from '../../../src/wire/trading/call.ts';
import { V2_CALLS, V2_PREFIX } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';
import type { TestVenue } from '../kit.ts';

const MEMBERS: Readonly<Record<string, string>> = {
  symbol: 'BTCUSDT',
  currency: 'BTC',
  client_order_id: 'history-3',
  clientOrderId: 'history-3',
  tx_id: 'none',
  id: '1',
  sub_account_id: '5',
  subAccountUserID: '5',
  address: 'none',
  label_id: 'none',
  margin_mode: 'isolated',
};

const ADMIN = { authorization: 'Bearer admin' } as const;
const AFFILIATE = { 'x-api-key': 'demo-affiliate' } as const;

const BESIDE = [
  ['/admin/members', ADMIN],
  ['/admin/faults', ADMIN],
  ['/admin/ledger', ADMIN],
  ['/affiliate/v1/swaps/history', AFFILIATE],
  ['/admin/exchange-orders/orders', ADMIN],
] as const;

const filledIn = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => MEMBERS[name] ?? '1');

/** What marks a request, and not what it found. */
const MARKS = new Set(['request_id']);

/** All that can be read of a venue by the calls of its surfaces, by their paths. */
export async function readAll(venue: TestVenue): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const tables = [
    [V3_PREFIX, V3_CALLS],
    [V2_PREFIX, V2_CALLS],
  ] as const;
  for (const [prefix, calls] of tables) {
    for (const { method, path, access } of Object.values<Call>(calls)) {
      if (method !== 'GET') continue;
      const filled = prefix + filledIn(path);
      for (const as of access === 'public' ? [undefined] : ['demo', 'other']) {
        const { status, body } = await venue.call('GET', filled, as === undefined ? {} : { as });
        found.set(`${as ?? ''} ${filled}`, [status, unmarked(body)]);
      }
    }
  }
  for (const [path, headers] of BESIDE) {
    const { status, body } = await venue.call('GET', path, { headers });
    found.set(path, [status, unmarked(body)]);
  }
  return found;
}

const unmarked = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (MARKS.has(key) ? undefined : value)));
