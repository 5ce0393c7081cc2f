import {
  initialHoldings,
  SimulatedServices,
  type InputName,
  type OutsideHoldings,
  type ServicesVenue,
} from '../../gateways/rebalancing/simulated/services.ts';
import type { PortfolioModel } from '../../gateways/rebalancing/simulated/settings.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type Holding, type PriceOf } from '../../model/portfolio.ts';
import type { Random } from '../../platform/random.ts';
import { InputClock } from '../../platform/input-clock.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { renamed } from '../journal/stored-json.ts';
import {
  readStored,
  storedText,
  unreadablePortfolio,
  type StoredInput,
  type StoredServices,
} from './paper-text.ts';

export interface PaperServicesParts {
  readonly model: PortfolioModel;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly venue: ServicesVenue;
  readonly priceOf: PriceOf;
  /** State of the previous run, from the journal of the account. */
  readonly stored: string | undefined;
  /** Name of the account, for errors. */
  readonly account: string;
  /** True while transfers are under way that may have been paid. */
  readonly isMoving: boolean;
  /** Keeps the state for the next run. */
  readonly keep: (text: string) => void;
}

/**
 * The simulated services of a paper bot, which continue after a restart. They are state machines: the
 * journal keeps their initial state, each input with its time, and the answers of account and prices;
 * a restart replays these. When nothing is under way, present holdings become the initial state, so
 * that little is replayed.
 */
export class PaperServices {
  readonly #parts: PaperServicesParts;
  readonly #seed: number;
  readonly #terms: string;
  #clock: InputClock;
  #current: SimulatedServices;
  #chance: number;
  #startedAt: Micros;
  #beginning: OutsideHoldings;
  #inputs: StoredInput[] = [];
  #answers: unknown[] = [];
  #prices: StoredServices['prices'][number][] = [];
  #questions = 0;
  readonly #lastPrices = new Map<string, Decimal>();
  /** True where the present input or timers changed something. */
  #isChanged = false;
  /** The state that is replayed, while that lasts. */
  #repeated: StoredServices | undefined;

  /**
   * Throws `config-invalid` for other services than those of transfers under way, and
   * `journal-invalid` where the replay does not end in the stored state.
   */
  constructor(parts: PaperServicesParts) {
    const { model, scheduler, random, stored, account, isMoving } = parts;
    const previous = stored === undefined ? undefined : readStored(stored, account);
    const isIdle = previous === undefined || !(isMoving || isOnWay(previous));
    this.#parts = parts;
    this.#terms = termsText(model, parts.venue);
    if (!isIdle && previous.terms !== this.#terms) throw otherTerms();
    this.#seed = previous?.seed ?? random.uint32();
    this.#chance = isIdle ? random.uint32() : previous.chance;
    this.#startedAt = isIdle ? scheduler.now() : micros(previous.startedAt);
    const { held = NOTHING_HELD, beginning } = previous ?? {};
    const before = isIdle ? held : (beginning ?? held);
    this.#beginning = {
      ...before,
      wallets: withNew(before.wallets, initialHoldings(model).wallets),
    };
    this.#clock = this.#newClock();
    this.#current = this.#open();
    if (!isIdle) this.#repeat(previous);
    this.#live();
  }

  get current(): SimulatedServices {
    return this.#current;
  }

  /** Called when nothing is under way: drops what has ended, unless a service still has its money. */
  readonly idle = (): void => {
    const { holdings: held, onWay } = this.#current;
    if (isOnWay({ held, onWay })) return;
    this.close();
    this.#beginning = held;
    this.#chance = this.#parts.random.uint32();
    this.#startedAt = this.#clock.present;
    this.#inputs = [];
    this.#answers = [];
    this.#prices = [...this.#lastPrices].map(([asset, price]) => [0, asset, price]);
    this.#questions = 0;
    this.#clock = this.#newClock();
    this.#current = this.#open();
    this.#live();
  };

  /** Stops all timers. */
  close(): void {
    this.#current.close();
    this.#clock.close();
  }

  #newClock(): InputClock {
    return new InputClock(this.#startedAt, this.#parts.scheduler, () => this.#fire());
  }

