import { CHAINS_PREFIX } from '../../wire/chains/messages.ts';
import { errorText } from '../../wire/exchange-orders/envelope.ts';
import { EXCHANGE_ERRORS } from '../../wire/exchange-orders/errors.ts';
import { EXCHANGE_ORDERS_PATH } from '../../wire/exchange-orders/methods.ts';
import type { AffiliateError } from '../../wire/swaps/affiliate/errors.ts';
import { AFFILIATE_PREFIX } from '../../wire/swaps/affiliate/requests.ts';
import { errorBody, isErrorStatus } from '../../wire/swaps/errors.ts';
import { EXECUTION_PREFIX } from '../../wire/swaps/execution.ts';

/** An error as a service answers it. */
export interface SurfaceError {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/**
 * A service's body for an HTTP error; nothing for a status that it never has, which only a proxy before it
 * answers.
 */
export type Surface = (status: number, message: string) => SurfaceError | undefined;

const json = (status: number, body: object): SurfaceError => ({
  status,
  body: JSON.stringify(body),
});

const execution: Surface = (status, message) =>
  isErrorStatus(status) ? json(status, errorBody(status, message)) : undefined;

const affiliate: Surface = (status, message) => {
  if (!isErrorStatus(status)) return undefined;
  const entity = status >= 500 ? 'system' : 'request';
  return json(status, { code: status, message, entity } satisfies AffiliateError);
};

/** Requests per second of the exchange order service, in its rate-limit error. */
const REQUESTS_PER_SECOND = 10;

/** The exchange order service has errors of JSON-RPC, which go with status 200. */
const exchangeOrders: Surface = (status) => {
  const answered = (own: number, error: Parameters<typeof errorText>[1]): SurfaceError => ({
    status: own,
    body: errorText(null, error),
  });
  if (status === 429) return answered(200, EXCHANGE_ERRORS.requestsLimit(REQUESTS_PER_SECOND));
  if (status === 500) return answered(200, EXCHANGE_ERRORS.internal());
  return status < 500 ? answered(status, EXCHANGE_ERRORS.noRequest()) : undefined;
};

const OF_NODE: ReadonlySet<number> = new Set([400, 404, 413, 415, 429, 500, 503]);

const chains: Surface = (status, message) =>
  OF_NODE.has(status) ? json(status, { code: 'request-invalid', message }) : undefined;

const SURFACES: readonly (readonly [string, Surface])[] = [
  [EXECUTION_PREFIX, execution],
  [AFFILIATE_PREFIX, affiliate],
  [EXCHANGE_ORDERS_PATH, exchangeOrders],
  [CHAINS_PREFIX, chains],
];

/** The service besides the trading service that a path belongs to, even if the path does not exist. */
export const surfaceOf = (path: string): Surface | undefined =>
  SURFACES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
