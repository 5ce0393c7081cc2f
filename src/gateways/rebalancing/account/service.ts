import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { micros, US_PER_HOUR, type Micros } from '../../../platform/time.ts';
import { outcomeOf } from '../../trading/account/rejections.ts';
import type { TradingClient } from '../../trading/client/client.ts';

/** The calls of the trading service, by which an account is moved. */
export type AccountRest = TradingClient['rest'];

/** A movement of the wallet as the service tells it. */
export type WalletRow = Awaited<ReturnType<AccountRest['getTransaction']>>;

/**
 * What the service said to a request that it surely did not do. Throws the error again where that
 * is not sure, or where nothing was said: then the request is repeated once its fate is known.
 */
export function rejectionIn(error: unknown): Rejection {
  const outcome = outcomeOf(error);
  if (outcome.kind === 'doubt' || outcome.rejection.code === 'venue-unreachable') throw error;
  return outcome.rejection;
}

/** The same for a question, after which nothing is in doubt: who is asked for an offer has none then. */
export function noOffer(error: unknown): Rejection {
  const outcome = outcomeOf(error);
  if (outcome.kind === 'rejected') return outcome.rejection;
  if (!(error instanceof MillraceError)) throw error;
  return { code: 'venue-unreachable', message: error.message };
}

/** A number on a grid, rounded down: what is left over stays where it is. A step of 0 is no grid. */
export const floorTo = (value: Decimal, step: Decimal): Decimal =>
  step.isZero() ? value : value.dividedToIntegerBy(step).times(step);

const PAGE = 1_000;

/** How far the clock here may be behind that of the service, for what is looked for by time. */
const CLOCKS_APART_US = US_PER_HOUR;

/** Which movements of the wallet are looked for. */
export interface Wanted {
  readonly type: 'WITHDRAW' | 'DEPOSIT' | 'TRANSFER';
  readonly currency: string;
  /** Not made before, by the clock of this side. */
  readonly since: Micros;
}

/** The latest movement of the wallet that fits, `undefined` where there is none. */
export async function findMovement(
  rest: AccountRest,
  { type, currency, since }: Wanted,
  fits: (row: WalletRow) => boolean,
): Promise<WalletRow | undefined> {
  for (let offset = 0; ; offset += PAGE) {
    const rows = await rest.getTransactions({
      types: [type],
      currencies: [currency],
      from: micros(since - CLOCKS_APART_US),
      limit: PAGE,
      offset,
    });
    const found = rows.find(fits);
    if (found !== undefined || rows.length < PAGE) return found;
  }
}
