import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { clearingTicks } from '../../../src/rules/margin/clearing-price.ts';
import { fundingPayment, fundingRate } from '../../../src/rules/margin/funding.ts';
import { interestCharge } from '../../../src/rules/margin/interest.ts';
import { effectiveLeverage } from '../../../src/rules/margin/leverage.ts';
import { equity, fundsFor, requirement } from '../../../src/rules/margin/maintenance.ts';
import { markPrice } from '../../../src/rules/margin/mark-price.ts';
import { entryPrice, valueAt } from '../../../src/rules/margin/position-value.ts';
import { orderReserve, positionReserve } from '../../../src/rules/margin/reserve.ts';
import { positionValueMax } from '../../../src/rules/margin/risk-limit.ts';
import { thresholdPrice } from '../../../src/rules/margin/threshold-price.ts';
import { FUND, instrument, MarginFloor, onMargin } from './kit.ts';

const PAGE = readFileSync(new URL('../../../docs/margin-and-futures.md', import.meta.url), 'utf8');

const blocks = (kind: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text);

/** The numbers of an example by their names; words stay out. */
type Terms = (name: string) => Decimal;

/** Each formula of the page, from named numbers; `word` is the last name without a number. */
const FORMULAS: Readonly<Record<string, (term: Terms, word: string) => Decimal | undefined>> = {
  'order reserve': (term) => orderReserve(term('v'), term('L'), term('f')),
  'position reserve': (term) =>
    positionReserve({
      value: term('N'),
      leverage: term('L'),
      rate: term('f'),
      loss: term('loss'),
      extraRate: term('extra'),
    }),
  'limit price': (term) =>
    thresholdPrice(
      {
        position: { quantity: term('q'), value: term('q').abs().times(term('E')) },
        funds: term('M'),
        rate: term('f'),
        leverage: term('L').times(term('mul')),
      },
      term('tick'),
    ),
  'entry price': (term) => entryPrice({ quantity: term('q'), value: term('N') }, term('tick')),
  'effective leverage': (term) =>
    effectiveLeverage(term('value'), term('equity'), term('places').toNumber()),
  'risk limit': (term) =>
    positionValueMax(
      { base: term('base'), power: term('power'), threshold: term('threshold') },
      term('L'),
    )?.toDecimalPlaces(term('places').toNumber()),
  cross: crossFigure,
  interest: (term) => interestCharge(term('value'), term('rate')),
  'mark price': (term) =>
    markPrice(term('index'), term('rate'), term('seconds').times(1e6).toNumber(), term('tick')),
  'funding rate': (term) => fundingRate(term('p')),
  funding: (term) => fundingPayment(term('q'), term('mark'), term('rate')),
  'clearing price': (term) =>
    clearingTicks(term('sum'), term('samples').toNumber(), term('tick')).times(term('tick')),
};

/** A figure of the cross account of the page. */
function crossFigure(term: Terms, word: string): Decimal | undefined {
  const common = { rate: term('f'), leverage: term('L').times(term('mul')) };
  const positions = [
    { quantity: decimal('0.1'), value: decimal('2000'), price: decimal('19500'), ...common },
    { quantity: decimal('-2'), value: decimal('3000'), price: decimal('1520'), ...common },
  ];
  const balance = term('balance');
  if (word === 'equity') return equity(balance, positions);
  if (word === 'requirement') return requirement(positions);
  if (word === 'leverage') {
    const value = positions.reduce((sum, one) => sum.plus(valueAt(one, one.price)), ZERO);
    return effectiveLeverage(value, equity(balance, positions));
  }
  const index = word === 'long' ? 0 : 1;
  const funds = fundsFor(balance, positions, index);
  return thresholdPrice({ position: positions[index], funds, ...common }, decimal('0.01'));
}

