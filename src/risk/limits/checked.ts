import type { Order } from '../../model/order.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';

/** A request for the checks: its orders, and all orders once it is done. */
export interface Checked {
  readonly requested: readonly Order[];
  readonly after: readonly Order[];
  readonly view: RiskView;
  readonly limits: RiskSettings;
}
