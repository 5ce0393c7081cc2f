import { MillraceError } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { holdingName, type HoldingKey } from '../../../model/portfolio.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { TransferRoute } from '../../../swaps/execution/transfer-route.ts';
import { keySigner } from '../../../swaps/keys/key-ring.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainNode } from '../../chains/node.ts';
import type { Latency } from '../../simulated.ts';
import { AccountRoute } from '../account-route.ts';
import type { TradeLimits } from '../account/limits.ts';
import { ExchangeOrderRoute } from '../exchange-order-route.ts';
import { ChainPayer } from '../payments/chain-payer.ts';
import { SwapRoute } from '../swap-route.ts';
import { LocalAccount } from './account.ts';
import { localNode } from './node.ts';
import { localOrders } from './orders.ts';
import { OWNER, type SimulatedServices } from './services.ts';
import type { PortfolioModel, ServiceModel } from './settings.ts';
import { localSwaps } from './swaps.ts';
import type { LocalVenue } from './venue.ts';
import type { LocalWire } from './wire.ts';

const BPS = 10_000;

export interface LocalRoutesParts {
  readonly model: PortfolioModel;
  readonly services: () => SimulatedServices;
  readonly scheduler: Scheduler;
  readonly venue: LocalVenue;
  /** Those that transfers may trade. */
  readonly instruments: readonly Instrument[];
  readonly latency: Latency;
  readonly wire: LocalWire;
  /** Largest size of a transfer's order. */
  readonly limits: TradeLimits;
}

/** A token of an own wallet. */
interface OwnToken {
  readonly holding: HoldingKey;
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  readonly signer: ApprovalSigner;
  readonly node: ChainNode;
}

/**
 * The routes of a live bot over the services of this process: that of the account of the run first,
 * then those of the services by their names.
 */
export function routesOf(parts: LocalRoutesParts): readonly TransferRoute[] {
  const tokens = ownTokens(parts);
  const services = [...parts.model.services].map(([name, model]) =>
    serviceRoute(name, model, tokens, parts),
  );
  return [accountRoute(tokens, parts), ...services];
}

function ownTokens({ services }: LocalRoutesParts): readonly OwnToken[] {
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
    const holding = { asset: token.asset, location: token.network };
    return own === undefined ? [] : [{ holding, token, node, ...own }];
  });
}

function accountRoute(tokens: readonly OwnToken[], parts: LocalRoutesParts): TransferRoute {
  const { model, scheduler, instruments, venue, limits } = parts;
  const { account: location, prices, tolerance, networks } = model;
  return new AccountRoute({
    name: location,
    location,
    scheduler,
    tolerance,
    limits,
    home: 'spot',
    rest: new LocalAccount(parts),
    chains: tokens
      .filter(({ holding }) => networks.has(holding.location) && venue.holds(holding.asset))
      .map((own) => ({
        asset: own.holding.asset,
        location: own.holding.location,
        network: own.holding.location,
        wallet: { address: own.signer.address },
        payer: new ChainPayer(own.node, own),
      })),
    symbols: instruments
      .filter(({ isContract }) => !isContract)
      .filter((one) => prices.has(one.baseCurrency) && prices.has(one.quoteCurrency))
      .map(({ symbol, baseCurrency: base, quoteCurrency: quote }) => ({ symbol, base, quote })),
  });
}

function serviceRoute(
  name: string,
  model: ServiceModel,
  tokens: readonly OwnToken[],
  parts: LocalRoutesParts,
): TransferRoute {
  const own = model.holdings.map((holding) => ownToken(name, holding, tokens, parts.model));
  if (model.kind === 'swap') {
    const service = localSwaps({ ...parts, name, model });
    const slippageBps = model.slippage.times(BPS).toNumber();
    return new SwapRoute({ name, service, wallets: own, slippageBps });
  }
  const ends = own.map(({ holding, token, network, signer, node }) => ({
    holding,
    ticker: token.ticker,
    decimals: token.decimals,
    refund: { address: signer.address },
    payout: { address: signer.address },
    payer: new ChainPayer(node, { network, token, signer }),
  }));
  return new ExchangeOrderRoute({
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
  holding: HoldingKey,
  tokens: readonly OwnToken[],
  { prices }: PortfolioModel,
): OwnToken {
  const field = `portfolio.services.${name}.holdings`;
  const found = tokens.find((one) => holdingName(one.holding) === holdingName(holding));
  if (found === undefined) {
    throw new MillraceError(
      'config-invalid',
      `${holdingName(holding)} is no wallet: name it in wallets, ${holding.location}: { ${holding.asset}: 0 } where it starts empty.`,
      { field },
    );
  }
  if (!prices.has(holding.asset)) {
    const sentence = `Nothing says what ${holding.asset} is worth: name it in prices.`;
    throw new MillraceError('config-invalid', sentence, {
      field: `portfolio.prices.${holding.asset}`,
    });
  }
  return found;
}
