import { describe, expect, test } from 'vitest';
import { checkedOptions, type SolanaNodeOptions } from '../../../src/gateways/chains/solana/options.ts'; // prettier-ignore

const USUAL = { network: 'solana', name: '', ticker: '', listed: true } as const;
const SOUND: SolanaNodeOptions = {
  network: { id: 5, code: 'solana', name: 'Solana', family: 'solana', blockUs: 400_000, confirmations: 32, customTokens: false }, // prettier-ignore
  genesis: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  coin: 50,
  tokens: [
    { ...USUAL, id: 50, asset: 'SOL', contract: 'SOL', decimals: 9 },
    { ...USUAL, id: 51, asset: 'USDC', contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 }, // prettier-ignore
  ],
  urls: ['https://node.example.com/v1/SECRET?key=SECRET'],
  feeBound: 10_000_000n,
  dayBound: 100_000_000n,
  priorityPercentile: 75,
  payments: '/var/lib/millrace/solana.payments',
};
const [COIN, USDC] = SOUND.tokens;

test('the options of a Solana node are taken as they are where they can be meant', () => {
  expect(checkedOptions(SOUND)).toBe(SOUND);
});

describe('the options of a Solana node are refused by their field where', () => {
  test.each<[string, object, string, string]>([
    ['the network is another', { network: { ...SOUND.network, family: 'evm' } }, 'network.family', 'solana'], // prettier-ignore
    ['the first block has no hash', { genesis: 'mainnet' }, 'genesis', 'must be 32 bytes'],
    ['there is no provider', { urls: [] }, 'urls', 'must have one address at least'],
    ['a provider has no address', { urls: ['SECRET'] }, 'urls.0', 'must be an address such as'],
    ['a bound is a number', { feeBound: 5 }, 'feeBound', 'must be a bigint of lamports'],
    ['a bound is nothing', { dayBound: 0n }, 'dayBound', 'must be above 0'],
    ['a share is above all', { priorityPercentile: 101 }, 'priorityPercentile', '100'],
    ['no token is the coin', { coin: 11 }, 'coin', 'is the id of none of the tokens'],
    ['a token has no mint', { tokens: [COIN, { ...USDC, contract: '0x1' }] }, 'tokens.1.contract', 'must be the address of a mint'], // prettier-ignore
    ['payments have no file', { payments: '' }, 'payments', 'must be the path of a file'],
    ['a setting is unknown', { payment: 'x' }, 'payment', 'did you mean payments?'],
  ])('%s', (_, changes, field, sentence) => {
    const given = { ...SOUND, ...changes };
    const message = expect.stringContaining(sentence) as string;
    const code = 'config-invalid';
    expect(() => checkedOptions(given)).toThrow(expect.objectContaining({ code, field, message }));
    expect(() => checkedOptions(given)).not.toThrow(/SECRET/);
  });
});
