import { describe, expect, test } from 'vitest';
import { DEFAULT_SWAP_TERMS } from '../../../../src/swaps/intents/terms.ts';
import { openSwapVenue, sharedSwapVenue } from '../kit.ts';
import { affiliate, intentBody, quoteBody } from './kit.ts';

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

describe('a best quote', () => {
  const venue = sharedSwapVenue();
  const ask = async (change: object = {}) =>
    affiliate(venue(), 'POST', '/quotes/best', { json: { ...quoteBody(), ...change } });

  test(
    'has all members, lots as text of whole numbers that are amount x 10^decimals',
    {
      tags: [
        'server:swap-affiliate.quotes.post-quotes-best',
        'server:swap-affiliate.quotes.record',
        'server:swap-affiliate.conv.lots-string',
        'server:swap-affiliate.conv.decimals-integer',
      ],
    },
    async () => {
      const { status, body, text } = await ask({ retail_user_id: 'retail-1' });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string,
        source_chain: 1,
        source_token: quoteBody().source_token,
        dest_chain: 4,
        dest_token: quoteBody().dest_token,
        intermediate_token: null,
        intermediate_token_amount_min: null,
        intermediate_token_amount_max: null,
        intermediate_token_decimals: null,
        source_amount_lots: '250500000',
        source_amount_decimals: 6,
        min_dest_amount_lots: expect.stringMatching(/^\d+$/) as string,
        max_dest_amount_lots: expect.stringMatching(/^\d+$/) as string,
        dest_amount_decimals: 6,
        slippage_bps: '50',
        expiry: expect.any(Number) as number,
        swap_type: 'standard',
      });
      expect(text).toContain('"source_amount_lots":"250500000"');
      expect(Number(body['min_dest_amount_lots'])).toBeLessThanOrEqual(
        Number(body['max_dest_amount_lots']),
      );
    },
  );

  test(
    'takes the amount as a JSON number with all its digits, and basis points as text',
    { tags: ['server:swap-affiliate.conv.amount-number'] },
    async () => {
      const text = JSON.stringify({
        ...quoteBody(),
        source_token: WETH,
        slippage_bps: '137',
      }).replace('250.5', '1.234567890123456789');
      expect(await affiliate(venue(), 'POST', '/quotes/best', { text })).toMatchObject({
        status: 200,
        body: {
          source_amount_lots: '1234567890123456789',
          source_amount_decimals: 18,
          slippage_bps: '137',
        },
      });
      expect(await ask({ slippage_bps: 137 })).toMatchObject({ status: 400 });
      expect(await ask({ amount: -1 })).toMatchObject({ status: 400 });
    },
  );

  test('keeps a retail user of 256 characters, and nothing that would fill the memory', async () => {
    expect(await ask({ retail_user_id: 'r'.repeat(256) })).toMatchObject({ status: 200 });
    expect(await ask({ retail_user_id: 'r'.repeat(257) })).toMatchObject({
      status: 400,
      body: { message: 'body.retail_user_id must have 256 characters at most' },
    });
  });

  test(
    'needs all members but swap_type and retail_user_id',
    { tags: ['server:swap-affiliate.quotes.required-fields'] },
    async () => {
      for (const member of Object.keys(quoteBody())) {
        const { status, body } = await ask({ [member]: undefined });
        if (member === 'swap_type') expect([status, body['swap_type']]).toEqual([200, 'standard']);
        else expect([status, body['message']]).toEqual([400, `body.${member} is required`]);
      }
    },
  );

  test(
    'is of the type standard and no other',
    { tags: ['server:swap-affiliate.quotes.swap-type'] },
    async () => {
      expect((await ask()).body['swap_type']).toBe('standard');
      expect(await ask({ swap_type: 'optimized' })).toMatchObject({
        status: 400,
        body: { message: 'body.swap_type must be standard' },
      });
    },
  );

  test(
    'names the token between, with all its members, where it is routed',
    { tags: ['server:swap-affiliate.quotes.intermediate-fields'] },
    async () => {
      const json = { ...quoteBody('bitcoin'), dest_chain: 1, dest_token: WETH };
      const { body } = await affiliate(venue(), 'POST', '/quotes/best', { json });
      expect(body).toMatchObject({
        intermediate_token: quoteBody().source_token,
        intermediate_token_amount_min: expect.stringMatching(/^[1-9]\d*$/) as string,
        intermediate_token_amount_max: expect.stringMatching(/^[1-9]\d*$/) as string,
        intermediate_token_decimals: 6,
      });
    },
  );

  test(
    'says in whole Unix milliseconds when it ends',
    { tags: ['server:swap-affiliate.quotes.expiry'] },
    async () => {
      const { body } = await ask();
      const now = venue().scheduler.now();
      expect(body['expiry']).toBe((now + DEFAULT_SWAP_TERMS.quoteUs) / 1_000);
    },
  );
});

test(
  'an intent on a quote is taken at its expiry and refused after it',
  { tags: ['server:swap-affiliate.quotes.expired-refused'] },
  async () => {
    const venue = await openSwapVenue();
    const ask = async () => {
      const { body } = await affiliate(venue, 'POST', '/quotes/best', { json: quoteBody() });
      return { id: String(body['id']), expiry: Number(body['expiry']) };
    };
    const [first, second] = [await ask(), await ask()];
    venue.pass(first.expiry * 1_000 - venue.scheduler.now());
    const at = await affiliate(venue, 'POST', '/intents', {
      json: intentBody(venue, first.id, 'ethereum', 'solana'),
    });
    expect(at.status).toBe(200);
    venue.pass(1_000);
    const before = venue.state();
    const after = await affiliate(venue, 'POST', '/intents', {
      json: intentBody(venue, second.id, 'ethereum', 'solana'),
    });
    expect(after).toMatchObject({ status: 422, body: { code: 422, entity: 'quote' } });
    expect(after.body['message']).toContain('has expired');
    expect(venue.state()).toBe(before);
  },
);
