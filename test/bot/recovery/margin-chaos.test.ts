import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateText } from '../../../src/bot/journal/margin-text.ts';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { runs, seed } from '../../kit/size.ts';
import { intent, place, START } from '../journal/kit.ts';
import { STRATEGY } from './bot-model.ts';
import { MarginBot } from './margin-bot.ts';

type Move =
  | { readonly kind: 'set'; readonly mode: MarginMode; readonly units: number; readonly leverage: number; readonly byHand: boolean }
  | { readonly kind: 'order'; readonly mode: MarginMode; readonly isEth: boolean; readonly sells: boolean; readonly lots: number; readonly byHand: boolean }
  | { readonly kind: 'fill'; readonly pick: number; readonly lots: number; readonly ticks: number }
  | { readonly kind: 'pay'; readonly mode: MarginMode; readonly cents: number; readonly isInterest: boolean }
  | { readonly kind: 'liquidate'; readonly mode: MarginMode; readonly isEth: boolean; readonly cents: number }
  | { readonly kind: 'reconcile'; readonly killAt: number | undefined }
  | { readonly kind: 'cut' | 'kill' | 'crash' }; // prettier-ignore

const mode = fc.constantFrom<MarginMode>('isolated', 'cross');
const lots = fc.integer({ min: 1, max: 9 });
const of = <T extends string>(kind: T): fc.Arbitrary<T> => fc.constant(kind);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: of('set'), mode, units: fc.integer({ min: 0, max: 5 }), leverage: fc.integer({ min: 1, max: 3 }), byHand: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: of('order'), mode, isEth: fc.boolean(), sells: fc.boolean(), lots, byHand: fc.nat(3).map((n) => n === 0) }) },
  { weight: 8, arbitrary: fc.record({ kind: of('fill'), pick: fc.nat(30), lots, ticks: fc.integer({ min: 900, max: 1_100 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('pay'), mode, cents: fc.integer({ min: 1, max: 99 }), isInterest: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: of('liquidate'), mode, isEth: fc.boolean(), cents: fc.integer({ min: 1, max: 99 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: of('reconcile'), killAt: fc.option(fc.nat(4), { nil: undefined }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'cut' as const, 'kill' as const, 'crash' as const) }) },
); // prettier-ignore

class Run {
  readonly bot: MarginBot;
  #count = 0;

  constructor(folder: string) {
    this.bot = new MarginBot(folder);
    // Both accounts are the strategy's from the beginning.
    for (const one of ['isolated', 'cross'] as const) this.#set(one, 3, 2);
    this.bot.reconcile();
    this.bot.flush();
  }

  #set(one: MarginMode, units: number, leverage: number): void {
    const { venue, journal } = this.bot;
    const [balance, most] = [decimal(String(units * 1_000)), decimal(String(leverage))];
    journal.intendMargin(STRATEGY, { kind: 'setMargin', symbol: 'BTCUSDT', mode: one, balance, leverage: most }); // prettier-ignore
    venue.set(one, balance, most);
  }

  move(one: Move): void {
    const { bot } = this;
    const { venue } = bot;
    venue.now = micros(venue.now + 1_000);
    if (one.kind !== 'crash') bot.flush();
    switch (one.kind) {
      case 'set':
        if (one.byHand)
          venue.set(one.mode, new Decimal(one.units * 1_000), new Decimal(one.leverage)); // prettier-ignore
        else this.#set(one.mode, one.units, one.leverage);
        return;
      case 'order':
        this.#order(one);
        return;
      case 'fill': {
        const order = venue.active[one.pick % venue.active.length];
        if (order === undefined) return;
        venue.fill(order, Math.min(one.lots, order.lots - order.filledLots), one.ticks);
        return;
      }
      case 'pay':
        venue.pay(one.mode, one.cents, one.isInterest ? 'interest' : 'funding');
        return;
      case 'liquidate':
        venue.liquidate(one.mode, one.isEth ? 'ETHUSDT' : 'BTCUSDT', one.cents);
        return;
      case 'reconcile':
        bot.reconcile(one.killAt);
        return;
      case 'cut':
        bot.cut();
        return;
      case 'kill':
      case 'crash':
        bot.kill();
        // What happens until the next comparison is heard or not.
        bot.isCut = this.#count % 2 === 0;
        return;
    }
  }

  #order(one: Extract<Move, { kind: 'order' }>): void {
    const { venue, journal } = this.bot;
    this.#count += 1;
    const id = String(this.#count).padStart(7, '0');
    const request: PlaceRequest = place(one.byHand ? `by-hand-${id}` : `ema-abcd-${id}`, {
      symbol: one.isEth && one.mode === 'cross' ? 'ETHUSDT' : 'BTCUSDT',
      side: one.sells ? 'sell' : 'buy',
      lots: one.lots as Lots,
      ticks: 1_000 as Ticks,
      margin: { mode: one.mode },
    });
    if (!one.byHand) {
      journal.orders.request(request, { strategy: STRATEGY, managed: false, requestedAt: START });
      journal.intend([intent(request)]);
    }
    venue.place(request);
  }
}

/** The journal has what the venue has, to the last digit, and each event was told once. */
function expectTrue({ venue, journal, reported }: MarginBot): void {
  for (const one of ['isolated', 'cross'] as const) {
    const state = venue.state(one);
    const kept = journal.margin.all().find(({ state: known }) => known?.mode === one)?.state;
    if (state?.isOpen === true) expect(kept && stateText(kept)).toBe(stateText(state));
    else expect(kept?.isOpen ?? false).toBe(false);
  }
  const [usdt] = journal.holdings(STRATEGY).filter(({ currency }) => currency === 'USDT');
  expect(usdt?.change.negated().toFixed()).toBe(venue.brought.toFixed());
  const payments = reported.flatMap(({ report: { carry, position, at } }) =>
    carry === undefined
      ? []
      : [`${position?.id ?? 0} ${at} ${carry.kind} ${carry.amount.toFixed()}`],
  );
  expect([...payments].sort()).toEqual(
    venue.carries
      .map(({ positionId, at, carry }) => `${positionId ?? 0} ${at} ${carry.kind} ${carry.amount.toFixed()}`)
      .sort(),
  ); // prettier-ignore
  const liquidated = reported.flatMap(({ report: { end, position } }) =>
    end === 'liquidated' ? [position?.id ?? 0] : [],
  );
  const ended = venue.ended.flatMap(({ end, id }) => (end === 'liquidated' ? [id] : []));
  expect([...liquidated].sort((a, b) => a - b)).toEqual(ended);
}

test('funds of an account that the new connection shows before its opening is reported are its strategy’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-margin-'));
  const bot = new MarginBot(folder);
  try {
    const [balance, leverage] = [decimal('3000'), decimal('2')];
    bot.journal.intendMargin(STRATEGY, { kind: 'setMargin', symbol: 'BTCUSDT', mode: 'cross', balance, leverage }); // prettier-ignore
    bot.kill();
    bot.isCut = true;
    bot.venue.set('cross', balance, leverage);
    bot.connect();
    bot.reconcile();
    expectTrue(bot);
  } finally {
    bot.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('whatever is missed of margin accounts is reported once, and journal and venue agree to the last digit', () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 5, maxLength: 40 }), (moves) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-margin-'));
      const run = new Run(folder);
      try {
        for (const one of moves) run.move(one);
        const { bot } = run;
        bot.venue.now = micros(bot.venue.now + 1_000);
        bot.flush();
        // An account that is gone is believed the second time.
        for (let n = 0; n < 2; n += 1) bot.reconcile();
        expectTrue(bot);
        const before = bot.discrepancies.length;
        const reports = bot.reported.length;
        bot.reconcile();
        expect(bot.discrepancies.slice(before)).toEqual([]);
        expect(bot.reported.slice(reports)).toEqual([]);
        bot.kill();
        bot.reconcile();
        expect(bot.discrepancies.slice(before)).toEqual([]);
        expectTrue(bot);
      } finally {
        run.bot.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs(150), seed: seed(7) },
  );
}, 60_000);
