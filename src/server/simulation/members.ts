import type { Exchange } from '../../exchange/exchange.ts';
import { decimal, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRejection } from '../../model/rejections.ts';
import type { TradingService } from '../trading/service.ts';
import type { Amounts, KeySettings, MemberSettings } from './settings.ts';

/**
 * Adds a member with its keys, balances and sub-accounts, and returns its account. Throws
 * `currency-unknown`, `symbol-unknown`, `out-of-range` for invalid amounts and rates, and
 * `parameter-invalid` for a key or a name that is taken.
 */
export function takeIn(service: TradingService, member: MemberSettings): number {
  checkFree(service, member);
  const { exchange } = service;
  const account = exchange.openAccount();
  exchange.wallet.name(account, { email: member.email, username: member.name });
  settle(service, account, member);
  for (const sub of member.subAccounts) takeInSub(service, account, sub);
  return account;
}

function takeInSub(service: TradingService, superAccount: number, sub: MemberSettings): void {
  checkFree(service, sub);
  const account = service.act(({ subAccounts }, at) =>
    subAccounts.open(superAccount, { email: sub.email, username: sub.name }, at),
  );
  settle(service, account, sub);
}

function settle(service: TradingService, account: number, member: MemberSettings): void {
  const { members, exchange } = service;
  members.join({ name: member.name, email: member.email, account });
  for (const { key, secret, rights } of member.keys) {
    members.grant({ key, secret, account, rights: new Set(rights) });
  }
  try {
    fund(exchange, account, member);
    setFees(exchange, account, member);
  } catch (error) {
    throw ofMember(member.name, error);
  }
}

/** The same fault, with the name of its member. */
function ofMember(name: string, error: unknown): unknown {
  if (!(error instanceof MillraceError)) return error;
  return new MillraceError(error.code, `Of the member "${name}": ${error.message}`, {
    field: error.field,
    cause: error,
  });
}

function setFees(exchange: Exchange, account: number, { fees }: MemberSettings): void {
  for (const [symbol, { takeRate, makeRate }] of Object.entries(fees)) {
    exchange.fees.set(account, symbol, {
      takeRate: decimal(takeRate, 'takeRate'),
      makeRate: decimal(makeRate, 'makeRate'),
    });
  }
}

function fund(exchange: Exchange, account: number, { balances }: MemberSettings): void {
  for (const [currency, amount] of amountsOf(balances.spot)) {
    exchange.deposit(account, currency, amount);
  }
  for (const [currency, amount] of amountsOf(balances.derivatives)) {
    exchange.derivatives.deposit(account, currency, amount);
  }
  for (const [currency, amount] of amountsOf(balances.wallet)) {
    const credit = { currency, amount, subtype: 'UNCLASSIFIED' } as const;
    const done = exchange.wallet.credit(account, credit, exchange.now);
    if (isRejection(done))
      throw new MillraceError('out-of-range', done.message, { field: currency });
  }
}

/** Amounts that are not nothing. */
const amountsOf = (amounts: Amounts): [string, Decimal][] =>
  Object.entries(amounts)
    .map(([currency, amount]): [string, Decimal] => [currency, decimal(amount, currency)])
    .filter(([, amount]) => !amount.isZero());

function checkFree(service: TradingService, { name, email, keys }: MemberSettings): void {
  for (const member of service.members.all) {
    if (member.name === name || member.email === email) throw taken('member', name);
  }
  const seen = new Set<string>();
  for (const { key } of keys) {
    if (seen.has(key) || service.members.key(key) !== undefined) throw taken('API key', key);
    seen.add(key);
  }
}

const taken = (what: string, name: KeySettings['key']): MillraceError =>
  new MillraceError('parameter-invalid', `There are two of the ${what} "${name}".`, {
    field: what === 'member' ? 'name' : 'key',
  });
