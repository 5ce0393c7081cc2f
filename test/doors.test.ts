import { describe, expect, test } from 'vitest';
import * as backtests from '../src/backtest.ts';
import * as clients from '../src/clients.ts';
import * as feeds from '../src/feeds.ts';
import * as gateways from '../src/gateway.ts';
import * as millrace from '../src/index.ts';
import { MillraceError } from '../src/model/errors.ts';
import * as testing from '../src/testing.ts';

/** What no compiler has read: nothing, null, other types, and an argument more. */
const VALUES: readonly (readonly unknown[])[] = [
  ...[[], [null], ['x'], [5], [Number.NaN], [{}], [[]], [Symbol('s')], [{ kind: 'evm' }]],
  ...[
    [5, null],
    ['x', null],
    ['x', {}],
    ['x', [null]],
    ['x', 5],
    [5, 'x', 5],
    ['x', 'x', 'x'],
  ],
  ...[
    [5, Number.NaN],
    [5, 5, 'x'],
    [{}, null],
    [{}, {}, null],
    ['evm', 5],
    ['00:20', null],
  ],
];

/** Errors of others, and errors themselves, which programs catch and do not make. */
const NOT_CALLED: ReadonlySet<string> = new Set([
  ...['Decimal', 'MillraceError', 'ServiceError', 'ApprovalRejected', 'ExchangeOrderError'],
  // It takes nothing, and takes its time.
  'generateKeyPair',
]);

/** What these say of any value: that it is none of theirs. */
const SAYING_NO: Readonly<Record<string, unknown>> = {
  parseDecimal: undefined,
  parseIsoTime: undefined,
  isActive: false,
  isFinalStatus: false,
};

type Callable = (...given: readonly unknown[]) => unknown;

const doors: Readonly<Record<string, unknown>> = {
  ...millrace,
  ...clients,
  ...testing,
  ...backtests,
  ...feeds,
  ...gateways,
};
const exported = Object.entries(doors).filter(
  (row): row is [string, Callable] => typeof row[1] === 'function' && !NOT_CALLED.has(row[0]),
);

const isClass = (given: Callable): boolean => String(given).startsWith('class');

const outcome = async (call: Callable, given: readonly unknown[]): Promise<unknown> => {
  try {
    return (await (isClass(call) ? Reflect.construct(call, given) : call(...given))) as unknown;
  } catch (error) {
    return error;
  }
};

describe('an export that is given what cannot be meant', () => {
  test.each(exported)('%s says so by a typed error, if at all', async (name, call) => {
    for (const given of VALUES) {
      const reported = await outcome(call, given);
      const what = `${name}(${given.map(String).join(', ')})`;
      if (reported instanceof Error) expect(reported, what).toBeInstanceOf(MillraceError);
      else if (name in SAYING_NO && typeof given[0] !== 'number') {
        expect(reported, what).toBe(SAYING_NO[name]);
      }
    }
  });

  test.each<[string, readonly unknown[], string, string]>([
    ['price', [0.1], 'decimal-invalid', 'price: a value of type number is not a decimal number'],
    ['ticks', ['5'], 'out-of-range', 'A value of type string is not a whole number of ticks'],
    [
      'ema',
      [Symbol('s')],
      'parameter-invalid',
      'length is Symbol(s); it is a whole number from 1 on.',
    ],
    ['lots', [5, 'off'], 'out-of-range', 'The rounding is one of down, up, near'],
    ['ema', [5, 'close'], 'parameter-invalid', 'what it looks at is a function of an event'],
    ['bollinger', [5, 'x'], 'parameter-invalid', 'deviations is "x"; it is a number from 0 on.'],
    ['derive', [{ fast: 5 }], 'parameter-invalid', 'such as { fast: ema(12) }.'],
    [
      'crosses',
      ['fast'],
      'parameter-invalid',
      "such as crosses('fast', 'slow'), or a name and a number.",
    ],
    ['align', ['x'], 'out-of-range', 'streams must be streams of candles'],
    [
      'Random',
      ['x'],
      'out-of-range',
      'The seed must be a whole number such as 1, and is a value of',
    ],
    ['VirtualScheduler', [], 'out-of-range', 'The start must be whole microseconds since 1970'],
    ['isoTime', [Number.NaN], 'out-of-range', 'The at must be whole microseconds since 1970'],
    ['micros', [0.5], 'out-of-range', 'and is 0.5.'],
    ['keySigner', [{ kind: 'evm' }], 'key-invalid', 'is one of evm, tron, bitcoin, solana'],
    ['keySigner', ['evm'], 'key-invalid', 'A private key of evm is 64 hexadecimal digits.'],
    ['openKeys', ['{}'], 'key-invalid', 'the text and the passphrase are needed'],
    ['TradingClient', [], 'config-invalid', 'The client takes an object of settings'],
    ['BitcoinNode', [], 'config-invalid', 'The node of Bitcoin takes an object of settings'],
    ['BitcoinNode', [{}], 'config-invalid', 'The setting network of the Bitcoin node'],
    ['SwapClient', [], 'config-invalid', 'The client takes an object of settings'],
    ['ExchangeOrdersClient', [], 'config-invalid', 'The client takes an object of settings'],
    ['TradingSocketV2', [], 'config-invalid', 'The socket takes an object of settings'],
    ['MarketSocket', [{}], 'config-invalid', 'scheduler of a socket must have the functions now'],
    ['replay', [], 'strategy-invalid', 'A strategy is what defineStrategy'],
    ['backtest', [5], 'config-invalid', 'backtest takes an object of settings'],
    ['sweepCsv', [{}], 'usage', 'sweepCsv takes the result of a sweep'],
    ['openRecording', [5], 'usage', 'openRecording takes paths as text'],
    ['writeRecording', ['x', {}], 'instrument-invalid', 'needs the terms of its instrument'],
    ['importRecording', [{ to: 'x' }], 'usage', 'importRecording takes paths as text'],
    ['defineImporter', [{ name: 'x' }], 'config-invalid', 'a name and a function read'],
    ['Instrument', [null], 'instrument-invalid', 'made of its terms'],
    ['rejectReport', [{}], 'usage', 'rejectReport takes a request'],
    ['at', ['00:20'], 'usage', 'at takes a time and a command'],
  ])('%s(%j) is %s', async (name, given, code, sentence) => {
    const call = new Map(exported).get(name);
    const reported = call === undefined ? undefined : await outcome(call, given);
    expect(reported).toMatchObject({ code, message: expect.stringContaining(sentence) as string });
  });
});
