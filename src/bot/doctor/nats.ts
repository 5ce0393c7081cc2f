import { snapshotSubject, venueName } from '../../gateways/nats/subjects.ts';
import type { TradingAddress } from '../../gateways/trading/client/address.ts';
import { connectNats } from '../../messaging/connection.ts';
import type { MarketSettings, StrategySettings } from '../settings/settings.ts';
import { checker, type CheckResult } from './check-result.ts';
import { errorText } from '../../model/errors.ts';

/** How long a publisher has to answer. */
const WITHIN_MS = 2_000;

export interface ExaminedNats {
  readonly account: string;
  readonly market: MarketSettings & { readonly kind: 'nats' };
  readonly address: TradingAddress;
  readonly strategies: readonly StrategySettings[];
}

/** Checks that the NATS server of an account connects, and that each symbol is published there. */
export async function checkNats({
  account,
  market: { url, env, venue: named },
  address,
  strategies,
}: ExaminedNats): Promise<readonly CheckResult[]> {
  const { ok, fail } = checker('nats', account);
  const venue = named ?? venueName(address);
  try {
    const connection = await connectNats({ url, env, name: `millrace doctor ${account}` });
    try {
      const found: CheckResult[] = [];
      for (const symbol of new Set(strategies.flatMap(({ symbols }) => symbols))) {
        const isThere = await connection
          .request(snapshotSubject(venue, symbol), '', { timeout: WITHIN_MS })
          .then(
            () => true,
            () => false,
          );
        found.push(
          isThere
            ? ok(`${symbol} of ${venue} is published on ${url}.`)
            : fail(
                `Nobody publishes ${symbol} of ${venue} on ${url}.`,
                `Start "millrace feed publish" with ${symbol} among its --symbols, or give the account the name that the publisher has, as market.venue.`,
              ),
        );
      }
      return found;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [fail(errorText(error), `Look at accounts.${account}.market.`)];
  }
}
