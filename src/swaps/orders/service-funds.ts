import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { ChainTransaction, ChainWorld } from '../chains/chain-world.ts';
import { amountOf, lotsOf } from '../tokens.ts';
import type { OrderCurrency } from './currencies.ts';
import type { ExchangeOrder, Yield } from './order.ts';

/** Owner names of the service's money. */
const INVENTORY = 'exchange orders: inventory';
const NETWORK_FEES = 'exchange orders: network fees';
const SERVICE_FEES = 'exchange orders: fees';

/**
 * Moves the money of exchange orders on the chains: payouts and fees out of the service's inventory,
 * payments into it, refunds out of payin addresses. Network fees go to an address of the network's
 * operators, so that nothing is lost.
 */
export class ServiceFunds {
  readonly #chains: ChainWorld;

  constructor(chains: ChainWorld) {
    this.#chains = chains;
  }

  /** Address of the payout stock; the venue fills it. */
  inventoryAt = (network: string): string => this.#chains.addressOf(network, INVENTORY);

  /** Addresses of network fees, service fees, and a client's fees. */
  feesAt(network: string, of: 'network' | 'service' | { readonly client: string }): string {
    if (of === 'network') return this.#chains.addressOf(network, NETWORK_FEES);
    const owner = of === 'service' ? SERVICE_FEES : `${SERVICE_FEES} of ${of.client}`;
    return this.#chains.addressOf(network, owner);
  }

  /** A unique payin address. */
  payinAddress({ chain }: OrderCurrency, order: string): string {
    return this.#chains.addressOf(chain.code, `exchange orders: payin of ${order}`);
  }

  held({ terms, chain }: OrderCurrency): Decimal {
    return amountOf(this.#chains.balance(terms.id, this.inventoryAt(chain.code)), terms.decimals);
  }

  /** Pays a user and the fees, and collects the payment. All or nothing. */
  settle(
    order: ExchangeOrder,
    [from, to]: readonly [OrderCurrency, OrderCurrency],
    paid: Yield,
  ): ChainTransaction | Rejection {
    if (this.held(to).lessThan(paid.gross)) {
      const message = `The service has not so much ${to.ticker} now.`;
      return { code: 'liquidity-insufficient', message };
    }
    const lots = order.payin?.lots ?? 0n;
    if (this.#chains.balance(from.terms.id, order.payinAddress) < lots) {
      const message = `What was paid in is no longer at ${order.payinAddress}.`;
      return { code: 'funds-insufficient', message };
    }
    const memo = order.payoutExtraId;
    const net = paid.amountTo.minus(paid.networkFee);
    const payout = this.#pay(to, order.payoutAddress, net, memo);
    if (isRejection(payout)) return payout;
    const network = to.chain.code;
    this.#payFee(to, this.feesAt(network, 'network'), paid.networkFee);
    this.#payFee(to, this.feesAt(network, 'service'), paid.serviceFee);
    this.#payFee(to, this.feesAt(network, { client: order.client }), paid.extraFee);
    const taken = this.#chains.transfer({
      token: from.terms.id,
      from: order.payinAddress,
      to: this.inventoryAt(from.chain.code),
      lots,
    });
    if (isRejection(taken)) throw new MillraceError('internal', taken.message);
    return payout;
  }

  /** Refunds all money of a payin address. */
  giveBack(
    { token, lots }: { readonly token: number; readonly lots: bigint },
    from: string,
    to: string,
    memo?: string,
  ): ChainTransaction | Rejection {
    return this.#chains.transfer({
      token,
      from,
      to,
      lots,
      memo,
    });
  }

  #pay(
    currency: OrderCurrency,
    to: string,
    amount: Decimal,
    memo?: string,
  ): ChainTransaction | Rejection {
    const { terms, chain } = currency;
    const lots = lotsOf(amount, terms.decimals) ?? 0n;
    return this.#chains.transfer({
      token: terms.id,
      from: this.inventoryAt(chain.code),
      to,
      lots,
      memo,
    });
  }

  #payFee(currency: OrderCurrency, to: string, amount: Decimal): void {
    if (!amount.isZero()) this.#pay(currency, to, amount);
  }
}
