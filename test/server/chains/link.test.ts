import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { US_PER_HOUR, US_PER_SECOND } from '../../../src/platform/time.ts';
import { OMNIBUS } from '../../../src/swaps/chains/wallet-link.ts';
import { Venue } from '../../../src/server/venue.ts';
import {
  BTC,
  granted,
  isConserved,
  rejectedWith,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
} from '../../swaps/chains/harness.ts';
import { CURRENCIES, LinkedVenue } from './linked.ts';

const ETHEREUM_BLOCK = 12 * US_PER_SECOND;
const SEND = 2 * US_PER_SECOND;

/** A venue where zoe, who has no account, holds money on all chains. */
function open(market: { readonly brings?: boolean } = {}) {
  const venue = new LinkedVenue(undefined, undefined, market);
  const { chains } = venue;
  const zoe = (chain: string): string => chains.addressOf(chain, 'zoe');
  const omnibus = (chain: string): string => chains.addressOf(chain, OMNIBUS);
  for (const token of [USDC_ETHEREUM, USDC_TRON, USDC_SOLANA, BTC]) {
    const chain = chains.tokens.find(({ id }) => id === token)?.network ?? '';
    granted(chains.mint(token, zoe(chain), 1_000_000_000n));
  }
  venue.pass(US_PER_HOUR);
  /** Zoe pays an account. */
  const pay = (account: number, token: number, code: string, on: string, lots: bigint) => {
    const { address, paymentId } = venue.address(account, code, on);
    const chain = chains.tokens.find(({ id }) => id === token)?.network ?? '';
    return granted(
      chains.transfer({
        token,
        from: zoe(chain),
        to: address,
        lots,
        memo: paymentId,
      }),
    );
  };
  return { venue, chains, zoe, omnibus, pay };
}

describe('a deposit', () => {
  test('has an address of its chain, one for each account', () => {
    const { venue, chains } = open();
    for (const [code, on, chain] of [
      ['USDC', 'ETH', 'ethereum'],
      ['USDC', 'SOL', 'solana'],
      ['BTC', 'BTC', 'bitcoin'],
    ] as const) {
      const [ann, bob] = [venue.ann, venue.bob].map((each) => venue.address(each, code, on));
      expect(chains.isAddress(chain, ann?.address ?? '')).toBe(true);
      expect(bob?.address).not.toBe(ann?.address);
    }
    const [ann, bob] = [venue.ann, venue.bob].map((each) => venue.address(each, 'USDC', 'TRX'));
    expect(chains.isAddress('tron', ann?.address ?? '')).toBe(true);
    expect(bob?.address).toBe(ann?.address);
    expect(bob?.paymentId).not.toBe(ann?.paymentId);
  });

  test('is seen at once, confirmed by the blocks of its chain, credited, and moved on', () => {
    const { venue, chains, omnibus, pay, zoe } = open();
    const { hash, to } = pay(venue.ann, USDC_ETHEREUM, 'USDC', 'ETH', 2_500_000n);
    const seen = venue.latest(venue.ann);
    expect(seen).toMatchObject({
      type: 'DEPOSIT',
      status: 'CREATED',
      hash,
      address: to,
      senders: [zoe('ethereum')],
      confirmations: 0,
    });
    expect(seen.amount.toFixed()).toBe('2.5');
    const states = [1, 2, 3].map(() => {
      venue.pass(ETHEREUM_BLOCK);
      const { status, confirmations } = venue.transaction(venue.ann, seen.txId);
      return [status, confirmations, venue.wallet(venue.ann, 'USDC')];
    });
    expect(states).toEqual([
      ['PENDING', 1, '0'],
      ['PENDING', 2, '0'],
      ['SUCCESS', 3, '2.5'],
    ]);
    expect(chains.balance(USDC_ETHEREUM, to)).toBe(0n);
    expect(chains.balance(USDC_ETHEREUM, omnibus('ethereum'))).toBe(2_500_000n);
    expect(isConserved(chains)).toBe(true);
  });

  test('whose money was taken away again before it could be credited fails', () => {
    const { venue, chains, pay, zoe } = open();
    const { to } = pay(venue.ann, USDC_ETHEREUM, 'USDC', 'ETH', 2_500_000n);
    const { txId } = venue.latest(venue.ann);
    // The keys of deposit addresses are made of the seed, which is no secret.
    const back = { token: USDC_ETHEREUM, from: to, to: zoe('ethereum'), lots: 1n };
    expect(isRejection(chains.transfer(back))).toBe(false);
    venue.pass(3 * ETHEREUM_BLOCK);
    expect(venue.transaction(venue.ann, txId)).toMatchObject({ status: 'FAILED' });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
    expect(isConserved(chains)).toBe(true);
  });

  test('is credited with the last confirmation that its chain gives, however many are asked for', () => {
    const { venue, pay } = open();
    pay(venue.ann, USDC_SOLANA, 'USDC', 'SOL', 7n);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
    venue.pass(US_PER_SECOND);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0.000007');
    expect(venue.latest(venue.ann)).toMatchObject({ status: 'SUCCESS', confirmations: 20 });
  });

  test('goes to the account of its payment id, at once where no confirmation is asked for', () => {
    const { venue, chains, omnibus, pay } = open();
    pay(venue.ann, USDC_TRON, 'USDC', 'TRX', 4_000_000n);
    pay(venue.bob, USDC_TRON, 'USDC', 'TRX', 5_000_000n);
    expect([venue.wallet(venue.ann, 'USDC'), venue.wallet(venue.bob, 'USDC')]).toEqual(['4', '5']);
    expect(chains.balance(USDC_TRON, omnibus('tron'))).toBe(9_000_000n);
  });

  test('needs no payment id where each account has its own address, whatever is written beside it', () => {
    const { venue, chains, zoe } = open();
    const { address: to } = venue.address(venue.ann, 'USDC', 'ETH');
    const from = zoe('ethereum');
    granted(chains.transfer({ token: USDC_ETHEREUM, from, to, lots: 8n, memo: 'for ann' }));
    venue.pass(US_PER_HOUR);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0.000008');
  });

  test('what nobody here can be given stays where it was sent', () => {
    const { venue, chains, zoe } = open();
    const { address, paymentId } = venue.address(venue.ann, 'USDC', 'TRX');
    const lost = { token: USDC_TRON, from: zoe('tron'), to: address, lots: 5n };
    granted(chains.transfer({ ...lost, memo: `${paymentId ?? ''}1` }));
    granted(chains.transfer(lost));
    const ethereum = venue.address(venue.ann, 'USDC', 'ETH').address;
    granted(chains.mint(11, ethereum, 9n));
    venue.pass(US_PER_HOUR);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
    expect(chains.balance(USDC_TRON, address)).toBe(10n);
    expect(chains.balance(11, ethereum)).toBe(9n);
  });
});

