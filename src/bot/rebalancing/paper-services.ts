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
import { slotName, type Holding, type PriceOf } from '../../model/portfolio.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { TaskQueue } from '../../platform/task-queue.ts';
import { micros, type Micros } from '../../platform/time.ts';
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
  /** Whether moves are under way that may have been paid. */
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
  readonly #clock: RepeatingClock;
  readonly #seed: number;
  readonly #terms: string;
  #current: SimulatedServices;
  #chance: number;
  #startedAt: Micros;
  #beginning: OutsideHoldings;
  #inputs: StoredInput[] = [];
  #answers: unknown[] = [];
  #prices: StoredServices['prices'][number][] = [];
  #questions = 0;
  readonly #lastPrices = new Map<string, Decimal>();
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
    this.#seed = previous?.seed ?? random.uint32();
    this.#clock = new RepeatingClock(scheduler);
    this.#chance = isIdle ? random.uint32() : previous.chance;
    this.#startedAt = isIdle ? scheduler.now() : micros(previous.startedAt);
    const { held = NOTHING_HELD, beginning } = previous ?? {};
    const before = isIdle ? held : (beginning ?? held);
    this.#beginning = {
      ...before,
      wallets: withNew(before.wallets, initialHoldings(model).wallets),
    };
    if (!isIdle && previous.terms !== this.#terms) throw otherTerms();
    this.#clock.begin(this.#startedAt);
    this.#current = this.#open();
    if (!isIdle) this.#repeat(previous);
    this.#clock.live();
    this.#keep();
  }

  get current(): SimulatedServices {
    return this.#current;
  }

  /** Nothing is under way: what has ended is forgotten, unless a service still has money of it. */
  readonly idle = (): void => {
    const { holdings: held, onWay } = this.#current;
    if (isOnWay({ held, onWay })) return;
    this.#current.close();
    this.#beginning = held;
    this.#chance = this.#parts.random.uint32();
    this.#startedAt = this.#parts.scheduler.now();
    this.#inputs = [];
    this.#answers = [];
    this.#prices = [...this.#lastPrices].map(([asset, price]) => [0, asset, price]);
    this.#questions = 0;
    this.#clock.begin(this.#startedAt);
    this.#current = this.#open();
    this.#clock.live();
    this.#keep();
  };

  /** Nothing happens by time any more. */
  close(): void {
    this.#clock.close();
    this.#current.close();
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
      changed: () => this.#clock.whole(() => this.#keep()),
      input: (name, given) => {
        if (this.#repeated !== undefined) return;
        const { now, timers: after } = this.#clock;
        this.#inputs.push({ after, at: now(), name, given });
      },
    });
  }

  /** Repeats what a previous run did. */
  #repeat(previous: StoredServices): void {
    this.#repeated = previous;
    for (const { after, at, name, given } of previous.inputs) {
      this.#clock.runTo(after, at);
      const take = this.#current.inputs[name as InputName] as (
        ...of: readonly unknown[]
      ) => unknown;
      take(...given);
    }
    this.#clock.runTo(previous.timers, 0);
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
    if (this.#repeated !== undefined) return;
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
        timers: this.#clock.timers,
        held,
        onWay,
      }),
    );
  }
}

/** The clock of services whose past is repeated before they live: it shows the time of then. */
class RepeatingClock implements Scheduler {
  readonly #real: Scheduler;
  #queue = new TaskQueue();
  #at: number | undefined;
  #isRunning = false;
  #after: (() => void) | undefined;
  #cancel: Cancel = () => undefined;
  /** Timers that have run since the beginning. */
  timers = 0;

  constructor(real: Scheduler) {
    this.#real = real;
  }

  readonly now = (): Micros => (this.#at === undefined ? this.#real.now() : micros(this.#at));

  at(at: Micros, task: () => void): Cancel {
    const cancel = this.#queue.add(Math.max(at, this.now()), task);
    this.#arm();
    return cancel;
  }

  /** Begins anew at a time. */
  begin(at: Micros): void {
    this.#cancel();
    this.#queue = new TaskQueue();
    this.#at = at;
    this.timers = 0;
  }

  /** Runs timers until there were so many, and shows a time, unless it is later already. */
  runTo(timers: number, at: number): void {
    while (this.timers < timers && Number.isFinite(this.#queue.nextAt)) this.#run();
    this.#at = Math.max(at, this.now());
  }

  /** Does what was due meanwhile, each thing at its time, and goes by the real time from then on. */
  live(): void {
    while (this.#queue.nextAt <= this.#real.now()) this.#run();
    this.#at = undefined;
    this.#arm();
  }

  close(): void {
    this.#cancel();
    this.#queue = new TaskQueue();
  }

  /** Does something when the timer that runs now has come to its end; at once where none does. */
  whole(act: () => void): void {
    if (this.#isRunning) this.#after = act;
    else act();
  }

  #run(): void {
    if (this.#at !== undefined) this.#at = Math.max(this.#at, this.#queue.nextAt);
    this.timers += 1;
    this.#isRunning = true;
    try {
      this.#queue.run();
    } finally {
      this.#isRunning = false;
      const after = this.#after;
      this.#after = undefined;
      after?.();
    }
  }

  #arm(): void {
    if (this.#at !== undefined) return;
    this.#cancel();
    this.#cancel = () => undefined;
    const { nextAt } = this.#queue;
    if (!Number.isFinite(nextAt)) return;
    this.#cancel = this.#real.at(micros(nextAt), () => {
      while (this.#queue.nextAt <= this.#real.now()) this.#run();
      this.#arm();
    });
  }
}

/** What must stay as it is while something is under way. */
const termsText = (
  { wallets, decimals, networks, services }: PortfolioModel,
  { holds }: ServicesVenue,
): string => {
  const slots = [...wallets].map(([place, assets]) => [
    place,
    ...[...assets.keys()].map((asset) => [asset, holds(asset)]),
  ]);
  return JSON.stringify([slots, decimals, networks, services], (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );
};

/** What a beginning has, as settings say it. */
function walletsOf({ wallets }: OutsideHoldings): PortfolioModel['wallets'] {
  const places = new Map<string, Map<string, Decimal>>();
  for (const { asset, place, amount } of wallets) {
    places.set(place, (places.get(place) ?? new Map<string, Decimal>()).set(asset, amount));
  }
  return places;
}

/** Wallets that are new begin as configured, those of before go on. */
function withNew(kept: readonly Holding[], configured: readonly Holding[]): readonly Holding[] {
  const known = new Set(kept.map(slotName));
  return [...kept, ...configured.filter((wallet) => !known.has(slotName(wallet)))];
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
    ...wallets.map((one) => `${slotName(one)} ${one.amount.toFixed()}`),
    ...[...account, ...onWay].map(([asset, amount]) => `${asset} ${amount.toFixed()}`),
  ].join('\n');

const otherTerms = (): MillraceError =>
  new MillraceError(
    'config-invalid',
    'Something is under way by the services as they were configured before; put wallets, decimals, networks and services back until it has ended.',
    { field: 'portfolio.paper' },
  );
