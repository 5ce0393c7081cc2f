import { expect, test } from 'vitest';
import {
  hasEnded,
  holdingName,
  parseHoldingKey,
  SLIPPAGE,
  TRANSFER_STATES,
} from '../../src/model/portfolio.ts';

test('a holding is named by its asset and its location', () => {
  const key = { asset: 'USDC.e', location: 'base-1' };
  expect(holdingName(key)).toBe('USDC.e@base-1');
  expect(parseHoldingKey('USDC.e@base-1')).toEqual(key);
  expect(parseHoldingKey(`${'A'.repeat(32)}@${'b'.repeat(32)}`)).toBeDefined();
});

test.each([
  '',
  'USDC',
  '@base',
  'USDC@',
  'USDC@base@x',
  'US DC@base',
  ' USDC@base',
  'USDC@base ',
  `${'A'.repeat(33)}@base`,
  `USDC@${'b'.repeat(33)}`,
])('%j names no holding', (text) => {
  expect(parseHoldingKey(text)).toBeUndefined();
});

test('a transfer leaves every state but four', () => {
  expect(TRANSFER_STATES.filter(hasEnded)).toEqual(['fulfilled', 'refunded', 'expired', 'failed']);
});

test('a later offer may bring half a percent less', () => {
  expect(SLIPPAGE.toFixed()).toBe('0.005');
});