describe('a withdrawal', () => {
  /** Ann has 100 USDC of Ethereum. */
  const funded = (market = {}) => {
    const opened = open(market);
    opened.pay(opened.venue.ann, USDC_ETHEREUM, 'USDC', 'ETH', 100_000_000n);
    opened.venue.pass(US_PER_HOUR);
    return opened;
  };

  test('moves money from the omnibus address, and is done with its first confirmation', () => {
    const { venue, chains, zoe, omnibus } = funded();
    const before = chains.balance(USDC_ETHEREUM, zoe('ethereum'));
    const id = venue.withdraw(venue.ann, 'USDC', 'ETH', '20', zoe('ethereum').toLowerCase());
    expect(venue.transaction(venue.ann, id)).toMatchObject({ status: 'PENDING' });
    venue.pass(SEND);
    const { hash = '', status } = venue.transaction(venue.ann, id);
    expect(status).toBe('PENDING');
    expect(chains.transaction('ethereum', hash)).toMatchObject({
      from: omnibus('ethereum'),
      to: zoe('ethereum'),
      lots: 20_000_000n,
    });
    expect(chains.balance(USDC_ETHEREUM, zoe('ethereum'))).toBe(before + 20_000_000n);
    venue.pass(ETHEREUM_BLOCK);
    expect(venue.transaction(venue.ann, id)).toMatchObject({ status: 'SUCCESS', hash });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('77');
    // The fee of 3 is the house's, and lies where it was.
    expect(chains.balance(USDC_ETHEREUM, omnibus('ethereum'))).toBe(80_000_000n);
    expect(venue.backing('USDC')).toEqual({ owed: '80', held: '80' });
  });

  test('to the deposit address of another account arrives there by the chain', () => {
    const { venue, chains, omnibus } = funded();
    const { address } = venue.address(venue.bob, 'USDC', 'ETH');
    venue.withdraw(venue.ann, 'USDC', 'ETH', '20', address);
    venue.pass(SEND);
    expect(venue.latest(venue.bob)).toMatchObject({ status: 'CREATED' });
    venue.pass(3 * ETHEREUM_BLOCK);
    expect(venue.wallet(venue.bob, 'USDC')).toBe('20');
    expect(chains.balance(USDC_ETHEREUM, omnibus('ethereum'))).toBe(100_000_000n);
  });

  test('that the omnibus address has not the money for fails, and gives it back', () => {
    const { venue, chains, zoe } = funded();
    const id = venue.withdraw(venue.ann, 'USDC', 'SOL', '20', zoe('solana'));
    venue.pass(SEND);
    expect(venue.transaction(venue.ann, id).status).toBe('FAILED');
    expect(venue.wallet(venue.ann, 'USDC')).toBe('100');
    expect(isConserved(chains)).toBe(true);
  });

  test('of what a market outside has brought is paid out to the last unit, and no more is brought', () => {
    const { venue, chains, zoe, omnibus } = funded({ brings: true });
    const before = chains.supply(USDC_SOLANA);
    const held = chains.balance(USDC_SOLANA, zoe('solana'));
    const id = venue.withdraw(venue.ann, 'USDC', 'SOL', '20', zoe('solana'));
    venue.pass(US_PER_HOUR);
    expect(venue.transaction(venue.ann, id).status).toBe('SUCCESS');
    expect(chains.balance(USDC_SOLANA, zoe('solana'))).toBe(held + 20_000_000n);
    expect(chains.balance(USDC_SOLANA, omnibus('solana'))).toBe(0n);
    expect(chains.supply(USDC_SOLANA).minted).toBe(before.minted + 20_000_000n);
    const nowhere = venue.withdraw(venue.ann, 'USDC', 'SOL', '20', zoe('ethereum'));
    venue.pass(US_PER_HOUR);
    expect(venue.transaction(venue.ann, nowhere).status).toBe('FAILED');
    expect(chains.supply(USDC_SOLANA).minted).toBe(before.minted + 20_000_000n);
  });

  test('that has ended before it is sent moves nothing', () => {
    const { venue, chains, zoe, omnibus } = funded();
    const id = venue.withdraw(venue.ann, 'USDC', 'ETH', '20', zoe('ethereum'));
    expect(venue.trading.chains.fail(id)).toBeUndefined();
    venue.pass(US_PER_HOUR);
    expect(chains.balance(USDC_ETHEREUM, omnibus('ethereum'))).toBe(100_000_000n);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('100');
  });

  test('to what is no address of the chain fails with that reason', () => {
    const { venue } = funded();
    const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
    const id = venue.withdraw(venue.ann, 'USDC', 'ETH', '20', wrong);
    venue.pass(SEND);
    expect(venue.transaction(venue.ann, id)).toMatchObject({
      status: 'FAILED',
      errorCode: 'INVALID_ADDRESS',
    });
    expect(venue.wallet(venue.ann, 'USDC')).toBe('100');
  });

  test('of an amount finer than the token sends what can be sent', () => {
    const { venue, chains, zoe } = funded();
    const before = chains.balance(USDC_ETHEREUM, zoe('ethereum'));
    venue.withdraw(venue.ann, 'USDC', 'ETH', '1.00000099', zoe('ethereum'));
    venue.pass(US_PER_HOUR);
    expect(chains.balance(USDC_ETHEREUM, zoe('ethereum'))).toBe(before + 1_000_000n);
    const none = venue.withdraw(venue.ann, 'USDC', 'ETH', '0.00000099', zoe('ethereum'));
    venue.pass(US_PER_HOUR);
    expect(venue.transaction(venue.ann, none).status).toBe('FAILED');
  });
});

