import { ExchangeOrdersClient } from '../../gateways/exchange-orders/client.ts';
import type { HttpSettings } from '../../gateways/http/settings.ts';
import { ExchangeOrderRoute } from '../../gateways/rebalancing/exchange-order-route.ts';
import { ChainPayer } from '../../gateways/rebalancing/payments/chain-payer.ts';
import { SwapRoute } from '../../gateways/rebalancing/swap-route.ts';
import { WalletRoute } from '../../gateways/rebalancing/wallet-route.ts';
import { affiliateSurface } from '../../gateways/rebalancing/swap/affiliate-surface.ts';
import { executionSurface } from '../../gateways/rebalancing/swap/execution-surface.ts';
import type { SwapService } from '../../gateways/rebalancing/swap/service.ts';
import { AffiliateSwapClient } from '../../gateways/swaps/affiliate-client.ts';
import { SwapClient } from '../../gateways/swaps/client.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  holdingName,
  type Holding,
  type PortfolioTargets,
  type PriceOf,
} from '../../model/portfolio.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { TransferRoute } from '../../swaps/execution/transfer-route.ts';
import { ANSWER_US, inTime, unreadable, type LeftOut } from './answers.ts';
import { LazyRoute } from './lazy-route.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import { ACCOUNT, TradingLocation } from './trading-location.ts';
import { Wallets, type ChainWalletHoldings } from './wallets.ts';

/** Names of routes in journals and reports. */
const SWAPS = 'swaps';
const AFFILIATE_SWAPS = 'affiliate-swaps';
const ORDERS = 'exchange-orders';
const WALLETS = 'wallets';
/** Share by which a float rate may bring less than its estimate. */
const TOLERANCE = new Decimal('0.01');

export interface PortfolioTransfersContext {
  readonly scheduler: Scheduler;
  readonly random: Random;
}

/** All locations of a portfolio, and all routes between them. */
export class PortfolioTransfers {
  readonly routes: readonly TransferRoute[];
  readonly #settings: RebalancingSettings;
  readonly #parts: Parts;
  readonly #scheduler: Scheduler;
  /** Services that did not answer at the opening, until the next `reach`. */
  #lateAtOpening: { readonly at: Micros; readonly leftOut: readonly LeftOut[] } | undefined;

  private constructor(
    settings: RebalancingSettings,
    parts: Parts,
    routes: readonly TransferRoute[],
    scheduler: Scheduler,
    leftOut: readonly LeftOut[],
  ) {
    this.#lateAtOpening = { at: scheduler.now(), leftOut };
    this.routes = routes;
    this.#settings = settings;
    this.#parts = parts;
    this.#scheduler = scheduler;
  }

  /**
   * Reaches all services once. Throws `config-invalid` where the settings do not fit the services,
   * and the errors of nodes that the targets need, with nothing left open. A service of a route that
   * does not answer is asked again when it is needed.
   */
  static async open(
    settings: RebalancingSettings,
    { scheduler, random }: PortfolioTransfersContext,
  ): Promise<PortfolioTransfers> {
    const http = { scheduler, random };
    const assets = new Set(settings.prices.keys());
    const needed = locationsOf(settings.targets);
    const parts: Parts = { wallets: await Wallets.open(settings.chains, needed, assets, http) };
    try {
      if (settings.account !== undefined) {
        parts.account = new TradingLocation(settings.account, scheduler, http);
      }
      checkTargets(settings, parts.wallets.all);
      const routes = routesOf(settings, parts, assets, http);
      return new PortfolioTransfers(settings, parts, routes, scheduler, await reached(routes));
    } catch (error) {
      await closeAll(parts);
      throw error;
    }
  }

  /**
   * Asks the services of routes that have not answered so far; gives those that still do not, which
   * a plan goes without. Right after the opening it does not wait for them a second time.
   */
  async reach(): Promise<readonly LeftOut[]> {
    const lately = this.#lateAtOpening;
    this.#lateAtOpening = undefined;
    if (lately === undefined || this.#scheduler.now() - lately.at > ANSWER_US) {
      return reached(this.routes);
    }
    const there = this.routes.filter((one) => !(one instanceof LazyRoute) || one.isThere);
    return lately.leftOut.filter((left) => there.every(({ name }) => name !== left.name));
  }

