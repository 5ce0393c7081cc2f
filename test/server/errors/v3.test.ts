import { beforeAll, describe, expect, test } from 'vitest';
import { Instrument } from '../../../src/model/instrument.ts';
import { sharedVenue, type HttpAnswer } from '../kit.ts';
import { instruments } from '../instruments.ts';
import { onMargin } from '../margin/harness.ts';
import { WalletHarness, CURRENCIES, OUTSIDE } from '../wallet/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

/** A market whose positions have a limit, one that is closed, and those of every test. */
const SYMBOLS = [
  ...instruments(),
  ...['LTC', 'XRP'].map(
    (currency) =>
      new Instrument({
        symbol: `${currency}USDT`,
        type: 'spot',
        baseCurrency: currency,
        quoteCurrency: 'USDT',
        tickSize: '0.01',
        quantityIncrement: '0.001',
        takeRate: '0.001',
        makeRate: '0.001',
        feeCurrency: 'USDT',
        margin: onMargin({ limitBase: '100', limitPower: '1', unlimitedThreshold: '1' }),
      }),
  ),
];

const venue = sharedVenue({ instruments: SYMBOLS, exchange: { currencies: CURRENCIES } });

/** A request of `ann`, or of somebody else: its method and path, and what it says. */
interface Step {
  readonly call: string;
  readonly json?: unknown;
  readonly as?: string;
}

const step = (call: string, json?: unknown, as?: string): Step => ({
  call,
  json,
  as,
});

/** Asks for one thing after another, and gives the last answer; `{id}` is that of the one before. */
async function play(steps: readonly Step[]): Promise<HttpAnswer> {
  let answer: HttpAnswer | undefined;
  for (const { call, json, as = 'ann' } of steps) {
    const given = (answer?.body ?? {}) as Readonly<Record<string, unknown>>;
    const [method = '', path = ''] = call.replace('{id}', String(given['id'])).split(' ');
    const nobody = as === '' ? {} : { as };
    const reported = json === undefined ? {} : { json };
    if (answer !== undefined) expect(answer).toMatchObject({ status: 200 });
    answer = await venue().call(method, `/api/3/${path}`, { ...nobody, ...reported });
  }
  if (answer === undefined) throw new Error('nothing was asked for');
  return answer;
}

beforeAll(async () => {
  const branch = new WalletHarness(venue());
  venue().join('poor', { spot: { BTC: '1' } });
  branch.join('ann');
  branch.join('bob');
  branch.credit('ann', 'USDT', '60000');
  const superAccount = branch.account('ann');
  for (const name of ['sub', 'cold']) branch.sub(name, 'ann');
  expect(superAccount).toBeGreaterThan(0);
  for (const [as, currency] of [
    ['ann', 'USDT'],
    ['ann', 'BTC'],
  ] as const) {
    const json = { currency, amount: '5', source: 'wallet', destination: 'spot' };
    await venue().call('POST', '/api/3/wallet/transfer', { as, json });
  }
  venue().trading.act(({ statuses }) => {
    statuses.set('LTCUSDT', 'suspended');
  });
});

const buy = (more: object = {}) => ({
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '0.1',
  price: '10',
  ...more,
});
const strict = (more: object) => buy({ strict_validate: true, ...more });
const send = (more: object = {}) => ({
  currency: 'BTC',
  amount: '0.1',
  address: OUTSIDE,
  ...more,
});
const ORDER = 'POST spot/order';
const WITHDRAW = 'POST wallet/crypto/withdraw';

const id = (area: string): string => `trading-v3.error.${area}`;
const tags = (...areas: readonly string[]): string =>
  areas.map((area) => `server:${id(area)}`).join(' ');

