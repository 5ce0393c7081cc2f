import { expect, test } from 'vitest';
import type { ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { ContingencyType, OrderType, Side, TimeInForce } from '../../src/model/order.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { Floor, instrumentOf, type Order } from './kit.ts';

const FUNDS = { USDT: '100000', BTC: '1000', ETH: '1000' };

/**
 * Plays a script on an exchange with two symbols and two accounts: lines that begin with `>` are
 * done, all others are what is told. Gives the script with what was really told.
 *
 *     > has 10 BTC, 500 USDT      as the first line: instead of the funds given
 *     > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
 *     > maker m1 buy limit 4 @105
 *     > print sell 95 1      a trade of the tape
 *     > book bid 99 6, ask 101 6      a snapshot of the tape
 */
export function played(
  script: string,
  funds: Readonly<Record<string, string>> = FUNDS,
  options: ExchangeOptions = {},
): string[] {
  const floor = new Floor(
    [instrumentOf(), instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' })],
    options,
  );
  const [first = '', ...rest] = linesOf(script);
  const own = first.startsWith('> has ') ? fundsOf(first.slice('> has '.length)) : undefined;
  const account = floor.account(own ?? funds);
  const maker = floor.account(FUNDS);
  const lines: string[] = own === undefined ? [] : [first];
  for (const line of (own === undefined ? [first, ...rest] : rest).filter(isDone)) {
    lines.push(line);
    const rejection = done(floor, account, maker, line.slice(2));
    if (typeof rejection === 'string') lines.push(rejection);
    else if (rejection !== undefined) lines.push(`refused ${rejection.code}`);
    lines.push(...floor.events().map((event) => event.replace(/-+ /, ' ')));
  }
  return lines;
}

/** A test of a script, which is its own expectation: what is done, and what is told of it. */
export function plays(
  title: string,
  script: string,
  funds?: Readonly<Record<string, string>>,
  options?: ExchangeOptions & { readonly tags?: readonly string[] },
): void {
  test(title, { tags: [...(options?.tags ?? [])] }, () => {
    expect(played(script, funds, options)).toEqual(linesOf(script));
  });
}

/** The lines of a script without indentation and empty ones. */
export const linesOf = (script: string): string[] =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const isDone = (line: string): boolean => line.startsWith('>');

/** `10 BTC, 500 USDT` as balances. */
const fundsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(', ').map((part) => {
      const [amount, currency] = part.split(' ');
      return [currency, amount];
    }),
  );

function done(
  floor: Floor,
  account: number,
  maker: number,
  line: string,
): Rejection | string | undefined {
  const [verb, ...words] = line.split(' ');
  const rest = words.join(' ');
  switch (verb) {
    case 'list': {
      const [head, orders] = rest.split(': ');
      const [type, id] = head.split(' ');
      const parts = orders.split('; ').map((part) => orderOf(part, floor.at));
      return floor.placeList(account, type as ContingencyType, parts, id);
    }
    case 'order':
    case 'maker': {
      const [name, order] = orderOf(rest, floor.at);
      return floor.place(verb === 'maker' ? maker : account, name, order);
    }
    case 'cancel':
      return floor.cancel(account, rest);
    case 'replace': {
      const [name, newName, ...changes] = words;
      const [, order] = orderOf(`x buy limit ${changes.join(' ')}`, 0);
      return floor.replace(account, name, newName, {
        ...(Number.isNaN(order.lots) ? {} : { lots: order.lots }),
        ...(order.ticks === undefined ? {} : { ticks: order.ticks }),
        ...(order.stop === undefined ? {} : { stop: order.stop }),
      });
    }
    case 'cancelAll':
      floor.exchange.cancelAll(account, floor.exchange.now);
      return undefined;
    case 'pass':
      floor.pass(Number(rest));
      return undefined;
    case 'print':
      floor.trade(words[0] as Side, Number(words[1]), Number(words[2]));
      return undefined;
    case 'book':
      floor.snapshot(
        rest.split(', ').map((level) => {
          const [side, ticks, lots] = level.split(' ');
          return [side as 'bid' | 'ask', Number(ticks), Number(lots)] as const;
        }),
      );
      return undefined;
    case 'balance':
      return `${rest} ${floor.balance(account, rest)}`;
    default:
      throw new Error(`The script says "${line}".`);
  }
}

/** `name side type lots @price stop N life symbol until N`, of which the last five may be absent. */
function orderOf(text: string, now: number): readonly [string, Order] {
  const [name, side, type, ...rest] = text.split(' ');
  const after = (word: string): number | undefined =>
    rest.includes(word) ? Number(rest[rest.indexOf(word) + 1]) : undefined;
  const price = rest.find((word) => word.startsWith('@'));
  const life = rest.find((word) => /^(GTC|IOC|FOK|Day|GTD)$/.test(word));
  const symbol = rest.find((word) => word.endsWith('USDT'));
  const stop = after('stop');
  const until = after('until');
  const order: Order = {
    side: side as Side,
    type: type as OrderType,
    lots: Number(/^\d+$/.test(rest[0] ?? '') ? rest[0] : NaN),
    ...(price === undefined ? {} : { ticks: Number(price.slice(1)) }),
    ...(stop === undefined ? {} : { stop }),
    ...(life === undefined ? {} : { timeInForce: life as TimeInForce }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(until === undefined ? {} : { expireAt: now + until }),
    ...(rest.includes('postOnly') ? { postOnly: true } : {}),
  };
  return [name, order];
}
