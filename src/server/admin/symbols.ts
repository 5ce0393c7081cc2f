import { z } from 'zod';
import { choice, text } from '../../wire/trading/fields.ts';
import { decoded, fault, undecoded } from '../../wire/trading/faults.ts';
import type { TradingService } from '../trading/service.ts';
import { adminCall, type AdminCall } from './call.ts';

const STATUSES = ['working', 'suspended', 'clearing'] as const;

/** Opens and closes symbols for orders. */
export const symbolCalls = (service: TradingService): readonly AdminCall[] => [
  adminCall({
    method: 'POST',
    path: '/admin/symbols',
    summary: 'Sets whether a symbol takes orders: working, suspended or clearing',
    params: z.object({ symbol: text, status: choice(STATUSES) }),
    run: ({ symbol, status }) => {
      if (service.exchange.instrument(symbol) < 0) {
        return undecoded(fault(2001, `There is no symbol ${symbol}`, 'symbol'));
      }
      service.act(({ statuses }) => {
        statuses.set(symbol, status);
      });
      return decoded({ symbol, status });
    },
  }),
];
