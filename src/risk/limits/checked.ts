import type { Order } from '../../model/order.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';

/** What a request is checked as: the orders that it asks for, and all orders once it is done. */
export interface Checked {
  readonly asked: readonly Order[];
  readonly after: readonly Order[];
  readonly view: RiskView;
  readonly limits: RiskSettings;
}
