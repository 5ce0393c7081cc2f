import { generateKeyPairSync } from 'node:crypto';
import { HOUSE } from '../../../../src/exchange/ledger/ledger.ts';
import type { Transaction, TransactionType } from '../../../../src/exchange/wallet/transaction.ts';
import { Decimal, decimal, ZERO } from '../../../../src/model/decimal.ts';
import { Instrument } from '../../../../src/model/instrument.ts';
import type { HoldingKey } from '../../../../src/model/portfolio.ts';
import type { Scheduler } from '../../../../src/platform/scheduler.ts';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../../../src/platform/time.ts';
import {
  depositAddresses,
  linkWallets,
  OMNIBUS,
} from '../../../../src/swaps/chains/wallet-link.ts';
import { mountChains } from '../../../../src/server/chains/mount.ts';
import { ExchangeClients } from '../../../../src/server/exchange-orders/clients.ts';
import { mountExchangeOrders } from '../../../../src/server/exchange-orders/mount.ts';
import { takeIn } from '../../../../src/server/simulation/members.ts';
import { mountSwaps } from '../../../../src/server/swaps/mount.ts';
import { Partners } from '../../../../src/server/swaps/partners.ts';
import { TradingService } from '../../../../src/server/trading/service.ts';
import { Venue } from '../../../../src/server/venue.ts';
import type { ChainTransaction } from '../../../../src/swaps/chains/chain-world.ts';
import { SimulatedChains } from '../../../../src/swaps/chains/simulated-chains.ts';
import type { Intent } from '../../../../src/swaps/intents/intent.ts';
import { SwapIntents } from '../../../../src/swaps/intents/swap-intents.ts';
import { DEFAULT_SWAP_TERMS, type ResolverTerms } from '../../../../src/swaps/intents/terms.ts';
import type { ExchangeOrder } from '../../../../src/swaps/orders/order.ts';
import { ExchangeOrderService } from '../../../../src/swaps/orders/service.ts';
import { defaultCurrencies, defaultExchangeTerms } from '../../../../src/swaps/orders/terms.ts';
import { amountOf } from '../../../../src/swaps/tokens.ts';
import { CURRENCIES, LINKED } from '../../../server/chains/linked.ts';
import { ALL_RIGHTS } from '../../../server/kit.ts';
import { granted, NETWORKS, TOKENS, keysOf } from '../../../swaps/chains/harness.ts';
import { VALUE } from './errand.ts';
import { HeldScheduler } from './held-scheduler.ts';

const USER = 'user';
const MAKER = 'maker';
/** What accounts of the trading service begin with; the maker sells BTC for USDC. */
const BEGINNINGS = { [USER]: { USDC: '2000000' }, [MAKER]: { BTC: '50' } } as const;

const BTCUSDC = new Instrument({
  symbol: 'BTCUSDC',
  type: 'spot',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDC',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
  takeRate: '0.0025',
  makeRate: '0.0012',
  feeCurrency: 'USDC',
});

interface Parts {
  readonly chains: SimulatedChains;
  readonly trading: TradingService;
  /** Accounts of the user and of the maker. */
  readonly accounts: readonly [number, number];
  readonly service: SwapIntents;
  readonly orders: ExchangeOrderService;
  /** Of the partner who asks. */
  readonly privateKey: string;
  readonly held: HeldScheduler | undefined;
  readonly unlink: () => void;
}

/** A venue with a trading account, swaps, exchange orders, and the chains that all three are on. */
export class TrialVenue {
  readonly chains: SimulatedChains;
  readonly service: SwapIntents;
  readonly privateKey: string;
  readonly credentials = { key: USER, secret: `${USER}-secret` };
  readonly #parts: Parts;
  readonly #venue: Venue;
  readonly #transfers: string[] = [];

