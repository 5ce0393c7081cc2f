import { describe, expect, test } from 'vitest';
import { micros, US_PER_DAY, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isSignedByOwner, transferHash } from '../../../src/swaps/chains/signed-transfer.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import type { NetworkFamily } from '../../../src/swaps/tokens.ts';
import { signedDigest, signedPermit, signedTransfer } from './keys.ts';
import {
  BTC,
  granted,
  isConserved,
  NETWORKS,
  rejectedWith,
  STARTED,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  world,
  type ChainsHarness,
} from './harness.ts';

const COINS = [
  ['ethereum', USDC_ETHEREUM],
  ['tron', USDC_TRON],
  ['bitcoin', BTC],
  ['solana', USDC_SOLANA],
] as const;

const familyOf = (network: string): NetworkFamily =>
  NETWORKS.find(({ code }) => code === network)?.family ?? 'evm';

/** A world in which anna holds 100 of everything, and a transfer of hers. */
function open(network: string, token: number) {
  const made: ChainsHarness = world();
  const { chains } = made;
  const anna = chains.addressOf(network, 'anna');
  const bert = chains.addressOf(network, 'bert');
  granted(chains.mint(token, anna, 100n));
  const transfer = { network, token, from: anna, to: bert, lots: 30n, nonce: 'move-1' };
  return { ...made, anna, bert, transfer };
}

describe.each(COINS)('a transfer signed by its owner, on %s', (network, token) => {
  test('moves the money under a hash that was known before', () => {
    const { chains, anna, bert, transfer } = open(network, token);
    const hash = transferHash(familyOf(network), transfer);
    const made = granted(chains.send(signedTransfer(chains, 'anna', transfer)));
    expect(made).toMatchObject({
      hash,
      network,
      from: anna,
      to: bert,
      lots: 30n,
      confirmations: 0,
    });
    expect(chains.transaction(network, hash)).toEqual(made);
    expect([chains.balance(token, anna), chains.balance(token, bert)]).toEqual([70n, 30n]);
  });

  test('answers the same transaction when it is sent again, and moves nothing', () => {
    const { chains, scheduler, anna, transfer } = open(network, token);
    const signed = signedTransfer(chains, 'anna', transfer);
    const { hash } = granted(chains.send(signed));
    scheduler.advanceTo(micros(STARTED + 1_200 * US_PER_SECOND));
    const again = granted(chains.send(signed));
    expect(again.hash).toBe(hash);
    expect(again.confirmations).toBeGreaterThan(0);
    expect(chains.balance(token, anna)).toBe(70n);
    expect(isConserved(chains)).toBe(true);
  });

  test('is refused when another was made under its nonce', () => {
    const { chains, anna, transfer } = open(network, token);
    granted(chains.send(signedTransfer(chains, 'anna', transfer)));
    const other = signedTransfer(chains, 'anna', { ...transfer, lots: 31n });
    expect(rejectedWith(chains.send(other))).toBe('transfer-invalid');
    expect(chains.balance(token, anna)).toBe(70n);
    granted(chains.send(signedTransfer(chains, 'anna', { ...transfer, nonce: 'move-2' })));
    expect(chains.balance(token, anna)).toBe(40n);
  });

  test('is refused when somebody else signed it, or anything of it was changed', () => {
    const { chains, anna, transfer } = open(network, token);
    const signed = signedTransfer(chains, 'anna', { ...transfer, memo: 'seven' });
    const other = network === 'ethereum' ? 11 : token;
    const { memo, ...bare } = signed;
    expect(memo).toBe('seven');
    const altered = [
      signedTransfer(chains, 'bert', transfer),
      { ...signed, lots: 31n },
      { ...signed, to: chains.addressOf(network, 'carl') },
      { ...signed, from: chains.addressOf(network, 'bert') },
      { ...signed, memo: 'eight' },
      bare,
      { ...signed, nonce: 'move-2' },
      { ...signed, token: other, nonce: 'move-3' },
      { ...signed, signature: '' },
      { ...signed, signature: `${signed.signature.slice(0, -2)}xx` },
      { ...signed, signature: signed.signature.slice(0, -2) },
      { ...signed, signature: `${signed.signature}00` },
      { ...signed, signature: '0'.repeat(signed.signature.length) },
    ];
    const codes = altered.map((each) => rejectedWith(chains.send(each)));
    expect(codes).toEqual(altered.map(() => 'transfer-invalid'));
    expect(chains.balance(token, anna)).toBe(100n);
    granted(chains.send(signed));
  });

  test('that was refused for want of money can be sent again once there is some', () => {
    const { chains, anna, transfer } = open(network, token);
    const signed = signedTransfer(chains, 'anna', { ...transfer, lots: 101n });
    expect(rejectedWith(chains.send(signed))).toBe('funds-insufficient');
    granted(chains.mint(token, anna, 1n));
    granted(chains.send(signed));
    expect(chains.balance(token, anna)).toBe(0n);
  });
});

