import {
  methodLimit,
  V3_TRADING_LIMITS,
  V3_WALLET_LIMITS,
  v2MethodLimit,
} from '../../../wire/trading/limits.ts';
import type { Access } from '../../../wire/trading/rights.ts';
import type { Gate, ServiceLimits } from '../limits.ts';

/** The limit of a socket's method; none if absent. */
export type Quota = (limits: ServiceLimits, method: string, access: Access) => Gate | undefined;

/** Messages to the market data socket of version 3 have no limit; only its connections do. */
export const unlimited: Quota = () => undefined;

export const v3TradingQuota: Quota = (limits, method) => {
  const name = methodLimit(V3_TRADING_LIMITS, method);
  return name === undefined ? undefined : limits.gate(limits.trading, [name]);
};

export const v3WalletQuota: Quota = (limits, method) => {
  const name = methodLimit(V3_WALLET_LIMITS, method);
  return name === undefined ? undefined : limits.gate(limits.wallet, [name]);
};

/** Methods of version 2 count with the calls that they are like. */
export const v2Quota: Quota = (limits, _method, access) =>
  limits.gate(limits.v2, [v2MethodLimit(access)]);
