import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { slotName, type Holding, type Slot } from '../../../model/portfolio.ts';
import type { PortfolioModel } from './settings.ts';
import type { ModelledVenue } from './venue.ts';

/** What the account has to do with what is outside. */
export type AccountTransfers = Pick<ModelledVenue, 'pay' | 'receive'>;

/** What is outside, to be kept. */
export interface OutsideState {
  readonly wallets: readonly Holding[];
  readonly onWay: ReadonlyMap<string, Decimal>;
  readonly services: ReadonlyMap<string, Decimal>;
}

/**
 * The money outside of the account, kept by double entry: wallets, what is on its way, and what
 * services and networks hold. Nothing appears or is gone: what account, wallets, way and services
 * have of an asset together changes by nothing that happens here.
 */
export class OutsideFunds {
  readonly #account: AccountTransfers;
  readonly #wallets = new Map<string, Holding>();
  readonly #onWay: Map<string, Decimal>;
  readonly #services: Map<string, Decimal>;
  readonly #changed: (asset: string) => void;

  /**
   * Goes on from a state; see `outsideOf` for that of a beginning. `changed` is told of an asset of
   * which wallets and way together hold more or less than before.
   */
  constructor(
    { wallets, onWay, services }: OutsideState,
    account: AccountTransfers,
    changed: (asset: string) => void = () => undefined,
  ) {
    for (const wallet of wallets) this.#wallets.set(slotName(wallet), wallet);
    this.#onWay = new Map(onWay);
    this.#services = new Map(services);
    this.#account = account;
    this.#changed = changed;
  }

  get wallets(): readonly Holding[] {
    return [...this.#wallets.values()];
  }

  /** What is on its way, by asset. */
  get onWay(): ReadonlyMap<string, Decimal> {
    return this.#onWay;
  }

  /** What services and networks took less what they gave, by asset: their fees, and what was swapped. */
  get services(): ReadonlyMap<string, Decimal> {
    return this.#services;
  }

  /** What wallets and way hold of an asset. */
  held(asset: string): Decimal {
    return this.wallets
      .filter((one) => one.asset === asset)
      .reduce((sum, { amount }) => sum.plus(amount), this.#onWay.get(asset) ?? ZERO);
  }

  /** Sends from a wallet on its way; false where there is not so much. */
  leaveWallet(slot: Slot, amount: Decimal): boolean {
    const { amount: there } = this.#wallet(slot);
    if (there.lessThan(amount)) return false;
    this.#wallets.set(slotName(slot), { ...slot, amount: there.minus(amount) });
    add(this.#onWay, slot.asset, amount);
    return true;
  }

  /** Sends from the account on its way; false where there is not so much. */
  leaveAccount(asset: string, amount: Decimal): boolean {
    if (!this.#account.pay(asset, amount)) return false;
    add(this.#onWay, asset, amount);
    this.#changed(asset);
    return true;
  }

  /** What is on its way reaches a wallet. */
  reachWallet(slot: Slot, amount: Decimal): void {
    add(this.#onWay, slot.asset, amount.negated());
    const { amount: there } = this.#wallet(slot);
    this.#wallets.set(slotName(slot), { ...slot, amount: there.plus(amount) });
  }

  /** What is on its way reaches the account. */
  reachAccount(asset: string, amount: Decimal): void {
    add(this.#onWay, asset, amount.negated());
    if (!amount.isZero()) this.#account.receive(asset, amount);
    this.#changed(asset);
  }

  /** A service or a network takes of what is on its way; a negative amount is given. */
  take(asset: string, amount: Decimal): void {
    add(this.#onWay, asset, amount.negated());
    add(this.#services, asset, amount);
    this.#changed(asset);
  }

  #wallet({ asset, place }: Slot): Holding {
    return this.#wallets.get(slotName({ asset, place })) ?? { asset, place, amount: ZERO };
  }
}

const add = (amounts: Map<string, Decimal>, asset: string, amount: Decimal): void =>
  void amounts.set(asset, (amounts.get(asset) ?? ZERO).plus(amount));

/** What is outside at the beginning, by a model: its wallets, and nothing on its way. */
export const outsideOf = ({ wallets }: Pick<PortfolioModel, 'wallets'>): OutsideState => ({
  wallets: [...wallets].flatMap(([place, assets]) =>
    [...assets].map(([asset, amount]) => ({ asset, place, amount })),
  ),
  onWay: new Map(),
  services: new Map(),
});