describe('networks', () => {
  test('that are linked are led by their chains, and by nobody who says so', () => {
    const { venue } = open();
    const { chains } = venue.trading;
    const amount = decimal('1');
    const sent = chains.send(venue.ann, { currency: 'USDC', network: 'ETH', amount });
    expect(rejectedWith(sent)).toBe('request-invalid');
    expect(chains.whyNot('BTC', 'BTC')).toMatchObject({ code: 'request-invalid' });
    expect(venue.backing('USDC').owed).toBe('0');
  });

  test('that are not linked go on as before', () => {
    const { venue } = open();
    const { chains } = venue.trading;
    const amount = decimal('1');
    granted(chains.send(venue.ann, { currency: 'USDC', network: 'POLYGON', amount }));
    venue.pass(US_PER_HOUR);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('1');
  });

  test('are released when the link is closed', () => {
    const { venue, pay } = open();
    venue.unlink();
    pay(venue.ann, USDC_ETHEREUM, 'USDC', 'ETH', 5n);
    venue.pass(US_PER_HOUR);
    expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
    expect(venue.trading.chains.whyNot('USDC', 'ETH')).toBeUndefined();
  });

  test('that cannot be linked are refused', () => {
    const link = (linked: Record<string, string>) => () => new LinkedVenue(CURRENCIES, linked);
    expect(link({ ETH: 'nowhere' })).toThrow('no chain nowhere');
    expect(link({ ETH: 'ethereum', POLYGON: 'ethereum' })).toThrow('ethereum twice');
    expect(link({ ETH: 'tron' })).toThrow('ETH, which takes no T');
  });
});

