/** Subject of a subscription, which identifies it. */
export interface Topic {
  readonly name: string;
  /** Whether it is to begin or to end. */
  readonly begins: boolean;
}

const SUBSCRIBES = /subscribe/i;
const ENDS = /un(?=subscribe)/i;

/**
 * The topic of a method that begins or ends a subscription, whose names all say so: `spot_subscribe`,
 * `unsubscribe_transactions`, `subscribeCandles`. Symbol and period distinguish them.
 */
export function topicOf(method: string, params: unknown): Topic | undefined {
  if (!SUBSCRIBES.test(method)) return undefined;
  const { symbol, period } = params as { readonly symbol?: string; readonly period?: string };
  const stem = method.replace(ENDS, '').toLowerCase();
  return { name: JSON.stringify([stem, symbol, period]), begins: !ENDS.test(method) };
}
