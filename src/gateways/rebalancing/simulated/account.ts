import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import { decimal, ZERO, type Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { RequestRejected } from '../../trading/account/rejections.ts';
import type { Latency } from '../../simulated.ts';
import type {
  AccountService,
  OrderForm,
  OrderRow,
  WalletRow,
  WithdrawalForm,
} from '../account/service.ts';
import type { SimulatedServices, SimulatedTrade } from './services.ts';
import type { LocalVenue } from './venue.ts';
import type { LocalWire } from './wire.ts';

/** Levels of the book used by an offer. */
const LEVELS = 1_000;

export interface LocalAccountParts {
  readonly services: () => SimulatedServices;
  /** The account of the run, whose spot balances are those of the service. */
  readonly venue: LocalVenue;
  readonly instruments: readonly Instrument[];
  readonly latency: Latency;
  readonly wire: LocalWire;
}

/** The trading service of this process: the exchange of the run, with the simulated wallet. */
export class LocalAccount implements AccountService {
  readonly #parts: LocalAccountParts;

  constructor(parts: LocalAccountParts) {
    this.#parts = parts;
  }

  async getCurrency({ currency }: { readonly currency: string }) {
    const { wallet } = this.#wallet.exchange;
    const { terms, precisionTransfer, networks } = granted(wallet.currency(currency));
    return Promise.resolve({
      payout_enabled: terms.payoutEnabled,
      precision_transfer: precisionTransfer,
      networks: networks.map(({ code, precisionPayout, terms: its }) => ({
        network: code,
        payout_enabled: its.payoutEnabled,
        precision_payout: precisionPayout,
      })),
    });
  }

  async estimateFee(of: { currency: string; amount: Decimal; network_code: string }) {
    const { currency, amount, network_code: network } = of;
    const fee = this.#wallet.exchange.wallet.fee({ currency, amount, network });
    return Promise.resolve({ fee: granted(fee) });
  }

  async estimateDepositFee() {
    return Promise.resolve({ fee: ZERO });
  }

  async getAddresses({ currency, network_code }: { currency: string; network_code: string }) {
    const made = granted(this.#inputs.depositAddress(currency, network_code));
    return Promise.resolve([{ address: made.address, payment_id: made.paymentId }]);
  }

  async getWalletBalance({ currency }: { readonly currency: string }) {
    return Promise.resolve({ available: this.#wallet.available(currency) });
  }

  async getSpotBalance({ currency }: { readonly currency: string }) {
    return Promise.resolve({ available: this.#parts.venue.available(currency) });
  }

  async transfer(request: { currency: string; amount: Decimal; destination: 'wallet' | 'spot' }) {
    const { currency, amount, destination } = request;
    const rejection = this.#inputs.transfer(currency, amount, destination);
    if (rejection !== undefined) throw new RequestRejected(rejection);
    return Promise.resolve();
  }

  async withdraw({ currency, network_code, amount, address, public_comment }: WithdrawalForm) {
    const id = this.#inputs.withdraw({
      currency,
      network: network_code,
      amount: decimal(amount, 'amount'),
      address,
      publicComment: public_comment,
    });
    return Promise.resolve({ id: granted(id) });
  }

  async commitWithdrawal({ id }: { readonly id: string }) {
    return Promise.resolve(granted(this.#inputs.commit(id)));
  }

  async rollBackWithdrawal({ id }: { readonly id: string }) {
    return Promise.resolve(granted(this.#inputs.rollBack(id)));
  }

  async getTransaction({ tx_id }: { readonly tx_id: string }) {
    const { account, exchange } = this.#wallet;
    return Promise.resolve(rowOf(granted(exchange.wallet.transaction(account, tx_id))));
  }

  async getTransactions(query: Parameters<AccountService['getTransactions']>[0]) {
    const { account, exchange } = this.#wallet;
    return Promise.resolve(granted(exchange.wallet.transactions(account, query)).map(rowOf));
  }

  async getSymbol({ symbol }: { readonly symbol: string }) {
    const { tickSize, quantityIncrement, quoteCurrency, terms } = this.#instrument(symbol);
    return Promise.resolve({
      status: 'working',
      tick_size: tickSize,
      quantity_increment: quantityIncrement,
      fee_currency: terms.feeCurrency,
      quote_currency: quoteCurrency,
    });
  }

  async getSpotFee({ symbol }: { readonly symbol: string }) {
    return Promise.resolve({ take_rate: this.#instrument(symbol).takeRate });
  }

  async getOrderBook({ symbol }: { readonly symbol: string }) {
    const { venue } = this.#parts;
    return Promise.resolve({
      get bid() {
        return venue.levels(symbol, 'sell', LEVELS);
      },
      get ask() {
        return venue.levels(symbol, 'buy', LEVELS);
      },
    });
  }

  /** Placed when the request arrives, known from then on, answered when the answer is back. */
  async createSpotOrder(form: OrderForm): Promise<OrderRow> {
    const { wire, latency } = this.#parts;
    const { client_order_id: clientOrderId, symbol, side } = form;
    const instrument = this.#instrument(symbol);
    const lots = instrument.lotsExactly(decimal(form.quantity, 'quantity'));
    const ticks = instrument.ticksExactly(decimal(form.price, 'price'));
    if (lots === undefined || ticks === undefined) {
      throw new MillraceError('internal', `An order of a transfer is off the grid of ${symbol}.`);
    }
    await wire.pass(latency.orderUs);
    const known = this.#parts.services().trade(clientOrderId);
    const traded = known ?? this.#inputs.trade({ clientOrderId, symbol, side, lots, ticks });
    await wire.pass(latency.reportUs);
    return orderRow(granted(traded));
  }

  async getSpotOrderHistory({ client_order_id: id }: { readonly client_order_id: string }) {
    const trade = this.#parts.services().trade(id);
    return Promise.resolve(trade === undefined ? [] : [orderRow(trade)]);
  }

  /** All of an order is in the answer to it. */
  async getSpotTradeHistory() {
    return Promise.resolve([]);
  }

  get #wallet() {
    return this.#parts.services().wallet;
  }

  get #inputs() {
    return this.#parts.services().inputs;
  }

  #instrument(symbol: string): Instrument {
    const found = this.#parts.instruments.find((one) => one.symbol === symbol);
    if (found !== undefined) return found;
    throw new MillraceError('internal', `There is no ${symbol} in this run.`);
  }
}

/** The result, or the rejection as an error. */
function granted<T>(outcome: T | Rejection): T {
  if (isRejection(outcome)) throw new RequestRejected(outcome);
  return outcome;
}

const rowOf = (transaction: Transaction): WalletRow => ({
  status: transaction.status,
  subtype: transaction.subtype,
  created_at: transaction.createdAt,
  updated_at: transaction.updatedAt,
  native: {
    tx_id: transaction.txId,
    amount: transaction.amount,
    fee: transaction.fee,
    hash: transaction.hash,
    public_comment: transaction.publicComment,
    error_code: transaction.errorCode,
  },
});

function orderRow({ id, trades }: SimulatedTrade): OrderRow {
  const filled = trades.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  const status = trades.length === 0 ? 'expired' : 'filled';
  return { id, status, quantity_cumulative: filled, trades };
}
