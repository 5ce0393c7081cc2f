import { map, merge, NEVER, take } from 'rxjs';
import { expect, test, vi } from 'vitest';
import { KnownNonSpotBalances } from '../../src/engine/account/known-non-spot-balances.ts';
import { decimal } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import type { NonSpotAccountType, NonSpotBalance } from '../../src/model/non-spot-balance.ts';
import { micros } from '../../src/platform/time.ts';
import type { Context } from '../../src/strategy/context.ts';
import { setMargin } from '../../src/strategy/margin.ts';
import { isolated } from '../../src/strategy/where.ts';
import { PERPETUAL } from '../exchange/margin/kit.ts';
import { Rig } from './margin-rig.ts';
import { rig } from './rig.ts';

const text = ({ currency, available, reserved, reservedMargin }: NonSpotBalance): string =>
  [currency, available, reserved, reservedMargin].map(String).join(' ');

const balances = (
  { account }: Context<unknown>,
  accountType: NonSpotAccountType,
  currency = 'USDT',
) => account.balances(currency, accountType).pipe(map((one) => `${accountType} ${text(one)}`));

const wait = isolated(PERPETUAL.symbol);

test('a strategy sees wallet and derivatives balance, with the funds of its futures accounts', () => {
  const one = new Rig((context) =>
    merge(balances(context, 'wallet'), balances(context, 'derivatives')),
  );
  one.pass();
  one.do(setMargin(wait, { balance: decimal('400'), leverage: 5 }));
  one.do(setMargin(wait, { balance: decimal('0') }));
  expect(one.seen.slice(0, 2)).toEqual(['wallet USDT 0 0 0', 'derivatives USDT 0 0 0']);
  expect(one.seen.at(-1)).toBe('derivatives USDT 0 0 0');
  expect(one.seen).toContain('derivatives USDT 0 0 400');
  expect(one.seen.filter((line) => line.startsWith('wallet'))).toHaveLength(1);
});

test('a venue is asked for a place when a strategy subscribes to it, and once', () => {
  let context: Context<object> | undefined;
  const one = new Rig((given) => {
    context = given;
    given.account.balances('USDT', 'wallet');
    return given.account.balances('USDT');
  });
  const follow = vi.spyOn(one.venue.nonSpotBalances, 'follow');
  const reported = () => one.audit.filter(({ kind }) => kind === 'place-report').length;
  one.pass();
  expect(reported()).toBe(0);
  context?.account.balances('USDT', 'wallet').pipe(take(1)).subscribe();
  context?.account.balances('BTC', 'wallet').subscribe();
  one.pass();
  context?.account.balances('USDT', 'wallet').subscribe();
  expect(follow.mock.calls.map(([accountType]) => accountType)).toEqual(['wallet']);
  expect(reported()).toBe(1);
});

test('what a strategy commands when it sees a balance is done', () => {
  let context: Context<object> | undefined;
  const one = new Rig((given) => {
    context = given;
    return NEVER;
  });
  context?.account
    .balances('USDT', 'derivatives')
    .pipe(take(1))
    .subscribe(() => one.commands.next(setMargin(wait, { balance: decimal('100'), leverage: 5 })));
  one.pass();
  expect(one.account(PERPETUAL.symbol, 'isolated')?.marginBalance.toFixed()).toBe('100');
});

test.each([
  ['DOGE', 'wallet', 'currency-unknown'],
  ['USDT', 'bank', 'request-invalid'],
] as const)('balances of %s in %s are rejected as %s', (currency, place, code) => {
  let failure: unknown;
  new Rig(({ account }) => {
    try {
      return account.balances(currency, place as NonSpotAccountType);
    } catch (error) {
      failure = error;
      return NEVER;
    }
  });
  expect(failure).toBeInstanceOf(MillraceError);
  expect((failure as MillraceError).code).toBe(code);
});

test('a strategy that asks for balances which the venue does not report fails, and says which', () => {
  const { engine } = rig(
    ({ account }) =>
      account.balances('USDT', 'wallet').pipe(
        map(() => []),
        take(0),
      ) as never,
  );
  engine.start();
  expect(engine.state).toBe('failed');
  expect(engine.failure).toMatchObject({
    code: 'balances-unsupported',
    message:
      'The venue of this run reports no wallet balances; a strategy can see those of spot and its margin accounts there.',
  });
});

test('what a whole report leaves out is nothing from then on', () => {
  const known = new KnownNonSpotBalances();
  const one = (currency: string, available: string): NonSpotBalance => ({
    currency,
    available: decimal(available),
    reserved: decimal('0'),
    reservedMargin: decimal('0'),
  });
  const reported = (isWhole: boolean, ...reported: readonly NonSpotBalance[]) =>
    known.take({ accountType: 'wallet', at: micros(0), isWhole, balances: reported });
  expect(known.balance('USDT')).toBeUndefined();
  expect(reported(true, one('USDT', '5'))).toEqual(['USDT']);
  expect(known.balance('BTC')?.available.toFixed()).toBe('0');
  expect(reported(false, one('BTC', '1'), one('USDT', '5.0'))).toEqual(['BTC']);
  expect(reported(true, one('BTC', '1'))).toEqual(['USDT']);
  expect(known.balance('USDT')?.available.toFixed()).toBe('0');
  expect(reported(true, one('BTC', '1'))).toEqual([]);
});
