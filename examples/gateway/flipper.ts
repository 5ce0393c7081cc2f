import { bufferCount, map } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';

export default defineStrategy({
  name: 'flipper',
  summary: 'Holds half of its equity for a second, and nothing for the next.',
  parameters: z.object({ symbol: z.string().default('ALPHAUSD') }),
  run: ({ market, parameters: { symbol } }) =>
    market.trades(symbol).pipe(
      bufferCount(10),
      map((_, index) => target(symbol, index % 2 === 0 ? 0.5 : 0)),
    ),
});
