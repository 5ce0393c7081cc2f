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
  /** What a previous run has left in the journal of the account, whose name is for sentences. */
  readonly stored: string | undefined;
  readonly account: string;
  /** Whether transfers are under way that may have been paid. */
  readonly isMoving: boolean;
  /** Keeps what is to be left to the next run. */
  readonly keep: (text: string) => void;
}

/**
 * The simulated services of a paper bot, which go on after a restart where they were. They are state
 * machines: what is kept is where they began, and each input with its time, and what the account and
 * the prices said; a restart repeats that. When nothing is under way they begin anew from what is
 * held, so that little is repeated.
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
  /** Whether something has changed by the input or the timers that run. */
  #isChanged = false;
  /** What is to be repeated, while it is. */
  #repeated: StoredServices | undefined;

  /**
   * Throws `config-invalid` for services that are not those by which something is under way, and
   * `journal-invalid` where the repetition comes to something else than was kept.
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

  /** Nothing is under way: what has ended is forgotten, unless a service still has money of it. */
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

  /** Nothing happens by time any more. */
  close(): void {
    this.#current.close();
    this.#clock.close();
  }

  #newClock(): InputClock {
    return new InputClock(this.#startedAt, this.#parts.scheduler, () => this.#fire());
  }

  /** Does what was due meanwhile, each thing at its time, and goes by the present from then on. */
  #live(): void {
    this.#clock.catchUp();
    this.#clock.goLive();
    this.#isChanged = true;
    this.#fire();
  }

  /** Does all that is due, and keeps what has become of it. */
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

  /** Takes an input: once all that is due by now has happened, and at one time. */
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

  /** Repeats what a previous run did. */
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

  /** What the account says to what the services ask of it; what it said before is not asked again. */
  #answered<T>(ask: () => T): T {
    const known = this.#repeated?.answers[this.#answers.length];
    const answer = known === undefined ? ask() : (known as T);
    this.#answers.push(answer);
    return answer;
  }

  /** The price of now, or of the time that is repeated; the last one where there is none yet. */
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

/** Inputs by which nothing is agreed yet: what is known of them may be lost. */
const OFFERING: ReadonlySet<InputName> = new Set(['quote', 'fixRate', 'depositAddress']);

/** A journal that was begun by an earlier release has members of services under these names. */
const STORED_NAMES: ReadonlyMap<string, string> = new Map([
  ['holdings', 'slots'],
  ['location', 'place'],
]);

/** What must stay as it is while something is under way. */
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

/** What a beginning has, as settings say it. */
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

/** Wallets that are new begin as configured, those of before go on. */
function withNew(kept: readonly Holding[], configured: readonly Holding[]): readonly Holding[] {
  const known = new Set(kept.map(holdingName));
  return [...kept, ...configured.filter((wallet) => !known.has(holdingName(wallet)))];
}

const NOTHING_HELD: OutsideHoldings = { wallets: [], account: new Map() };

/** Whether more is on its way than what lies in the wallet of the account. */
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
