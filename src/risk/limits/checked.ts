import type { RiskSettings } from '../settings.ts';
import type { RiskOrder, RiskView } from '../view.ts';

/** What a request is checked as: the orders that it asks for, and all orders once it is done. */
export interface Checked {
  readonly asked: readonly RiskOrder[];
  readonly after: readonly RiskOrder[];
  readonly view: RiskView;
  readonly limits: RiskSettings;
}