  /**
   * Present holdings at all locations. A location that cannot be read is left out where no target
   * needs it; else an error names it.
   */
  async holdings(targets?: PortfolioTargets): Promise<{
    readonly holdings: readonly Holding[];
    readonly leftOut: readonly LeftOut[];
  }> {
    const { wallets, account } = this.#parts;
    const assets = new Set(this.#settings.prices.keys());
    const [there, here] = await Promise.all([wallets.holdings(), account?.holdings(assets)]);
    const needed = targets === undefined ? undefined : locationsOf(targets);
    const holdings: Holding[] = [];
    const leftOut: LeftOut[] = [];
    for (const one of [...there, ...(here === undefined ? [] : [here])]) {
      if ('holdings' in one) holdings.push(...one.holdings);
      else if (needed?.has(one.location) === false)
        leftOut.push({ name: one.location, why: one.error.message });
      else throw one.error;
    }
    return { holdings, leftOut };
  }

  /** Present prices. An asset without one is left out where no target needs it; else an error names it. */
  async priceOf(targets: PortfolioTargets): Promise<{
    readonly priceOf: PriceOf;
    readonly leftOut: readonly LeftOut[];
  }> {
    const needed = new Set(targets.holdings.map(({ asset }) => asset));
    const prices = new Map<string, Decimal>();
    const leftOut: LeftOut[] = [];
    const questions = [...this.#settings.prices].map(async ([asset, source]) => {
      try {
        prices.set(asset, 'symbol' in source ? await this.#price(source.symbol) : source);
      } catch (cause) {
        const isReported = cause instanceof MillraceError && cause.code === 'config-invalid';
        const sentence = `What ${asset} is worth cannot be read`;
        const error = isReported ? cause : unreadable(sentence, cause, `prices.${asset}`);
        if (needed.has(asset)) throw error;
        leftOut.push({ name: asset, why: error.message });
      }
    });
    await Promise.all(questions);
    return { priceOf: (asset) => prices.get(asset), leftOut };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await closeAll(this.#parts);
  }

  async #price(symbol: string): Promise<Decimal> {
    const { account } = this.#parts;
    if (account !== undefined) {
      return inTime(this.#scheduler, 'The trading service', account.lastPrice(symbol));
    }
    const sentence = `The price by ${symbol} needs a trading account, which has its last price.`;
    throw new MillraceError('config-invalid', sentence, { field: 'prices' });
  }
}

/** Asks the services of routes that have not answered; gives those that still do not. */
async function reached(routes: readonly TransferRoute[]): Promise<readonly LeftOut[]> {
  const late = routes.filter((one) => one instanceof LazyRoute);
  const left = await Promise.all(late.map((one) => one.reach()));
  return left.filter((one) => one !== undefined);
}

const locationsOf = ({ holdings }: PortfolioTargets): ReadonlySet<string> =>
  new Set(holdings.map(({ location }) => location));

interface Parts {
  readonly wallets: Wallets;
  account?: TradingLocation;
  swaps?: SwapClient;
  affiliateSwaps?: AffiliateSwapClient;
  orders?: ExchangeOrdersClient;
}

type Http = Pick<HttpSettings, 'random'> & { readonly scheduler: Scheduler };

async function closeAll({ wallets, ...parts }: Parts): Promise<void> {
  await Promise.all([wallets, ...Object.values(parts)].map((part) => part.close()));
}

/** Makes a route for each service of the settings. */
function routesOf(
  { swaps, affiliateSwaps, exchangeOrders }: RebalancingSettings,
  parts: Parts,
  assets: ReadonlySet<string>,
  http: Http,
): readonly TransferRoute[] {
  const { wallets, account } = parts;
  const { scheduler } = http;
  const routes: TransferRoute[] = [];
  if (account !== undefined) {
    const open = async () => account.route(wallets.all, assets);
    routes.push(new LazyRoute({ name: ACCOUNT, kind: 'account', scheduler, open }));
  }
  if (swaps !== undefined) {
    parts.swaps = new SwapClient({ ...http, ...swaps, warn: () => undefined });
    routes.push(swapRoute(SWAPS, executionSurface(parts.swaps), wallets.all));
  }
  if (affiliateSwaps !== undefined) {
    parts.affiliateSwaps = new AffiliateSwapClient({ ...http, ...affiliateSwaps });
    const service = affiliateSurface(parts.affiliateSwaps);
    routes.push(swapRoute(AFFILIATE_SWAPS, service, wallets.all));
  }
  if (exchangeOrders !== undefined) {
    const service = new ExchangeOrdersClient({ ...http, ...exchangeOrders });
    parts.orders = service;
    const open = async () => orderRoute(service, wallets.all, http);
    routes.push(new LazyRoute({ name: ORDERS, kind: 'exchangeOrder', scheduler, open }));
  }
  const locations = walletHoldings(wallets.all);
  const between = new WalletRoute({ name: WALLETS, scheduler, wallets: locations });
  if (between.pairs().length > 0) routes.push(between);
  return routes;
}

/** Each token of each wallet. */
const walletHoldings = (wallets: readonly ChainWalletHoldings[]) =>
  wallets.flatMap(({ location, network, tokens, signer, node }) =>
    tokens.map((token) => ({
      holding: { asset: token.asset, location },
      network,
      token,
      signer,
      node,
    })),
  );

const swapRoute = (
  name: string,
  service: SwapService,
  wallets: readonly ChainWalletHoldings[],
): SwapRoute => new SwapRoute({ name, service, wallets: walletHoldings(wallets) });

async function orderRoute(
  service: ExchangeOrdersClient,
  wallets: readonly ChainWalletHoldings[],
  { scheduler }: Http,
): Promise<ExchangeOrderRoute> {
  const known = new Set(await service.getCurrencies());
  const holdings = walletHoldings(wallets).filter(({ token }) => known.has(token.ticker));
  return new ExchangeOrderRoute({
    name: ORDERS,
    service,
    scheduler,
    rate: 'fixed',
    tolerance: TOLERANCE,
    sources: holdings.map(({ holding, network, token, signer, node }) => ({
      holding,
      ticker: token.ticker,
      payer: new ChainPayer(node, { network, token, signer }),
      refund: { address: signer.address },
    })),
    targets: holdings.map(({ holding, token, signer }) => ({
      holding,
      ticker: token.ticker,
      decimals: token.decimals,
      payout: { address: signer.address },
    })),
  });
}

/** Throws for a target whose location or token is not configured. */
function checkTargets(
  settings: RebalancingSettings,
  wallets: readonly ChainWalletHoldings[],
): void {
  for (const holding of settings.targets.holdings) {
    if (holding.location === settings.account?.location) continue;
    const wallet = wallets.find(({ location }) => location === holding.location);
    if (wallet?.tokens.some(({ asset }) => asset === holding.asset) === true) continue;
    const why =
      wallet === undefined
        ? `there is no location "${holding.location}" among chains and account`
        : `${holding.location} has no ${holding.asset} with a price`;
    const sentence = `The target ${holdingName(holding)} cannot be reached: ${why}.`;
    throw new MillraceError('config-invalid', sentence, {
      field: `targets.${holdingName(holding)}`,
    });
  }
}
