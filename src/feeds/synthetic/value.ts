import type { Random } from '../../platform/random.ts';
import type { MarketParameters } from './parameters.ts';

/** No synthetic price comes nearer to zero, so that there is always room for bids. */
export const FLOOR_TICKS = 100;

/** Fair price of an instrument in ticks, not rounded; makers follow it. */
export interface FairPrice {
  readonly ticks: number;
  /** So much time has passed, the more the more there is going on. */
  advance(seconds: number): void;
}

/**
 * Fair price in ticks, not rounded: a random walk whose drift changes from regime to regime, plus
 * mean-reverting noise (Ornstein and Uhlenbeck); synthetic makers quote around it.
 */
export class FairPriceWalk implements FairPrice {
  ticks: number;
  readonly #random: Random;
  readonly #parameters: MarketParameters;
  #anchor: number;
  #noise = 0;
  #drift = 0;
  #regimeLeft = 0;

  constructor(random: Random, parameters: MarketParameters, startTicks: number) {
    this.#random = random;
    this.#parameters = parameters;
    this.#anchor = Math.max(startTicks, FLOOR_TICKS);
    this.ticks = this.#anchor;
  }

  advance(seconds: number): void {
    const { volatilityTicks, driftTicks, regimeSeconds, noiseTicks, noiseSeconds } =
      this.#parameters;
    this.#regimeLeft -= seconds;
    if (this.#regimeLeft <= 0) {
      this.#regimeLeft = this.#random.exponential(regimeSeconds);
      this.#drift = driftTicks * this.#random.normal();
    }
    const step = volatilityTicks * Math.sqrt(seconds) * this.#random.normal();
    this.#anchor = Math.max(FLOOR_TICKS, this.#anchor + this.#drift * seconds + step);
    this.#noise = stepOrnsteinUhlenbeck(
      this.#random,
      this.#noise,
      noiseTicks,
      seconds / noiseSeconds,
    );
    this.ticks = Math.max(FLOOR_TICKS, this.#anchor + this.#noise);
  }
}

/** One exact step of a process of Ornstein and Uhlenbeck: `sigma` in the long run, `age` in memories. */
export function stepOrnsteinUhlenbeck(
  random: Random,
  state: number,
  sigma: number,
  age: number,
): number {
  const memory = Math.exp(-age);
  return state * memory + sigma * Math.sqrt(1 - memory * memory) * random.normal();
}
