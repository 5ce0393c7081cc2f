import type { FastifyInstance } from 'fastify';
import type { ExchangeOptions } from '../../exchange/exchange.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import { isRejection } from '../../model/rejections.ts';
import { MillraceError } from '../../model/errors.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SimulatedChains } from '../../swaps/chains/simulated-chains.ts';
import {
  depositAddresses,
  linkWallets,
  OMNIBUS,
  type LinkedNetworks,
} from '../../swaps/chains/wallet-link.ts';
import { ExchangeOrderService } from '../../swaps/orders/service.ts';
import { defaultCurrencies } from '../../swaps/orders/terms.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import { lotsOf } from '../../swaps/tokens.ts';
import type { AdminCall } from '../admin/call.ts';
import { ledgerCalls } from '../admin/ledger.ts';
import { mountChains } from '../chains/mount.ts';
import { exchangeOrderCalls } from '../exchange-orders/admin.ts';
import { ExchangeClients } from '../exchange-orders/clients.ts';
import { mountExchangeOrders } from '../exchange-orders/mount.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';
import { swapCalls } from '../swaps/admin.ts';
import { mountSwaps } from '../swaps/mount.ts';
import { Partners } from '../swaps/partners.ts';
import type { TradingService } from '../trading/service.ts';
import { RealChains, realNetworksOf } from './real-chains.ts';
import { newSeed } from './seed.ts';
import type { MemberSettings } from './settings.ts';
import type {
  ExchangeOrderSettings,
  OutsideSettings,
  SwapSettings,
  WalletSettings,
} from './chain-settings.ts';

