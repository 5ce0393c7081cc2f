import { createHash } from 'node:crypto';
import type { FeeQuery, WalletRequests } from '../../../exchange/requests/wallet.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';

/** The default fee level. */
export const DEFAULT_LEVEL = 'usual';

/** The level of a network that a request names; `undefined` for its usual fee. */
export const feeLevelOf = (id: string | undefined): string | undefined =>
  id === DEFAULT_LEVEL ? undefined : id;

/** Fee of a withdrawal at a level. */
export interface LevelFee {
  readonly fee_level_id: string;
  readonly name: string;
  readonly fee: Decimal;
  readonly currency: string;
}

/** The levels of a network: its usual fee, and its other ones. */
export function levelFees(
  wallet: WalletRequests,
  currency: string,
  code?: string,
): readonly LevelFee[] | Rejection {
  const network = wallet.network(currency, code);
  if (isRejection(network)) return network;
  const defaults = { id: DEFAULT_LEVEL, fee: network.payoutFee };
  return [defaults, ...network.feeLevels].map(({ id, fee }) => ({
    fee_level_id: id,
    name: id,
    fee,
    currency,
  }));
}

/** Fee of a deposit: zero, wherever deposits are taken. */
export function depositFee(wallet: WalletRequests, query: FeeQuery): Decimal | Rejection {
  const sound = wallet.fee(query);
  return isRejection(sound) ? sound : ZERO;
}

/** A hash of what withdrawals cost on every network of every currency, at every level. */
export const withdrawFeeHash = (wallet: WalletRequests): string =>
  hashOf(
    wallet.currencies.flatMap(({ code, networks }) =>
      networks.map((network) => [
        code,
        network.code,
        network.payoutFee,
        ...network.feeLevels.flatMap(({ id, fee }) => [id, fee]),
      ]),
    ),
  );

/** A hash of what deposits cost on every network of every currency. */
export const depositFeeHash = (wallet: WalletRequests): string =>
  hashOf(
    wallet.currencies.flatMap(({ code, networks }) =>
      networks.map((network) => [code, network.code, ZERO]),
    ),
  );

/** SHA-256 of the rows as JSON, in hexadecimal digits. */
const hashOf = (rows: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('hex');
