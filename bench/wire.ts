import { stdout } from 'node:process';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { busyNs } from '../src/platform/stopwatch.ts';
import type { Call } from '../src/wire/trading/call.ts';
import { decode, encode, type Printable } from '../src/wire/trading/decoding.ts';
import { describeMessage } from '../src/wire/trading/json-schema.ts';
import { rejectionFault } from '../src/wire/trading/rejections.ts';
import {
  errorFrame,
  type Method,
  decodeParams,
  notificationFrame,
  readRequest,
  readServerFrame,
  replyFrame,
} from '../src/wire/trading/rpc.ts';
import { gridText } from '../src/wire/trading/printing.ts';
import {
  readAuthorization,
  v3Header,
  verifyCredentials,
} from '../src/wire/trading/signing/authorization.ts';
import { readV3Login, v3LoginParams, verifyLogin } from '../src/wire/trading/signing/login.ts';
import {
  methodLimit,
  V3_REST_LIMITS,
  V3_TRADING_LIMITS,
  v3RestLimits,
} from '../src/wire/trading/limits.ts';
import { RateLimiter } from '../src/wire/trading/rate-limiter.ts';
import { timeOfMs } from '../src/wire/time.ts';
import { writerOf } from '../src/wire/trading/writer.ts';
import { V2_CALLS } from '../src/wire/trading/v2/calls/table.ts';
import { ACCOUNT_METHODS } from '../src/wire/trading/v2/streams/account.ts';
import { MARKET_METHODS } from '../src/wire/trading/v2/streams/market.ts';
import { TRADING_METHODS as V2_TRADING_METHODS } from '../src/wire/trading/v2/streams/trading.ts';
import { V3_CALLS } from '../src/wire/trading/v3/calls/table.ts';
import { marketFrame, PAYLOADS, readMarketFrame } from '../src/wire/trading/v3/streams/market.ts';
import { TRADING_METHODS, TRADING_NOTIFICATIONS } from '../src/wire/trading/v3/streams/trading.ts';
import { WALLET_METHODS } from '../src/wire/trading/v3/streams/wallet.ts';
import { Decimal } from '../src/model/decimal.ts';

const ROUNDS = 100_000;
const NOW_MS = 1_700_000_000_123;
const PAIR = { key: 'demo', secret: 'demo-secret' };

const REQUEST =
  '{"method":"spot_new_order","params":{"client_order_id":"bench-00000001","symbol":"BTCUSDT","side":"buy","quantity":"0.00150","price":"16731.00","post_only":true},"id":12345}';
const SIGNED = { method: 'POST', path: '/api/3/spot/order', body: REQUEST };

const REJECTION = {
  code: 'price-off-tick',
  field: 'price',
  message: 'price is 16731.005 and must be a multiple of 0.01.',
} as const;

/** The report of a trade, with its prices and quantities at their scales. */
function report(): Printable<z.output<(typeof TRADING_NOTIFICATIONS)['spot_order']>> {
  const price = gridText(new Decimal('0.01'));
  const quantity = gridText(new Decimal('0.00001'));
  const at = timeOfMs(NOW_MS);
  if (at === undefined) throw new TypeError('The bench has no time.');
  return {
    id: 19_592_625_059,
    client_order_id: 'bench-00000001',
    symbol: 'BTCUSDT',
    side: 'buy',
    status: 'filled',
    type: 'limit',
    time_in_force: 'GTC',
    quantity: quantity(150),
    quantity_cumulative: quantity(150),
    price: price(1_673_100),
    post_only: true,
    created_at: at,
    updated_at: at,
    report_type: 'trade',
    trade_id: 1_068_784,
    trade_quantity: quantity(150),
    trade_price: price(1_672_416),
    trade_fee: '0.022577616000',
    trade_taker: true,
    taker: true,
  };
}

