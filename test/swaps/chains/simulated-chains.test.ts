import { describe, expect, test } from 'vitest';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import type { ChainTransaction } from '../../../src/swaps/chains/chain-world.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import {
  BTC,
  granted,
  isConserved,
  NETWORKS,
  rejectedWith,
  STARTED,
  TOKENS,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  world,
} from './harness.ts';

describe('balances', () => {
  test('money comes into being by the faucet alone, and moves from there', () => {
    const { chains } = world();
    const anna = chains.addressOf('ethereum', 'anna');
    const bert = chains.addressOf('ethereum', 'bert');
    expect(chains.balance(USDC_ETHEREUM, anna)).toBe(0n);
    granted(chains.mint(USDC_ETHEREUM, anna, 1_000n));
    granted(chains.transfer({ token: USDC_ETHEREUM, from: anna, to: bert, lots: 300n }));
    expect(chains.balance(USDC_ETHEREUM, anna)).toBe(700n);
    expect(chains.balance(USDC_ETHEREUM, bert)).toBe(300n);
    expect(chains.supply(USDC_ETHEREUM)).toEqual({ minted: 1_000n, held: 1_000n });
    expect(chains.holders(USDC_ETHEREUM)).toEqual([
      [anna, 700n],
      [bert, 300n],
    ]);
  });

  test('what cannot be moved is refused and changes nothing', () => {
    const { chains } = world();
    const from = chains.addressOf('ethereum', 'anna');
    const to = chains.addressOf('ethereum', 'bert');
    granted(chains.mint(USDC_ETHEREUM, from, 10n));
    let reported = 0;
    chains.follow(() => (reported += 1));
    const asked = { token: USDC_ETHEREUM, from, to, lots: 10n };
    const rejections = [
      chains.transfer({ ...asked, lots: 11n }),
      chains.transfer({ ...asked, lots: 0n }),
      chains.transfer({ ...asked, lots: -1n }),
      chains.transfer({ ...asked, token: 99 }),
      chains.transfer({ ...asked, to: chains.addressOf('tron', 'bert') }),
      chains.transfer({ ...asked, from: 'anna' }),
      chains.mint(USDC_ETHEREUM, 'anna', 1n),
      chains.mint(99, to, 1n),
    ];
    expect(rejections.map(rejectedWith)).toEqual([
      'funds-insufficient',
      'amount-invalid',
      'amount-invalid',
      'token-unknown',
      'address-invalid',
      'address-invalid',
      'address-invalid',
      'token-unknown',
    ]);
    expect(reported).toBe(0);
    expect(chains.balance(USDC_ETHEREUM, from)).toBe(10n);
    expect(chains.supply(USDC_ETHEREUM)).toEqual({ minted: 10n, held: 10n });
  });

  test('an address of Ethereum is one in whatever letters it is written', () => {
    const { chains } = world();
    const anna = chains.addressOf('ethereum', 'anna');
    const capitals = `0x${anna.slice(2).toUpperCase()}`;
    granted(chains.mint(USDC_ETHEREUM, anna.toLowerCase(), 5n));
    granted(chains.mint(USDC_ETHEREUM, capitals, 5n));
    expect(chains.balance(USDC_ETHEREUM, capitals)).toBe(10n);
    expect(chains.holders(USDC_ETHEREUM)).toEqual([[anna, 10n]]);
    const sent = granted(
      chains.transfer({ token: USDC_ETHEREUM, from: capitals, to: anna.toLowerCase(), lots: 1n }),
    );
    expect([sent.from, sent.to]).toEqual([anna, anna]);
    granted(chains.approve(USDC_ETHEREUM, capitals));
    expect(chains.hasApproved(USDC_ETHEREUM, anna.toLowerCase())).toBe(true);
    expect(chains.nameOf('ethereum', capitals)).toBe('anna');
  });

  test('a name is kept, and others can be given', () => {
    const { chains } = world();
    const address = chains.addressOf('tron', 'escrow');
    expect(chains.nameOf('tron', address)).toBe('escrow');
    chains.call('tron', address, 'somebody else');
    expect(chains.nameOf('tron', address)).toBe('escrow');
    const outside = new SimulatedChains({
      networks: NETWORKS,
      tokens: TOKENS,
      scheduler: { now: () => STARTED, at: () => () => undefined },
      seed: 1,
    }).addressOf('tron', 'escrow');
    expect(outside).not.toBe(address);
    expect(chains.nameOf('tron', outside)).toBeUndefined();
    chains.call('tron', outside, 'wallet of the bot');
    expect(chains.nameOf('tron', outside)).toBe('wallet of the bot');
  });
});