  constructor(parts: Parts, venue: Venue) {
    this.chains = parts.chains;
    this.service = parts.service;
    this.privateKey = parts.privateKey;
    this.#parts = parts;
    this.#venue = venue;
    parts.chains.follow((transaction) => {
      this.#keep(transaction);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#venue.port}`;
  }

  /** Keys of the user, hexadecimal, by network. */
  get keys(): Readonly<Record<string, string>> {
    return keysOf(this.chains, USER);
  }

  /** All holdings in which the user may hold something. */
  get holdings(): readonly HoldingKey[] {
    const traded = BTCUSDC.terms;
    return [
      ...TOKENS.map(({ asset, network }) => ({ asset, location: network })),
      { asset: traded.quoteCurrency, location: 'trading' },
      { asset: traded.baseCurrency ?? '', location: 'trading' },
    ];
  }

  /** What the user holds there; in an account free and set aside, to trade and to send away. */
  holds({ asset, location }: HoldingKey): Decimal {
    const token = TOKENS.find((one) => one.asset === asset && one.network === location);
    if (token === undefined) return this.#owed(this.#parts.accounts[0], asset);
    const lots = this.chains.balance(token.id, this.chains.addressOf(location, USER));
    return amountOf(lots, token.decimals);
  }

  /**
   * What the trading service owes to all and has for itself, less what it has sent away and not yet
   * booked, and what it holds on the chains: the same at any time.
   */
  backing(asset: string): readonly [Decimal, Decimal] {
    const { wallets, ledger } = this.#parts.trading.exchange;
    const house = wallets
      .available(HOUSE, wallets.currency(asset))
      .plus(ledger.available(HOUSE, ledger.currency(asset)));
    const owed = this.#parts.accounts.map((account) => this.#owed(account, asset));
    const sent = this.withdrawals
      .filter((one) => one.currency === asset && one.status === 'PENDING' && one.hash !== undefined)
      .map(({ amount }) => amount.negated());
    const held = TOKENS.filter((token) => token.asset === asset).map(({ id, network, decimals }) =>
      amountOf(this.chains.balance(id, this.chains.addressOf(network, OMNIBUS)), decimals),
    );
    return [Decimal.sum(ZERO, ...owed, ...sent, house), Decimal.sum(ZERO, ...held)];
  }

  /** The intents for which the user's money was taken. */
  get paid(): readonly Intent[] {
    return this.service.intents().filter(({ deposit }) => deposit !== undefined);
  }

  /** The exchange orders that were paid, and all payments that belong to none. */
  get paidOrders(): readonly ExchangeOrder[] {
    return this.#parts.orders.orders().filter(({ payin }) => payin !== undefined);
  }

  /** What the user has withdrawn, whatever became of it. */
  get withdrawals(): readonly Transaction[] {
    return this.#movements('WITHDRAW');
  }

  /** What came to the account of the user from the chains. */
  get deposits(): readonly Transaction[] {
    return this.#movements('DEPOSIT');
  }

  /** What the user has paid and got on the chains, transfer by transfer: `out 12.5 USDC@ethereum`. */
  get transfers(): readonly string[] {
    return this.#transfers;
  }

  /** Lets a bit of what is due happen, where it is in the hands of the test. */
  readonly pass = (): void => {
    this.#parts.held?.pass(100 * US_PER_MS);
  };

  async close(): Promise<void> {
    this.#parts.unlink();
    this.service.close();
    this.#parts.orders.close();
    this.chains.close();
    await this.#venue.close();
  }

  #movements(type: TransactionType): readonly Transaction[] {
    const [account] = this.#parts.accounts;
    const page = { limit: 1000, offset: 0 };
    const rows = this.#parts.trading.act(({ wallet }) => wallet.transactions(account, page));
    return granted(rows).filter((row) => row.type === type);
  }

  #keep({ token, from, to, lots, network, confirmations }: ChainTransaction): void {
    const found = TOKENS.find(({ id }) => id === token);
    const own = this.chains.addressOf(network, USER);
    if (found === undefined || confirmations > 0 || from === to) return;
    const what = `${amountOf(lots, found.decimals).toFixed()} ${found.asset}@${network}`;
    if (from === own) this.#transfers.push(`out ${what}`);
    if (to === own) this.#transfers.push(`in ${what}`);
  }

  #owed(account: number, asset: string): Decimal {
    const { exchange } = this.#parts.trading;
    const spot = exchange.balance(account, asset);
    const wallet = granted(exchange.wallet.balance(account, asset));
    return Decimal.sum(spot.available, spot.reserved, wallet.available, wallet.reserved);
  }
}

export interface TrialVenueOptions {
  readonly resolver?: Partial<ResolverTerms>;
  /** On chains and at the services nothing happens by time but with `pass`. */
  readonly isHeld?: boolean;
}

