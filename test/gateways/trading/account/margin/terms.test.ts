import { describe, expect, it } from 'vitest';
import { tradedOf } from '../../../../../src/gateways/trading/account/instruments.ts';
import {
  termsBySymbol,
  type SymbolRecords,
  type WireTerms,
} from '../../../../../src/gateways/trading/account/margin/terms.ts';
import { Decimal } from '../../../../../src/model/decimal.ts';
import type { MillraceError } from '../../../../../src/model/errors.ts';
import { decode } from '../../../../../src/wire/trading/decoding.ts';
import { V3_CALLS } from '../../../../../src/wire/trading/v3/calls/table.ts';
import { openScene, PERP } from './kit.ts';

const SPOT = {
  type: 'spot',
  base_currency: 'BTC',
  quote_currency: 'USDT',
  status: 'working',
  quantity_increment: '0.00001',
  tick_size: '0.01',
  take_rate: '0.0025',
  make_rate: '0.0012',
  fee_currency: 'USDT',
  margin_trading: true,
  max_initial_leverage: '25.00',
};
const CONTRACT = {
  ...SPOT,
  type: 'futures',
  base_currency: null,
  underlying: 'BTC',
  contract_type: 'perpetual',
  expiry: null,
};

const TERMS = {
  symbol: 'BTCUSDT',
  margin_mode: 'Isolated',
  enabled: true,
  active: true,
  margin_call_leverage_mul: '1.50',
  liquidation_leverage_mul: '2.00',
  max_initial_leverage: '10.00',
  force_close_fee: '0.05',
};

function traded(
  symbols: Readonly<Record<string, unknown>>,
  config: readonly unknown[],
  fees: Parameters<typeof tradedOf>[1] = [],
) {
  const warnings: MillraceError[] = [];
  const warn = (warning: MillraceError): void => void warnings.push(warning);
  const listed = read<SymbolRecords>(V3_CALLS.getSymbols.response, symbols);
  const records = read<{ config: WireTerms[] }>(V3_CALLS.getMarginConfig.response, { config });
  const terms = termsBySymbol(records.config, listed, warn);
  return { instruments: tradedOf(listed, fees, terms, warn), warnings };
}

function read<T>(schema: Parameters<typeof decode>[0], given: unknown): T {
  const outcome = decode(schema, given);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome.fault));
  return outcome.value as T;
}

describe('the margin terms of the service', () => {
  it('are those of the instruments, with the fee rates of the account', async () => {
    const { account } = await openScene();
    const [bitcoin] = account.instruments;
    expect(bitcoin?.margin.isolated?.maxInitialLeverage.toFixed()).toBe('25');
    expect(bitcoin?.margin.cross?.marginCallMul.toFixed()).toBe('1.5');
    expect(bitcoin?.margin.cross?.reserveRate).toBeUndefined();
    const contract = account.instruments.find(({ symbol }) => symbol === PERP);
    expect(contract?.terms).toMatchObject({
      contractType: 'perpetual',
      baseCurrency: 'ETH',
      takeRate: '0.0007',
    });
    expect(contract?.margin.isolated?.maxInitialLeverage.toFixed()).toBe('75');
  });

  it('are of both modes, written with a capital or without, and have a risk limit where there is one', () => {
    const limit = { limit_base: '50000', limit_power: '2.2', unlimited_threshold: '10' };
    const cross = { ...TERMS, margin_mode: 'cross', ...limit };
    const { instruments, warnings } = traded({ BTCUSDT: SPOT }, [TERMS, cross]);
    expect(Object.keys(instruments[0]?.margin ?? {})).toEqual(['isolated', 'cross']);
    expect(instruments[0]?.margin.cross?.riskLimit?.base.toFixed()).toBe('50000');
    expect(warnings).toEqual([]);
  });

  it('make contracts instruments, perpetual and dated, with the rates of the account', () => {
    const dated = {
      ...CONTRACT,
      contract_type: 'cash_settled',
      expiry: '2026-03-27T08:00:00Z',
    };
    const fees = [
      {
        symbol: 'BTCUSDT_PERP',
        take_rate: new Decimal('0.0004'),
        make_rate: new Decimal('0.0001'),
      },
    ];
    const config = ['BTCUSDT_PERP', 'BTCUSDT_MAR'].map((symbol) => ({ ...TERMS, symbol }));
    const listed = { BTCUSDT_PERP: CONTRACT, BTCUSDT_MAR: dated, BTCUSDT_OLD: CONTRACT };
    const { instruments, warnings } = traded(listed, config, fees);
    expect(instruments.map(({ symbol, takeRate }) => [symbol, takeRate.toFixed()])).toEqual([
      ['BTCUSDT_PERP', '0.0004'],
      ['BTCUSDT_MAR', '0.0025'],
    ]);
    expect(instruments[1]?.expiresAt).toBe(Date.parse('2026-03-27T08:00:00Z') * 1_000);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['contradict themselves', { margin_call_leverage_mul: '3' }, 'margin.marginCallLeverageMul'],
    [
      'leave nothing after the fee',
      { margin_call_leverage_mul: '1.001' },
      'margin.marginCallLeverageMul',
    ],
    ['have a leverage below 1', { max_initial_leverage: '0.5' }, 'margin.maxInitialLeverage'],
  ])('are left out where they %s, and the symbol is traded on spot', (_, wrong, field) => {
    const { instruments, warnings } = traded({ BTCUSDT: SPOT }, [{ ...TERMS, ...wrong }]);
    expect(instruments.map(({ margin }) => margin)).toEqual([{}]);
    expect(warnings.map((one) => [one.code, one.field])).toEqual([['instrument-invalid', field]]);
  });

  it('are left out where a mode has a second record, of which the first counts', () => {
    const again = { ...TERMS, max_initial_leverage: '5' };
    const { instruments, warnings } = traded({ BTCUSDT: SPOT }, [TERMS, again]);
    expect(instruments[0]?.margin.isolated?.maxInitialLeverage.toFixed()).toBe('10');
    expect(warnings.map(({ message }) => message)).toEqual([
      'BTCUSDT has two records of isolated margin; the first counts.',
    ]);
  });

  it('leave out contracts that settle in another currency than they are quoted in', () => {
    const inverse = { ...CONTRACT, fee_currency: 'BTC' };
    const config = [{ ...TERMS, symbol: 'BTCUSD_PERP' }];
    const { instruments, warnings } = traded({ BTCUSD_PERP: inverse }, config);
    expect(instruments).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'BTCUSD_PERP is inverse or quanto: it is quoted in USDT and settles in BTC; it is not traded on margin here.',
    ]);
  });

  it('are left out where the rate of the account contradicts them', () => {
    const fees = [
      { symbol: 'BTCUSDT', take_rate: new Decimal('0.5'), make_rate: new Decimal('0') },
    ];
    const { instruments, warnings } = traded({ BTCUSDT: SPOT }, [TERMS], fees);
    expect(instruments.map(({ margin, takeRate }) => [margin, takeRate.toFixed()])).toEqual([
      [{}, '0.5'],
    ]);
    expect(warnings).toHaveLength(1);
  });
});
