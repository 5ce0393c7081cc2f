import type { RouteOffer } from '../account/route.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import type { Slot } from '../../../model/portfolio.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { US_PER_HOUR } from '../../../platform/time.ts';
import type { MoveChange, MoveRecord } from '../../../swaps/execution/carrier.ts';
import type { TransfersInFlight, Leg, Posting } from './transfers-in-flight.ts';
import type { OutsideFunds } from './outside-funds.ts';
import type { ModelledRoute } from './route.ts';
import type { TransferModel } from './settings.ts';
import { meanOf } from './span.ts';

/** What a network charges is known beforehand. */
const VALID_US = US_PER_HOUR;

interface TransferParts {
  readonly model: TransferModel;
  readonly outside: OutsideFunds;
  readonly inFlight: TransfersInFlight;
}

/** Which way a transfer goes: how money leaves, and how it reaches or comes back. */
interface Way {
  readonly paying: string;
  leave(amount: Decimal): boolean;
  readonly reach: (amount: Decimal) => Posting;
  readonly comeBack: (amount: Decimal) => Posting;
}

/** A transfer between the account and a wallet of the same asset; its fee is taken of what is sent. */
class ModelledTransfer implements ModelledRoute {
  readonly from: Slot;
  readonly to: Slot;
  readonly paying: string;
  readonly #way: Way;
  readonly #parts: TransferParts;

  constructor(from: Slot, to: Slot, way: Way, parts: TransferParts) {
    this.from = from;
    this.to = to;
    this.paying = way.paying;
    this.#way = way;
    this.#parts = parts;
  }

  offer(send: Decimal): RouteOffer | Rejection {
    const fee = this.#fee;
    const arrives = send.minus(fee);
    if (!arrives.greaterThan(0)) {
      const message = `Of ${send.toFixed()} ${this.from.asset} the fee of ${fee.toFixed()} leaves nothing.`;
      return { code: 'amount-below-fee', message, limit: fee.toFixed() };
    }
    const durationUs = meanOf(this.#parts.model.takes);
    return { send, least: arrives, expected: arrives, validUs: VALID_US, durationUs, terms: {} };
  }

  pay({ id, send }: MoveRecord): Promise<MoveChange> {
    const { model, inFlight } = this.#parts;
    if (!this.#way.leave(send)) {
      const reason = `${send.toFixed()} ${this.from.asset} are not there any more.`;
      return Promise.resolve(inFlight.stand(id, { state: 'failed', reason }));
    }
    const comesBack = inFlight.happens(model.fails);
    const at = inFlight.after(inFlight.draw(model.takes));
    const leg = { at, ...(comesBack ? this.#return(send) : this.#arrival(send)) };
    const change = { state: 'deposited', data: { paid: true } } as const;
    return Promise.resolve(inFlight.stand(id, change, [leg]));
  }

  #arrival(send: Decimal): Omit<Leg, 'at'> {
    const arrived = send.minus(this.#fee);
    return {
      change: { state: 'fulfilled', arrived },
      postings: [
        { to: 'service', asset: this.from.asset, amount: this.#fee },
        this.#way.reach(arrived),
      ],
    };
  }

  #return(send: Decimal): Omit<Leg, 'at'> {
    const reason = 'The transfer failed and came back.';
    return {
      change: { state: 'refunded', refunded: send, reason },
      postings: [this.#way.comeBack(send)],
    };
  }

  get #fee(): Decimal {
    return this.#parts.model.fees.get(this.from.asset) ?? ZERO;
  }
}

/** From the account to a wallet. */
export function withdrawalRoute(account: Slot, wallet: Slot, parts: TransferParts): ModelledRoute {
  const { outside } = parts;
  const way: Way = {
    paying: 'withdraw',
    leave: (amount) => outside.leaveAccount(account.asset, amount),
    reach: (amount) => ({ to: 'wallet', slot: wallet, amount }),
    comeBack: (amount) => ({ to: 'account', asset: account.asset, amount }),
  };
  return new ModelledTransfer(account, wallet, way, parts);
}

/** From a wallet to the account. */
export function depositRoute(wallet: Slot, account: Slot, parts: TransferParts): ModelledRoute {
  const { outside } = parts;
  const way: Way = {
    paying: 'deposit',
    leave: (amount) => outside.leaveWallet(wallet, amount),
    reach: (amount) => ({ to: 'account', asset: account.asset, amount }),
    comeBack: (amount) => ({ to: 'wallet', slot: wallet, amount }),
  };
  return new ModelledTransfer(wallet, account, way, parts);
}
