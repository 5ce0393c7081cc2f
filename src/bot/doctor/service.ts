import type { TradingClient } from '../../gateways/trading/client/client.ts';
import { assertTradePermission } from '../../gateways/trading/client/trade-permission.ts';
import { shownAddress } from '../../gateways/trading/client/address.ts';
import { ServiceError } from '../../gateways/http/service-error.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { RIGHTS } from '../../wire/trading/rights.ts';
import type { Examined, ExaminedSymbols } from './examined.ts';
import { checker, type CheckResult } from './check-result.ts';
import { checkMargin } from './margin.ts';
import { errorText } from '../../model/errors.ts';

/** Checks REST, clock, sockets and symbols; for a live account also key, permissions and balances. */
export async function checkService(examined: Examined): Promise<readonly CheckResult[]> {
  const { account, client, isLive } = examined;
  const { service } = account;
  const { ok, fail } = checker('service', account.name);
  const at = shownAddress(service);
  const member = service.url === undefined ? 'baseUrl' : 'url';
  let symbols: ExaminedSymbols;
  try {
    symbols = await client.rest.getSymbols();
  } catch (error) {
    return [
      fail(
        `${at} does not answer: ${errorText(error)}`,
        `Look at accounts.${account.name}.${member}, at the network and at whether the service is in maintenance.`,
      ),
    ];
  }
  const found: CheckResult[] = [
    ok(`${at} answers.`),
    await checkClock(examined),
    await checkSocket(examined, 'market socket', client.marketSocket({})),
    ...checkSymbols(examined, symbols),
  ];
  const reading = await checkReading(examined);
  if (!isLive || reading.verdict !== 'ok') return [...found, reading];
  return [...found, reading, ...(await checkKey(examined, symbols))];
}

const WINDOW_US = 10 * US_PER_SECOND;

async function checkClock({ account, client }: Examined): Promise<CheckResult> {
  const { ok, warn, fail } = checker('clock', account.name);
  const advice = 'Keep the time of this machine by NTP (timedatectl set-ntp true).';
  try {
    const skewUs = await client.clockSkewUs();
    const distance = Math.abs(skewUs);
    const reported = `The clock of the service is ${Math.round(distance / US_PER_MS)} ms ${skewUs < 0 ? 'behind' : 'ahead of'} this one.`;
    // Beyond this requests that are signed with their time are refused.
    if (distance > WINDOW_US) return fail(reported, advice);
    const limit = account.risk.maxClockSkewUs ?? US_PER_SECOND;
    return distance > limit ? warn(reported, advice) : ok(reported);
  } catch (error) {
    return warn(`The clocks cannot be compared: ${errorText(error)}`, advice);
  }
}

interface Opening {
  open(): Promise<unknown>;
  close(): Promise<unknown> | void;
}

async function checkSocket(
  { account }: Examined,
  check: string,
  socket: Opening,
): Promise<CheckResult> {
  const { ok, fail } = checker(check, account.name);
  try {
    await socket.open();
    return ok('It opens.');
  } catch (error) {
    return fail(
      `It cannot be opened: ${errorText(error)}`,
      'Look at proxies and firewalls: WebSocket must pass them; and at key and secret.',
    );
  } finally {
    await socket.close();
  }
}

function checkSymbols({ strategies }: Examined, symbols: ExaminedSymbols): readonly CheckResult[] {
  return strategies.flatMap(({ name, symbols: traded, risk }) => {
    const { ok, fail } = checker('symbols', name);
    // Its limits are those of the orders of moves, which may trade whatever the service has.
    if (traded.length === 0) return [ok('None: it only rebalances.')];
    const found = traded.flatMap((symbol): readonly CheckResult[] => {
      const given = Object.hasOwn(symbols, symbol) ? symbols[symbol] : undefined;
      if (given === undefined) {
        return [fail(`The service has no ${symbol}.`, 'Look at the symbols of the strategy.')];
      }
      if (given.status === 'working') return [];
      return [
        fail(`${symbol} is ${given.status}.`, 'Wait until it works again, or choose another.'),
      ];
    });
    const quotes = new Set(traded.map((symbol) => symbols[symbol]?.quote_currency));
    const idle = [risk.maxNotional, risk.maxExposure, risk.maxDailyLoss].flatMap((limit) =>
      [...limit.keys()].filter((currency) => !quotes.has(currency)),
    );
    const useless = idle.map((currency) =>
      checker('limits', name).fail(
        `A limit in ${currency} limits nothing: no symbol here is quoted in it.`,
        `Give the limit in ${[...quotes].join(' or ')}.`,
      ),
    );
    const fine = found.length === 0 ? [ok(`${traded.join(', ')}: there and working.`)] : found;
    return [...fine, ...useless];
  });
}

