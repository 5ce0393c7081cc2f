/**
 * State that a restarted process needs to continue a managed order: plain data, in the journal by
 * strategy and id. `isOver` means that nothing is left to continue; the id stays taken.
 */
export interface ManagedState {
  readonly id: string;
  readonly kind: string;
  readonly symbol: string;
  readonly isOver?: true | undefined;
  /** Tick size and quantity increment of its ticks and lots. */
  readonly grid: string;
  /** State of its kind. */
  readonly state: unknown;
}

/** Identifies the grid of an instrument; a state of another grid has other prices. */
export const gridOf = (instrument: {
  readonly terms: { readonly tickSize: string; readonly quantityIncrement: string };
}): string => `${instrument.terms.tickSize} ${instrument.terms.quantityIncrement}`;
