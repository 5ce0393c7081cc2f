import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { TradingClient, TradingClientV2 } from '../../../../src/clients.ts';
import { answer, breakOff, openRawService, type Reaction } from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';

const SECRET = 'do-not-tell-this';
const ENCODED = Buffer.from(`desk:${SECRET}`, 'utf8').toString('base64');
const SCHEMES = ['basic', 'hs256'] as const;

/** All that a look at a value shows, hidden members and causes too. */
const shownOf = (value: unknown): string =>
  [
    inspect(value, { depth: 12, showHidden: true }),
    String(value),
    JSON.stringify(value) ?? '',
    value instanceof Error ? (value.stack ?? '') : '',
  ].join('\n');

function expectNoSecret(value: unknown): void {
  const text = shownOf(value);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(ENCODED);
}

/** A service that says everything that it hears. */
const parrot =
  (status: number): Reaction =>
  (request, socket) => {
    const reported = `${SECRET} ${request.headers['authorization']}`;
    const error = { code: 20_001, message: `of ${reported}`, description: `because ${reported}` };
    answer(status, { error })(request, socket);
  };

describe('the secret', () => {
  test.each(SCHEMES)('is not shown by a client that signs with %s', (scheme) => {
    const credentials = { key: 'desk', secret: SECRET, scheme };
    const settings = { url: 'http://127.0.0.1:1', credentials };
    for (const client of [new TradingClient(settings), new TradingClientV2(settings)]) {
      expectNoSecret(client);
      expectNoSecret(client.rest);
      expectNoSecret(client.rest.getSymbols);
    }
  });

  test.each(
    SCHEMES.flatMap((scheme) =>
      (
        [
          ['a refusal that repeats it', parrot(400)],
          ['an internal error that repeats it', parrot(500)],
          ['a page that repeats it', answer(404, SECRET)],
          ['an answer that does not fit', answer(200, { id: SECRET })],
          ['an answer that is no JSON', answer(200, SECRET)],
          ['a connection that breaks off', breakOff],
        ] as const
      ).map(([name, reaction]) => [scheme, name, reaction] as const),
    ),
  )('is in no error of a client that signs with %s, after %s', async (scheme, _, reaction) => {
    const service = await openRawService(reaction);
    const credentials = { key: 'desk', secret: SECRET, scheme };
    const { rest } = clientOf(service.url, { credentials, retries: { attempts: 1 } });
    for (const call of [
      rest.getSpotBalances(),
      rest.createSpotOrder({ symbol: 'X', side: 'buy', quantity: '1' }),
    ]) {
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expectNoSecret(error);
    }
  });

  test('is not repeated by a client that cannot be made', () => {
    const wrong = { key: '', secret: SECRET, scheme: 'basic' } as const;
    for (const settings of [
      { url: 'http://127.0.0.1:1', credentials: wrong },
      { url: `http://desk:${SECRET}@127.0.0.1:1` },
      { url: `not an address ${SECRET}` },
    ]) {
      let thrown: unknown;
      try {
        new TradingClient(settings);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: 'config-invalid' });
      expectNoSecret(thrown);
    }
  });
});
