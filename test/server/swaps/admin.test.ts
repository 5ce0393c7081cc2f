import { describe, expect, onTestFinished, test } from 'vitest';
import { swapCalls } from '../../../src/server/swaps/admin.ts';
import { mountAdmin } from '../../../src/server/admin/mount.ts';
import { Answers } from '../../../src/server/http/answers.ts';
import { httpApp } from '../../../src/server/http/app.ts';
import { openSwapVenue, USDC_ETHEREUM, USDC_TRON, type SwapVenue } from './kit.ts';

const S = 1_000_000;
const TOKEN = 'token-of-the-venue';

interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Opens the admin calls of a venue, behind a port of their own. */
async function admin(venue: SwapVenue) {
  const answers = new Answers(() => venue.scheduler.now());
  const app = httpApp(answers, () => undefined);
  mountAdmin(app, answers, TOKEN, swapCalls(venue.service));
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => app.close());
  return async (method: string, path: string, json?: object): Promise<Asked> => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: (await response.json()) as Asked['body'] };
  };
}

async function deposited(venue: SwapVenue): Promise<string> {
  const created = await venue.createIntent(USDC_ETHEREUM, USDC_TRON);
  await venue.approve(created, USDC_ETHEREUM);
  venue.pass(7 * S);
  return String(created['id']);
}

describe('whoever the swap service belongs to', () => {
  test('lists intents, newest first', async () => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    const ids = [
      await deposited(venue),
      String((await venue.createIntent(USDC_TRON, USDC_ETHEREUM))['id']),
    ];
    const { body } = await call('GET', '/admin/swaps/intents');
    expect(body['intents']).toEqual([
      expect.objectContaining({ id: ids[1], state: 'created', from: 'USDC@tron' }),
      expect.objectContaining({ id: ids[0], state: 'deposited', lots: '100000000' }),
    ]);
  });

  test('declines an intent before its money is taken, and not after', async () => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    const created = await venue.createIntent(USDC_ETHEREUM, USDC_TRON);
    const decision = { id: created['id'], decision: 'decline' };
    expect(await call('POST', '/admin/swaps/decisions', decision)).toMatchObject({ status: 400 });
    await venue.approve(created, USDC_ETHEREUM);
    expect(await call('POST', '/admin/swaps/decisions', decision)).toMatchObject({
      status: 200,
      body: { state: 'failed', reason: 'The resolver did not want it.' },
    });
    const id = await deposited(venue);
    const late = await call('POST', '/admin/swaps/decisions', { id, decision: 'decline' });
    expect(late.status).toBe(400);
  });

  test.each([
    ['fail', 'The resolver could not pay.'],
    ['refund', 'A refund was asked for.'],
  ])('has a deposited intent refunded by %s', async (decision, reason) => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    const id = await deposited(venue);
    expect(await call('POST', '/admin/swaps/decisions', { id, decision })).toMatchObject({
      status: 200,
      body: { state: 'refundRequested', reason },
    });
    venue.pass(10 * S);
    expect(venue.service.intents()[0]?.state).toBe('refunded');
  });

  test('holds an intent where it is, goes on with it, and does its next step at once', async () => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    const id = await deposited(venue);
    const state = () => venue.service.intents()[0]?.state;
    await call('POST', '/admin/swaps/decisions', { id, decision: 'hold' });
    venue.pass(60 * S);
    expect(state()).toBe('deposited');
    await call('POST', '/admin/swaps/decisions', { id, decision: 'release' });
    await call('POST', '/admin/swaps/decisions', { id, decision: 'advance' });
    expect(state()).toBe('finished');
    const over = await call('POST', '/admin/swaps/decisions', { id, decision: 'advance' });
    expect(over.status).toBe(400);
  });

  test('is answered for an unknown intent', async () => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    for (const decision of ['advance', 'decline', 'fail', 'hold']) {
      const answer = await call('POST', '/admin/swaps/decisions', { id: 'nothing', decision });
      expect(answer.status).toBe(400);
    }
  });

  test('sets whether the service says that it is healthy', async () => {
    const venue = await openSwapVenue();
    const call = await admin(venue);
    await call('PUT', '/admin/swaps/health', { healthy: false });
    expect(await venue.call('GET', '/v1/health')).toMatchObject({ status: 500 });
    await call('PUT', '/admin/swaps/health', { healthy: true });
    expect(await venue.call('GET', '/v1/health')).toMatchObject({ status: 200 });
  });
});
