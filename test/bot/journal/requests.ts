import type { Intent } from '../../../src/bot/journal/records.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';

export const START = micros(1_700_000_000_000_000);

export const place = (
  clientOrderId: string,
  change: Partial<Omit<PlaceRequest, 'kind'>> = {},
): PlaceRequest => ({
  kind: 'place',
  clientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  lots: 10 as Lots,
  ticks: 1_000 as Ticks,
  postOnly: false,
  ...change,
});

export const intent = (request: Intent['request'], change: Partial<Intent> = {}): Intent => ({
  at: START,
  strategy: 'ema',
  request,
  managed: false,
  ...change,
});