/** More published records, and cases at the bounds, in the form of the page. */
const RECORDS: readonly string[] = [
  'order reserve: v 0.0010001, L 10, f 0.0025 -> 0.000105260525',
  'order reserve: v 20000, L 10, f 0.001 -> 2042',
  'position reserve: N 0.0906486, L 10, f 0.0025 -> 0.00931414365',
  'position reserve: N 0.090616, L 10, f 0.0025, loss 0.0000009, extra 0.05 -> 0.01429562125',
  'position reserve: N 17.4847902, L 12, f 0.005 -> 1.55177513025',
  'position reserve: N 0.3338618, L 12, f 0.005 -> 0.02963023475',
  'position reserve: N 2.3637175, L 12, f 0.005 -> 0.209779928125',
  'position reserve: N 4.630065, L 10, f 0.003 -> 0.4782857145',
  'position reserve: N 20000, L 10, f 0.001 -> 2022',
  'limit price: q -0.001, E 7933.296, M 999.984133408, L 5, f 0.002, mul 2, tick 0.01 -> 914625.61',
  'limit price: q -0.00001, E 9064.86, M 2.9997733785, L 10, f 0.0025, mul 1.2, tick 0.01 -> 284612.92',
  'limit price: q -0.00001, E 9064.86, M 2.9997733785, L 10, f 0.0025, mul 2, tick 0.01 -> 293626.79',
  'limit price: q -0.00001, E 9061.60, M 2.99977346, L 10, f 0.0025, mul 1.2, tick 0.01 -> 284609.92',
  'limit price: q -0.00001, E 9061.60, M 2.99977346, L 10, f 0.0025, mul 2, tick 0.01 -> 293623.7',
  'limit price: q 2, E 10000, M 4980, L 10, f 0.001, mul 1.5, tick 0.01 -> 8055.06',
  'limit price: q 2, E 10000, M 4980, L 10, f 0.001, mul 2, tick 0.01 -> 7913.6',
  'limit price: q -2, E 10000, M 4980, L 10, f 0.001, mul 1.5, tick 0.01 -> 11698.4',
  'limit price: q -2, E 10000, M 4980, L 10, f 0.001, mul 2, tick 0.01 -> 11883.92',
  'limit price: q 0.00087, E 20097.46, M 10, L 12, f 0.005, mul 1.75, tick 0.01 -> 9081.05',
  'limit price: q 0.00001, E 33386.18, M 0.080706742356, L 12, f 0.005, mul 1.25, tick 0.01 -> 27269.85',
  'limit price: q 0.00001, E 33386.18, M 0.080706742356, L 12, f 0.005, mul 1.75, tick 0.01 -> 26721.57',
  'limit price: q -51, E 0.4853, M 1.847347812014, L 20, f 0.003, mul 1.2, tick 0.0001 -> 0.4992',
  'limit price: q -51, E 0.4853, M 1.847347812014, L 20, f 0.003, mul 2, tick 0.0001 -> 0.5073',
  'risk limit: base 5000000, power 1.25, threshold 2, L 100, places 2 -> 15811.39',
  'cross: balance 1000, L 10, mul 2, f 0.0005, of requirement -> 251.995',
  'cross: balance 1000, L 10, mul 2, f 0.0005, of leverage -> 5.4835',
  'cross: balance 1000, L 10, mul 2, f 0.0005, of short -> 1833.18',
  'mark price: index 42303.27, rate 0.0001, seconds 28293.313, tick 0.01 -> 42307.43',
  'mark price: index 97298.61, rate -0.000183473092423284, seconds 10946.307, tick 0.0001 -> 97291.8249',
  'funding rate: p -0.00077495203277752 -> -0.00027495203277752',
  'funding rate: p 0.0000618 -> 0.0001',
  'funding rate: p 0.0005 -> 0.0001',
  'funding rate: p -0.0003 -> 0.0001',
  'funding rate: p -0.0006 -> -0.0001',
  'funding rate: p -0.0010 -> -0.0005',
];
const EXAMPLES = blocks('margin').flatMap((block) => block.trim().split('\n'));

test('docs/margin-and-futures.md has worked examples of every formula', () => {
  const shown = new Set(EXAMPLES.map((line) => line.slice(0, line.indexOf(':'))));
  expect([...shown].sort()).toEqual(Object.keys(FORMULAS).sort());
  expect(EXAMPLES.length + RECORDS.length).toBeGreaterThan(45);
});