describe('transactions', () => {
  test('a transfer is confirmed block by block until it has what the network asks for', () => {
    const { chains, scheduler } = world();
    const address = chains.addressOf('ethereum', 'anna');
    const reported: ChainTransaction[] = [];
    const leave = chains.follow((transaction) => reported.push(transaction));
    const { hash } = granted(chains.mint(USDC_ETHEREUM, address, 1n));
    const confirmations = (): number | undefined =>
      chains.transaction('ethereum', hash)?.confirmations;
    expect(confirmations()).toBe(0);
    const block = 12 * US_PER_SECOND;
    scheduler.advanceTo(micros(STARTED + block - 1));
    expect(confirmations()).toBe(0);
    scheduler.advanceTo(micros(STARTED + block));
    expect(confirmations()).toBe(1);
    scheduler.advanceTo(micros(STARTED + 10 * block));
    expect(confirmations()).toBe(3);
    expect(reported.map((each) => [each.hash, each.confirmations])).toEqual([
      [hash, 0],
      [hash, 1],
      [hash, 2],
      [hash, 3],
    ]);
    leave();
    granted(chains.mint(USDC_ETHEREUM, address, 1n));
    expect(reported).toHaveLength(4);
  });

  test('followers hear of everything in the order in which it happened', () => {
    const { chains } = world();
    const address = (owner: string): string => chains.addressOf('ethereum', owner);
    const first: string[] = [];
    const second: string[] = [];
    chains.follow(({ to, lots }) => {
      first.push(`${chains.nameOf('ethereum', to) ?? ''} ${lots}`);
      if (to !== address('escrow')) return;
      granted(chains.transfer({ token: USDC_ETHEREUM, from: to, to: address('bert'), lots }));
      first.push('sent on');
    });
    chains.follow(({ to, lots }) => {
      second.push(`${chains.nameOf('ethereum', to) ?? ''} ${lots}`);
    });
    granted(chains.mint(USDC_ETHEREUM, address('escrow'), 5n));
    expect(first).toEqual(['escrow 5', 'sent on', 'bert 5']);
    expect(second).toEqual(['escrow 5', 'bert 5']);
  });

  test('hashes have the form of their network', () => {
    const { chains } = world();
    const hashOf = (token: number, network: string): string =>
      granted(chains.mint(token, chains.addressOf(network, 'anna'), 1n)).hash;
    expect(hashOf(USDC_ETHEREUM, 'ethereum')).toMatch(/^0x[\da-f]{64}$/);
    expect(hashOf(USDC_TRON, 'tron')).toMatch(/^[\da-f]{64}$/);
    expect(hashOf(BTC, 'bitcoin')).toMatch(/^[\da-f]{64}$/);
    expect(hashOf(USDC_SOLANA, 'solana')).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
  });

  test('the same calls give the same hashes and addresses, another seed gives others', () => {
    const run = (seed: number): string[] => {
      const { chains } = world(seed);
      return NETWORKS.flatMap(({ code }) => {
        const address = chains.addressOf(code, 'anna');
        const token = TOKENS.find(({ network }) => network === code)?.id ?? 0;
        return [address, granted(chains.mint(token, address, 1n)).hash];
      });
    };
    expect(run(1)).toEqual(run(1));
    expect(run(1).filter((text) => run(2).includes(text))).toEqual([]);
  });

  test('a closed world confirms nothing more', () => {
    const { chains, scheduler } = world();
    const { hash } = granted(chains.mint(USDC_TRON, chains.addressOf('tron', 'anna'), 1n));
    chains.close();
    scheduler.advanceTo(micros(STARTED + 3_600 * US_PER_SECOND));
    expect(chains.transaction('tron', hash)?.confirmations).toBe(0);
  });
});