test('a transfer names the network that its token is of, and a nonce that can be written down', () => {
  const { chains, transfer } = open('ethereum', USDC_ETHEREUM);
  const onTron = signedTransfer(chains, 'anna', { ...transfer, network: 'tron' });
  expect(rejectedWith(chains.send(onTron))).toBe('token-unknown');
  for (const nonce of ['', 'a b', 'ä', 'x'.repeat(65)]) {
    const signed = signedTransfer(chains, 'anna', { ...transfer, nonce });
    expect(rejectedWith(chains.send(signed))).toBe('transfer-invalid');
  }
});

test('what an address signs for one family is no signature in another', () => {
  const { chains } = world();
  const digest = '11'.repeat(32);
  for (const { code, family } of NETWORKS) {
    const signature = signedDigest(family, chains.keyOf(code, 'anna'), digest);
    for (const other of NETWORKS) {
      const address = chains.addressOf(other.code, 'anna');
      const isOwn = other.family === family;
      expect(isSignedByOwner(other.family, address, digest, signature)).toBe(isOwn);
    }
  }
});

describe('a permit signed by the owner', () => {
  const permit = (network: string, token: number) => {
    const { chains } = world();
    const owner = chains.addressOf(network, 'anna');
    return { chains, permit: { network, token, owner, allowed: true, nonce: 'p-1' } };
  };

  test.each([
    ['ethereum', USDC_ETHEREUM],
    ['tron', USDC_TRON],
  ] as const)('lets the contract take the token on %s, and takes it back', (network, token) => {
    const { chains, permit: asked } = permit(network, token);
    const given = signedPermit(chains, 'anna', asked);
    expect(chains.permit(given)).toBeUndefined();
    expect(chains.hasApproved(token, asked.owner)).toBe(true);
    const taken = { ...asked, allowed: false, nonce: 'p-2' };
    expect(chains.permit(signedPermit(chains, 'anna', taken))).toBeUndefined();
    expect(chains.hasApproved(token, asked.owner)).toBe(false);
    // The first one again is not a third one.
    expect(chains.permit(given)).toBeUndefined();
    expect(chains.hasApproved(token, asked.owner)).toBe(false);
  });

  test('is refused when it is not the owner who signed, or anything was changed', () => {
    const { chains, permit: asked } = permit('ethereum', USDC_ETHEREUM);
    const signed = signedPermit(chains, 'anna', asked);
    const rejected = [
      signedPermit(chains, 'bert', asked),
      { ...signed, allowed: false },
      { ...signed, token: 11 },
      { ...signed, nonce: 'p-2' },
      { ...signed, owner: chains.addressOf('ethereum', 'bert') },
      { ...signed, owner: 'anna' },
    ].map((each) => rejectedWith(chains.permit(each)));
    expect(rejected).toEqual(rejected.map(() => 'transfer-invalid'));
    expect(chains.hasApproved(USDC_ETHEREUM, asked.owner)).toBe(false);
    expect(rejectedWith(chains.permit({ ...signed, token: 99 }))).toBe('token-unknown');
  });

  test('shares its nonces with the transfers of the address', () => {
    const { chains, anna, bert, transfer } = open('ethereum', USDC_ETHEREUM);
    granted(chains.send(signedTransfer(chains, 'anna', transfer)));
    const asked = { network: 'ethereum', token: USDC_ETHEREUM, owner: anna, allowed: true };
    const taken = signedPermit(chains, 'anna', { ...asked, nonce: transfer.nonce });
    expect(rejectedWith(chains.permit(taken))).toBe('transfer-invalid');
    expect(chains.hasApproved(USDC_ETHEREUM, anna)).toBe(false);
    const byBert = { ...asked, owner: bert, nonce: transfer.nonce };
    expect(chains.permit(signedPermit(chains, 'bert', byBert))).toBeUndefined();
  });
});

test.each(NETWORKS)('keys of owners sign as $code asks for', async ({ family }) => {
  const signer = keySigner(family, '17'.repeat(32));
  const digest = '22'.repeat(32);
  const signature = (await signer.signTransfer?.(digest)) ?? '';
  expect(isSignedByOwner(family, signer.address, digest, signature)).toBe(true);
  expect(isSignedByOwner(family, signer.address, '23'.repeat(32), signature)).toBe(false);
});

test('a signed transfer is not made again when it is sent so late that nobody keeps its transaction', () => {
  const [network, token] = ['tron', USDC_TRON] as const;
  const { chains, scheduler, anna, bert, transfer } = open(network, token);
  const signed = signedTransfer(chains, 'anna', transfer);
  const { hash } = granted(chains.send(signed));
  scheduler.advanceTo(micros(STARTED + 2 * US_PER_DAY));
  for (let count = 0; count < 100_001; count += 1) {
    granted(chains.transfer({ token, from: bert, to: bert, lots: 30n }));
  }
  expect(chains.transaction(network, hash)).toBeUndefined();
  expect(rejectedWith(chains.send(signed))).toBe('transfer-invalid');
  expect(chains.balance(token, anna)).toBe(70n);
  expect(isConserved(chains)).toBe(true);
}, 60_000);
