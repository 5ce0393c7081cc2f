import { expect, test } from 'vitest';
import { openSwapVenue, USDC_ETHEREUM, USDC_TRON } from './kit.ts';

test('an intent is made though its answer is lost, and none is where its request is', async () => {
  for (const when of ['before', 'after'] as const) {
    const at = await openSwapVenue({
      faults: { http: [{ path: '/v1/intents', when, count: 1, fault: { kind: 'cut' } }] },
    });
    await expect(at.createIntent(USDC_ETHEREUM, USDC_TRON)).rejects.toThrow('fetch failed');
    expect(at.service.intents()).toHaveLength(when === 'after' ? 1 : 0);
    await at.createIntent(USDC_ETHEREUM, USDC_TRON);
    expect(at.service.intents()).toHaveLength(when === 'after' ? 2 : 1);
  }
});
