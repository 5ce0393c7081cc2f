import type { Side } from '../../../model/order.ts';
import { isRejection } from '../../../model/rejections.ts';
import type { Lots } from '../../../model/units.ts';
import type { Iceberg } from '../../../strategy/commands.ts';
import type { Algorithm, AlgoTerms } from '../algorithm.ts';
import { invalid, requestedTicks, requestedLots } from '../asked.ts';

export interface IcebergTerms extends AlgoTerms {
  readonly side: Side;
  readonly lots: Lots;
  readonly ticks: number;
  /** Most visible lots. */
  readonly visible: Lots;
  readonly postOnly: boolean;
}

const SLOT = 'tip';

/** A limit order with a visible part: the next part follows once the one before is filled. */
export const iceberg: Algorithm<Iceberg, IcebergTerms> = {
  terms(command, instrument) {
    const { side, postOnly = false, visibleLots, visibleQuantity } = command;
    const lots = requestedLots(instrument, command);
    if (isRejection(lots)) return lots;
    const ticks = requestedTicks(instrument, command);
    if (isRejection(ticks)) return ticks;
    if (ticks === undefined) return { ...invalid('price', 'An iceberg needs a price'), code: 'price-missing' }; // prettier-ignore
    const visible = requestedLots(
      instrument,
      { lots: visibleLots, quantity: visibleQuantity },
      'visibleQuantity',
    );
    if (isRejection(visible)) return visible;
    if (visible > lots) {
      return invalid(
        'visibleLots',
        `It shows ${visible} of ${lots} lots; it cannot show more than it has`,
      );
    }
    return { side, lots, ticks, visible, postOnly };
  },

  plan({ side, lots, ticks, visible, postOnly }, progress) {
    const filled = progress.filled(SLOT).lots;
    const left = lots - filled;
    if (left <= 0) return { orders: [], ended: 'filled' };
    const visibleLots = Math.min(visible - (filled % visible), left);
    return { orders: [{ slot: SLOT, side, lots: visibleLots, ticks, postOnly }] };
  },
};
