import type { TradingClient } from '../../gateways/trading/client/client.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginAccountId } from '../../model/margin-account.ts';
import { checker, type CheckResult } from './check-result.ts';
import type { Examined, ExaminedSymbols } from './examined.ts';

type MarginAccount = Awaited<ReturnType<TradingClient['rest']['getMarginAccounts']>>[number];

/** Of which market the accounts are, and the symbols of the service. */
interface Listed {
  readonly isContract: boolean;
  readonly symbols: ExaminedSymbols;
}

/** Checks the open margin accounts: their funds, positions, leverage and owners. */
export const checkMarginAccounts = (
  examined: Examined,
  accounts: readonly MarginAccount[],
  listed: Listed,
): readonly CheckResult[] =>
  accounts.flatMap((account) => {
    const marginAccount = marginAccountId(account, listed);
    const funds = account.currencies.find(
      ({ code }) => code === marginAccount.currency,
    )?.margin_balance;
    const positions = (account.positions ?? []).filter(({ quantity }) => !quantity.isZero());
    if ((funds ?? ZERO).isZero() && positions.length === 0) return [];
    const { ok, warn, fail } = checker('margin account', examined.account.name);
    const what = marginAccountText(marginAccount);
    const held = positions.map(
      ({ symbol, quantity }) =>
        `${quantity.isNegative() ? 'short' : 'long'} ${quantity.abs().toFixed()} ${symbol}`,
    );
    const leverage = account.leverage;
    const has = `${what}: ${(funds ?? ZERO).toFixed()} ${marginAccount.currency}${leverage === undefined ? '' : `, leverage ${leverage.toFixed()}`}, ${held.length === 0 ? 'no position' : held.join(', ')}.`;
    const found: CheckResult[] = [];
    const symbols = new Set(positions.map(({ symbol }) => symbol));
    if (symbols.size < positions.length) {
      found.push(
        fail(
          `${what} has two positions in one symbol: the account is in hedge mode.`,
          'Set it to one position for each symbol: bots hold one, long or short.',
        ),
      );
    }
    const owner = examined.ownerOf?.(marginAccount);
    const limit = leverageLimit(examined, owner);
    if (limit !== undefined && leverage?.greaterThan(limit) === true) {
      found.push(
        warn(
          `${what} has leverage ${leverage.toFixed()}, and maxLeverage is ${limit.toFixed()}.`,
          'Lower it at the venue, or let the strategy set it: until then its orders may be rejected.',
        ),
      );
    }
    if (examined.ownerOf !== undefined && owner === undefined) {
      found.push(
        warn(
          `${has} No strategy of the bot opened it.`,
          'The bot shows it as foreign and leaves it alone. Close it, or keep it in an account of its own.',
        ),
      );
    } else found.push(ok(owner === undefined ? has : `${has} It is strategy ${owner}'s.`));
    return found;
  });

/** The stricter limit of the account and of the strategy that owns it. */
function leverageLimit(
  { account, strategies }: Examined,
  owner: string | undefined,
): Decimal | undefined {
  const own = strategies.find(({ name }) => name === owner)?.risk.maxLeverage;
  const all = account.risk.maxLeverage;
  return own === undefined || all === undefined ? (own ?? all) : Decimal.min(own, all);
}

function marginAccountId(
  { type, symbol, currency, currencies }: MarginAccount,
  { isContract, symbols }: Listed,
): MarginAccountId {
  const quote = symbol !== undefined && Object.hasOwn(symbols, symbol) ? symbols[symbol]?.quote_currency : undefined; // prettier-ignore
  const settles = quote ?? currency ?? currencies[0]?.code ?? '';
  return {
    mode: type,
    ...(type === 'isolated' ? { symbol } : {}),
    isContract,
    currency: settles,
  };
}

const marginAccountText = ({ mode, symbol, isContract, currency }: MarginAccountId): string =>
  mode === 'isolated'
    ? `Isolated margin of ${symbol ?? currency}`
    : `Cross margin of ${currency}${isContract ? ' futures' : ''}`;
