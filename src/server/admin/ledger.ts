import { z } from 'zod';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { SimulatedChains } from '../../swaps/chains/simulated-chains.ts';
import { amountOf, lotsOf, type TokenTerms } from '../../swaps/tokens.ts';
import { optional, withDefault, text, unsigned } from '../../wire/trading/fields.ts';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { adminCall, type AdminCall } from './call.ts';

/** A token by its network and asset, at an address. */
const place = { network: text, asset: text, address: text } as const;

const grant = z.object({
  ...place,
  amount: unsigned,
  /** Name of the address in the ledger. */
  name: optional(text),
});

const permission = z.object({ ...place, allowed: withDefault(z.boolean(), true) });

/** Shows balances on the simulated chains, and adds money to them. */
export const ledgerCalls = (chains: SimulatedChains): readonly AdminCall[] => [
  adminCall({
    method: 'GET',
    path: '/admin/ledger',
    summary: 'What every address of the simulated chains holds, what was minted and what is held',
    params: z.object({ network: optional(text) }),
    run: ({ network }) =>
      decoded(
        chains.networks
          .filter(({ code }) => !chains.isReal(code) && (network === undefined || code === network))
          .map(({ code }) => ({
            network: code,
            tokens: chains.tokens
              .filter((token) => token.network === code)
              .map((token) => ledgerOf(chains, token)),
          })),
      ),
  }),
  adminCall({
    method: 'POST',
    path: '/admin/faucet',
    summary: 'Brings money into being at an address of a simulated chain',
    params: grant,
    run: (params) => mint(chains, params),
  }),
  adminCall({
    method: 'POST',
    path: '/admin/permit2',
    summary: 'Lets the permit2 contract take a token from an address, or not any more',
    params: permission,
    run: ({ network, asset, address, allowed }) => {
      const token = tokenOf(chains, network, asset);
      if (token.kind === 'fault') return token;
      const { id } = token.value;
      const rejection = allowed ? chains.approve(id, address) : chains.revoke(id, address);
      return rejection === undefined
        ? decoded({ network, asset, address: chains.canonical(network, address), allowed })
        : rejected(rejection);
    },
  }),
];

function ledgerOf(chains: SimulatedChains, { id, network, asset, decimals }: TokenTerms) {
  const { minted, held } = chains.supply(id);
  const reported = (lots: bigint): string => amountOf(lots, decimals).toFixed();
  return {
    token: id,
    asset,
    minted: reported(minted),
    held: reported(held),
    holders: chains.holders(id).map(([address, lots]) => ({
      address,
      name: chains.nameOf(network, address) ?? null,
      amount: reported(lots),
    })),
  };
}

function mint(chains: SimulatedChains, params: z.output<typeof grant>): Decoded<unknown> {
  const { network, asset, address, amount, name } = params;
  const token = tokenOf(chains, network, asset);
  if (token.kind === 'fault') return token;
  const { id, decimals } = token.value;
  const lots = lotsOf(amount, decimals);
  if (lots === undefined) {
    return undecoded(fault(10001, `amount may have ${decimals} decimals`, 'amount'));
  }
  const minted = chains.mint(id, address, lots);
  if (isRejection(minted)) return rejected(minted);
  if (name !== undefined) chains.call(network, minted.to, name);
  return decoded({
    network,
    asset,
    address: minted.to,
    amount: amount.toFixed(),
    hash: minted.hash,
  });
}

function tokenOf(chains: SimulatedChains, network: string, asset: string): Decoded<TokenTerms> {
  const found = chains.tokens.find((each) => each.network === network && each.asset === asset);
  return found === undefined
    ? undecoded(fault(10001, `There is no ${asset} on ${network}`, 'asset'))
    : decoded(found);
}

const rejected = ({ message }: Rejection): Decoded<never> => undecoded(fault(10001, message));
