import fc from 'fast-check';
import type { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { decodeRequest, encodeParams, type Call } from '../../../src/wire/trading/call.ts';
import { decode, encode } from '../../../src/wire/trading/decoding.ts';
import { readJson } from '../../../src/wire/json.ts';
import { readForm, writeForm, type RawParameters } from '../../../src/wire/trading/json.ts';
import type { Method } from '../../../src/wire/trading/rpc.ts';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import * as v2Account from '../../../src/wire/trading/v2/streams/account.ts';
import * as v2Market from '../../../src/wire/trading/v2/streams/market.ts';
import * as v2Trading from '../../../src/wire/trading/v2/streams/trading.ts';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import { PAYLOADS } from '../../../src/wire/trading/v3/streams/market.ts';
import * as v3Trading from '../../../src/wire/trading/v3/streams/trading.ts';
import * as v3Wallet from '../../../src/wire/trading/v3/streams/wallet.ts';
import { writerOf } from '../../../src/wire/trading/writer.ts';
import { arbitraryOf, paramsOf, plain } from './arbitrary.ts';

const CALLS: readonly (readonly [string, Call])[] = [
  ...Object.entries<Call>(V3_CALLS).map(([name, call]) => [`v3 ${name}`, call] as const),
  ...Object.entries<Call>(V2_CALLS).map(([name, call]) => [`v2 ${name}`, call] as const),
];

const METHODS: readonly (readonly [string, Method])[] = [
  ...Object.entries<Method>(v3Trading.TRADING_METHODS),
  ...Object.entries<Method>(v3Wallet.WALLET_METHODS),
  ...Object.entries<Method>(v2Market.MARKET_METHODS),
  ...Object.entries<Method>(v2Trading.TRADING_METHODS),
  ...Object.entries<Method>(v2Account.ACCOUNT_METHODS),
];

const REPORTED: readonly (readonly [string, z.ZodType])[] = [
  ...Object.entries(v3Trading.TRADING_NOTIFICATIONS),
  ...Object.entries(v3Wallet.WALLET_NOTIFICATIONS),
  ...Object.entries(v2Market.MARKET_NOTIFICATIONS),
  ...Object.entries(v2Trading.TRADING_NOTIFICATIONS),
  ...Object.entries(v2Account.ACCOUNT_NOTIFICATIONS),
  ...Object.entries(PAYLOADS),
];

const RUNS = { numRuns: 8, seed: 20_261_121 };

/** Writes as JSON text, by either way to write, and reads that. */
function roundTrip(schema: z.ZodType, value: unknown): void {
  const written = JSON.stringify(encode(schema, value));
  expect(JSON.stringify(writerOf(schema)(value))).toBe(written);
  const read = decode(schema, readJson(written));
  expect(read.kind === 'ok' ? plain(read.value) : read).toEqual(plain(value));
}

describe('what is written is read back as it was', () => {
  test.each(CALLS)('the answer of %s', (_, call) => {
    fc.assert(
      fc.property(arbitraryOf(call.response), (value) => roundTrip(call.response, value)),
      RUNS,
    );
  });

  test.each(METHODS)('params and result of %s', (_, method) => {
    for (const schema of [method.params, method.result]) {
      fc.assert(
        fc.property(arbitraryOf(schema), (value) => roundTrip(schema, value)),
        RUNS,
      );
    }
  });

  test.each(REPORTED)('what %s sends', (_, schema) => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => roundTrip(schema, value)),
      RUNS,
    );
  });
});

describe('parameters are read alike from a query, a form and a JSON body', () => {
  test.each(CALLS)('%s', (_, call) => {
    fc.assert(
      fc.property(paramsOf(call), (value) => {
        const written = encodeParams(call.params, value as never);
        const given = readJson(JSON.stringify(written));
        const form = Array.isArray(written) ? given : readForm(writeForm(written as RawParameters));
        for (const source of [given, form]) {
          const read = decodeRequest(call, inItsPlace(call, source));
          expect(read.kind === 'ok' ? plain(read.value) : read).toEqual(plain(value));
        }
      }),
      RUNS,
    );
  });
});

const inItsPlace = (call: Call, source: unknown) =>
  call.method === 'GET'
    ? { query: source as RawParameters, body: { limit: 'of no account' } }
    : { query: {}, body: source };