/** What a venue and its clients do with each message, by name. */
function works(): Readonly<Record<string, () => unknown>> {
  const given = report();
  const write = writerOf(TRADING_NOTIFICATIONS.spot_order);
  const written = notificationFrame('spot_order', encode(TRADING_NOTIFICATIONS.spot_order, given));
  const header = v3Header(PAIR, SIGNED, NOW_MS);
  const login = v3LoginParams(PAIR, NOW_MS);
  const limiter = new RateLimiter(V3_REST_LIMITS);
  const limits = v3RestLimits('/wallet/balance');
  const caller = { ip: '127.0.0.1', account: 'demo' };
  const level = ['29978.74', '0.02000'] as const;
  const levels = Array.from({ length: 10 }, () => level);
  const book = { t: given.created_at, s: 1, a: levels, b: levels };
  const bookFrame = marketFrame('orderbook/full', 'update', {
    BTCUSDT: encode(PAYLOADS.book, book),
  });
  const writeBook = writerOf(PAYLOADS.book);
  let nowUs = 0;
  return {
    'order read': () => {
      const read = readRequest(REQUEST);
      return read.kind === 'request'
        ? decodeParams(TRADING_METHODS.spot_new_order, read.request.params)
        : read;
    },
    'report written': () =>
      notificationFrame('spot_order', encode(TRADING_NOTIFICATIONS.spot_order, given)),
    'report written, unchecked': () => notificationFrame('spot_order', write(given)),
    'report read': () => {
      const frame = readServerFrame(written);
      return frame.kind === 'notification'
        ? decode(TRADING_NOTIFICATIONS.spot_order, frame.params)
        : frame;
    },
    'rejection sent': () => errorFrame(rejectionFault(REJECTION, 3), 12_345),
    'reply written': () => replyFrame(true, 12_345),
    'book of 20 levels written': () =>
      marketFrame('orderbook/full', 'update', { BTCUSDT: encode(PAYLOADS.book, book) }),
    'book of 20 levels written, unchecked': () =>
      marketFrame('orderbook/full', 'update', { BTCUSDT: writeBook(book) }),
    'book of 20 levels read': () => readMarketFrame(bookFrame),
    'request signed': () => v3Header(PAIR, SIGNED, NOW_MS),
    'signature judged': () => {
      const read = readAuthorization(header, 3);
      return read.kind === 'refused'
        ? read
        : verifyCredentials(read, PAIR.secret, SIGNED, NOW_MS, 3);
    },
    'login judged': () => {
      const read = readV3Login(login);
      return read.kind === 'ok' ? verifyLogin(read.value, PAIR.secret, NOW_MS) : read;
    },
    'call counted': () => limiter.take(limits, caller, (nowUs += 50_000)),
    'limit found': () => methodLimit(V3_TRADING_LIMITS, 'futures_replace_order'),
  };
}

type Table = Readonly<Record<string, Method>>;

/** How many messages there are to describe; it is done once, when a venue starts. */
function describeAll(): number {
  const calls = [...Object.values<Call>(V3_CALLS), ...Object.values<Call>(V2_CALLS)];
  const tables: readonly Table[] = [
    ...[TRADING_METHODS, WALLET_METHODS],
    ...[MARKET_METHODS, V2_TRADING_METHODS, ACCOUNT_METHODS],
  ];
  const schemas = [
    ...calls.flatMap(({ params, response }) => [params, response]),
    ...tables.flatMap((rows) =>
      Object.values(rows).flatMap(({ params, result }) => [params, result]),
    ),
  ];
  for (const schema of schemas) describeMessage(schema, '#/components/schemas/');
  return schemas.length;
}

/** Nanoseconds that one round of some work takes a processor, after a tenth as many to warm up. */
function measure(work: () => unknown, rounds: number): number {
  for (let round = 0; round < rounds / 10; round += 1) work();
  const before = busyNs();
  for (let round = 0; round < rounds; round += 1) work();
  return (busyNs() - before) / rounds;
}

/** Prints what the messages of the trading service cost, in messages per second of one processor. */
export async function wireBench(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const rounds = Number(values.rounds ?? ROUNDS);
  const nsPerMessage = Object.fromEntries(
    Object.entries(works()).map(([name, work]) => [name, measure(work, rounds)]),
  );
  for (const [name, ns] of Object.entries(nsPerMessage)) {
    stdout.write(`${name}: ${(ns / 1_000).toFixed(2)} us, ${Math.round(1e9 / ns)} a second\n`);
  }
  const before = busyNs();
  const described = describeAll();
  const describeMs = (busyNs() - before) / 1e6;
  stdout.write(`${described} messages described in ${describeMs.toFixed(0)} ms\n`);
  if (values.json === true) {
    stdout.write(`${JSON.stringify({ bench: 'wire', rounds, nsPerMessage, describeMs })}\n`);
  }
}
