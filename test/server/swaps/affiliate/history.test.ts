import { describe, expect, test } from 'vitest';
import { sharedSwapVenue } from '../kit.ts';
import { affiliate, approve, intend, statusOf } from './kit.ts';

describe('the history of swaps', () => {
  const venue = sharedSwapVenue({ resolver: { byHand: true } });

  /** Five intents, made once: of three wallets and two retail users, two of them ended. */
  const ids: Record<string, string> = {};
  async function fill(): Promise<void> {
    if (ids['first'] !== undefined) return;
    const first = await intend(venue(), 'ethereum', 'solana', { retail_user_id: 'anna' });
    const second = await intend(venue(), 'ethereum', 'tron', { retail_user_id: 'ben' });
    const third = await intend(venue(), 'tron', 'bitcoin', { retail_user_id: 'anna' });
    const fourth = await intend(venue(), 'solana', 'ethereum');
    const fifth = await intend(venue(), 'ethereum', 'solana', { retail_user_id: 'anna' });
    for (const made of [first, second]) await approve(venue(), made, 'ethereum');
    venue().service.manualActions.decline(first.id, 'no');
    for (let i = 0; i < 3; i += 1) venue().service.manualActions.advance(second.id);
    const all = { first, second, third, fourth, fifth };
    for (const [name, { id }] of Object.entries(all)) ids[name] = id;
  }

  const ask = async (query: string) => {
    await fill();
    const { status, body, text } = await affiliate(venue(), 'GET', `/swaps/history${query}`);
    if (status !== 200) throw new Error(text);
    return body as {
      readonly items: readonly Readonly<Record<string, unknown>>[];
      readonly limit: number;
      readonly offset: number;
      readonly total: number;
      readonly pages: number;
    };
  };
  const named = async (query: string) => {
    const { items } = await ask(query);
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return items.map(({ intent_id: id }) => names.get(String(id)));
  };
  const walletOf = (network: string) => venue().user(network).address;

  test(
    'has the status records of the intents, newest first, and says what page it is',
    { tags: ['server:swap-affiliate.history.get-history'] },
    async () => {
      const page = await ask('?retail_id=anna');
      expect(Object.keys(page).sort()).toEqual(['items', 'limit', 'offset', 'pages', 'total']);
      expect(page).toMatchObject({ limit: 10, offset: 0, pages: 1, total: 3 });
      expect(page.items).toEqual([
        await statusOf(venue(), ids['fifth'] ?? ''),
        await statusOf(venue(), ids['third'] ?? ''),
        await statusOf(venue(), ids['first'] ?? ''),
      ]);
    },
  );

  test(
    'is of all wallets that are named, the parameter once for each',
    { tags: ['server:swap-affiliate.history.wallet-repeat'] },
    async () => {
      const [tron, bitcoin] = [walletOf('tron'), walletOf('bitcoin')];
      expect(await named(`?wallet=${bitcoin}`)).toEqual(['third']);
      expect(await named(`?wallet=${tron}`)).toEqual(['third', 'second']);
      const solana = walletOf('solana');
      expect(await named(`?wallet=${solana}&wallet=${bitcoin}`)).toEqual([
        ...['fifth', 'fourth', 'third', 'first'],
      ]);
      expect(await named('?wallet=somewhere-else')).toEqual([]);
    },
  );

  test(
    'is of a retail user, and of a wallet too where both are given',
    { tags: ['server:swap-affiliate.history.retail-id'] },
    async () => {
      expect(await named('?retail_id=ben')).toEqual(['second']);
      expect(await named('?retail_id=nobody')).toEqual([]);
      expect(await named(`?retail_id=anna&wallet=${walletOf('tron')}`)).toEqual(['third']);
    },
  );

  test.each(['', '?active=true', '?limit=5', '?wallet=', '?retail_id='])(
    'is refused with neither wallet nor retail_id: %j',
    { tags: ['server:swap-affiliate.history.need-wallet-or-retail'] },
    async (query) => {
      expect(await affiliate(venue(), 'GET', `/swaps/history${query}`)).toMatchObject({
        status: 400,
        body: { code: 400, message: 'query.wallet or retail_id is required', entity: 'history' },
      });
    },
  );

  test(
    'is of those that have not ended where active is true, newest first, else of all',
    {
      tags: [
        'server:swap-affiliate.history.active-filter',
        'server:swap-affiliate.history.active-meaning',
      ],
    },
    async () => {
      const wallet = walletOf('ethereum');
      expect(await named(`?wallet=${wallet}&active=true`)).toEqual(['fifth', 'fourth']);
      for (const query of ['', '&active=false']) {
        expect(await named(`?wallet=${wallet}${query}`)).toEqual([
          ...['fifth', 'fourth', 'second', 'first'],
        ]);
      }
      const wrong = await affiliate(venue(), 'GET', '/swaps/history?retail_id=anna&active=maybe');
      expect(wrong.status).toBe(400);
    },
  );

  test(
    'comes in pages that make up the whole',
    { tags: ['server:swap-affiliate.history.limit-offset'] },
    async () => {
      const wallet = walletOf('ethereum');
      expect(await named(`?wallet=${wallet}&limit=3`)).toEqual(['fifth', 'fourth', 'second']);
      expect(await named(`?wallet=${wallet}&limit=3&offset=3`)).toEqual(['first']);
      expect(await ask(`?wallet=${wallet}&limit=3&offset=3`)).toMatchObject({
        limit: 3,
        offset: 3,
        total: 4,
        pages: 2,
      });
    },
  );

  test(
    'takes limits from 1 to 100, 10 where none is given, and offsets up to 100000',
    { tags: ['server:swap-affiliate.history.page-bounds'] },
    async () => {
      expect(await ask('?retail_id=anna&limit=100&offset=100000')).toMatchObject({
        items: [],
        limit: 100,
        total: 3,
      });
      for (const query of ['limit=0', 'limit=101', 'limit=-1', 'offset=-1', 'offset=100001']) {
        const { status, body } = await affiliate(
          venue(),
          'GET',
          `/swaps/history?retail_id=anna&${query}`,
        );
        expect([status, body['entity']]).toEqual([400, 'history']);
      }
    },
  );

  test('is of nobody but the partner that asks', async () => {
    await fill();
    const headers = { 'x-api-key': 'another-affiliate-key' };
    const { body } = await affiliate(venue(), 'GET', '/swaps/history?retail_id=anna', { headers });
    expect(body['total']).toBe(0);
  });
});
