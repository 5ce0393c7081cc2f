import { HOUSE } from '../../../src/exchange/ledger/ledger.ts';
import type { CurrencyTerms, NetworkTerms } from '../../../src/model/currency.ts';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import type { Transaction } from '../../../src/exchange/wallet/transaction.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { depositAddresses, linkWallets, OMNIBUS } from '../../../src/swaps/chains/wallet-link.ts';
import { TradingService } from '../../../src/server/trading/service.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { amountOf } from '../../../src/swaps/tokens.ts';
import { granted, NETWORKS, STARTED, TOKENS } from '../../swaps/chains/harness.ts';
import { instruments } from '../instruments.ts';

const network = (code: string, change: Partial<NetworkTerms> = {}): NetworkTerms => ({
  network: code,
  payinEnabled: true,
  payoutEnabled: true,
  precisionPayout: '0.00000001',
  payoutFee: '0',
  payinConfirmations: 2,
  payinPaymentId: false,
  payoutIsPaymentId: false,
  ...change,
});

const currency = (code: string, networks: readonly NetworkTerms[]): CurrencyTerms => ({
  code,
  name: code,
  payinEnabled: true,
  payoutEnabled: true,
  transferEnabled: true,
  precisionTransfer: '0.00000001',
  networks,
});

/** USDC is on three chains and on one that is not linked; payments to Tron are told by an id. */
export const CURRENCIES: readonly CurrencyTerms[] = [
  currency('USDC', [
    network('ETH', {
      payoutFee: '3',
      payinConfirmations: 3,
      addressRegex: '0x[0-9a-fA-F]{40}',
      addressPrefix: '0x',
      addressLength: 42,
    }),
    network('TRX', { payoutFee: '1', payinPaymentId: true, payinConfirmations: 0 }),
    // The chain confirms once and no more.
    network('SOL', { payinConfirmations: 20 }),
    network('POLYGON'),
  ]),
  currency('BTC', [network('BTC', { payoutFee: '0.0005' })]),
];

export const LINKED = { ETH: 'ethereum', TRX: 'tron', SOL: 'solana', BTC: 'bitcoin' } as const;

/** A trading service whose wallets are linked with chains, and accounts of ann and bob. */
export class LinkedVenue {
  readonly scheduler = new VirtualScheduler(STARTED);
  readonly chains: SimulatedChains;
  readonly trading: TradingService;
  readonly unlink: () => void;
  readonly ann: number;
  readonly bob: number;

  constructor(
    currencies = CURRENCIES,
    linked: Readonly<Record<string, string>> = LINKED,
    { brings = false } = {},
  ) {
    const { scheduler } = this;
    this.chains = new SimulatedChains({ networks: NETWORKS, tokens: TOKENS, scheduler, seed: 3 });
    this.trading = new TradingService({
      instruments: instruments(),
      scheduler,
      exchange: { currencies, depositAddress: depositAddresses(this.chains, linked) },
    });
    this.unlink = linkWallets(this.trading, this.chains, linked, {
      bring: ({ id }, address, lots) => {
        if (brings) granted(this.chains.mint(id, address, lots));
      },
    });
    this.ann = this.trading.exchange.openAccount();
    this.bob = this.trading.exchange.openAccount();
  }

  pass(us: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  /** Where an account takes deposits. */
  address(account: number, code: string, on: string) {
    return granted(this.trading.act(({ wallet }, at) => wallet.address(account, code, at, on)));
  }

  withdraw(account: number, code: string, on: string, amount: string, address: string): string {
    return granted(this.tryWithdraw(account, code, on, amount, address));
  }

  tryWithdraw(account: number, code: string, on: string, amount: string, address: string) {
    const request = { currency: code, network: on, amount: decimal(amount), address };
    return this.trading.act(({ wallet }, at) => wallet.withdraw(account, request, at));
  }

  transaction(account: number, txId: string): Transaction {
    return granted(this.trading.act(({ wallet }) => wallet.transaction(account, txId)));
  }

  /** The latest transaction of an account. */
  latest(account: number): Transaction {
    const [latest] = granted(
      this.trading.act(({ wallet }) => wallet.transactions(account, { limit: 1, offset: 0 })),
    );
    if (latest === undefined) throw new Error('there is no transaction');
    return latest;
  }

  /** What an account has in its wallet. */
  wallet(account: number, code: string): string {
    const { available } = granted(this.trading.exchange.wallet.balance(account, code));
    return available.toFixed();
  }

  /** What the trading service owes and has for itself, and what the omnibus addresses hold. */
  backing(code: string): { readonly owed: string; readonly held: string } {
    const owed = [this.ann, this.bob, HOUSE]
      .map((account) => granted(this.trading.exchange.wallet.balance(account, code)))
      .map(({ available, reserved }): Decimal => available.plus(reserved));
    const held = TOKENS.filter(({ asset }) => asset === code).map(({ id, network: on, decimals }) =>
      amountOf(this.chains.balance(id, this.chains.addressOf(on, OMNIBUS)), decimals),
    );
    const sum = (amounts: readonly Decimal[]): string =>
      amounts.reduce((total, each) => total.plus(each), decimal('0')).toFixed();
    return { owed: sum(owed), held: sum(held) };
  }
}
