import type { Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Lots } from '../../../model/units.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';

/** The most lots of a side that are counted; a larger volume is answered with all there is. */
const LOTS_MAX = Number.MAX_SAFE_INTEGER as Lots;

/** The lots of a requested volume, rounded up to a whole one. */
export function volumeLots(instrument: Instrument, volume: Decimal): Decoded<Lots> {
  if (volume.isZero()) return undecoded(fault(10001, 'volume must be above zero', 'volume'));
  const isBeyond = volume.greaterThan(instrument.size(LOTS_MAX));
  return decoded(isBeyond ? LOTS_MAX : instrument.lots(volume, 'up'));
}