test('whatever is deposited and withdrawn, no chain gains or loses, and the wallets are backed', () => {
  const coin = fc.constantFrom(
    ['USDC', 'ETH', USDC_ETHEREUM, 'ethereum'] as const,
    ['USDC', 'TRX', USDC_TRON, 'tron'] as const,
    ['USDC', 'SOL', USDC_SOLANA, 'solana'] as const,
    ['BTC', 'BTC', BTC, 'bitcoin'] as const,
  );
  const step = fc.record({
    kind: fc.constantFrom('deposit', 'withdraw', 'send', 'pass'),
    coin,
    who: fc.constantFrom('ann', 'bob'),
    lots: fc.integer({ min: 1, max: 60_000_000 }),
    us: fc.integer({ min: 0, max: 900 * US_PER_SECOND }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { venue, chains, zoe, pay } = open();
      for (const {
        kind,
        coin: [code, on, token, chain],
        who,
        lots,
        us,
      } of steps) {
        const [account, other] = who === 'ann' ? [venue.ann, venue.bob] : [venue.bob, venue.ann];
        const amount = decimal(String(lots)).times(decimal(code === 'BTC' ? '1e-8' : '1e-6'));
        if (kind === 'deposit') pay(account, token, code, on, BigInt(lots));
        else if (kind === 'pass') venue.pass(us);
        else {
          const to = kind === 'send' ? venue.address(other, code, on).address : zoe(chain);
          venue.tryWithdraw(account, code, on, amount.toFixed(), to);
        }
        expect(isConserved(chains)).toBe(true);
      }
      venue.pass(2 * US_PER_HOUR);
      expect(isConserved(chains)).toBe(true);
      for (const code of ['USDC', 'BTC']) {
        // What was sent to the shared address of Tron without a payment id is nobody's.
        const { owed, held } = venue.backing(code);
        expect(held).toBe(owed);
      }
    }),
    { numRuns: 40 },
  );
});

test('whoever the venue belongs to decides on nothing that a chain decides', async () => {
  const { venue, chains, pay } = open();
  const { trading } = venue;
  trading.members.join({ name: 'ann', email: 'ann@example.com', account: venue.ann });
  pay(venue.ann, USDC_ETHEREUM, 'USDC', 'ETH', 100_000_000n);
  const { txId: id } = venue.latest(venue.ann);
  const endpoint = await Venue.open({ trading, port: 0, adminToken: 'token' });
  onTestFinished(async () => endpoint.close());
  const asked = [
    ['deposits', { currency: 'USDC', network: 'ETH', amount: '5' }],
    ['decisions', { id, decision: 'confirm', confirmations: 9 }],
    ['decisions', { id, decision: 'dismiss' }],
  ] as const;
  for (const [path, body] of asked) {
    const answer = await fetch(`http://127.0.0.1:${endpoint.port}/admin/chains/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify({ member: 'ann', ...body }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('moves on a chain of its own');
  }
  expect(venue.wallet(venue.ann, 'USDC')).toBe('0');
  venue.pass(US_PER_HOUR);
  expect(venue.wallet(venue.ann, 'USDC')).toBe('100');
  expect(isConserved(chains)).toBe(true);
});
