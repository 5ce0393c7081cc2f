import type { MarginReport } from '../../../../src/model/margin-account.ts';
import { onTestFinished } from 'vitest';
import {
  TradingAccount,
  type TradingAccountSetup,
} from '../../../../src/gateways/trading/account/account.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import type { AccountListener, ConnectionState } from '../../../../src/gateways/venue-account.ts';
import type { PlaceRequest } from '../../../../src/model/order-request.ts';
import type { MillraceError } from '../../../../src/model/errors.ts';
import type { BalanceReport, OrderReport, Report } from '../../../../src/model/report.ts';
import { lots, ticks } from '../../../../src/model/units.ts';
import { Random } from '../../../../src/platform/random.ts';
import type { TestVenue } from '../../../server/kit.ts';
import { settled, until, type Timed } from '../market/kit.ts';

export { settled, until };

/** Reports of one kind. */
type Of<K extends Report['kind']> = K extends 'trade' | 'rejected' | 'outcome-unknown' | 'balance'
  ? Extract<Report, { readonly kind: K }>
  : Exclude<OrderReport, { readonly kind: 'trade' }>;

/** A reader of an account that remembers all that it was told, in order. */
export class Ear implements AccountListener {
  readonly reports: Report[] = [];
  readonly margins: MarginReport[] = [];
  /** Kinds of reports and hearings as they came. */
  readonly kinds: string[] = [];
  readonly whys: (string | undefined)[] = [];

  report(report: Report): void {
    this.reports.push(report);
    this.kinds.push(report.kind);
  }

  margin(report: MarginReport): void {
    this.margins.push(report);
  }

  connectionState(connectionState: ConnectionState, why?: string): void {
    this.kinds.push(connectionState);
    if (connectionState === 'lost') this.whys.push(why);
  }

  /** Reports of a kind, oldest first. */
  of<K extends Report['kind']>(kind: K): readonly Of<K>[] {
    return this.reports.filter((one) => one.kind === kind) as unknown as readonly Of<K>[];
  }

  /** Reports that are no balances, as `kind name`. */
  get story(): readonly string[] {
    return this.reports.flatMap((one) => {
      if (one.kind === 'balance') return [];
      return [`${one.kind} ${'order' in one ? one.order.clientOrderId : one.clientOrderId}`];
    });
  }

  /** The latest balance of a currency, available and reserved. */
  balance(currency: string): readonly [string, string] | undefined {
    const last = this.of('balance').findLast((one: BalanceReport) => one.currency === currency);
    return last === undefined ? undefined : [last.available.toFixed(), last.reserved.toFixed()];
  }

  /** Forgets what was told until now. */
  clear(): void {
    this.reports.length = 0;
    this.kinds.length = 0;
  }
}

export interface Holding {
  readonly account: TradingAccount;
  readonly ear: Ear;
  readonly warnings: MillraceError[];
}

/** An account at an address, closed when the test is over; not yet open. */
export function accountAt(
  timed: Timed,
  url: string,
  as = 'demo',
  setup: Partial<TradingAccountSetup> = {},
): Holding {
  const { scheduler } = timed;
  const client = new TradingClient({
    url,
    scheduler,
    random: new Random(1),
    paced: false,
    credentials: { key: as, secret: `${as}-secret`, scheme: 'hs256' },
    retries: { attempts: 1 },
  });
  const warnings: MillraceError[] = [];
  const account = new TradingAccount({
    client,
    scheduler,
    random: new Random(2),
    socket: { backoffUs: 10_000 },
    warn: (warning) => warnings.push(warning),
    ...setup,
  });
  onTestFinished(async () => {
    await settled(timed, Promise.all([account.close(), client.close()]));
  });
  return { account, ear: new Ear(), warnings };
}

/** The same, opened on a venue. */
export async function hold(
  venue: TestVenue,
  as = 'demo',
  setup: Partial<TradingAccountSetup> = {},
): Promise<Holding> {
  const holding = accountAt(venue, venue.base, as, setup);
  await settled(venue, holding.account.open(holding.ear));
  return holding;
}

/** A request for a limit order of BTCUSDT: ticks of 0.01, lots of 0.00001. */
export const placeOf = (
  clientOrderId: string,
  of: Partial<Omit<PlaceRequest, 'kind' | 'clientOrderId' | 'ticks' | 'lots'>> & {
    readonly ticks?: number;
    readonly lots?: number;
  } = {},
): PlaceRequest => {
  const { ticks: price = 10_000, lots: size = 100_000, ...rest } = of;
  return {
    kind: 'place',
    clientOrderId,
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    postOnly: false,
    lots: lots(size),
    ticks: ticks(price),
    ...rest,
  };
};
