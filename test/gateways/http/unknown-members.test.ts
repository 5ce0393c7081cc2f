import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AffiliateSwapClient,
  ExchangeOrdersClient,
  generateKeyPair,
  MarketSocket,
  Random,
  SwapClient,
  TradingClient,
  SystemScheduler,
  TradingClientV2,
  TradingSocket,
} from '../../../src/clients.ts';
import { paramsOf } from '../../../src/gateways/exchange-orders/arguments.ts';
import { namesAt } from '../../../src/gateways/http/unknown-members.ts';
import { refuseUnknownCondition } from '../../../src/gateways/swaps/agreement.ts';
import { approved } from '../../../src/gateways/swaps/approving.ts';
import { checked, quoteArguments } from '../../../src/gateways/swaps/arguments.ts';
import { MillraceError } from '../../../src/model/errors.ts';

const url = 'http://127.0.0.1:1';
const { privateKey } = await generateKeyPair();
const credentials = { key: 'k', secret: 's', scheme: 'hs256' };

/** A maker as code calls it that no compiler has read. */
const make = (Client: unknown, settings: object): unknown =>
  Reflect.construct(Client as new () => unknown, [settings]);

function thrown(call: () => unknown): MillraceError {
  try {
    call();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const rejected = async (promise: Promise<unknown>): Promise<MillraceError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MillraceError) return error;
  throw new Error('nothing was thrown');
};

describe('a setting of another type is refused by its name', () => {
  test.each<[object, string]>([
    [{ url, retries: 3 }, 'The setting retries takes an object of settings, such as { attempts'],
    [{ url, paced: 'no' }, 'The setting paced of the client must be true or false.'],
    [
      { url, scheduler: {} },
      'The setting scheduler of the client must have the functions now and at.',
    ],
    [{ url, random: () => 0.5 }, 'The setting random of the client must have the functions'],
    [{ url, timeoutUs: '5' }, 'must be a whole number above 0, not "5".'],
  ])('%o', (settings, sentence) => {
    expect(thrown(() => make(TradingClient, settings))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(sentence) as string,
    });
  });

  test.each([null, 'http://127.0.0.1:1', 5])('settings that are %o', (settings) => {
    expect(thrown(() => make(TradingClient, settings as never))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('The client takes an object of settings') as string,
    });
  });
});

describe('a socket refuses by name', () => {
  const setup = {
    url: 'ws://127.0.0.1:1',
    credentials,
    scheduler: new SystemScheduler(),
    random: new Random(1),
    listener: {},
  };

  test('options that are no numbers', () => {
    const options = { pingAfterUs: '5' };
    expect(thrown(() => make(TradingSocket, { ...setup, options })).message).toContain(
      'The setting options.pingAfterUs of a socket must be a whole number above 0.',
    );
  });

  test.each([
    [MarketSocket, { dta: () => undefined }, 'has a dta that nobody calls; did you mean data?'],
    [MarketSocket, { data: 5 }, 'The listener.data of the socket must be a function.'],
    [TradingSocket, { notifcation: () => undefined }, 'did you mean notification?'],
    [TradingSocket, () => undefined, 'is an object of functions: state, failed, late, raw'],
  ])('listeners that would receive nothing (%o, %o)', (Socket, listener, sentence) => {
    expect(thrown(() => make(Socket, { ...setup, listener }))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(sentence) as string,
    });
  });

  test('a method that there is not; nothing is sent', async () => {
    const socket = new TradingSocket(setup as never);
    const asked = socket.request('spot_new_ordr' as never, {});
    expect(await rejected(asked)).toMatchObject({
      code: 'request-invalid',
      message:
        'The socket has no method spot_new_ordr; did you mean spot_new_order? Nothing was sent.',
    });
  });
});

