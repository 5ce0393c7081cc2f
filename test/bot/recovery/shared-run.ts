import { expect } from 'vitest';
import { ZERO, type Decimal } from '../../../src/model/decimal.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { cashOf, lotsAt, NO_PARTS, shareOf } from '../../../src/rules/margin/shared-account.ts';
import { place } from '../journal/kit.ts';
import { MODES } from './margin-bot.ts';
import { SharedBot, SYMBOLS } from './shared-bot.ts';
import { OWNERS, type Owner } from './shared-twin.ts';

/** What happens at the venue. */
export type Event =
  | { readonly kind: 'fill'; readonly pick: number; readonly lots: number; readonly ticks: number }
  | { readonly kind: 'pay'; readonly mode: MarginMode; readonly cents: number; readonly isInterest: boolean }
  | { readonly kind: 'liquidate'; readonly mode: MarginMode; readonly isEth: boolean; readonly cents: number }; // prettier-ignore

/** What can happen while a snapshot is read. */
export type Meanwhile =
  | Event
  | { readonly kind: 'cut' }
  | { readonly kind: 'connect'; readonly aheadUs?: number };

/** That, what the bot does, and what becomes of its connection and its process. */
export type Move =
  | Event
  | { readonly kind: 'set'; readonly owner: Owner; readonly mode: MarginMode; readonly units: number; readonly outcome: 'heard' | 'unheard' | 'late' | 'never'; readonly isKilled: boolean }
  | { readonly kind: 'order'; readonly owner: Owner; readonly mode: MarginMode; readonly isEth: boolean; readonly sells: boolean; readonly lots: number }
  | { readonly kind: 'reconcile'; readonly killAt: number | undefined; readonly meanwhile: readonly Meanwhile[] }
  | { readonly kind: 'connect'; readonly aheadUs?: number } | { readonly kind: 'compare' | 'cut' | 'kill' | 'crash' }; // prettier-ignore

/** A bot and its twin while moves are made. */
export class SharedRun {
  readonly bot: SharedBot;
  #count = 0;
  /** A setting that has left and has not arrived. */
  #late: (() => void) | undefined;
  /** The account of a setting of which nobody knows whether it was done. */
  #open: MarginMode | undefined;
  /** The account of a setting whose answer is not in the file. */
  #unflushed: MarginMode | undefined;

  /** Of a bot whose accounts are there, or are opened by what is done with them. */
  constructor(folder: string, isOpen = true) {
    this.bot = new SharedBot(folder);
    for (const each of isOpen ? MODES : [])
      for (const name of ['one', 'two'] as const) this.bot.ask(name, each, 3)();
    this.bot.flush();
  }

  move(one: Move): void {
    const { bot } = this;
    bot.venue.now = micros(bot.venue.now + 1_000);
    if (one.kind !== 'crash') {
      bot.flush();
      this.#unflushed = undefined;
    }
    switch (one.kind) {
      case 'set':
        this.#set(one);
        return;
      case 'order':
        this.#order(one);
        return;
      case 'reconcile': {
        const { killAt, meanwhile } = one;
        bot.reconcile(killAt, () => {
          for (const each of meanwhile) {
            bot.venue.now = micros(bot.venue.now + 1_000);
            if (each.kind === 'cut' || each.kind === 'connect') this.move(each);
            else this.#happens(each);
          }
        });
        if (this.#late === undefined) this.#open = undefined;
        return;
      }
      case 'connect':
        bot.connect(one.aheadUs);
        this.arrive();
        return;
      case 'compare':
        bot.compare();
        return;
      case 'cut':
        bot.cut();
        return;
      case 'kill':
      case 'crash':
        bot.kill();
        this.#open ??= this.#unflushed;
        return;
      default:
        this.#happens(one);
    }
  }

  /** What was late is there. */
  arrive(): void {
    this.#late?.();
    this.#late = undefined;
  }

  #happens(one: Event): void {
    const { bot } = this;
    const { active } = bot.venue;
    if (one.kind === 'fill') {
      const order = active[one.pick % active.length];
      if (order === undefined) return;
      bot.fill(order, Math.min(one.lots, order.lots - order.filledLots), one.ticks);
    } else if (one.kind === 'pay')
      bot.pay(one.mode, one.cents, one.isInterest ? 'interest' : 'funding');
    else bot.liquidate(one.mode, SYMBOLS[one.isEth ? 1 : 0] ?? '', one.cents);
  }