describe('outputs of Bitcoin', () => {
  test('a payment spends the oldest outputs that suffice and gives change', () => {
    const { chains } = world();
    const anna = chains.addressOf('bitcoin', 'anna');
    const bert = chains.addressOf('bitcoin', 'bert');
    for (const lots of [100n, 200n, 400n]) granted(chains.mint(BTC, anna, lots));
    const paid = granted(chains.transfer({ token: BTC, from: anna, to: bert, lots: 250n }));
    expect(chains.outputs(anna).map(({ lots }) => lots)).toEqual([400n, 50n]);
    expect(chains.outputs(bert)).toEqual([{ txid: paid.hash, index: 0, lots: 250n }]);
    expect(chains.outputs(anna)[1]).toEqual({ txid: paid.hash, index: 1, lots: 50n });
    expect(chains.balance(BTC, anna)).toBe(450n);
    expect(isConserved(chains)).toBe(true);
  });

  test('change is given down to the last lot, and none where nothing is over', () => {
    const { chains } = world();
    const anna = chains.addressOf('bitcoin', 'anna');
    const bert = chains.addressOf('bitcoin', 'bert');
    granted(chains.mint(BTC, anna, 100n));
    granted(chains.transfer({ token: BTC, from: anna, to: bert, lots: 99n }));
    expect(chains.outputs(anna).map(({ lots }) => lots)).toEqual([1n]);
    granted(chains.transfer({ token: BTC, from: anna, to: bert, lots: 1n }));
    expect(chains.outputs(anna)).toEqual([]);
    expect(chains.supply(BTC)).toEqual({ minted: 100n, held: 100n });
  });
});

describe('permit2', () => {
  test('an approval holds for one token of one owner until it is taken back', () => {
    const { chains } = world();
    const anna = chains.addressOf('ethereum', 'anna');
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
    expect(chains.approve(USDC_ETHEREUM, anna)).toBeUndefined();
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(true);
    expect(chains.hasApproved(USDC_TRON, chains.addressOf('tron', 'anna'))).toBe(false);
    expect(chains.hasApproved(USDC_ETHEREUM, chains.addressOf('ethereum', 'bert'))).toBe(false);
    expect(chains.revoke(USDC_ETHEREUM, anna)).toBeUndefined();
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
  });

  test('only networks that have the contract take one', () => {
    const { chains } = world();
    const code = rejectedWith(chains.approve(USDC_SOLANA, chains.addressOf('solana', 'anna')));
    expect(code).toBe('approval-form-invalid');
    expect(rejectedWith(chains.approve(BTC, chains.addressOf('bitcoin', 'anna')))).toBe(code);
    expect(chains.approve(USDC_TRON, chains.addressOf('tron', 'anna'))).toBeUndefined();
  });

  test('a nonce is used once by an owner on a network, in any order', () => {
    const { chains } = world();
    const anna = chains.addressOf('ethereum', 'anna');
    const largest = 2n ** 256n - 1n;
    for (const nonce of [largest, 0n, 256n, 255n, 1n, 128n]) {
      expect(chains.usePermitNonce('ethereum', anna, nonce)).toBe(true);
      expect(chains.usePermitNonce('ethereum', anna.toLowerCase(), nonce)).toBe(false);
    }
    expect(chains.usePermitNonce('ethereum', anna, 2n)).toBe(true);
    expect(chains.usePermitNonce('tron', chains.addressOf('tron', 'anna'), 0n)).toBe(true);
    expect(chains.usePermitNonce('ethereum', anna, -1n)).toBe(false);
    expect(chains.usePermitNonce('ethereum', anna, largest + 1n)).toBe(false);
  });
});

test('networks and tokens that contradict themselves are refused', () => {
  const open = (networks: typeof NETWORKS, tokens: typeof TOKENS) => () =>
    new SimulatedChains({ networks, tokens, scheduler: world().scheduler });
  expect(open([...NETWORKS, ...NETWORKS.slice(0, 1)], TOKENS)).toThrow('Two of the networks');
  expect(open(NETWORKS, [...TOKENS, ...TOKENS.slice(0, 1)])).toThrow('Two of the tokens');
  expect(open(NETWORKS.slice(1), TOKENS)).toThrow('Token 10 has no network ethereum');
  const still = NETWORKS.map((each) => ({ ...each, confirmations: 0 }));
  expect(open(still, TOKENS)).toThrow('ethereum confirms nothing');
  const second = TOKENS.filter(({ id }) => id === BTC).map((each) => ({ ...each, id: 31 }));
  expect(open(NETWORKS, [...TOKENS, ...second])).toThrow('bitcoin has more than its coin');
});
