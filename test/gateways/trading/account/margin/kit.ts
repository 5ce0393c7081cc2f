import { TradingClient } from '../../../../../src/gateways/trading/client/client.ts';
import type {
  MarginAccountReport,
  MarginRejectReport,
} from '../../../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../../../src/model/margin-terms.ts';
import type { MarginRequest } from '../../../../../src/model/order-request.ts';
import { Random } from '../../../../../src/platform/random.ts';
import { micros } from '../../../../../src/platform/time.ts';
import { decimal } from '../../../../../src/model/decimal.ts';
import type { VenueOptions } from '../../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../../server/margin/harness.ts';
import { openRelay, type Relay } from '../../kit/relay.ts';
import { openSocketRelay, type SocketRelay } from '../../kit/socket-relay.ts';
import { accountAt, hold, settled, until, type Ear, type Holding } from '../kit.ts';

export const PERP = 'ETHUSDT_PERP';

/** A venue whose markets show prices, and an account of `demo` on it. */
export interface Scene extends Holding {
  readonly floor: MarginHarness;
  /** Asks for a margin account and waits for the answer. */
  set(request: Omit<MarginRequest, 'kind' | 'balance' | 'leverage'> & Money): Promise<Answer>;
  /** Waits until a number of reports of margin accounts came since the last look. */
  next(count: number): Promise<readonly MarginAccountReport[]>;
  settled<T>(promise: Promise<T>): Promise<T>;
}

interface Money {
  readonly balance?: string;
  readonly leverage?: string;
}

type Answer = MarginAccountReport | MarginRejectReport;

/** BTCUSDT is at 50,000 and the perpetual of ETH at 3,000; everything is traded at once. */
export function showPrices(floor: MarginHarness): void {
  const { exchange } = floor.venue.trading;
  const quotes = {
    BTCUSDT: ['49999', '50000'],
    ETHUSDT: ['2999', '3000'],
    [PERP]: ['2999', '3000'],
  };
  for (const [symbol, [bid = '', ask = '']] of Object.entries(quotes)) {
    if (exchange.instrument(symbol) >= 0) floor.quote(bid, ask, symbol);
  }
}

/** Opens it, at another time where one is given. */
export async function openScene(options: VenueOptions = {}, at?: string): Promise<Scene> {
  const floor = await openHarness(options);
  if (at !== undefined) floor.venue.scheduler.advanceTo(micros(Date.parse(at) * 1_000));
  showPrices(floor);
  return sceneOf(floor, await hold(floor.venue));
}

/** An account whose calls and frames are seen on their way to the venue. */
export interface RelayedScene extends Scene {
  readonly calls: Relay;
  readonly relay: SocketRelay;
}

/** Opens an account on a floor over relays, once calls that are planned are answered. */
export async function openRelayed(
  floor: MarginHarness,
  plan: (calls: Relay) => void = () => undefined,
): Promise<RelayedScene> {
  const { venue } = floor;
  const calls = await openRelay(venue.base);
  const relay = await openSocketRelay(venue.base);
  plan(calls);
  const client = new TradingClient({
    baseUrl: `${calls.url}/api/3`,
    wsUrl: `${relay.url.replace('http', 'ws')}/api/3/ws`,
    scheduler: venue.scheduler,
    random: new Random(1),
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });
  const holding = accountAt(venue, venue.base, 'demo', { client });
  await settled(venue, holding.account.open(holding.ear));
  return { ...sceneOf(floor, holding), calls, relay };
}

/** The same for an account that is there already. */
export function sceneOf(floor: MarginHarness, holding: Holding): Scene {
  const { account, ear } = holding;
  const { venue } = floor;
  let seen = ear.margins.length;
  const next = async (count: number): Promise<readonly MarginAccountReport[]> => {
    await until(
      venue,
      () => ear.margins.length >= seen + count,
      () => reasons(ear),
    );
    const reports = ear.margins.slice(seen, seen + count) as MarginAccountReport[];
    seen += count;
    return reports;
  };
  return {
    ...holding,
    floor,
    next,
    set: async ({ balance, leverage, ...request }) => {
      account.margin?.set({
        kind: 'setMargin',
        ...request,
        balance: balance === undefined ? undefined : decimal(balance),
        leverage: leverage === undefined ? undefined : decimal(leverage),
      });
      const [answer] = await next(1);
      if (answer === undefined) throw new Error('there is no answer');
      return answer;
    },
    settled: (promise) => settled(venue, promise),
  };
}

/** Why margin accounts were told of, and what they had then. */
export const reasons = ({ margins }: Ear): readonly string[] =>
  margins.map((one) =>
    one.kind === 'marginRejected'
      ? `rejected ${one.rejection.code}`
      : `${one.reason} ${one.account.balance.toFixed()}`,
  );

/** What a report of a margin account comes to, in short. */
export function brief(report: Answer) {
  if (report.kind === 'marginRejected') return { rejected: report.rejection.code };
  const { reason, account, position, end, carry, forced, byOthers } = report;
  return {
    reason,
    balance: account.balance.toFixed(),
    ...(account.isOpen ? {} : { isOpen: false }),
    ...(position === undefined ? {} : { lots: position.lots }),
    ...(end === undefined ? {} : { end }),
    ...(carry === undefined ? {} : { [carry.kind]: carry.amount.toFixed() }),
    ...(forced === undefined
      ? {}
      : { forced: `${forced.side} ${forced.lots} at ${forced.ticks} for ${forced.fee.toFixed()}` }),
    ...(byOthers === undefined ? {} : { byOthers }),
  };
}

export const on = (mode: MarginMode): { readonly margin: { readonly mode: MarginMode } } => ({
  margin: { mode },
});
