import type { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { micros, US_PER_HOUR, type Micros } from '../../../platform/time.ts';
import { outcomeOf } from '../../trading/account/rejections.ts';

/**
 * The calls of the trading service by which an account is moved, with what routes read of the answers:
 * those of `TradingClient` over the network, or of the simulated service in this process.
 */
export interface AccountService {
  getCurrency(of: { readonly currency: string }): Promise<CurrencyRow>;
  estimateFee(of: FeeQuestion): Promise<{ readonly fee: Decimal }>;
  estimateDepositFee(of: FeeQuestion): Promise<{ readonly fee: Decimal }>;
  getAddresses(of: {
    readonly currency: string;
    readonly network_code: string;
  }): Promise<readonly { readonly address: string; readonly payment_id?: string | undefined }[]>;
  getWalletBalance(of: { readonly currency: string }): Promise<{ readonly available: Decimal }>;
  getSpotBalance(of: { readonly currency: string }): Promise<{ readonly available: Decimal }>;
  transfer(request: {
    readonly currency: string;
    readonly amount: Decimal;
    readonly source: 'wallet' | 'spot';
    readonly destination: 'wallet' | 'spot';
  }): Promise<unknown>;
  withdraw(request: WithdrawalForm): Promise<{ readonly id: string }>;
  commitWithdrawal(of: { readonly id: string }): Promise<unknown>;
  rollBackWithdrawal(of: { readonly id: string }): Promise<unknown>;
  getTransaction(of: { readonly tx_id: string }): Promise<WalletRow>;
  getTransactions(query: {
    readonly types: Wanted['type'][];
    readonly currencies: string[];
    readonly from: Micros;
    readonly limit: number;
    readonly offset: number;
  }): Promise<readonly WalletRow[]>;
  getSymbol(of: { readonly symbol: string }): Promise<SymbolRow>;
  getSpotFee(of: { readonly symbol: string }): Promise<{ readonly take_rate: Decimal }>;
  getOrderBook(of: { readonly symbol: string; readonly depth: number }): Promise<{
    readonly bid: readonly (readonly [Decimal, Decimal])[];
    readonly ask: readonly (readonly [Decimal, Decimal])[];
  }>;
  createSpotOrder(form: OrderForm): Promise<OrderRow>;
  getSpotOrderHistory(of: { readonly client_order_id: string }): Promise<readonly OrderRow[]>;
  getSpotTradeHistory(of: {
    readonly order_id: number;
    readonly symbol: string[];
  }): Promise<readonly TradeRow[]>;
}

interface CurrencyRow {
  readonly payout_enabled: boolean;
  readonly precision_transfer: Decimal;
  readonly networks: readonly {
    readonly network: string;
    readonly payout_enabled: boolean;
    readonly precision_payout: Decimal;
    readonly avg_processing_time?: Decimal | undefined;
  }[];
}

interface FeeQuestion {
  readonly currency: string;
  readonly amount: Decimal;
  readonly network_code: string;
}

/** A withdrawal request. */
export interface WithdrawalForm extends Omit<FeeQuestion, 'amount'> {
  readonly amount: string;
  readonly address: string;
  readonly payment_id?: string;
  readonly public_comment: string;
  readonly include_fee: false;
  readonly auto_commit: false;
  readonly use_offchain: 'never';
}

/** A wallet movement as the service reports it. */
export interface WalletRow {
  readonly status: 'CREATED' | 'PENDING' | 'FAILED' | 'SUCCESS' | 'ROLLED_BACK';
  readonly subtype?: string | undefined;
  readonly created_at: Micros;
  readonly updated_at: Micros;
  readonly native?:
    | {
        readonly tx_id: string;
        readonly amount: Decimal;
        readonly hash?: string | undefined;
        readonly fee?: Decimal | undefined;
        readonly public_comment?: string | undefined;
        readonly error_code?: string | undefined;
      }
    | undefined;
}

interface SymbolRow {
  readonly status: string;
  readonly tick_size: Decimal;
  readonly quantity_increment: Decimal;
  readonly fee_currency: string;
  readonly quote_currency: string;
}

/** A FOK limit order. */
export interface OrderForm {
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit';
  readonly time_in_force: 'FOK';
  readonly quantity: string;
  readonly price: string;
  readonly strict_validate: true;
}

export interface OrderRow {
  readonly id: number;
  readonly status: string;
  readonly quantity_cumulative: Decimal;
  readonly trades?: readonly TradeRow[] | undefined;
}

export interface TradeRow {
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly fee: Decimal;
  readonly timestamp: Micros;
}

/**
 * The service's rejection of a request that surely was not done. Throws the error again if that is not
 * sure, or if there was no answer: then the request is repeated once its outcome is known.
 */
export function rejectionIn(error: unknown): Rejection {
  const outcome = outcomeOf(error);
  if (outcome.kind === 'outcome-unknown' || outcome.rejection.code === 'venue-unreachable')
    throw error;
  return outcome.rejection;
}

/** The same for a read, whose outcome does not matter: there is no offer then. */
export function noOffer(error: unknown): Rejection {
  const outcome = outcomeOf(error);
  if (outcome.kind === 'rejected') return outcome.rejection;
  if (!(error instanceof MillraceError)) throw error;
  return { code: 'venue-unreachable', message: error.message };
}

/** A number on a grid, rounded down: the rest stays. A step of 0 means no grid. */
export const floorTo = (value: Decimal, step: Decimal): Decimal =>
  step.isZero() ? value : value.dividedToIntegerBy(step).times(step);

const PAGE = 1_000;

/** Allowed lag of the clock here behind that of the service, for searches by time. */
const CLOCKS_APART_US = US_PER_HOUR;

/** Which movements of the wallet are looked for. */
export interface Wanted {
  readonly type: 'WITHDRAW' | 'DEPOSIT' | 'TRANSFER';
  readonly currency: string;
  /** Not made before, by the local clock. */
  readonly since: Micros;
}

/** The latest matching wallet movement, `undefined` if there is none. */
export async function findMovement(
  rest: AccountService,
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