/** Opens it, with a million in worth of each token for the user and ten for the services. */
export async function openTrialVenue(options: TrialVenueOptions = {}): Promise<TrialVenue> {
  const { resolver = {}, isHeld = false } = options;
  const held = isHeld ? new HeldScheduler() : undefined;
  const scheduler = held ?? new SystemScheduler();
  const networks = NETWORKS.map((one) => ({ ...one, blockUs: 20 * US_PER_MS }));
  const chains = new SimulatedChains({ networks, tokens: TOKENS, scheduler, seed: 5 });
  const on = { chains, scheduler, priceOf: (asset: string) => new Decimal(VALUE[asset] ?? '1') };
  const service = swapsOn(on, resolver);
  const orders = ordersOn(on);
  fill(chains, service, orders);
  const { trading, accounts } = tradingOn({ chains, scheduler });
  const unlink = linkWallets(trading, chains, LINKED);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const partners = new Partners([
    { name: 'partner', publicKeys: [publicKey], affiliateKeys: ['affiliate-key'] },
  ]);
  const clients = new ExchangeClients([{ name: 'partner', publicKey, requestsPerSecond: 100_000 }]);
  const venue = await Venue.open({
    trading,
    port: 0,
    services: [
      (app) => mountSwaps(app, { service, partners }),
      (app) => mountExchangeOrders(app, { service: orders, clients }),
      (app) => mountChains(app, chains),
    ],
  });
  await offerForSale(venue.port);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return new TrialVenue(
    { chains, trading, accounts, service, orders, privateKey: pem, held, unlink },
    venue,
  );
}

interface OnChains {
  readonly chains: SimulatedChains;
  readonly scheduler: Scheduler;
  readonly priceOf: (asset: string) => Decimal;
}

function swapsOn(on: OnChains, resolver: Partial<ResolverTerms>): SwapIntents {
  const fast = { acceptUs: 20, depositUs: 60, fulfilUs: 150, refundUs: 50 };
  const paces = Object.entries(fast).map(([name, ms]) => [name, ms * US_PER_MS]);
  return new SwapIntents({
    ...on,
    seed: 5,
    terms: {
      ...DEFAULT_SWAP_TERMS,
      resolver: { ...DEFAULT_SWAP_TERMS.resolver, ...Object.fromEntries(paces), ...resolver },
    },
  });
}

function ordersOn(on: OnChains): ExchangeOrderService {
  const currencies = defaultCurrencies(on.chains, () => decimal('0.0001'));
  const fast = { exchangeUs: 50 * US_PER_MS, sendUs: 50 * US_PER_MS, refundUs: 50 * US_PER_MS };
  const terms = { ...defaultExchangeTerms(currencies, 'usdceth'), ...fast };
  return new ExchangeOrderService({ ...on, terms, seed: 5 });
}

function fill(chains: SimulatedChains, service: SwapIntents, orders: ExchangeOrderService): void {
  for (const { id, network, asset, decimals } of TOKENS) {
    const lots = (10n ** BigInt(decimals) * 1_000_000n) / BigInt(VALUE[asset] ?? '1');
    granted(chains.mint(id, chains.addressOf(network, USER), lots));
    granted(chains.mint(id, service.resolverAt(network), 10n * lots));
    granted(chains.mint(id, orders.inventoryAt(network), 10n * lots));
  }
}

/** A trading service whose accounts are backed on the chains by what they began with. */
function tradingOn({
  chains,
  scheduler,
}: Omit<OnChains, 'priceOf'>): Pick<Parts, 'trading' | 'accounts'> {
  const trading = new TradingService({
    instruments: [BTCUSDC],
    scheduler,
    exchange: { currencies: CURRENCIES, depositAddress: depositAddresses(chains, LINKED) },
  });
  const join = (name: keyof typeof BEGINNINGS): number =>
    takeIn(trading, {
      name,
      email: `${name}@example.com`,
      fees: {},
      subAccounts: [],
      keys: [{ key: name, secret: `${name}-secret`, rights: ALL_RIGHTS }],
      balances: { spot: BEGINNINGS[name], wallet: {}, derivatives: {} },
    });
  const mint = (asset: string, network: string, amount: string): void => {
    const token = TOKENS.find((one) => one.asset === asset && one.network === network);
    if (token === undefined) throw new Error(`there is no ${asset} on ${network}`);
    const lots = BigInt(decimal(amount).times(`1e${token.decimals}`).toFixed());
    granted(chains.mint(token.id, chains.addressOf(network, OMNIBUS), lots));
  };
  const accounts = [join(USER), join(MAKER)] as const;
  mint('USDC', 'ethereum', BEGINNINGS[USER].USDC);
  mint('BTC', 'bitcoin', BEGINNINGS[MAKER].BTC);
  return { trading, accounts };
}

/** Somebody who sells BTC to whoever wants some. */
async function offerForSale(port: number): Promise<void> {
  const basic = Buffer.from(`${MAKER}:${MAKER}-secret`).toString('base64');
  const order = { symbol: 'BTCUSDC', side: 'sell', type: 'limit', quantity: '50', price: '60000' };
  const { status } = await fetch(`http://127.0.0.1:${port}/api/3/spot/order`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (status !== 200) throw new Error('nobody sells anything');
}
