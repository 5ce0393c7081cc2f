/** What a trade brings about. */
export interface Consequences {
  /** An order of a list is about to execute. */
  before(order: number): void;
  /** An order of a list has executed, or a position has ended, which was told. */
  after(order: number): void;
  /** An incoming order has come to a resting one of its account, with which it does not trade; false when it ends. */
  met(taker: number, maker: number): boolean;
}
