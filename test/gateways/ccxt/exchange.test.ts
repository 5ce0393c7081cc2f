import { expect, test, vi } from 'vitest';
import { loadCcxt, makeExchange } from '../../../src/gateways/ccxt/exchange.ts';
import { nextTurn } from '../../../src/platform/turn.ts';

test('a send on a socket that closed meanwhile is a rejection that ends no process', async () => {
  const exchange = makeExchange(
    await loadCcxt(),
    { id: 'hitbtc', sandbox: false, config: {} },
    {},
    'text',
  );
  const client = exchange.client?.('wss://127.0.0.1:1');
  if (client === undefined) throw new Error('hitbtc has sockets');
  const connection = { send: (_m: unknown, _o: unknown, done: (error: Error) => void) => done(new Error('closed')) }; // prettier-ignore
  Object.assign(client, { connection });
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  // As ccxt does where it waits for its own rate limit.
  const sent = client.send({});
  await nextTurn();
  await nextTurn();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  await expect(sent).rejects.toThrow('closed');
  expect(exchange.client?.('wss://127.0.0.1:1')).toBe(client);
});
