/**
 * What a process that was killed needs to go on with a managed order: plain data, which the journal keeps by
 * strategy and id. `isOver` says that there is nothing to go on with; the id stays taken.
 */
export interface ManagedState {
  readonly id: string;
  readonly kind: string;
  readonly symbol: string;
  readonly isOver?: true | undefined;
  /** The steps of price and quantity that its ticks and lots are counted in. */
  readonly grid: string;
  /** As its kind has it. */
  readonly state: unknown;
}

/** Identifies the grid of an instrument; a state of another grid means other prices. */
export const gridOf = (instrument: {
  readonly terms: { readonly tickSize: string; readonly quantityIncrement: string };
}): string => `${instrument.terms.tickSize} ${instrument.terms.quantityIncrement}`;