/** The service knows the key, which lacks the permission. */
const FORBIDDEN = 1003;

/** Also for a paper account with a key, as its start reads fees and margin terms with it. */
async function checkReading({ account, client, isLive }: Examined): Promise<CheckResult> {
  const { ok, fail } = checker('key', account.name);
  if (!isLive && account.service.credentials === undefined) {
    return ok('A paper account needs no key.');
  }
  try {
    await client.rest.getSpotBalances();
  } catch (error) {
    const isKnown = error instanceof ServiceError && error.serviceCode === FORBIDDEN;
    const advice = isKnown
      ? `Give the key the right "${RIGHTS.read}".`
      : 'Look at key, secret and clock: the service knows no such key, or another secret.';
    return fail(`The service does not let it in: ${errorText(error)}`, advice);
  }
  return ok('The service takes it, and it may read.');
}

async function checkKey(
  examined: Examined,
  symbols: ExaminedSymbols,
): Promise<readonly CheckResult[]> {
  const { account, client } = examined;
  const { warn } = checker('key', account.name);
  const rights = checker('rights', account.name);
  const socket = await checkSocket(examined, 'trading socket', client.tradingSocket({}));
  const right = await mayTrade(client, rights);
  return [
    socket,
    right,
    await mayWithdraw(account, client, warn),
    ...(await checkBalances(examined, symbols)),
    ...(await checkMargin(examined, symbols, right.verdict === 'ok')),
  ].filter((found) => found !== undefined);
}

async function mayTrade(
  client: TradingClient,
  { ok, fail }: ReturnType<typeof checker>,
): Promise<CheckResult> {
  try {
    await assertTradePermission(client);
    return ok('The key may trade.');
  } catch (error) {
    return fail(
      `The key may not trade: ${errorText(error)}`,
      `Give it the right "${RIGHTS.trade}".`,
    );
  }
}

/** A bot never withdraws, so a stolen key should not be able to either. */
async function mayWithdraw(
  { service }: Examined['account'],
  client: TradingClient,
  warn: ReturnType<typeof checker>['warn'],
): Promise<CheckResult | undefined> {
  try {
    const keys = await client.rest.getApiKeys();
    const own = keys.find(({ key }) => key === service.credentials?.key);
    if (own?.access.some((right) => /withdraw/i.test(right)) !== true) return undefined;
  } catch {
    // A service that does not answer this is no problem.
    return undefined;
  }
  return warn(
    'The key may withdraw money, which no bot needs.',
    `Make a key without the right "${RIGHTS.withdraw}".`,
  );
}

/** Whether what the account has covers what the strategies may use. */
async function checkBalances(
  { account, client, strategies }: Examined,
  symbols: ExaminedSymbols,
): Promise<readonly CheckResult[]> {
  const { ok, warn, fail } = checker('balances', account.name);
  const held = new Map<string, Decimal>();
  try {
    for (const { currency, available, reserved } of await client.rest.getSpotBalances()) {
      held.set(currency, available.plus(reserved));
    }
  } catch (error) {
    return [fail(`They cannot be read: ${errorText(error)}`, 'Ask again.')];
  }
  const wanted = new Map<string, Decimal>();
  for (const { budget } of strategies) {
    for (const [currency, amount] of budget ?? []) {
      wanted.set(currency, (wanted.get(currency) ?? ZERO).plus(amount));
    }
  }
  const short = [...wanted].flatMap(([currency, amount]) => {
    const has = held.get(currency) ?? ZERO;
    if (has.greaterThanOrEqualTo(amount)) return [];
    return [
      fail(
        `The budgets come to ${amount.toFixed()} ${currency}, and the account has ${has.toFixed()}.`,
        'Lower the budgets, or move money to the spot account.',
      ),
    ];
  });
  const quotes = new Set(
    strategies.flatMap(({ symbols: traded }) => traded.map((one) => symbols[one]?.quote_currency)),
  );
  const isEmpty = [...quotes].every((currency) => (held.get(currency ?? '') ?? ZERO).isZero());
  if (quotes.size > 0 && isEmpty && short.length === 0) {
    return [warn(`There is no ${[...quotes].join(' and no ')}.`, 'Without it nothing is bought.')];
  }
  return short.length > 0 ? short : [ok('They cover the budgets.')];
}