const CASES: readonly (readonly [string, number, number, string, readonly Step[]])[] = [
  [
    tags('20001', '20001-status'),
    400,
    20001,
    'Insufficient funds',
    [step(ORDER, buy({ price: '9000' }))],
  ],
  [
    tags('20001', '20001-status'),
    400,
    20001,
    'Insufficient funds',
    [
      step(ORDER, buy({ client_order_id: 'too-dear-later' })),
      step('PATCH spot/order/too-dear-later', { quantity: '0.1', price: '9000' }),
    ],
  ],
  [
    tags('20001', '20001-status'),
    400,
    20001,
    'Insufficient funds',
    [step('POST sub-account/transfer/sub-to-super', { currency: 'BTC', amount: '1' }, 'sub')],
  ],
  [
    tags('20002', '20002-status'),
    400,
    20002,
    'Order not found',
    [step('DELETE spot/order/no-such-order')],
  ],
  [
    tags('20002', '20002-status'),
    400,
    20002,
    'Order not found',
    [
      step(ORDER, buy({ client_order_id: 'canceled-before' })),
      step('DELETE spot/order/canceled-before'),
      step('DELETE spot/order/canceled-before'),
    ],
  ],
  [
    tags('20018'),
    400,
    20018,
    'Withdrawals are unavailable under the current configuration',
    [step(WITHDRAW, { currency: 'EUR', amount: '1', address: 'a' })],
  ],
  [tags('403'), 401, 403, 'Action is forbidden for account', [step(WITHDRAW, send(), 'sub')]],
  [
    tags('600'),
    400,
    600,
    'Action not allowed',
    [step('POST sub-account/transfer/sub-to-super', { currency: 'BTC', amount: '1' })],
  ],
  [tags('1001'), 401, 1001, 'Authorization required', [step('GET spot/balance', undefined, '')]],
  [
    tags('1002'),
    401,
    1002,
    'Authorization is required or has been failed',
    [step('GET spot/balance', undefined, 'nobody')],
  ],
  [tags('2001'), 400, 2001, 'Symbol not found', [step('GET public/symbol/NONE')]],
  [tags('2001'), 400, 2001, 'Symbol not found', [step('GET public/ticker/NONE')]],
  [tags('2001'), 400, 2001, 'Symbol not found', [step(ORDER, buy({ symbol: 'NONE' }))]],
  [tags('2002'), 400, 2002, 'Currency not found', [step('GET public/currency/NONE')]],
  [
    tags('2010'),
    400,
    2010,
    'Quantity not a valid number',
    [step(ORDER, buy({ quantity: 'much' }))],
  ],
  [tags('2011'), 400, 2011, 'Quantity too low', [step(ORDER, buy({ quantity: '0.000001' }))]],
  [tags('2012'), 400, 2012, 'Bad quantity', [step(ORDER, strict({ quantity: '0.100001' }))]],
  [tags('2020'), 400, 2020, 'Price not a valid number', [step(ORDER, buy({ price: 'dear' }))]],
  [tags('2021'), 400, 2021, 'Price too low', [step(ORDER, buy({ price: '0.001' }))]],
  [tags('2022'), 400, 2022, 'Bad price', [step(ORDER, strict({ price: '10.001' }))]],
  [
    tags('2024'),
    400,
    2024,
    'Invalid margin mode',
    [step('POST margin/order', buy({ margin_mode: 'both' }))],
  ],
  [
    tags('2024'),
    400,
    2024,
    'Invalid margin mode',
    [step('DELETE futures/position/both/ETHUSDT_PERP')],
  ],
  [tags('10001', 'http-400'), 400, 10001, 'Validation error', [step(ORDER, { symbol: 'BTCUSDT' })]],
  [tags('10001', 'http-400'), 400, 10001, 'Validation error', [step(ORDER, buy({ side: 'up' }))]],
  [
    tags('20003'),
    400,
    20003,
    'Limit exceeded',
    [step(WITHDRAW, { currency: 'USDT', amount: '50001', address: 'a', network_code: 'TRX' })],
  ],
  [
    tags('20004'),
    400,
    20004,
    'Transaction not found',
    [step('GET wallet/transactions/no-such-tx')],
  ],
  [
    tags('20005'),
    400,
    20005,
    'Payout not found',
    [step('PUT wallet/crypto/withdraw/no-such-payout')],
  ],
  [
    tags('20006'),
    400,
    20006,
    'Payout already committed',
    [step(WITHDRAW, send()), step('DELETE wallet/crypto/withdraw/{id}')],
  ],
  [
    tags('20008'),
    400,
    20008,
    'Duplicate client_order_id',
    [
      step(ORDER, buy({ client_order_id: 'twice-the-same' })),
      step(ORDER, buy({ client_order_id: 'twice-the-same' })),
    ],
  ],
  [
    tags('20009'),
    400,
    20009,
    'Price and quantity not changed',
    [
      step(ORDER, buy({ client_order_id: 'not-changed-1' })),
      step('PATCH spot/order/not-changed-1', { quantity: '0.1', price: '10' }),
    ],
  ],
  [
    tags('20010'),
    400,
    20010,
    'Exchange temporary closed',
    [step(ORDER, buy({ symbol: 'LTCUSDT' }))],
  ],
  [
    tags('20014'),
    400,
    20014,
    'Offchain for this payout is unavailable',
    [step(WITHDRAW, send({ use_offchain: 'required' }))],
  ],
  [
    tags('20032'),
    400,
    20032,
    'Margin account or position not found',
    [step('GET margin/account/isolated/ETHUSDT')],
  ],
  [
    tags('20032'),
    400,
    20032,
    'Margin account or position not found',
    [step('DELETE margin/position/isolated/ETHUSDT')],
  ],
  [
    tags('20033'),
    400,
    20033,
    'Position not changed',
    [
      step('PUT margin/account/isolated/BTCUSDT', { margin_balance: '1' }),
      step('PUT margin/account/isolated/BTCUSDT', { margin_balance: '1' }),
    ],
  ],
  [
    tags('20034'),
    400,
    20034,
    'Position in close only state',
    [
      step('PUT margin/account/isolated/XRPUSDT', { margin_balance: '1' }, 'demo'),
      step('POST margin/order', buy({ symbol: 'XRPUSDT', quantity: '50' }), 'demo'),
    ],
  ],
  [
    tags('20040'),
    400,
    20040,
    'Margin trading forbidden',
    [step('PUT margin/account/isolated/ETHBTC', { margin_balance: '1' })],
  ],
  [
    tags('20048'),
    400,
    20048,
    'Provided Time-In-Force is invalid or not allowed with the order type',
    [step(ORDER, buy({ time_in_force: 'SOON' }))],
  ],
  [
    tags('20049'),
    400,
    20049,
    'Provided order type is invalid',
    [step(ORDER, buy({ type: 'any' }))],
  ],
  [
    tags('22004'),
    400,
    22004,
    'User is not found',
    [
      step('POST wallet/internal/withdraw', {
        currency: 'BTC',
        amount: '1',
        by: 'email',
        identifier: 'no@example.com',
      }),
    ],
  ],
];

