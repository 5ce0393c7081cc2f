import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { isActive, outstandingLots, type VenueOrder } from '../../../src/model/order.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { Exact } from '../../kit/exact.ts';
import { runs, seed } from '../../kit/size.ts';
import { ordersOf, place } from '../journal/kit.ts';
import { BotModel, STRATEGY, type Outcome } from './bot-model.ts';

type Step =
  | {
      readonly kind: 'place' | 'list';
      readonly sells: boolean;
      readonly lots: number;
      readonly ticks: number;
      readonly arrives: boolean;
    }
  | {
      readonly kind: 'replace';
      readonly pick: number;
      readonly lots: number;
      readonly arrives: boolean;
    }
  | { readonly kind: 'cancel'; readonly pick: number; readonly arrives: boolean }
  | { readonly kind: 'fill'; readonly pick: number; readonly lots: number }
  | { readonly kind: 'expire'; readonly pick: number }
  | { readonly kind: 'stranger'; readonly lots: number }
  | { readonly kind: 'late' | 'kill' | 'reconcile' };

/** A step, what becomes of the reports that it leads to, and the time that passes after it. */
interface Move {
  readonly step: Step;
  readonly fates: readonly Outcome[];
  readonly us: number;
}

const pick = fc.nat(30);
const lots = fc.integer({ min: 1, max: 9 });
const arrives = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('place' as const), sells: fc.boolean(), lots, ticks: fc.integer({ min: 1, max: 5_000 }), arrives }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const), sells: fc.boolean(), lots, ticks: fc.integer({ min: 1, max: 5_000 }), arrives }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('replace' as const), pick, lots, arrives }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick, arrives }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('fill' as const), pick, lots }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stranger' as const), lots }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('late' as const, 'kill' as const, 'reconcile' as const) }) },
); // prettier-ignore
const outcome = fc.constantFrom<Outcome>('heard', 'lost', 'lost', 'twice', 'late');
const us = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 * US_PER_SECOND }));
const move: fc.Arbitrary<Move> = fc.record({
  step,
  fates: fc.array(outcome, { maxLength: 3 }),
  us,
});

/** One of the orders that the bot believes open, as it would choose one. */
function chosen(bot: BotModel, at: number): string | undefined {
  const open = bot.journal.openOrders().filter(({ status }) => status !== 'pending');
  return open[at % open.length]?.clientOrderId;
}

class Run {
  readonly bot: BotModel;
  #count = 0;

  constructor(folder: string) {
    this.bot = new BotModel(folder);
  }

