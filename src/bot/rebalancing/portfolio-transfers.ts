import { ExchangeOrdersClient } from '../../gateways/exchange-orders/client.ts';
import type { HttpSettings } from '../../gateways/http/settings.ts';
import { ExchangeOrderCarrier } from '../../gateways/rebalancing/exchange-order-carrier.ts';
import { ChainPayer } from '../../gateways/rebalancing/payments/chain-payer.ts';
import { SwapCarrier } from '../../gateways/rebalancing/swap-carrier.ts';
import { WalletCarrier } from '../../gateways/rebalancing/wallet-carrier.ts';
import { affiliateSurface } from '../../gateways/rebalancing/swap/affiliate-surface.ts';
import { executionSurface } from '../../gateways/rebalancing/swap/execution-surface.ts';
import type { SwapService } from '../../gateways/rebalancing/swap/service.ts';
import { AffiliateSwapClient } from '../../gateways/swaps/affiliate-client.ts';
import { SwapClient } from '../../gateways/swaps/client.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import {
  slotName,
  type Holding,
  type PortfolioTargets,
  type PriceOf,
} from '../../model/portfolio.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { Carrier } from '../../swaps/execution/carrier.ts';
import { ANSWER_US, inTime, unreadable, type LeftOut } from './answers.ts';
import { LateCarrier } from './late-carrier.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import { ACCOUNT, TradingPlace } from './trading-place.ts';
import { Wallets, type ChainWalletHoldings } from './wallets.ts';

/** What the carriers by swap intents are called in journals and reports, by surface. */
const SWAPS = 'swaps';
const AFFILIATE_SWAPS = 'affiliate-swaps';
/** What the carrier by exchange orders is called in journals and reports. */
const ORDERS = 'exchange-orders';
/** What the carrier between wallets of one chain is called in journals and reports. */
const WALLETS = 'wallets';
/** How much less a float rate may bring than it was estimated to. */
const TOLERANCE = new Decimal('0.01');

export interface PortfolioTransfersContext {
  readonly scheduler: Scheduler;
  readonly random: Random;
}

/** All places of a portfolio, and all that carries between them. */
export class PortfolioTransfers {
  readonly carriers: readonly Carrier[];
  readonly #settings: RebalancingSettings;
  readonly #parts: Parts;
  readonly #scheduler: Scheduler;
  /** What did not answer when it was opened, until that is an old story or was told. */
  #lately: { readonly at: Micros; readonly leftOut: readonly LeftOut[] } | undefined;

  private constructor(
    settings: RebalancingSettings,
    parts: Parts,
    carriers: readonly Carrier[],
    scheduler: Scheduler,
    leftOut: readonly LeftOut[],
  ) {
    this.#lately = { at: scheduler.now(), leftOut };
    this.carriers = carriers;
    this.#settings = settings;
    this.#parts = parts;
    this.#scheduler = scheduler;
  }

  /**
   * Reaches all services once. Throws `config-invalid` where the settings do not fit what is there,
   * and what nodes of places throw that are targets, with nothing left open. A service of a carrier
   * that does not answer is asked again when it is needed.
   */
  static async open(
    settings: RebalancingSettings,
    { scheduler, random }: PortfolioTransfersContext,
  ): Promise<PortfolioTransfers> {
    const http = { scheduler, random };
    const assets = new Set(settings.prices.keys());
    const needed = placesOf(settings.targets);
    const parts: Parts = { wallets: await Wallets.open(settings.chains, needed, assets, http) };
    try {
      if (settings.account !== undefined) {
        parts.account = new TradingPlace(settings.account, scheduler, http);
      }
      checkTargets(settings, parts.wallets.all);
      const carriers = carriersOf(settings, parts, assets, http);
      return new PortfolioTransfers(settings, parts, carriers, scheduler, await reached(carriers));
    } catch (error) {
      await closeAll(parts);
      throw error;
    }
  }

  /**
   * Asks the services of carriers that have not answered so far; gives those that still do not. A
   * plan goes without them. What has just not answered the opening is not waited for once more.
   */
  async reach(): Promise<readonly LeftOut[]> {
    const lately = this.#lately;
    this.#lately = undefined;
    if (lately === undefined || this.#scheduler.now() - lately.at > ANSWER_US) {
      return reached(this.carriers);
    }
    const there = this.carriers.filter((one) => !(one instanceof LateCarrier) || one.isThere);
    return lately.leftOut.filter((left) => there.every(({ name }) => name !== left.name));
  }