/** Services on the external chains, with their clients. */
export interface OutsideServices {
  readonly services: readonly ((app: FastifyInstance) => void)[];
  readonly adminCalls: readonly AdminCall[];
  /** Connects to the live networks among the chains, once the state is restored. */
  start(isNew: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of the services. */
export interface Beside {
  readonly trading: TradingService;
  readonly scheduler: Scheduler;
  /** Accounts of the trading service, with their initial balances. */
  readonly members: readonly MemberSettings[];
  readonly log?: Log | undefined;
  /** Folder of the state; not kept if absent. */
  readonly folder: string | undefined;
  /** The time of the machine, by which real networks are reached. */
  readonly present: Scheduler;
}

/** The chains of a venue, with what everybody has there at the start. */
export class VenueChains {
  readonly chains: SimulatedChains;
  readonly #settings: OutsideSettings;
  readonly #seed: number;
  readonly #networks: LinkedNetworks;

  /** Throws `config-invalid` for networks, tokens and wallets that cannot be. */
  constructor(settings: OutsideSettings, scheduler: Scheduler) {
    const { networks, tokens } = settings;
    const seed = settings.seed ?? newSeed();
    const real = settings.real && realNetworksOf(settings.real);
    this.chains = new SimulatedChains({ networks, tokens, scheduler, seed, ...(real && { real }) });
    this.#settings = settings;
    this.#seed = seed;
    this.#networks = Object.fromEntries(
      [...settings.trading].map(([chain, code]) => [code, chain]),
    );
    for (const wallet of settings.wallets) fill(this.chains, wallet);
  }

  /** Deposit addresses for the exchange of the trading service. */
  get exchange(): Pick<ExchangeOptions, 'depositAddress'> {
    return { depositAddress: depositAddresses(this.chains, this.#networks) };
  }

  /** Opens the services on the chains, beside a trading service whose wallets are linked with them. */
  open(beside: Beside): OutsideServices {
    const { trading, scheduler, members, log } = beside;
    const { chains } = this;
    const settings = this.#settings;
    checkSymbols(settings, trading);
    this.#stock(members);
    const unlink = linkWallets(trading, chains, this.#networks, {
      bring: ({ id }, address, lots) => {
        chains.mint(id, address, lots);
      },
    });
    const priceOf = valueOf(settings, trading);
    const { inputs } = trading;
    const reached = this.#reach(beside);
    const on = { scheduler, log, inputs, chains, priceOf, seed: this.#seed, reached };
    const opened = [
      ...(settings.swaps === undefined ? [] : [openSwaps(settings.swaps, on)]),
      ...(settings.exchangeOrders === undefined ? [] : [openOrders(settings.exchangeOrders, on)]),
    ];
    return {
      services: [
        (app) => {
          mountChains(app, chains, log, trading.inputs);
        },
        ...opened.map(({ mount }) => mount),
      ],
      adminCalls: [...ledgerCalls(chains), ...opened.flatMap(({ calls }) => calls)],
      start: async (isNew) => reached?.start(isNew),
      close: async () => {
        unlink();
        await reached?.close();
      },
    };
  }

  #reach({ trading, folder, present, log = () => undefined }: Beside): RealChains | undefined {
    const { real: settings, tokens } = this.#settings;
    if (settings === undefined || settings.size === 0) return undefined;
    const setup = { settings, tokens, folder, scheduler: present, log };
    return new RealChains(setup, this.chains.real, trading.inputs);
  }

  close(): void {
    this.chains.close();
  }

  /**
   * The trading service can pay out its members' initial balances on each linked chain. Purchases from a
   * market that is no member are created as they are paid out.
   */
  #stock(members: readonly MemberSettings[]): void {
    for (const { id, network, asset, decimals } of this.chains.tokens) {
      if (!this.#settings.trading.has(network)) continue;
      const held = broughtBy(members, asset).toDecimalPlaces(decimals, Decimal.ROUND_UP);
      const lots = lotsOf(held, decimals) ?? 0n;
      if (lots > 0n) this.chains.mint(id, this.chains.addressOf(network, OMNIBUS), lots);
    }
  }
}

/** A service that is open. */
interface Opened {
  readonly mount: (app: FastifyInstance) => void;
  readonly calls: readonly AdminCall[];
}

/** Initial balances of all members and sub-accounts in an asset. */
function broughtBy(members: readonly MemberSettings[], asset: string): Decimal {
  return members.reduce((sum, { balances, subAccounts }) => {
    const { spot, wallet, derivatives } = balances;
    const own = [spot, wallet, derivatives].map((amounts) => new Decimal(amounts[asset] ?? '0'));
    return Decimal.sum(sum, ...own, broughtBy(subAccounts, asset));
  }, ZERO);
}

interface OnChains extends Pick<Beside, 'scheduler' | 'log'> {
  readonly chains: SimulatedChains;
  readonly priceOf: PriceOf;
  readonly seed: number;
  readonly inputs: Inputs;
  readonly reached: RealChains | undefined;
}

function openSwaps(
  { partners, terms, inventory }: SwapSettings,
  { chains, priceOf, scheduler, seed, log, inputs, reached }: OnChains,
): Opened {
  const service = new SwapIntents({ chains, priceOf, scheduler, terms, seed });
  stock(chains, inventory, (network) => service.resolverAt(network));
  const readOwner = reached && (async (intent: Intent) => reached.readOwner(intent));
  const setup = { service, partners: new Partners(partners), inputs, log, readOwner };
  return {
    mount: (app) => {
      mountSwaps(app, setup);
    },
    calls: swapCalls(service),
  };
}

function openOrders(
  { clients, terms, currencies, inventory }: ExchangeOrderSettings,
  { chains, priceOf, scheduler, seed, log, inputs }: OnChains,
): Opened {
  const defaults = defaultCurrencies(chains, () => ZERO);
  const unknown = [...currencies.keys()].find(
    (one) => !defaults.some(({ ticker }) => ticker === one),
  );
  if (unknown !== undefined) {
    const sentence = `The exchange order service has no currency "${unknown}"; no listed token has that ticker.`;
    throw new MillraceError('config-invalid', sentence, { field: 'exchangeOrders.currencies' });
  }
  const special = defaults.map((one) => ({ ...one, ...currencies.get(one.ticker) }));
  const service = new ExchangeOrderService({
    chains,
    priceOf,
    scheduler,
    seed,
    terms: { ...terms, currencies: special },
  });
  stock(chains, inventory, (network) => service.inventoryAt(network));
  const setup = { service, clients: new ExchangeClients(clients), inputs, ...(log && { log }) };
  return {
    mount: (app) => {
      mountExchangeOrders(app, setup);
    },
    calls: exchangeOrderCalls(service),
  };
}

/** Gives a service its payout stock, on each network of an asset. */
function stock(
  chains: SimulatedChains,
  inventory: ReadonlyMap<string, Decimal>,
  at: (network: string) => string,
): void {
  for (const { id, asset, network, decimals } of chains.tokens) {
    // Its balance on a live network exists already.
    if (chains.isReal(network)) continue;
    const amount = inventory.get(asset) ?? ZERO;
    const lots = lotsOf(amount.toDecimalPlaces(decimals, Decimal.ROUND_UP), decimals) ?? 0n;
    if (lots > 0n) chains.mint(id, at(network), lots);
  }
}

/** Value of assets: the configured one, or the last price of the configured symbol. */
const valueOf =
  ({ prices }: OutsideSettings, trading: TradingService): PriceOf =>
  (asset) => {
    const source = prices.get(asset);
    if (source === undefined || !('symbol' in source)) return source;
    return lastPrice(trading, source.symbol);
  };

function lastPrice({ exchange, marketData }: TradingService, symbol: string): Decimal | undefined {
  const index = exchange.instruments.findIndex((one) => one.symbol === symbol);
  const ticks = marketData.lastTrade(index)?.ticks;
  return ticks === undefined ? undefined : exchange.instruments[index]?.price(ticks);
}

/** A symbol without trading would leave its asset without a value for ever. */
function checkSymbols({ prices }: OutsideSettings, { exchange }: TradingService): void {
  for (const [asset, source] of prices) {
    if (!('symbol' in source)) continue;
    if (exchange.instruments.some(({ symbol }) => symbol === source.symbol)) continue;
    throw new MillraceError(
      'config-invalid',
      `The price of ${asset} is the last price of ${source.symbol}, which is none of the symbols.`,
      { field: 'outside.prices' },
    );
  }
}

/** Sets a wallet's name, balances and approvals. */
function fill(chains: SimulatedChains, wallet: WalletSettings): void {
  const { name, network, address, balances, approved } = wallet;
  const tokenOf = (asset: string) => {
    const token = chains.tokens.find((one) => one.network === network && one.asset === asset);
    if (token !== undefined) return token;
    throw wrong(wallet, `${network} has no token of the asset ${asset}`);
  };
  if (!chains.isAddress(network, address)) throw wrong(wallet, `${address} is no address of it`);
  chains.call(network, address, name);
  for (const [asset, amount] of balances) {
    if (amount.isZero()) continue;
    const { id, decimals } = tokenOf(asset);
    const lots = lotsOf(amount, decimals);
    if (lots === undefined) {
      throw wrong(wallet, `${amount.toFixed()} ${asset} is finer than ${decimals} decimals`);
    }
    const minted = chains.mint(id, address, lots);
    if (isRejection(minted)) throw wrong(wallet, minted.message);
  }
  for (const asset of approved) {
    const rejection = chains.approve(tokenOf(asset).id, address);
    if (rejection !== undefined) throw wrong(wallet, rejection.message);
  }
}

const wrong = ({ name, network }: WalletSettings, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The wallet of ${name} on ${network}: ${sentence}.`, {
    field: 'outside.wallets',
  });
