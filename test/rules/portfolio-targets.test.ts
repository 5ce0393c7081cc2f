import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import type { AmountTarget, PortfolioTargets, WeightTarget } from '../../src/model/portfolio.ts';
import { NO_WEIGHT, portfolioTargetsRejection } from '../../src/rules/portfolio-targets.ts';

const share = (location: string, weight: string, band = '0.05', reserve = '0'): WeightTarget => ({
  asset: 'USDC',
  location,
  weight: decimal(weight),
  band: decimal(band),
  reserve: decimal(reserve),
});

const fixed = (location: string, amount: string, band = '1', reserve = '0'): AmountTarget => ({
  asset: 'USDC',
  location,
  amount: decimal(amount),
  band: decimal(band),
  reserve: decimal(reserve),
});

const targets = (
  holdings: PortfolioTargets['holdings'],
  more: Partial<PortfolioTargets> = {},
): PortfolioTargets => ({
  holdings,
  minimumValue: decimal('0'),
  maximumCost: decimal('1'),
  ...more,
});

const ALL = [share('ethereum', '1')];

describe('targets of a portfolio', () => {
  test.each([
    ['weights of 1 together', targets([share('ethereum', '0.25'), share('tron', '0.75')])],
    ['an amount beside a weight', targets([fixed('ethereum', '10'), share('tron', '1')])],
    ['a reserve as large as amount and band', targets([fixed('tron', '10', '1', '11'), ...ALL])],
    ['a slippage of all', targets(ALL, { slippage: decimal('1') })],
  ])('can be %s', (_, given) => {
    expect(portfolioTargetsRejection(given)).toBeUndefined();
  });

  test.each([
    ['no holding', targets([]), 'holdings'],
    ['a holding twice', targets([...ALL, ...ALL]), 'USDC@ethereum'],
    ['a weight above 1', targets([share('tron', '1.01')]), 'USDC@tron.weight'],
    ['a weight below 0', targets([share('tron', '-0.1')]), 'USDC@tron.weight'],
    ['a band above 1', targets([share('tron', '1', '1.5')]), 'USDC@tron.band'],
    ['a reserve below 0', targets([share('tron', '1', '0', '-1')]), 'USDC@tron.reserve'],
    ['an amount below 0', targets([fixed('tron', '-1'), ...ALL]), 'USDC@tron.amount'],
    ['a band of an amount below 0', targets([fixed('tron', '1', '-1'), ...ALL]), 'USDC@tron.band'],
    [
      'a reserve above amount and band',
      targets([fixed('tron', '10', '1', '11.000001'), ...ALL]),
      'USDC@tron.reserve',
    ],
    ['a least move below 0', targets(ALL, { minimumValue: decimal('-1') }), 'minimumValue'],
    ['a cost below 0', targets(ALL, { maximumCost: decimal('-0.1') }), 'maximumCost'],
    ['a slippage below 0', targets(ALL, { slippage: decimal('-0.1') }), 'slippage'],
    ['a slippage above 1', targets(ALL, { slippage: decimal('1.1') }), 'slippage'],
    [
      'weights above 1 together',
      targets([share('ethereum', '0.6'), share('tron', '0.5')]),
      'weight',
    ],
    ['weights below 1 together', targets([share('ethereum', '0.4')]), 'weight'],
  ])('cannot have %s', (_, given, field) => {
    expect(portfolioTargetsRejection(given)).toMatchObject({ code: 'targets-invalid', field });
  });

  test('need a weight, which says where the rest belongs', () => {
    expect(portfolioTargetsRejection(targets([fixed('ethereum', '10')]))).toEqual({
      code: 'targets-invalid',
      field: 'weight',
      message: NO_WEIGHT,
    });
  });
});
