import { defineCallbackStrategy, ta, z } from 'millrace';

/**
 * What fell fast comes back: buys when the relative strength index is low and leaves when it is high, or
 * when the price has lost too much since. Weak in a falling market, where low becomes lower. Written with
 * callbacks; the streams of the other examples say the same in other words.
 */
export default defineCallbackStrategy({
  name: 'rsi-reversal',
  summary: 'Buys a low relative strength index and sells a high one.',
  parameters: z
    .object({
      symbol: z.string().default('BTCUSDT'),
      period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M5'),
      length: z.int().min(2).max(500).default(14).describe('candles of the index'),
      low: z.number().min(0).max(100).default(30).describe('index below which it buys'),
      high: z.number().min(0).max(100).default(60).describe('index above which it sells'),
      loss: z
        .number()
        .gt(0)
        .lt(1)
        .default(0.02)
        .describe('share of the price at which it gives up'),
      quantity: z.string().default('0.01').describe('base currency of each buy'),
    })
    .refine((p) => p.low < p.high, { path: ['high'], message: 'expected more than low is' }),
  setup: ({ parameters: p, onCandle, onFill, position, buy, close, log }) => {
    let leaveBelow = 0; // ticks

    onCandle(p.symbol, p.period, { rsi: ta.rsi(p.length) }, ({ rsi, event: candle }) => {
      const isHeld = position(p.symbol).lots > 0;
      if (!isHeld && rsi < p.low) {
        leaveBelow = candle.closeTicks * (1 - p.loss);
        buy(p.symbol, { quantity: p.quantity });
      }
      if (isHeld && (rsi > p.high || candle.closeTicks < leaveBelow)) close(p.symbol);
    });

    onFill((fill) => {
      log.info(`A ${fill.side} of ${p.symbol} was filled.`, { lots: fill.lots });
    });
  },
});