  #set({ owner: name, mode: at, units, outcome, isKilled }: Extract<Move, { kind: 'set' }>): void {
    const { bot } = this;
    // Whose of two settings that nobody heard of what was, nobody can say.
    if (this.#open !== undefined) return;
    if (name === 'nobody') {
      const present = bot.venue.state(at)?.balance ?? ZERO;
      bot.set(name, at, present.plus(units), 'others');
      if (bot.waits(at)) this.#open = at;
      return;
    }
    if (bot.waits(at)) return;
    const arrive = bot.ask(name, at, units);
    if (outcome === 'heard') {
      arrive();
      this.#unflushed = at;
      return;
    }
    if (isKilled) bot.kill();
    else bot.cut();
    this.#open = at;
    if (outcome === 'unheard') arrive();
    else if (outcome === 'late') this.#late = arrive;
  }

  #order(one: Extract<Move, { kind: 'order' }>): void {
    const { bot } = this;
    const isFunded = bot.twins[one.mode].parts[one.owner].brought.greaterThan(0);
    // Losses of a strategy without funds others bear.
    if (one.owner !== 'nobody' && (bot.isCut || !isFunded)) return;
    this.#count += 1;
    const id = String(this.#count).padStart(7, '0');
    bot.place(
      one.owner,
      place(one.owner === 'nobody' ? `by-hand-${id}` : `${one.owner}-abcd-${id}`, {
        symbol: SYMBOLS[one.isEth && one.mode === 'cross' ? 1 : 0] ?? '',
        side: one.sells ? 'sell' : 'buy',
        lots: one.lots as Lots,
        ticks: 1_000 as Ticks,
        margin: { mode: one.mode },
      }),
    );
  }
}

/** Payments are split to 12 decimals. */
const near = (one: Decimal, other: Decimal): boolean => one.minus(other).abs().lessThan('1e-8');

/** Each part is what its own trades, payments and settings made, and together they are the account to the last digit. */
export function expectParts(bot: SharedBot): void {
  for (const each of MODES) {
    const { parts = NO_PARTS } = bot.kept(each);
    const account = bot.venue.state(each);
    if (account === undefined) continue;
    const twin = bot.twins[each];
    let all = parts.foreign.cash;
    for (const name of OWNERS) {
      const { state } = shareOf(parts, name, account);
      const cash = name === 'nobody' ? parts.foreign.cash : cashOf(state);
      if (name !== 'nobody') all = all.plus(cash);
      for (const symbol of SYMBOLS) {
        const held = name === 'nobody' ? (parts.foreign.lots[symbol] ?? 0) : lotsAt(state, symbol);
        expect([each, name, symbol, held]).toEqual([each, name, symbol, twin.lots(name, symbol)]);
      }
      if (!near(cash, twin.parts[name].cash)) {
        expect([each, name, cash.toFixed()]).toEqual([each, name, twin.parts[name].cash.toFixed()]);
      }
    }
    expect(all.toFixed()).toBe(cashOf(account).toFixed());
  }
  for (const name of ['one', 'two'] as const) {
    const [usdt] = bot.journal.holdings(name).filter(({ currency }) => currency === 'USDT');
    const brought = MODES.reduce(
      (sum, each) => sum.plus(bot.twins[each].parts[name].brought),
      ZERO,
    );
    expect((usdt?.change ?? ZERO).toFixed()).toBe(brought.negated().toFixed());
  }
}

/** Each was told of what it paid and received, once. */
export function expectReported(bot: SharedBot): void {
  for (const name of ['one', 'two'] as const) {
    const reported = bot.reported
      .filter(({ strategy }) => strategy === name)
      .reduce((sum, { report }) => sum.plus(report.carry?.amount ?? ZERO), ZERO);
    const paid = MODES.reduce((sum, each) => sum.plus(bot.twins[each].parts[name].paid), ZERO);
    if (!near(reported, paid)) expect(reported.toFixed()).toBe(paid.toFixed());
  }
}