  #id(): string {
    this.#count += 1;
    return `ema-abcd-${String(this.#count).padStart(7, '0')}`;
  }

  #request(step: Extract<Step, { kind: 'place' | 'list' }>): void {
    const { bot } = this;
    const change = {
      side: step.sells ? 'sell' : 'buy',
      lots: step.lots as Lots,
      ticks: step.ticks as Ticks,
    } as const;
    if (step.kind === 'place') {
      bot.send(place(this.#id(), change), step.arrives);
      return;
    }
    const orders = [place(this.#id(), change), place(this.#id(), change)];
    const orderListId = orders[0].clientOrderId;
    const contingencyType = 'oneCancelOther';
    bot.send({ kind: 'placeList', orderListId, contingencyType, orders }, step.arrives);
  }

  move({ step, fates, us }: Move): void {
    const { bot } = this;
    const { venue } = bot;
    bot.foretell(fates);
    const active = (at: number): VenueOrder | undefined => venue.active[at % venue.active.length];
    switch (step.kind) {
      case 'place':
      case 'list':
        this.#request(step);
        break;
      case 'replace': {
        const clientOrderId = chosen(bot, step.pick);
        if (clientOrderId === undefined) break;
        const change = { symbol: 'BTCUSDT', lots: step.lots as Lots, ticks: 77 as Ticks };
        const newClientOrderId = this.#id();
        bot.send({ kind: 'replace', clientOrderId, newClientOrderId, ...change }, step.arrives);
        break;
      }
      case 'cancel': {
        const clientOrderId = chosen(bot, step.pick);
        if (clientOrderId === undefined) break;
        bot.send({ kind: 'cancel', clientOrderId, symbol: 'BTCUSDT' }, step.arrives);
        break;
      }
      case 'fill': {
        const order = active(step.pick);
        if (order === undefined) break;
        venue.fill(order, Math.min(step.lots, order.lots - order.filledLots));
        break;
      }
      case 'expire': {
        const order = active(step.pick);
        if (order !== undefined) venue.end(order.clientOrderId, 'expired');
        break;
      }
      case 'stranger':
        this.#count += 1;
        venue.take(place(`by-hand-${this.#count}`, { lots: step.lots as Lots }));
        break;
      case 'late':
        bot.receiveLate();
        break;
      case 'kill':
        bot.kill();
        break;
      case 'reconcile':
        bot.reconcile();
        break;
    }
    bot.foretell([]);
    bot.pass(us);
  }
}

/** Journal and engine have what the venue has, to the last digit. */
function expectTrue({ venue, journal, orders }: BotModel): void {
  let btc = new Exact(0);
  let usdt = new Exact(0);
  for (const order of ordersOf(journal, STRATEGY)) {
    const reported = venue.named(order.clientOrderId);
    const { clientOrderId, status, filledLots, fillIds } = order;
    const fills = venue.fills.filter((fill) => fill.clientOrderId === clientOrderId);
    const expected =
      reported === undefined
        ? { clientOrderId, status: 'rejected', filledLots: 0 }
        : { clientOrderId, status: reported.status, filledLots: reported.filledLots };
    expect({ clientOrderId, status, filledLots }).toEqual(expected);
    expect([...fillIds].sort((a, b) => a - b)).toEqual(fills.map(({ id }) => id));
    expect(journal.fillsOf(clientOrderId).map(({ id, fee }) => [id, fee.toFixed()])).toEqual(
      fills.map(({ id, fee }) => [id, fee.toFixed()]),
    );
    if (reported === undefined || isActive(reported.status)) {
      const own = orders.find(clientOrderId);
      const isForgotten = own === undefined && reported === undefined;
      if (!isForgotten) {
        expect([own?.status, own?.filledLots]).toEqual([status, filledLots]);
        const outstanding = reported === undefined ? 0 : reported.lots - reported.filledLots;
        expect(own && outstandingLots(own)).toBe(outstanding);
      }
    }
    for (const { side, ticks, lots: size, fee } of fills) {
      const sign = side === 'buy' ? 1 : -1;
      btc = btc.plus(new Exact('0.00001').times(size * sign));
      usdt = usdt
        .minus(new Exact('0.0000001').times(ticks).times(size * sign))
        .minus(fee.toFixed());
    }
  }
  const held = new Map(journal.holdings(STRATEGY).map((one) => [one.currency, one.change]));
  expect(held.get('BTC')?.toFixed() ?? '0').toBe(btc.toFixed());
  expect(held.get('USDT')?.toFixed() ?? '0').toBe(usdt.toFixed());
  const known = new Set(journal.openOrders().map(({ clientOrderId }) => clientOrderId));
  const ours = venue.active.filter(({ clientOrderId }) => clientOrderId.startsWith('ema-'));
  expect(known).toEqual(new Set(ours.map(({ clientOrderId }) => clientOrderId)));
}

/** Each story, done again, comes to the row of its order. */
function expectStories({ journal }: BotModel): void {
  journal.flush();
  const reader = JournalReader.open(journal.stateFile.path.replace('.state', '.sqlite'));
  reader.check();
  for (const { clientOrderId } of ordersOf(journal, STRATEGY)) {
    expect(reader.replay(clientOrderId).has(clientOrderId)).toBe(true);
  }
  reader.close();
}

test('whatever is lost, repeated, late or killed, journal and engine come to what the venue has', () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 5, maxLength: 40 }), (moves) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-chaos-'));
      const run = new Run(folder);
      try {
        for (const one of moves) run.move(one);
        const { bot } = run;
        bot.pass(60 * US_PER_SECOND);
        bot.reconcile();
        bot.reconcile();
        expectTrue(bot);
        // What comes late changes nothing any more.
        bot.receiveLate();
        expectTrue(bot);
        const before = bot.discrepancies.length;
        bot.reconcile();
        expect(bot.discrepancies.slice(before)).toEqual([]);
        bot.kill();
        bot.reconcile();
        bot.reconcile();
        expectTrue(bot);
        expectStories(bot);
      } finally {
        run.bot.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs(100), seed: seed(42) },
  );
}, 60_000);
