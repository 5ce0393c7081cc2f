import { join } from 'node:path';
import { z } from 'zod';
import { count } from '../../config/amounts.ts';
import { withoutAbsent } from '../../config/fields.ts';
import { IS_SENTENCE } from '../../config/explain.ts';
import type {
  OutsideSettings,
  RealNetworkSettings,
} from '../../server/simulation/chain-settings.ts';
import type { NetworkTerms, TokenTerms } from '../../swaps/tokens.ts';
import { coinLots, EVM_DECIMALS } from '../chain-config.ts';
import { secretOf, type SecretSources } from './secrets.ts';

/** A key of the swap service. An invalid one is not shown. */
const keyOf = (sources: SecretSources) =>
  secretOf(sources).refine((secret) => /^\s*(?:0x)?[\da-f]{64}\s*$/i.test(secret), {
    error: 'expected a private key of 64 hexadecimal digits',
    params: { [IS_SENTENCE]: true },
  });

const url = (sources: SecretSources) =>
  secretOf(sources).refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    {
      error:
        'an address such as http://127.0.0.1:8545; one with a key in its path in a variable or a file',
      params: { [IS_SENTENCE]: true },
    },
  );

/** Nodes of a live EVM chain, and the swap service's accounts there. */
export const realEvm = (sources: SecretSources) =>
  z.strictObject({
    urls: z.array(url(sources)).min(1).describe('Nodes, who must agree.'),
    finality: z
      .union([z.enum(['finalized', 'safe']), count], {
        error: 'finalized, safe or a number of confirmations',
      })
      .default('finalized')
      .describe('From where on a transaction is final.'),
    feeBound: coinLots(EVM_DECIMALS).describe('The most that a transaction may cost, in the coin.'),
    dayBound: coinLots(EVM_DECIMALS).describe('The most that those of 24 hours may cost together.'),
    dataFeeOracle: z
      .string()
      .optional()
      .describe('Contract that says what a chain of the OP kind takes for data.'),
    oneByOne: z
      .boolean()
      .default(false)
      .describe('True where nodes keep nothing that waits, such as on Arbitrum.'),
    acknowledged: z
      .int()
      .min(0)
      .optional()
      .describe('Nonces below it may have been used by others with these keys.'),
    escrow: keyOf(sources).describe('Key of the address that takes the money of users.'),
    resolver: keyOf(sources).describe('Key of the address that pays users.'),
  });

interface RealEvmConfig {
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly id: number;
        readonly name?: string | undefined;
        readonly family: NetworkTerms['family'];
        readonly chainId?: number | undefined;
        readonly block: number;
        readonly confirmations: number;
        readonly trading?: string | undefined;
        readonly evm?: z.output<ReturnType<typeof realEvm>> | undefined;
      }
    >
  >;
  readonly wallets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The digits of a key. */
const bare = (key: string): string => key.trim().toLowerCase().replace(/^0x/, '');

/** Refuses what a real network cannot have. */
export function refuseMixed(given: RealEvmConfig, context: z.RefinementCtx): void {
  for (const [code, { family, chainId, trading, evm }] of Object.entries(given.networks)) {
    if (evm === undefined) continue;
    const refuse = (field: string, message: string): void => {
      const params = { [IS_SENTENCE]: true };
      context.addIssue({ code: 'custom', message, path: ['networks', code, field], params });
    };
    if (family !== 'evm')
      refuse('family', `${code} has nodes of an EVM chain; expected family: evm.`);
    if (chainId === undefined)
      refuse('chainId', `${code} has real nodes; expected their chain id.`);
    if (trading !== undefined) {
      refuse('trading', `Withdrawals and deposits go over simulated networks alone, and ${code} is a real one: leave trading out.`); // prettier-ignore
    }
    if (bare(evm.escrow) === bare(evm.resolver)) {
      refuse('evm', `escrow and resolver of ${code} have one key; expected two, so that what users own is apart.`); // prettier-ignore
    }
    if (evm.dayBound < evm.feeBound) {
      refuse('evm', `dayBound of ${code} is below feeBound; expected at least what one transaction may cost.`); // prettier-ignore
    }
    if (Object.values(given.wallets).some((places) => Object.hasOwn(places, code))) {
      refuse('evm', `wallets name ${code}, where nobody can be given money: it is a real chain. Leave it out of wallets.`); // prettier-ignore
    }
  }
}

/** The real networks of a venue; nothing if all are simulated. */
export function realNetworks(
  networks: RealEvmConfig['networks'],
  tokens: readonly TokenTerms[],
): Pick<OutsideSettings, 'real'> {
  const real = Object.entries(networks).flatMap(([code, one]): [string, RealNetworkSettings][] =>
    one.evm === undefined ? [] : [[code, settingsOf(code, { ...one, evm: one.evm }, tokens)]],
  );
  return real.length === 0 ? {} : { real: new Map(real) };
}

/** Number of the fee asset: no token of the venue has it. */
const COIN = 2 ** 31;

function settingsOf(
  code: string,
  {
    evm,
    ...network
  }: RealEvmConfig['networks'][string] & { readonly evm: z.output<ReturnType<typeof realEvm>> },
  all: readonly TokenTerms[],
): RealNetworkSettings {
  const { escrow, resolver, ...bounds } = evm;
  const terms = {
    id: network.id,
    code,
    name: network.name ?? code,
    family: 'evm',
    chainId: network.chainId ?? 0,
    blockUs: network.block,
    confirmations: network.confirmations,
    customTokens: false,
  } as const;
  const common = { id: COIN, network: code, name: 'coin', asset: 'coin', contract: 'coin' };
  const coin: TokenTerms = { ...common, decimals: EVM_DECIMALS, ticker: 'coin', listed: false };
  const tokens = [coin, ...all.filter((one) => one.network === code)];
  return {
    keys: { escrow, resolver },
    open: async ({ folder, scheduler, log }) => {
      // They are loaded for a venue that has such a network.
      const [{ EvmNode }, { ServiceChain }, { systemRandom }, approvals, keys] = await Promise.all([
        import('../../gateways/chains/evm/evm-node.ts'),
        import('../../gateways/rebalancing/payments/service-chain.ts'),
        import('../../platform/system-random.ts'),
        import('../../swaps/approvals/permit2/address.ts'),
        import('../../swaps/keys/key-ring.ts'),
      ]);
      const node = new EvmNode({
        ...withoutAbsent<typeof bounds>(bounds),
        network: terms,
        tokens,
        coin: COIN,
        permit2: approvals.permit2Contract('evm'),
        nonces: join(folder, `${code}.nonces`),
        http: { scheduler, random: systemRandom() },
      });
      const file = join(folder, `${code}.transfers`);
      const signers = [escrow, resolver].map((key) => keys.keySigner('evm', key));
      return new ServiceChain({ node, network: terms, tokens, signers, file, scheduler, log });
    },
  };
}
