import type { Consequences } from './book/consequences.ts';
import type { Life } from './stages/lifecycle.ts';
import type { Holdings } from './stages/reserve.ts';
import type { Margin } from './requests/margin.ts';

/** The parts that are told what a trade brings about, asked for when it does. */
interface Told {
  readonly holdings: Holdings;
  readonly life: () => Life;
  readonly margin: () => Margin;
}

/** Passes what a trade brings about on to the parts that it concerns. */
export const consequencesOf = ({ holdings, life, margin }: Told): Consequences => ({
  before: (order) => {
    holdings.claim(order);
  },
  after: (order) => {
    life().after(order);
    margin().after();
  },
  met: (taker, maker) => life().met(taker, maker),
});