  /** Runs the timers that were due meanwhile, each at its time, then follows the present. */
  #live(): void {
    this.#clock.catchUp();
    this.#clock.goLive();
    this.#isChanged = true;
    this.#fire();
  }

  /** Runs all timers that are due, and keeps the state. */
  #fire(): void {
    this.#runTo(this.#clock.present);
    this.#clock.release();
    this.#keep();
  }

  #runTo(at: number): void {
    while (this.#clock.nextAt <= at) this.#clock.runNext();
  }

  #open(): SimulatedServices {
    const { venue } = this.#parts;
    const model = { ...this.#parts.model, wallets: walletsOf(this.#beginning) };
    return new SimulatedServices({
      model,
      scheduler: this.#clock,
      seed: this.#seed,
      chance: this.#chance,
      priceOf: (asset) => this.#priceOf(asset),
      venue: {
        holds: (currency) => venue.holds(currency),
        pay: (...given) => this.#answered(() => venue.pay(...given)),
        receive: (...given) => {
          this.#answered(() => {
            venue.receive(...given);
            return true;
          });
        },
        trade: (order) => this.#answered(() => venue.trade(order)),
      },
      holdings: this.#beginning,
      changed: () => {
        this.#isChanged = true;
      },
      input: (...input) => this.#take(...input),
    });
  }

  /** Takes an input after all timers due by now, at one time. */
  #take(name: InputName, given: readonly unknown[], take: () => unknown): unknown {
    if (this.#repeated !== undefined) return take();
    this.#fire();
    this.#clock.holdAt(this.#clock.present);
    this.#inputs.push({ at: this.#clock.now(), name, given });
    try {
      return take();
    } finally {
      this.#runTo(this.#clock.now());
      this.#clock.release();
      if (!OFFERING.has(name)) this.#isChanged = true;
      this.#keep();
    }
  }

  /** Replays a previous run. */
  #repeat(previous: StoredServices): void {
    this.#repeated = previous;
    for (const { at, name, given } of previous.inputs) {
      this.#runTo(at);
      this.#clock.holdAt(at);
      const take = this.#current.inputs[name as InputName] as (...of: unknown[]) => unknown;
      take(...given);
    }
    this.#runTo(previous.reachedAt);
    const { holdings: held, onWay } = this.#current;
    const isSame =
      textOf(held, onWay) === textOf(previous.held, previous.onWay) &&
      this.#answers.length === previous.answers.length;
    if (!isSame) throw unreadablePortfolio(this.#parts.account);
    this.#inputs = [...previous.inputs];
    this.#repeated = undefined;
  }

  /** An answer of the account to the services; during a replay the stored one. */
  #answered<T>(ask: () => T): T {
    const known = this.#repeated?.answers[this.#answers.length];
    const answer = known === undefined ? ask() : (known as T);
    this.#answers.push(answer);
    return answer;
  }

  /** The present price, or that of the replayed time; the last one where there is none. */
  #priceOf(asset: string): Decimal | undefined {
    this.#questions += 1;
    const isRepeated = this.#repeated !== undefined && this.#questions <= this.#repeated.questions;
    if (isRepeated) {
      const { prices = [] } = this.#repeated ?? {};
      for (
        let next = prices[this.#prices.length];
        next !== undefined && next[0] <= this.#questions;
        next = prices[this.#prices.length]
      ) {
        // prettier-ignore
        this.#prices.push(next);
        this.#lastPrices.set(next[1], next[2]);
      }
      return this.#lastPrices.get(asset);
    }
    const price = this.#parts.priceOf(asset) ?? this.#lastPrices.get(asset);
    if (price !== undefined && this.#lastPrices.get(asset)?.equals(price) !== true) {
      this.#prices.push([this.#questions, asset, price]);
      this.#lastPrices.set(asset, price);
    }
    return price;
  }

  #keep(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const { holdings: held, onWay } = this.#current;
    this.#parts.keep(
      storedText({
        seed: this.#seed,
        chance: this.#chance,
        terms: this.#terms,
        startedAt: this.#startedAt,
        beginning: this.#beginning,
        inputs: this.#inputs,
        answers: this.#answers,
        prices: this.#prices,
        questions: this.#questions,
        reachedAt: this.#clock.reached,
        held,
        onWay,
      }),
    );
  }
}

/** Inputs without effect on money: they may be lost. */
const OFFERING: ReadonlySet<InputName> = new Set(['quote', 'fixRate', 'depositAddress']);

/** Names that an earlier release gave to members of services. */
const STORED_NAMES: ReadonlyMap<string, string> = new Map([
  ['holdings', 'slots'],
  ['location', 'place'],
]);

/** Settings that may not change while something is under way. */
const termsText = (
  { wallets, decimals, networks, services }: PortfolioModel,
  { holds }: ServicesVenue,
): string => {
  const holdings = [...wallets].map(([location, assets]) => [
    location,
    ...[...assets.keys()].map((asset) => [asset, holds(asset)]),
  ]);
  return JSON.stringify([holdings, decimals, networks, services], (_, value: unknown) =>
    value instanceof Map ? [...value] : renamed(value, STORED_NAMES),
  );
};

/** The wallets of an initial state in the form of settings. */
function walletsOf({ wallets }: OutsideHoldings): PortfolioModel['wallets'] {
  const locations = new Map<string, Map<string, Decimal>>();
  for (const { asset, location, amount } of wallets) {
    locations.set(
      location,
      (locations.get(location) ?? new Map<string, Decimal>()).set(asset, amount),
    );
  }
  return locations;
}

/** New wallets begin as configured, others keep what they have. */
function withNew(kept: readonly Holding[], configured: readonly Holding[]): readonly Holding[] {
  const known = new Set(kept.map(holdingName));
  return [...kept, ...configured.filter((wallet) => !known.has(holdingName(wallet)))];
}

const NOTHING_HELD: OutsideHoldings = { wallets: [], account: new Map() };

/** True where more is on its way than the wallet of the account holds. */
const isOnWay = ({ held, onWay }: Pick<StoredServices, 'held' | 'onWay'>): boolean =>
  [...onWay].some(([asset, amount]) => !amount.equals(held.account.get(asset) ?? ZERO));

const textOf = (
  { wallets, account }: OutsideHoldings,
  onWay: ReadonlyMap<string, Decimal>,
): string =>
  [
    ...wallets.map((one) => `${holdingName(one)} ${one.amount.toFixed()}`),
    ...[...account, ...onWay].map(([asset, amount]) => `${asset} ${amount.toFixed()}`),
  ].join('\n');

const otherTerms = (): MillraceError =>
  new MillraceError(
    'config-invalid',
    'Something is under way by the services as they were configured before; put wallets, decimals, networks and services back until it has ended.',
    { field: 'portfolio.paper' },
  );
