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

const PAGE = readFileSync(new URL('../../../docs/margin.md', import.meta.url), 'utf8');

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

const EXAMPLES = blocks('margin').flatMap((block) => block.trim().split('\n'));

test('docs/margin.md has worked examples of every formula', () => {
  const shown = new Set(EXAMPLES.map((line) => line.slice(0, line.indexOf(':'))));
  expect([...shown].sort()).toEqual(Object.keys(FORMULAS).sort());
  expect(EXAMPLES.length).toBeGreaterThan(30);
});

test.each(EXAMPLES)('the page is right: %s', (line) => {
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
    let told: string[] = [];
    const positions = (): string[] =>
      this.#floor.told().filter((line) => /Trade|closed|liquidated/.test(line));
    for (const line of script.trim().split('\n')) {
      if (line.startsWith('> ')) {
        expect(told.shift()).toBe(line.slice(2));
        this.claims += 1;
        continue;
      }
      expect(told, line).toEqual([]);
      this.#step(line);
      told = positions();
    }
    expect(told).toEqual([]);
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
    const refusal = this.#floor.place(this.#account, `order${this.#orders}`, {
      side: verb === 'buys' ? 'buy' : 'sell',
      lots: Number(size),
      ticks: Number(price),
      reduceOnly: flag === 'reduce-only',
    });
    expect(refusal).toBeUndefined();
  }

  #claim(figure: string, claimed: string): void {
    expect(new Decimal(figure).toFixed()).toBe(claimed);
    this.claims += 1;
  }
}

test.each(blocks('script'))('the page tells what the exchange does: %s', (script) => {
  const played = new Script();
  played.play(script);
  expect(played.claims).toBeGreaterThan(2);
});
