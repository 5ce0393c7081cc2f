import { Amount, NOTHING } from '../../model/amount.ts';

/** An exact sum of many amounts; allocates nothing while they have the same number of places. */
export class Sum {
  #before: Amount = NOTHING;
  /** Units of the latest number of places, not yet in `#before`. */
  #units = 0;
  #places = 0;

  add({ units, places }: Amount): void {
    if (places !== this.#places || typeof units !== 'number') {
      this.#settle();
      this.#places = places;
      if (typeof units !== 'number') {
        this.#before = this.#before.plus(Amount.units(units, places));
        return;
      }
    }
    const sum = this.#units + units;
    if (Number.isSafeInteger(sum)) {
      this.#units = sum;
      return;
    }
    this.#settle();
    this.#units = units;
  }

  /** The sum so far. */
  get amount(): Amount {
    this.#settle();
    return this.#before;
  }

  #settle(): void {
    if (this.#units === 0) return;
    this.#before = this.#before.plus(Amount.units(this.#units, this.#places));
    this.#units = 0;
  }
}
