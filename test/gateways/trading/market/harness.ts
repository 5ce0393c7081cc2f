import type { Wanted } from '../../../../src/gateways/market-source.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { instruments } from '../../../server/instruments.ts';
import { OPENED } from '../../../server/kit.ts';
import { marketAt, settled, until, type Listening, type Timed } from './kit.ts';
import { openService, type Service } from './service.ts';

export const BOOK = 'orderbook/full';
export const FUTURES = 'futures/info';
export const TOP = 'orderbook/top/100ms';
/** The time at which it opens, as frames have it. */
export const T = OPENED / 1_000;
const [BTCUSDT] = instruments();

export const levels = (...pairs: readonly (readonly [number, number])[]): readonly string[][] =>
  pairs.map(([price, size]) => [String(price), String(size)]);

export const book = (
  s: number,
  b: readonly string[][],
  a: readonly string[][] = [],
): Record<string, unknown> => ({ t: T + s, s, a, b });

export interface Scene extends Listening {
  readonly service: Service;
  readonly timed: Timed;
  readonly wanted: Wanted;
}

/** A market on a service whose book has one bid, 100 × 1, with the number 5. */
export async function scene(
  of: Partial<Wanted> = { book: 'full' },
  { silentUs = 86_400_000_000 }: { readonly silentUs?: number } = {},
): Promise<Scene> {
  const timed = { scheduler: new VirtualScheduler(OPENED) };
  const service = await openService(timed);
  service.received = ({ method, ch }) => {
    if (method !== 'subscribe') return;
    if (ch === BOOK) service.emit(ch, 'snapshot', book(5, levels([100, 1])));
    else if (ch === TOP) service.emit(ch, 'data', { t: T, a: null, A: null, b: null, B: null });
    else if (ch !== FUTURES) service.emit(ch, 'snapshot', []);
  };
  // Some tests let minutes pass at once, in which nobody can answer a ping.
  const socket = { backoffUs: 10_000, pingAfterUs: 86_400_000_000 };
  const listening = marketAt(timed, service.url, { socket, silentUs });
  if (BTCUSDT === undefined) throw new Error('there is no instrument');
  const wanted = { instrument: BTCUSDT, trades: false, book: 'none' as const, ...of };
  await settled(timed, listening.market.open([wanted], listening.ear));
  await until(timed, () => listening.ear.hearings.length === 1);
  return { ...listening, service, timed, wanted };
}

/** Waits until everything that was said has been heard. */
export async function received({ ear, timed }: Scene, frames: number): Promise<void> {
  await until(timed, () => ear.frames.length === frames);
}

export const trade = (i: number, p = '100.00', t = T + i): Record<string, unknown> => ({
  t,
  i,
  p,
  q: '1',
  s: 'buy',
});

export const CANDLES = 'candles/M1';
const MINUTE = 60_000;
export const bar = (minute: number, close: string, v = '1'): Record<string, unknown> => ({
  t: T + minute * MINUTE,
  o: '100',
  c: close,
  h: '110',
  l: '90',
  v,
  q: '1',
});