describe('errors', () => {
  eachRow('', CASES)('%d %d %s', async (status, code, message, steps) => {
    const answer = await play(steps);
    expect([answer.status, answer.body]).toMatchObject([status, { error: { code, message } }]);
  });

  test(
    'the description of 20001 is of funds and commissions',
    { tags: ['server:trading-v3.error.20001'] },
    async () => {
      const { body } = await play([step(ORDER, buy({ price: '9000' }))]);
      expect(body).toMatchObject({
        error: { description: expect.stringMatching(/check.*funds.*commissions/i) },
      });
    },
  );

  test(
    '1004 is a scheme that nobody knows',
    { tags: ['server:trading-v3.error.1004'] },
    async () => {
      const headers = { authorization: 'Negotiate abc' };
      const { status, body } = await venue().call('GET', '/api/3/spot/balance', { headers });
      const error = { code: 1004, message: 'Unsupported authorization method' };
      expect([status, body]).toMatchObject([401, { error }]);
    },
  );

  test(
    'a withdrawal that was rolled back is committed no more',
    { tags: ['server:trading-v3.error.20007'] },
    async () => {
      const made = await play([step(WITHDRAW, send({ auto_commit: false }))]);
      const { id: payout } = made.body as { readonly id: string };
      const answer = await play([
        step(`DELETE wallet/crypto/withdraw/${payout}`),
        step(`PUT wallet/crypto/withdraw/${payout}`),
      ]);
      const error = { code: 20007, message: 'Payout already rolled back' };
      expect([answer.status, answer.body]).toMatchObject([400, { error }]);
    },
  );

  test(
    'who is frozen cannot be frozen again',
    { tags: ['server:trading-v3.error.21004'] },
    async () => {
      const { trading } = venue();
      const account = trading.members.key('cold')?.account;
      const freeze = step('POST sub-account/freeze', { sub_account_ids: String(account) });
      const answer = await play([freeze, freeze]);
      const error = { code: 21004, message: 'Sub account is already frozen or disabled' };
      expect([answer.status, answer.body]).toMatchObject([400, { error }]);
    },
  );

  test(
    'what is done is answered with 200',
    { tags: ['server:trading-v3.error.http-200'] },
    async () => {
      for (const call of ['GET public/symbol', 'GET spot/balance', 'DELETE spot/order']) {
        expect([call, (await play([step(call)])).status]).toEqual([call, 200]);
      }
      expect((await play([step(ORDER, buy())])).status).toBe(200);
    },
  );

  test(
    'what is not there is answered with 404',
    { tags: ['server:trading-v3.error.http-404'] },
    async () => {
      for (const path of ['/api/3/nothing', '/api/3', '/api/3/spot', '/api/3/public/symbol/A/B']) {
        const { status, body } = await venue().call('GET', path);
        expect([path, status, body]).toMatchObject([path, 404, { error: { code: 800 } }]);
      }
    },
  );

  test(
    'an error has a code, a message and an optional description',
    { tags: ['server:trading-v3.error.body-shape'] },
    async () => {
      for (const [, , , , steps] of CASES.slice(0, 16)) {
        const { body } = await play(steps.slice(-1));
        const { error } = body as { readonly error: Readonly<Record<string, unknown>> };
        expect(Object.keys(error).slice(0, 2)).toEqual(['code', 'message']);
        expect(error).toEqual({
          code: expect.any(Number),
          message: expect.any(String),
          ...('description' in error ? { description: expect.any(String) } : {}),
        });
      }
    },
  );
});
