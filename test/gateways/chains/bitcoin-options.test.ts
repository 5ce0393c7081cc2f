import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { GENESIS } from '../../../src/gateways/chains/bitcoin/addresses.ts';
import type { BitcoinChain } from '../../../src/swaps/chains/families/bitcoin.ts';
import { checkedOptions } from '../../../src/gateways/chains/bitcoin/options.ts';
import { optionsOf, TOKEN } from './contract/bitcoin-node-of.ts';

const SOUND = optionsOf('https://node.example.com/SECRET', '/var/lib/millrace');

test('the options of a node of Bitcoin are taken as they are where they can be meant', () => {
  expect(checkedOptions(SOUND)).toBe(SOUND);
});

describe('the options of a node of Bitcoin are refused by their field where', () => {
  test.each<[string, object, string, string]>([
    ['the family is another', { network: { ...SOUND.network, family: 'evm' } }, 'network.family', 'must be bitcoin'], // prettier-ignore
    ['the chain is unknown', { chain: 'main' }, 'chain', 'must be one of mainnet, testnet, signet, regtest'], // prettier-ignore
    ['there is no provider', { urls: [] }, 'urls', 'must have one address at least'],
    ['a provider has no address', { urls: ['SECRET'] }, 'urls.0', 'must be an address such as'],
    ['nothing is final', { finality: 0 }, 'finality', 'must be above 0'],
    ['the end is a word', { finality: 'safe' }, 'finality', 'must be a number of confirmations'],
    ['the target is too late', { feeTarget: 2000 }, 'feeTarget', 'must be 1008 at most'],
    ['a bound is a number', { feeBound: 5 }, 'feeBound', 'must be a bigint of satoshi'],
    ['a bound is nothing', { dayBound: 0n }, 'dayBound', 'must be above 0'],
    ['the coin is another', { coin: 11 }, 'coin', 'is the id of none of the tokens'],
    ['there are two tokens', { tokens: [TOKEN, TOKEN] }, 'tokens', 'must be the coin alone'],
    ['decimals are others', { tokens: [{ ...TOKEN, decimals: 6 }] }, 'tokens.0.decimals', 'of BTC is 6'], // prettier-ignore
    ['inputs have no file', { inputs: '' }, 'inputs', 'must be the path of a file'],
    ['a setting is unknown', { input: 'x' }, 'input', 'did you mean inputs?'],
  ])('%s', (_, changes, field, sentence) => {
    const given = { ...SOUND, ...changes };
    const message = expect.stringContaining(sentence) as string;
    const code = 'config-invalid';
    expect(() => checkedOptions(given)).toThrow(expect.objectContaining({ code, field, message }));
    expect(() => checkedOptions(given)).not.toThrow(/SECRET/);
  });
});

/** Time, difficulty and nonce of the first block of each chain; all else is the same in them. */
const HEADERS: Readonly<Record<BitcoinChain, readonly [number, number, number]>> = {
  mainnet: [1_231_006_505, 0x1d00ffff, 2_083_236_893],
  testnet: [1_296_688_602, 0x1d00ffff, 414_098_458],
  signet: [1_598_918_400, 0x1e0377ae, 52_613_770],
  regtest: [1_296_688_602, 0x207fffff, 2],
};
const MERKLE_ROOT = '3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a';

test.each(Object.entries(HEADERS))(
  'the first block of %s has the hash that identifies the chain',
  (chain, words) => {
    // prettier-ignore
    const numbers = Buffer.alloc(12);
    for (const [at, word] of words.entries()) numbers.writeUInt32LE(word, 4 * at);
    const header = `01000000${'00'.repeat(32)}${MERKLE_ROOT}${numbers.toString('hex')}`;
    const hashed = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
    const hash = hashed(hashed(Buffer.from(header, 'hex')));
    expect(Buffer.from(Uint8Array.from(hash).toReversed()).toString('hex')).toBe(
      GENESIS[chain as BitcoinChain],
    );
  },
);
