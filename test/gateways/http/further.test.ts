import { afterAll, describe, expect, test } from 'vitest';
import {
  AffiliateSwapClient,
  ExchangeOrdersClient,
  generateKeyPair,
  micros,
  MillraceError,
  SwapClient,
  SystemScheduler,
  TradingClient,
  TradingClientV2,
} from '../../../src/clients.ts';

const clock = new SystemScheduler();
const { privateKey } = await generateKeyPair();
const home = { url: 'http://127.0.0.1:1', retries: { attempts: 1 } };
const trading = {
  ...home,
  paced: false,
  credentials: { key: 'k', secret: 's', scheme: 'hs256' },
} as const;

const v3 = new TradingClient(trading);
const v2 = new TradingClientV2(trading);
const swaps = new SwapClient({ ...home, privateKey });
const affiliate = new AffiliateSwapClient({ ...home, apiKey: 'k' });
const orders = new ExchangeOrdersClient({ ...home, privateKey });
const market = v3.marketSocket({});
const account = v3.tradingSocket({});
const clients = { v3, v2, swaps, affiliate, orders, market, account };

afterAll(async () => {
  await Promise.all([v3, v2, swaps, affiliate, orders].map((client) => client.close()));
});

type Call = (...given: readonly unknown[]) => unknown;

/** The methods of an object by their names, those of the classes before its own too. */
function methodsOf(of: object, closing: boolean): (readonly [string, Call])[] {
  const names = new Set<string>();
  for (let at: unknown = of; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  const members = of as Readonly<Record<string, unknown>>;
  return [...names]
    .filter((name) => typeof members[name] === 'function' && name !== 'constructor')
    .filter((name) => closing || name !== 'close')
    .map((name) => [name, (...given) => (members[name] as Call).apply(of, [...given])]);
}

const methods = (closing: boolean): (readonly [string, Call])[] => [
  ...Object.entries(clients).flatMap(([client, of]) =>
    methodsOf(of, closing).map(([name, call]) => [`${client}.${name}`, call] as const),
  ),
  ...Object.entries(v3.rest).map(([name, call]) => [`v3.rest.${name}`, call as Call] as const),
  ...Object.entries(v2.rest).map(([name, call]) => [`v2.rest.${name}`, call as Call] as const),
];

const outcome = async (ask: () => unknown): Promise<unknown> => {
  try {
    return await ask();
  } catch (error) {
    return error;
  }
};

describe('an argument more than a method takes', () => {
  test.each(methods(true))('is refused by %s, and nothing is sent', async (_name, call) => {
    const given = [undefined, undefined, undefined, undefined, { timeout: 5 }];
    expect(await outcome(() => call(...given))).toMatchObject({
      code: 'request-invalid',
      field: 'timeout',
      message: expect.stringMatching(
        /takes (?:no argument|one argument|\d arguments) and is given one more, with timeout; did you mean the setting timeoutUs of the client\? Nothing was sent\.$/,
      ) as string,
    });
  });

  test('is refused as the methods answer: by a promise, or by a throw of those that give none', async () => {
    const order = { symbol: 'X', side: 'buy', quantity: '1', price: '2' } as const;
    const ask = v3.rest.createSpotOrder as Call;
    await expect(ask(order, 5)).rejects.toThrow(
      'createSpotOrder takes one argument and is given one more; leave it out. Nothing was sent.',
    );
    const make = v3.marketSocket.bind(v3) as Call;
    expect(() => make({}, {}, 5)).toThrow('marketSocket takes 2 arguments and is given one more');
  });

  test('that is undefined is none', async () => {
    const close = new TradingClient(trading);
    await (close.close as Call).call(close, undefined);
  });
});

describe('a method that is given what cannot be meant', () => {
  const VALUES: readonly (readonly unknown[])[] = [
    ...[[], [null], ['x'], [5], [Number.NaN], [{}], [[]], [Symbol('s')]],
    ...[
      ['x', null],
      ['x', {}],
      [{}, 'x'],
      [{}, null],
      [{}, {}],
      [{}, {}, {}],
      [{}, {}, Number.NaN],
    ],
    ...[
      ['x', { everyUs: 'x' }],
      ['x', { signal: 5 }],
      ['x', { changed: 5 }],
      ['x', 'x', 'x', 'x'],
    ],
  ];
  /** These take what they are given, or wait for a service. */
  const WAITING = /Socket$|\.open$|\.renew$/;

  test.each(methods(false))('%s says so by a typed error', async (name, call) => {
    for (const given of VALUES) {
      const reported = await Promise.race([
        outcome(() => call(...given)),
        new Promise((resolve) => {
          clock.at(micros(clock.now() + 1_000_000), () => {
            resolve(undefined);
          });
        }),
      ]);
      const isTyped = reported instanceof MillraceError;
      if (!isTyped && WAITING.test(name) && !(reported instanceof Error)) continue;
      expect(reported, `${name}(${given.map(String).join(', ')})`).toBeInstanceOf(MillraceError);
      expect((reported as MillraceError).code).toMatch(
        /^(?:request|config)-invalid$|^unreachable$/,
      );
    }
  });

  test.each<[string, () => unknown, string]>([
    ['everyUs', () => orders.follow('x', { everyUs: 0.5 }), 'a whole number of microseconds'],
    ['signal', () => swaps.follow('x', { signal: 5 as never }), 'an AbortSignal'],
    ['changed', () => affiliate.follow('x', { changed: 5 as never }), 'a function'],
    ['timeoutUs', () => market.open({ timeoutUs: Number.NaN }), 'a whole number of microseconds'],
    [
      'replies',
      () => account.requestText('spot_new_order', '{}', { replies: 0 }),
      'a whole number above 0',
    ],
  ])('an option %s of no use is refused', async (field, ask, what) => {
    expect(await outcome(ask)).toMatchObject({
      code: 'request-invalid',
      field,
      message: expect.stringContaining(`the option ${field} must be ${what}.`) as string,
    });
  });

  test('a swap without the least that must come out is not begun', async () => {
    const conditions = { network: { id: 1, name: 'X', family: 'evm', chainId: 1 } };
    const asked = swaps.swap({} as never, conditions as never, {} as never);
    await expect(asked).rejects.toMatchObject({ code: 'request-invalid', field: 'leastLots' });
  });
});

describe('a channel that there is not', () => {
  test.each([
    ['trade', '; did you mean "trades"?'],
    ['candles', '; did you mean "candles/M1"?'],
    ['gossip', '.'],
  ])('%s is refused with the one that was probably meant', async (ch, end) => {
    const sentence = `was not sent: ch "${ch}" is no channel${end}`;
    for (const ask of ['subscribe', 'unsubscribe', 'subscriptions'] as const) {
      const given = ask === 'subscriptions' ? [] : [{ symbols: ['X'] }];
      const reported = await outcome(() => (market[ask] as Call).apply(market, [ch, ...given]));
      expect(reported).toMatchObject({ code: 'request-invalid', message: `${ask} ${sentence}` });
    }
  });

  test.each([
    ['trades', 'symbols'],
    ['price/rate/1s', 'currencies'],
  ])('%s is not asked for without its %s', async (ch, field) => {
    await expect(market.subscribe(ch, {})).rejects.toMatchObject({
      code: 'request-invalid',
      message: `subscribe was not sent: ${field} is required.`,
      field,
    });
  });
});
