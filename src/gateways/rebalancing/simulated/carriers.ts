import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { slotName, type Slot } from '../../../model/portfolio.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { Carrier } from '../../../swaps/execution/carrier.ts';
import { keySigner } from '../../../swaps/keys/key-ring.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainNode } from '../../chains/node.ts';
import type { Latency } from '../../simulated.ts';
import { AccountCarrier } from '../account-carrier.ts';
import type { TradeLimits } from '../account/limits.ts';
import { ExchangeOrderCarrier } from '../exchange-order-carrier.ts';
import { ChainPayer } from '../payments/chain-payer.ts';
import { SwapCarrier } from '../swap-carrier.ts';
import { LocalAccount } from './account.ts';
import { localNode } from './node.ts';
import { localOrders } from './orders.ts';
import { OWNER, type SimulatedServices } from './services.ts';
import type { PortfolioModel, ServiceModel } from './settings.ts';
import { localSwaps } from './swaps.ts';
import type { LocalVenue } from './venue.ts';
import type { LocalWire } from './wire.ts';

const BPS = 10_000;

export interface CarrierParts {
  readonly model: PortfolioModel;
  readonly services: () => SimulatedServices;
  readonly scheduler: Scheduler;
  readonly venue: LocalVenue;
  /** Those that moves may trade. */
  readonly instruments: readonly Instrument[];
  readonly latency: Latency;
  readonly wire: LocalWire;
  /** How large an order of a move may be. */
  readonly limits: TradeLimits;
}

/** A token of an own wallet. */
interface OwnToken {
  readonly slot: Slot;
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly signer: ApprovalSigner;
  readonly node: ChainNode;
}

/**
 * The carriers of a live bot over the services of this process: that of the account of the run first,
 * then those of the services by their names.
 */
export function carriersOf(parts: CarrierParts): readonly Carrier[] {
  const tokens = ownTokens(parts);
  const services = [...parts.model.services].map(([name, model]) =>
    serviceCarrier(name, model, tokens, parts),
  );
  return [accountCarrier(tokens, parts), ...services];
}

function ownTokens({ services }: CarrierParts): readonly OwnToken[] {
  const { chains } = services();
  const node = localNode(services);
  const signers = new Map(
    chains.networks.map((network) => {
      const key = chains.keyOf(network.code, OWNER);
      return [network.code, { network, signer: keySigner(network.family, key) }];
    }),
  );
  return chains.tokens.flatMap((token) => {
    const own = signers.get(token.network);
    const slot = { asset: token.asset, place: token.network };
    return own === undefined ? [] : [{ slot, token, node, ...own }];
  });
}

function accountCarrier(tokens: readonly OwnToken[], parts: CarrierParts): Carrier {
  const { model, scheduler, instruments, venue, limits } = parts;
  const { account: place, prices, bound, networks } = model;
  return new AccountCarrier({
    name: place,
    place,
    scheduler,
    bound,
    limits,
    home: 'spot',
    rest: new LocalAccount(parts),
    chains: tokens
      .filter(({ slot }) => networks.has(slot.place) && venue.holds(slot.asset))
      .map((own) => ({
        asset: own.slot.asset,
        place: own.slot.place,
        network: own.slot.place,
        wallet: { address: own.signer.address },
        payer: new ChainPayer(own.node, own),
      })),
    symbols: instruments
      .filter(({ isContract }) => !isContract)
      .filter((one) => prices.has(one.baseCurrency) && prices.has(one.quoteCurrency))
      .map(({ symbol, baseCurrency: base, quoteCurrency: quote }) => ({ symbol, base, quote })),
  });
}

function serviceCarrier(
  name: string,
  model: ServiceModel,
  tokens: readonly OwnToken[],
  parts: CarrierParts,
): Carrier {
  const own = model.slots.map((slot) => ownToken(name, slot, tokens, parts.model));
  if (model.kind === 'swap') {
    const service = localSwaps({ ...parts, name, model });
    const slippageBps = model.slippage.times(BPS).toNumber();
    return new SwapCarrier({ name, service, places: own, slippageBps });
  }
  const ends = own.map(({ slot, token, network, signer, node }) => ({
    slot,
    ticker: token.ticker,
    decimals: token.decimals,
    refund: { address: signer.address },
    payout: { address: signer.address },
    payer: new ChainPayer(node, { network, token, signer }),
  }));
  return new ExchangeOrderCarrier({
    name,
    service: localOrders({ ...parts, name, model }),
    scheduler: parts.scheduler,
    rate: model.slippage.isZero() ? 'fixed' : 'float',
    tolerance: model.slippage,
    sources: ends,
    targets: ends,
  });
}

function ownToken(
  name: string,
  slot: Slot,
  tokens: readonly OwnToken[],
  { prices }: PortfolioModel,
): OwnToken {
  const field = `portfolio.services.${name}.slots`;
  const found = tokens.find((one) => slotName(one.slot) === slotName(slot));
  if (found === undefined) {
    throw new MillraceError(
      'config-invalid',
      `${slotName(slot)} is no wallet: name it in wallets, ${slot.place}: { ${slot.asset}: 0 } where it starts empty.`,
      { field },
    );
  }
  if (!prices.has(slot.asset)) {
    const sentence = `Nothing says what ${slot.asset} is worth: name it in prices.`;
    throw new MillraceError('config-invalid', sentence, {
      field: `portfolio.prices.${slot.asset}`,
    });
  }
  return found;
}