test.each([...EXAMPLES, ...RECORDS])('the formula is right: %s', (line) => {
  const [, name, given, result] = /^(.*?): (.*) -> (.*)$/.exec(line) ?? [];
  const pairs = given.split(', ').map((pair) => pair.split(' '));
  const numbers = new Map(pairs.map(([key, text]) => [key, text]));
  const term: Terms = (key) => decimal(numbers.get(key) ?? '0');
  const figure = FORMULAS[name](term, pairs.at(-1)?.[1] ?? '');
  expect(figure?.toFixed() ?? 'none').toBe(result);
});

/** Plays a script of the page and checks every line of it that claims something. */
class Script {
  #floor = new MarginFloor();
  #account = 0;
  #orders = 0;
  claims = 0;

  play(script: string): void {
    let reported: string[] = [];
    const positions = (): string[] =>
      this.#floor.reported().filter((line) => /Trade|closed|liquidated/.test(line));
    for (const line of script.trim().split('\n')) {
      if (line.startsWith('> ')) {
        expect(reported.shift()).toBe(line.slice(2));
        this.claims += 1;
        continue;
      }
      expect(reported, line).toEqual([]);
      this.#step(line);
      reported = positions();
    }
    expect(reported).toEqual([]);
  }

  #step(line: string): void {
    const words = line.split(' ');
    const after = (word: string): string => words[words.indexOf(word) + 1];
    if (words[0] === 'spot') {
      const margin = onMargin({ forceCloseFee: after('force') });
      const terms = { tickSize: after('tick'), quantityIncrement: after('lot'), margin };
      this.#floor = new MarginFloor([instrument({ ...terms, takeRate: after('take') })]);
    } else if (words[0] === 'quote') this.#floor.quote(Number(words[1]), Number(words[2]));
    else if (words[0] === 'insure') {
      this.#floor.exchange.margin.insure('USDT', decimal(words[1]), 'margin');
    } else if (words[0] === 'account') this.#account = this.#floor.account({ USDT: words[3] });
    else if (words[0] === 'margin') {
      this.#floor.set(this.#account, words[2], { leverage: after('leverage') });
    } else if (words[0] === 'fund') this.#claim(this.#floor.row(FUND), words[1]);
    else if (words[1] === 'margin') this.#claim(this.#floor.margin(this.#account), words[2]);
    else this.#trade(words);
  }

  #trade([, verb, size, , price, flag]: readonly string[]): void {
    this.#orders += 1;
    const rejection = this.#floor.place(this.#account, `order${this.#orders}`, {
      side: verb === 'buys' ? 'buy' : 'sell',
      lots: Number(size),
      ticks: Number(price),
      reduceOnly: flag === 'reduce-only',
    });
    expect(rejection).toBeUndefined();
  }

  #claim(figure: string, claimed: string): void {
    expect(new Decimal(figure).toFixed()).toBe(claimed);
    this.claims += 1;
  }
}

/** A position that is liquidated at a price that its funds cover, with the force close fee. */
const COVERED = `
spot BTCUSDT tick 1 lot 1 take 0.001 force 0.005
quote 9999 10000
account ann USDT 5000
margin ann 5000 leverage 10
ann buys 2 at 10000
> openTrade 4980 #1 2 pnl 0
quote 7900 7901
> liquidated 685.2 #1 0 pnl -4200
fund 79
ann margin 685.2
`;

/** A position that turns around, and a reduce-only order larger than it. */
const TURNED = `
spot BTCUSDT tick 1 lot 1 take 0 force 0
quote 99 101
account ann USDT 5000
margin ann 1000 leverage 10
ann buys 2 at 101
> openTrade 1000 #1 2 pnl 0
ann sells 5 at 99
> flipTrade 996 #2 -3 pnl -4
ann buys 9 at 101 reduce-only
> closed 990 #2 0 pnl -6
`;

test.each([...blocks('script'), COVERED, TURNED])(
  'the page says what the exchange does: %s',
  (script) => {
    const played = new Script();
    played.play(script);
    expect(played.claims).toBeGreaterThan(2);
  },
);