  /**
   * What is held now in all slots. A place that cannot be read is left out where it is no place of
   * `targets`, and an error otherwise, which names it.
   */
  async holdings(targets?: PortfolioTargets): Promise<{
    readonly holdings: readonly Holding[];
    readonly leftOut: readonly LeftOut[];
  }> {
    const { wallets, account } = this.#parts;
    const assets = new Set(this.#settings.prices.keys());
    const [there, here] = await Promise.all([wallets.holdings(), account?.holdings(assets)]);
    const needed = targets === undefined ? undefined : placesOf(targets);
    const holdings: Holding[] = [];
    const leftOut: LeftOut[] = [];
    for (const one of [...there, ...(here === undefined ? [] : [here])]) {
      if ('holdings' in one) holdings.push(...one.holdings);
      else if (needed?.has(one.place) === false)
        leftOut.push({ name: one.place, why: one.error.message });
      else throw one.error;
    }
    return { holdings, leftOut };
  }

  /** What the assets are worth now. Of an asset that cannot be told the same holds as of a place. */
  async priceOf(targets: PortfolioTargets): Promise<{
    readonly priceOf: PriceOf;
    readonly leftOut: readonly LeftOut[];
  }> {
    const needed = new Set(targets.slots.map(({ asset }) => asset));
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

/** Asks the services of carriers that have not answered; gives those that still do not. */
async function reached(carriers: readonly Carrier[]): Promise<readonly LeftOut[]> {
  const late = carriers.filter((one) => one instanceof LateCarrier);
  const left = await Promise.all(late.map((one) => one.reach()));
  return left.filter((one) => one !== undefined);
}

const placesOf = ({ slots }: PortfolioTargets): ReadonlySet<string> =>
  new Set(slots.map(({ place }) => place));

interface Parts {
  readonly wallets: Wallets;
  account?: TradingPlace;
  swaps?: SwapClient;
  affiliateSwaps?: AffiliateSwapClient;
  orders?: ExchangeOrdersClient;
}

type Http = Pick<HttpSettings, 'random'> & { readonly scheduler: Scheduler };

async function closeAll({ wallets, ...parts }: Parts): Promise<void> {
  await Promise.all([wallets, ...Object.values(parts)].map((part) => part.close()));
}

/** Opens what the settings name, and makes a carrier of each. */
function carriersOf(
  { swaps, affiliateSwaps, exchangeOrders }: RebalancingSettings,
  parts: Parts,
  assets: ReadonlySet<string>,
  http: Http,
): readonly Carrier[] {
  const { wallets, account } = parts;
  const { scheduler } = http;
  const carriers: Carrier[] = [];
  if (account !== undefined) {
    const open = async () => account.carrier(wallets.all, assets);
    carriers.push(new LateCarrier({ name: ACCOUNT, kind: 'account', scheduler, open }));
  }
  if (swaps !== undefined) {
    parts.swaps = new SwapClient({ ...http, ...swaps, warn: () => undefined });
    carriers.push(swapCarrier(SWAPS, executionSurface(parts.swaps), wallets.all));
  }
  if (affiliateSwaps !== undefined) {
    parts.affiliateSwaps = new AffiliateSwapClient({ ...http, ...affiliateSwaps });
    const service = affiliateSurface(parts.affiliateSwaps);
    carriers.push(swapCarrier(AFFILIATE_SWAPS, service, wallets.all));
  }
  if (exchangeOrders !== undefined) {
    const service = new ExchangeOrdersClient({ ...http, ...exchangeOrders });
    parts.orders = service;
    const open = async () => orderCarrier(service, wallets.all, http);
    carriers.push(new LateCarrier({ name: ORDERS, kind: 'exchangeOrder', scheduler, open }));
  }
  const places = walletSlots(wallets.all);
  const between = new WalletCarrier({ name: WALLETS, scheduler, places });
  if (between.pairs().length > 0) carriers.push(between);
  return carriers;
}

/** What each wallet has of each token. */
const walletSlots = (wallets: readonly ChainWalletHoldings[]) =>
  wallets.flatMap(({ place, network, tokens, signer, node }) =>
    tokens.map((token) => ({ slot: { asset: token.asset, place }, network, token, signer, node })),
  );

const swapCarrier = (
  name: string,
  service: SwapService,
  wallets: readonly ChainWalletHoldings[],
): SwapCarrier => new SwapCarrier({ name, service, places: walletSlots(wallets) });

async function orderCarrier(
  service: ExchangeOrdersClient,
  wallets: readonly ChainWalletHoldings[],
  { scheduler }: Http,
): Promise<ExchangeOrderCarrier> {
  const known = new Set(await service.getCurrencies());
  const slots = wallets.flatMap(({ place, network, tokens, signer, node }) =>
    tokens
      .filter(({ ticker }) => known.has(ticker))
      .map((token) => ({
        slot: { asset: token.asset, place },
        ticker: token.ticker,
        decimals: token.decimals,
        own: { address: signer.address },
        payer: new ChainPayer(node, { network, token, signer }),
      })),
  );
  return new ExchangeOrderCarrier({
    name: ORDERS,
    service,
    scheduler,
    rate: 'fixed',
    tolerance: TOLERANCE,
    sources: slots.map(({ slot, ticker, payer, own }) => ({ slot, ticker, payer, refund: own })),
    targets: slots.map(({ slot, ticker, decimals, own }) => ({
      slot,
      ticker,
      decimals,
      payout: own,
    })),
  });
}

/** Every target must be at a place that there is, and of a token that it has. */
function checkTargets(
  settings: RebalancingSettings,
  wallets: readonly ChainWalletHoldings[],
): void {
  for (const slot of settings.targets.slots) {
    if (slot.place === settings.account?.place) continue;
    const wallet = wallets.find(({ place }) => place === slot.place);
    if (wallet?.tokens.some(({ asset }) => asset === slot.asset) === true) continue;
    const why =
      wallet === undefined
        ? `there is no place "${slot.place}" among chains and account`
        : `${slot.place} has no ${slot.asset} with a price`;
    const sentence = `The target ${slotName(slot)} cannot be reached: ${why}.`;
    throw new MillraceError('config-invalid', sentence, { field: `targets.${slotName(slot)}` });
  }
}
