import { Decimal } from '../../../src/model/decimal.ts';
import type { Frame, TestSocket, TestVenue } from '../kit.ts';

/** The result of a request; fails where it is refused. */
export async function ask(
  socket: TestSocket,
  method: string,
  params: unknown = {},
): Promise<unknown> {
  const reply = await socket.request(method, params);
  if ('error' in reply) throw new Error(`${method} was refused: ${JSON.stringify(reply)}`);
  return reply['result'];
}

/** The same for a result that is an object. */
export const askOne = async (socket: TestSocket, method: string, params: unknown = {}) =>
  (await ask(socket, method, params)) as Frame;

/** The same for a result that is a list of objects. */
export const askList = async (socket: TestSocket, method: string, params: unknown = {}) =>
  (await ask(socket, method, params)) as readonly Frame[];

/** The error of a request that is refused. */
export async function rejection(
  socket: TestSocket,
  method: string,
  params: unknown = {},
): Promise<Frame> {
  const { error } = (await socket.request(method, params)) as { readonly error?: Frame };
  if (error === undefined) throw new Error(`${method} was not refused`);
  return error;
}

/** What was told of a notification that has one record. */
export const reported = (socket: TestSocket, method: string): readonly Frame[] =>
  socket.received(method).map(({ params }) => params as Frame);

/** A market and what it takes to trade there. */
export interface TestMarket {
  readonly market: 'spot' | 'margin' | 'futures';
  readonly symbol: string;
  /** Members of orders that are there on top of those of spot orders. */
  readonly more: Readonly<Record<string, unknown>>;
}

export const MARKETS: readonly TestMarket[] = [
  { market: 'spot', symbol: 'BTCUSDT', more: {} },
  { market: 'margin', symbol: 'BTCUSDT', more: { margin_mode: 'isolated', reduce_only: false } },
  {
    market: 'futures',
    symbol: 'ETHUSDT_PERP',
    more: { margin_mode: 'isolated', reduce_only: false },
  },
];

/** A buy that rests, and the sell of others that it trades with. */
export const BUY = { side: 'buy', quantity: '0.5', price: '2000' } as const;
export const SELL = { side: 'sell', quantity: '0.2', price: '2000' } as const;

/** A socket of a member who can trade on a market. */
export async function traderOn(
  venue: TestVenue,
  { market, symbol }: TestMarket,
  member: string,
): Promise<TestSocket> {
  const socket = await venue.tradingSocket(member);
  if (market === 'spot') return socket;
  if (market === 'futures') {
    const { exchange, members } = venue.trading;
    const account = members.key(member)?.account ?? -1;
    exchange.derivatives.deposit(account, 'USDT', new Decimal('100000'));
  }
  await ask(socket, `${market}_set_account`, {
    symbol,
    margin_balance: '10000',
    ...(market === 'futures' ? { leverage: '10' } : {}),
  });
  return socket;
}
