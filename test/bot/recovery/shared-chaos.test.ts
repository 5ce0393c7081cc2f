import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { marginAccountId } from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import { micros } from '../../../src/platform/time.ts';
import { runs, seed } from '../../kit/size.ts';
import { BTC } from '../journal/kit.ts';
import { MODES } from './margin-bot.ts';
import { SharedBot } from './shared-bot.ts';
import {
  expectParts,
  expectReported,
  SharedRun,
  type Event,
  type Meanwhile,
  type Move,
} from './shared-run.ts';
import type { Owner } from './shared-twin.ts';

const mode = fc.constantFrom<MarginMode>('isolated', 'cross');
const owner = fc.constantFrom<Owner>('one', 'two', 'one', 'two', 'nobody');
const lots = fc.integer({ min: 1, max: 9 });
const of = <T extends string>(kind: T): fc.Arbitrary<T> => fc.constant(kind);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: of('fill'), pick: fc.nat(30), lots, ticks: fc.integer({ min: 900, max: 1_100 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('pay'), mode, cents: fc.integer({ min: 1, max: 99 }), isInterest: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: of('liquidate'), mode, isEth: fc.boolean(), cents: fc.integer({ min: 1, max: 99 }) }) },
); // prettier-ignore
const meanwhile: fc.Arbitrary<Meanwhile> = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'connect' as const) }) },
); // prettier-ignore
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 12, arbitrary: event },
  { weight: 4, arbitrary: fc.record({ kind: of('set'), owner, mode, units: fc.integer({ min: 1, max: 5 }), outcome: fc.constantFrom('heard' as const, 'unheard' as const, 'late' as const, 'never' as const), isKilled: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: of('order'), owner, mode, isEth: fc.boolean(), sells: fc.boolean(), lots }) },
  { weight: 2, arbitrary: fc.record({ kind: of('reconcile'), killAt: fc.option(fc.nat(4), { nil: undefined }), meanwhile: fc.array(meanwhile, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: of('connect') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('compare' as const, 'cut' as const, 'kill' as const, 'crash' as const) }) },
); // prettier-ignore

const order = (owner: Owner, sells: boolean, held: number): Move => ({ kind: 'order', owner, mode: 'isolated', isEth: false, sells, lots: held }); // prettier-ignore
const fill = (ticks: number, held = 9): Event => ({ kind: 'fill', pick: 0, lots: held, ticks });
/** Payments of one amount within a second are one to the journal. */
const paid = (cents: number): Event => ({
  kind: 'pay',
  mode: 'isolated',
  cents,
  isInterest: false,
});
const forced: Event = { kind: 'liquidate', mode: 'isolated', isEth: false, cents: 30 };
const set = (outcome: 'heard' | 'unheard' | 'late' | 'never', isKilled = true): Move => ({ kind: 'set', owner: 'one', mode: 'isolated', units: 5, outcome, isKilled }); // prettier-ignore
const reconcile = (...meanwhile: Meanwhile[]): Move => ({ kind: 'reconcile', killAt: undefined, meanwhile }); // prettier-ignore
const compare: Move = { kind: 'compare' };
const [connect, cut, kill] = [{ kind: 'connect' }, { kind: 'cut' }, { kind: 'kill' }] as const;
const LONG = [order('one', false, 9), fill(1_000), order('two', false, 5)] as const;

/** What happens between the last word of one connection and the comparison of the next. */
const CASES: readonly (readonly [string, readonly Move[]])[] = [
  ['a setting that was done, and its answer was lost with the process', [set('unheard')]],
  ['a setting that was done, and its answer was lost with the connection', [set('unheard', false)]],
  ['a setting that was not done', [set('never')]],
  ['a setting that was done behind the first report of the new connection', [set('late'), connect]],
  ['a setting and fills', [order('two', true, 9), set('unheard'), fill(1_050)]],
  ['fills of both before the account is reported', [...LONG, kill, fill(1_010), connect]],
  ['a payment between two fills', [...LONG, cut, paid(49), fill(1_010), paid(48), connect, paid(47)]],
  ['a payment before a fill that was heard', [...LONG, cut, paid(46), connect, fill(1_020)]],
  ['a kill once a part of a position was closed', [order('one', false, 9), fill(1_000), order('two', true, 5), fill(1_050), kill]],
  ['a payment by a clock that is behind', [...LONG, fill(990), kill, paid(21), { ...connect, aheadUs: -5_000 }]],
  ['a payment by a clock that is ahead', [...LONG, fill(990), kill, { ...connect, aheadUs: 5_000 }, paid(22)]],
  ['a forced close', [...LONG, fill(990), kill, forced]],
  ['a forced close behind the first report of the new connection', [...LONG, fill(990), kill, connect, forced]],
  ['a fill, and then a forced close behind the first report', [...LONG, kill, fill(990), connect, forced]],
  ['a fill of others', [order('nobody', false, 9), ...LONG, kill, fill(980), fill(970), connect]],
  ['a payment and a connection, and a truth of before', [...LONG, reconcile(cut, paid(43), connect)]],
  ['a forced close between connections, and a truth of the first', [...LONG, fill(990), reconcile(cut, forced), connect]],
  ['a forced close between connections, and a comparison before it without a connection', [...LONG, fill(990), cut, compare, forced, connect]],
  ['what happens while the truth is read', [...LONG, cut, connect, reconcile(paid(45), fill(1_010), forced)]],
]; // prettier-ignore

test.each(CASES)('each part of a shared account is its own after %s', (_, moves) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
  const run = new SharedRun(folder);
  try {
    for (const one of [...moves, reconcile()]) run.move(one);
    expectParts(run.bot);
    for (const one of [set('heard'), kill, reconcile()]) run.move(one);
    expectParts(run.bot);
    expectReported(run.bot);
  } finally {
    run.bot.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an account stays shared while another strategy may get funds there by a setting that is not answered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
  const bot = new SharedBot(folder);
  try {
    bot.ask('one', 'isolated', 4)();
    bot.flush();
    const arrive = bot.ask('two', 'isolated', 3);
    bot.cut();
    arrive();
    bot.kill();
    const marginAccount = marginAccountId(BTC, 'isolated');
    expect(bot.journal.marginAccounts((margin) => margin.unshare(marginAccount))).toBe(false);
    bot.reconcile();
    expectParts(bot);
  } finally {
    bot.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('whatever is missed of a shared account, each strategy has its part of it, and what is nobody’s is what others did', () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 5, maxLength: 40 }), fc.boolean(), (moves, isOpen) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
      const run = new SharedRun(folder, isOpen);
      const { bot } = run;
      try {
        for (const one of moves) {
          run.move(one);
          if (!MODES.some((each) => bot.waits(each))) expectParts(bot);
        }
        bot.connect();
        run.arrive();
        bot.venue.now = micros(bot.venue.now + 1_000);
        bot.flush();
        bot.reconcile();
        expectParts(bot);
        const before = bot.discrepancies.length;
        bot.reconcile();
        expect(bot.discrepancies.slice(before)).toEqual([]);
        bot.kill();
        bot.reconcile();
        expect(bot.discrepancies.slice(before)).toEqual([]);
        expectParts(bot);
        expectReported(bot);
      } finally {
        bot.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs(300), seed: seed(8) },
  );
}, 120_000);
