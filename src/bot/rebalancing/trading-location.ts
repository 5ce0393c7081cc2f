import { AccountRoute, type AccountChain } from '../../gateways/rebalancing/account-route.ts';
import { ChainPayer } from '../../gateways/rebalancing/payments/chain-payer.ts';
import type { HttpSettings } from '../../gateways/http/settings.ts';
import { shownAddress } from '../../gateways/trading/client/address.ts';
import { TradingClient } from '../../gateways/trading/client/client.ts';
import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Holding } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { inTime, unreadable } from './answers.ts';
import type { AccountLocationSettings } from '../settings/rebalancing.ts';
import type { LocationHoldings, ChainWalletHoldings } from './wallets.ts';

/** Name of the route in journals and reports. */
export const ACCOUNT = 'account';

/** The spot balances of a trading account as a location of a portfolio. */
export class TradingLocation {
  readonly #settings: AccountLocationSettings;
  readonly #client: TradingClient;
  readonly #scheduler: Scheduler;

  constructor(
    settings: AccountLocationSettings,
    scheduler: Scheduler,
    http: Omit<HttpSettings, 'url'>,
  ) {
    const { address, credentials } = settings;
    this.#settings = settings;
    this.#scheduler = scheduler;
    this.#client = new TradingClient({
      ...http,
      ...address,
      credentials: { ...credentials, scheme: 'hs256' },
    });
  }

  /** Available balances of the assets. */
  async holdings(assets: ReadonlySet<string>): Promise<LocationHoldings> {
    const { location, address } = this.#settings;
    try {
      const asked = this.#client.rest.getSpotBalances();
      const balances = await inTime(this.#scheduler, 'The trading service', asked);
      const own = balances.filter(({ currency }) => assets.has(currency));
      return {
        location,
        holdings: own.map(({ currency, available }): Holding => {
          return { asset: currency, location, amount: available };
        }),
      };
    } catch (cause) {
      const sentence = `What the account ${location} at ${shownAddress(address)} holds cannot be read`;
      return { location, error: unreadable(sentence, cause, 'account') };
    }
  }

  /** The last price of a symbol. Throws `config-invalid` where nothing was traded yet. */
  async lastPrice(symbol: string): Promise<Decimal> {
    const { last } = await this.#client.rest.getTicker({ symbol });
    if (last !== undefined && last !== null) return last;
    const sentence = `${symbol} has no last price yet; wait for its first trade, or give the price as a number.`;
    throw new MillraceError('config-invalid', sentence, { field: 'prices' });
  }

  /** The route by this account: its trades, deposits and withdrawals. */
  async route(
    wallets: readonly ChainWalletHoldings[],
    assets: ReadonlySet<string>,
  ): Promise<AccountRoute> {
    const { location, tolerance, limits } = this.#settings;
    const { rest } = this.#client;
    const [currencies, symbols] = await Promise.all([rest.getCurrencies(), rest.getSymbols()]);
    return new AccountRoute({
      name: ACCOUNT,
      rest,
      scheduler: this.#scheduler,
      location,
      tolerance,
      limits,
      home: 'spot',
      chains: wallets.flatMap((wallet) => this.#routes(wallet, currencies)),
      symbols: Object.entries(symbols).flatMap(
        ([symbol, { type, base_currency, quote_currency }]) =>
          type === 'spot' && assets.has(base_currency ?? '') && assets.has(quote_currency)
            ? [{ symbol, base: base_currency ?? '', quote: quote_currency }]
            : [],
      ),
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Deposits and withdrawals between the account and a wallet. */
  #routes(wallet: ChainWalletHoldings, currencies: Currencies): readonly AccountChain[] {
    const { location, network, tokens, signer, node } = wallet;
    const code = this.#settings.networks.get(location);
    if (code === undefined) return [];
    return tokens
      .filter(({ asset }) => currencies[asset]?.networks.some((one) => one.network === code))
      .map((token) => ({
        asset: token.asset,
        location,
        network: code,
        wallet: { address: signer.address },
        payer: new ChainPayer(node, { network, token, signer }),
      }));
  }
}

type Currencies = Readonly<
  Record<string, { readonly networks: readonly { readonly network: string }[] } | undefined>
>;
