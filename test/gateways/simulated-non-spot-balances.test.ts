import { expect, test } from 'vitest';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE, type EventColumns } from '../../src/model/events.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { NonSpotAccountType, NonSpotBalanceReport } from '../../src/model/non-spot-balance.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { PERPETUAL, SPOT } from '../exchange/margin/kit.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const amounts = (usdt: string) => new Map([['USDT', decimal(usdt)]]);

/** A venue with 1,000 USDT on spot, 300 in the wallet and 70 of derivatives. */
function venueOf(): { venue: SimulatedVenue; pass: () => void } {
  const scheduler = new VirtualScheduler(micros(START));
  const venue = new SimulatedVenue({
    venue: 'simulated',
    instruments: [new Instrument(SPOT), new Instrument(PERPETUAL)],
    scheduler,
    latency: { orderUs: 10, reportUs: 20 },
    balances: amounts('1000'),
    nonSpotBalances: { wallet: amounts('300'), derivatives: amounts('70') },
  });
  return { venue, pass: () => scheduler.advanceTo(micros(scheduler.now() + 1_000)) };
}

function quote(): EventColumns {
  const columns = eventColumns(1);
  [columns.kind[0], columns.flags[0]] = [QUOTE, LAST];
  [columns.price[0], columns.size[0], columns.askPrice[0], columns.askSize[0]] = [
    99, 1_000, 101, 1_000,
  ];
  return columns;
}

function follow(venue: SimulatedVenue, accountType: NonSpotAccountType): NonSpotBalanceReport[] {
  const reports: NonSpotBalanceReport[] = [];
  const failed = (error: Error): void => {
    throw error;
  };
  venue.nonSpotBalances.follow(accountType, { reported: (report) => reports.push(report), failed });
  return reports;
}

/** Available and on margin, of USDT. */
const usdt = (reports: readonly NonSpotBalanceReport[]): readonly string[] =>
  reports.map(({ balances }) => {
    const one = balances.find(({ currency }) => currency === 'USDT');
    return [one?.available, one?.reservedMargin].map(String).join(' ');
  });

test('balances of an account are reported when it is followed, after the latency, and with each change', () => {
  const { venue, pass } = venueOf();
  venue.exchange.wallet.transfer(4, { currency: 'USDT', amount: decimal('1'), source: 'spot', destination: 'wallet' }, micros(START)); // prettier-ignore
  const wallet = follow(venue, 'wallet');
  pass();
  expect(wallet.map(({ at, isWhole }) => [at - START, isWhole])).toEqual([[10, true]]);
  expect(usdt(wallet)).toEqual(['301 0']);
  expect(wallet[0]?.balances.map(({ currency }) => currency)).toContain('BTC');
});

test('a transfer changes what both places have', () => {
  const { venue, pass } = venueOf();
  const [wallet, derivatives] = [follow(venue, 'wallet'), follow(venue, 'derivatives')];
  pass();
  const spot = () => venue.available('USDT').toFixed();
  const move = (
    source: NonSpotAccountType | 'spot',
    destination: NonSpotAccountType | 'spot',
    amount: string,
  ) => {
    const request = { currency: 'USDT', amount: decimal(amount), source, destination };
    venue.exchange.wallet.transfer(4, request, micros(START));
    pass();
  };
  move('wallet', 'derivatives', '100');
  expect([usdt(wallet), usdt(derivatives), spot()]).toEqual([['300 0', '200 0'], ['70 0', '170 0'], '1000']); // prettier-ignore
  move('derivatives', 'spot', '20');
  expect([usdt(wallet).at(-1), usdt(derivatives).at(-1), spot()]).toEqual(['200 0', '150 0', '1020']); // prettier-ignore
});

test('funds of futures accounts are reported as those on margin, and what lay there stays there', () => {
  const { venue, pass } = venueOf();
  for (const index of [0, 1]) venue.market(index, quote(), 0);
  const derivatives = follow(venue, 'derivatives');
  pass();
  const set = (balance: string) => {
    const place = { symbol: PERPETUAL.symbol, mode: 'isolated' } as const;
    venue.margin?.set({
      kind: 'setMargin',
      ...place,
      balance: decimal(balance),
      ...(balance === '0' ? {} : { leverage: decimal('5') }),
    });
    pass();
  };
  set('400');
  expect(usdt(derivatives).at(-1)).toBe('70 400');
  expect(venue.available('USDT').toFixed()).toBe('600');
  set('0');
  expect(usdt(derivatives).at(-1)).toBe('70 0');
  expect(venue.available('USDT').toFixed()).toBe('1000');
});

test('balances that nobody follows are not reported, nor those of another account', () => {
  const { venue, pass } = venueOf();
  const derivatives = follow(venue, 'derivatives');
  pass();
  const other = venue.exchange.openAccount();
  venue.exchange.wallets.deposit(other, 'USDT', decimal('5'));
  const request = { currency: 'USDT', amount: decimal('5'), source: 'wallet', destination: 'derivatives' } as const; // prettier-ignore
  venue.exchange.wallet.transfer(other, request, micros(START));
  pass();
  expect(derivatives).toHaveLength(1);
});

test('a place cannot begin with a currency that nothing is traded in', () => {
  expect(
    () =>
      new SimulatedVenue({
        venue: 'simulated',
        instruments: [new Instrument(SPOT)],
        scheduler: new VirtualScheduler(micros(START)),
        latency: { orderUs: 0, reportUs: 0 },
        balances: amounts('1'),
        nonSpotBalances: { wallet: new Map([['DOGE', decimal('1')]]) },
      }),
  ).toThrow(/The wallet begins with DOGE, in which no instrument of this run is traded/);
});