describe('a setting that a client does not have is refused by its name', () => {
  test.each<[unknown, object, string, string]>([
    [TradingClient, { url, timeoutMs: 5 }, 'timeoutMs', 'did you mean timeoutUs?'],
    [TradingClient, { url, pace: false }, 'pace', 'did you mean paced?'],
    [
      TradingClient,
      { url, credentials: { ...credentials, window: 5 } },
      'window',
      'The setting credentials has no setting window; did you mean windowMs?',
    ],
    [TradingClientV2, { url, retries: { attempt: 5 } }, 'attempt', 'did you mean attempts?'],
    [SwapClient, { url, privateKey, dialekt: 'newest' }, 'dialekt', 'did you mean dialect?'],
    [AffiliateSwapClient, { url, apiKey: 'k', key: 'k' }, 'key', 'there are url, scheduler'],
    [ExchangeOrdersClient, { url, privateKey, rps: 5 }, 'rps', 'there are url, scheduler,'],
  ])('%o %o', (Client, settings, field, message) => {
    const error = thrown(() => make(Client, settings));
    expect(error).toMatchObject({ code: 'config-invalid', field });
    expect(error.message).toContain(message);
  });

  test('and one of a socket', async () => {
    const client = new TradingClient({ url });
    const listener = {} as Parameters<typeof client.marketSocket>[0];
    const options = { timeoutMs: 5 } as object;
    expect(thrown(() => client.marketSocket(listener, options))).toMatchObject({
      code: 'config-invalid',
      message: 'The socket has no setting timeoutMs; did you mean timeoutUs?',
    });
    const socket = client.marketSocket(listener);
    const error = await rejected(socket.open({ timeout: 5 } as object));
    expect(error.message).toBe(
      'open has no option timeout; did you mean timeoutUs? Nothing was sent.',
    );
    await client.close();
  });
});

describe('an option or argument that a call does not have is refused by its name', () => {
  test('of the methods of the exchange order service, in lists too', () => {
    const pair = { from: 'btc', to: 'eth', amountFrom: '1', amountFrm: '1' };
    for (const given of [pair, [pair]]) {
      expect(thrown(() => paramsOf('getExchangeAmount', given)).message).toContain(
        'amountFrm; did you mean amountFrom?',
      );
    }
    expect(thrown(() => paramsOf('getStatus', { id: 'x', ids: 'y' })).message).toBe(
      'getStatus was not sent: there is no argument ids; did you mean id?',
    );
  });

  test('of the calls of the swap service, and inside of them', () => {
    const token = { token_id: 1 };
    const quote = { from: { ...token, adress: 'x' }, to: token, amount: '1', slippage_bps: '5' };
    expect(thrown(() => checked('getQuote', quoteArguments, quote))).toMatchObject({
      field: 'from.adress',
      message:
        'getQuote was not sent: there is no argument from.adress; there are token_id, network_id, token.',
    });
  });

  test('a bound that would not be insisted on', async () => {
    const network = {} as Parameters<typeof refuseUnknownCondition>[0]['network'];
    const conditions = { network, leastLots: 1n, escrow: ['0x1'] };
    const error = thrown(() => {
      refuseUnknownCondition(conditions);
    });
    expect(error.message).toContain('swap has no option escrow; did you mean escrows?');
    const approving = { agreed: { escrow: ['0x1'] } } as unknown as Parameters<typeof approved>[0];
    const refused = await rejected(approved(approving, {}, () => Promise.resolve()));
    expect(refused.message).toContain('did you mean escrows?');
  });

  test('of following a swap and a transaction', async () => {
    const swaps = new SwapClient({ url, privateKey });
    const orders = new ExchangeOrdersClient({ url, privateKey });
    const options = { everyMs: 5 } as object;
    for (const following of [swaps.follow('x', options), orders.follow('x', options)]) {
      const error = await rejected(following);
      expect(error.message).toContain('follow has no option everyMs; did you mean everyUs?');
    }
    await Promise.all([swaps.close(), orders.close()]);
  });

  test('names are looked up inside of what a schema holds', () => {
    const schema = z.union([z.array(z.strictObject({ a: z.strictObject({ b: z.string() }) }))]);
    expect(namesAt(schema, [0, 'a'])).toEqual(['b']);
    expect(namesAt(z.string(), [])).toEqual([]);
  });
});
