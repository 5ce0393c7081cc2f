import { expect, test } from 'vitest';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { folder, KeptVenue, leftBehind } from './folder.ts';
import { balances, OutsideUser, outsideSettings } from './outside.ts';
import { readAll } from './reads.ts';

type Members = Readonly<Record<string, unknown>>;

/** Of a request before the kill. */
const NONCE = '00000000-0000-4000-9000-000000000001';

const resultOf = (answer: Members): Members => {
  expect(answer).toHaveProperty('result');
  return answer['result'] as Members;
};

/** All that a user can ask of what he has open outside of the exchange. */
async function readOutside(
  venue: KeptVenue,
  user: OutsideUser,
  intents: readonly Members[],
  orders: readonly Members[],
  sent: readonly Members[],
): Promise<readonly unknown[]> {
  const found: unknown[] = [await balances(venue)];
  for (const { id } of intents) {
    found.push(await user.swap(venue, 'GET', `/v1/intents/${String(id)}`));
  }
  for (const { id } of orders) found.push(await user.order(venue, 'getTransactions', { id }));
  for (const { network, hash } of sent) {
    const path = `/chains/v1/networks/${String(network)}/transactions/${String(hash)}`;
    found.push((await venue.call('GET', path)).body);
  }
  return found;
}

/** Opens everything that can be open: what was quoted, approved, ordered, paid and sent away. */
async function openAll(venue: KeptVenue, user: OutsideUser) {
  const waiting = await user.intent(venue, { nonce: NONCE });
  const approved = await user.intent(venue);
  const body = await user.approval(approved);
  expect(await user.approve(venue, approved, body)).toEqual({ intent_id: approved['id'] });
  const bitcoin = await user.intent(venue, { network: 'bitcoin', asset: 'BTC', amount: 0.01 });
  const psbt = await user.approval(bitcoin, 'bitcoin', 'BTC', 0.01);
  expect(await user.approve(venue, bitcoin, psbt)).toEqual({ intent_id: bitcoin['id'] });

  const pair = { from: 'usdc', to: 'usdctrx', amountFrom: '150' };
  const address = 'TNma2HSPAq38wvMc2qbzYNF6hzEdA3fZ3x';
  const unpaid = resultOf(await user.order(venue, 'createTransaction', { ...pair, address }));
  const paid = resultOf(await user.order(venue, 'createTransaction', { ...pair, address }));
  const payin = String(paid['payinAddress']);
  const payment = await user.send(venue, await user.transfer('ethereum', 'USDC', payin, '150'));
  expect(payment).toHaveProperty('hash');
  const to = '0x063aA85AD815219C347D18f0a51D5639874AB12F';
  const transfer = await user.transfer('ethereum', 'USDC', to, '7');
  const sent = await user.send(venue, transfer);

  const form = { currency: 'ETH', amount: '0.5', address: to };
  const withdrawn = await venue.call('POST', '/api/3/wallet/crypto/withdraw', { as: 'demo', form });
  expect(withdrawn.status).toBe(200);
  return {
    intents: [waiting, approved, bitcoin],
    orders: [unpaid, paid],
    sent: [payment, sent],
    transfer,
    rate: pair,
    address,
  };
}

test.each([0, 4, 30])(
  'a venue killed %i seconds after swaps, exchange orders and transfers were opened brings each to the same end',
  async (seconds) => {
    const data = folder();
    const twin = await KeptVenue.open(outsideSettings(), data);
    twin.pass(2 * US_PER_SECOND);
    const user = new OutsideUser();
    const { intents, orders, sent, transfer, rate, address } = await openAll(twin, user);
    twin.pass(seconds * US_PER_SECOND);
    const read = (venue: KeptVenue) => readOutside(venue, user, intents, orders, sent);
    const before = await read(twin);

    const again = await KeptVenue.open(outsideSettings(), leftBehind(data), twin.scheduler);
    expect(await read(again)).toEqual(before);
    expect(await readAll(again)).toEqual(await readAll(twin));

    // The nonces of a transfer and of a signed request stay used.
    for (const venue of [twin, again]) {
      expect(await user.send(venue, transfer)).toMatchObject({ hash: sent[1]?.['hash'] });
      const ask = { ...rate, address };
      const made = resultOf(await user.order(venue, 'createTransaction', ask));
      expect(made).toMatchObject({ status: 'new' });
      const repeated = await user.intent(venue, { nonce: NONCE });
      expect(repeated).toMatchObject({ message: 'Nonce reuse' });
    }

    // The one that was not approved is approved now, of both.
    const [waiting = {}] = intents;
    const body = await user.approval(waiting);
    for (const venue of [again, twin]) {
      expect(await user.approve(venue, waiting, body)).toEqual({ intent_id: waiting['id'] });
    }
    for (let step = 0; step < 4; step += 1) {
      again.pass(US_PER_MINUTE / 3);
      expect(await read(again)).toEqual(await read(twin));
    }
    const ended = await read(again);
    expect(ended).not.toEqual(before);
    expect(await readAll(again)).toEqual(await readAll(twin));

    const third = await KeptVenue.open(outsideSettings(), leftBehind(data), twin.scheduler);
    expect(await read(third)).toEqual(ended);
  },
);
