/**
 * The reasons for which an order or a command is refused, in one table. A refusal is an expected
 * answer, so it is a value and not an exception; the codes are stable and `docs/errors.md` lists
 * exactly these rows. `wire/` maps them to the codes of each service.
 */
export const REFUSALS = {
  'symbol-unknown': 'The venue has no such symbol.',
  'symbol-suspended': 'The symbol is not trading now.',
  'request-invalid': 'The request or a flag of it is not of the form that is asked for.',
  'side-invalid': 'The side is neither buy nor sell.',
  'type-invalid': 'The order type is unknown or does not fit the other fields.',
  'time-in-force-invalid': 'The time in force is unknown or does not fit the order type.',
  'expire-time-invalid': 'A GTD order needs an expire time in the future, others take none.',
  'price-missing': 'This order type needs a price.',
  'price-invalid': 'The price is not a positive decimal number.',
  'price-below-minimum': 'The price rounds to zero.',
  'price-off-tick': 'The price is not a multiple of the tick size.',
  'stop-price-missing': 'This order type needs a stop price.',
  'stop-price-invalid': 'The stop price is not a positive decimal number.',
  'stop-price-below-minimum': 'The stop price rounds to zero.',
  'stop-price-off-tick': 'The stop price is not a multiple of the tick size.',
  'stop-price-reached': 'The last trade is at or beyond the stop price already.',
  'quantity-missing': 'The order needs a quantity.',
  'quantity-invalid': 'The quantity is not a positive decimal number.',
  'quantity-off-increment': 'The quantity is not a multiple of the quantity increment.',
  'quantity-below-minimum': 'The quantity is below one quantity increment, or rounds to zero.',
  'quantity-below-executed': 'The new quantity is not above what was executed already.',
  'number-out-of-range': 'A price or quantity is beyond 2^53 ticks or lots.',
  'rate-invalid': 'A fee rate is not a fraction below 1 with at most 9 decimals.',
  'client-order-id-invalid': 'A client order id has 8 to 32 Latin letters, digits, _ or -.',
  'client-order-id-taken': 'An order with this client order id is active or was until lately.',
  'contingency-type-invalid': 'The contingency type of an order list is unknown.',
  'order-count-invalid': 'The list has more or fewer orders than its contingency type allows.',
  'order-list-id-invalid': 'The order list id is not the first client order id, or is in use.',
  'list-symbols-invalid': 'The contingency type asks for one symbol, or for different ones.',
  'bracket-prices-invalid': 'An exit of a bracket is on the wrong side of its entry.',
  'funds-insufficient': 'The available balance does not cover the order with its fee.',
  'order-unknown': 'No active order has this client order id.',
  'order-unchanged': 'The replacement changes nothing.',
  'order-limit-reached': 'The account has as many active orders as it may have.',
  'currency-unknown': 'There is no such currency here.',
  'network-unknown': 'The currency has no such network.',
  'fee-level-unknown': 'The network has no such level of fees.',
  'amount-invalid': 'The amount is not a positive decimal number.',
  'amount-off-precision': 'The amount is finer than the currency can be moved.',
  'amount-below-fee': 'The amount, which includes the fee, leaves nothing to send.',
  'route-invalid': 'Source and destination of the transfer are the same, or one is unknown.',
  'transfer-unavailable': 'Transfers of this currency are switched off.',
  'deposit-unavailable': 'Deposits of this currency or on this network are switched off.',
  'withdrawal-unavailable': 'Withdrawals of this currency or on this network are switched off.',
  'withdrawal-limit-reached': 'The withdrawal goes beyond what may leave within 24 hours.',
  'withdrawal-unknown': 'No withdrawal of the account has this id.',
  'withdrawal-not-committed': 'The withdrawal is not committed yet.',
  'withdrawal-committed': 'The withdrawal is committed already.',
  'withdrawal-rolled-back': 'The withdrawal is rolled back already.',
  'offchain-unavailable': 'The address belongs to no other account here.',
  'address-missing': 'The withdrawal names no address.',
  'address-unknown': 'No account here has this deposit address.',
  'comment-too-long': 'A public comment has more than 255 characters.',
  'rate-missing': 'There is no price rate between the two currencies.',
  'transaction-unknown': 'There is no transaction of this id.',
  'transaction-ended': 'The transaction has ended already.',
  'lock-unknown': 'There is no active amount lock of this id.',
  'page-invalid': 'A limit or offset of a listing is outside its bounds.',
  'user-unknown': 'No account has this email or user name.',
  'account-frozen': 'The account is frozen or disabled.',
  'action-forbidden': 'The super account does not allow this to the sub-account.',
  'sub-account-missing': 'No sub-account is named.',
  'sub-account-unknown': 'The account has no sub-account of this number.',
  'sub-account-frozen': 'The sub-account is frozen or disabled already.',
  'super-account-missing': 'The account is no sub-account.',
  'margin-mode-invalid': 'The margin mode is neither isolated nor cross, or is missing.',
  'margin-forbidden': 'The symbol is not traded on margin in this mode.',
  'margin-account-unknown': 'The account has no margin account of this mode for the symbol.',
  'margin-balance-invalid': 'The margin balance is no amount of at most 12 decimals.',
  'leverage-invalid': 'The leverage is missing, or beyond what the symbol allows.',
  'position-unknown': 'There is no position that the request could make smaller.',
  'position-unchanged': 'The margin account has that already.',
  'position-close-only': 'The position can only become smaller now.',
  'risk-limit-exceeded': 'The position would be worth more than the leverage allows.',
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof REFUSALS;

/** Why something was refused: what a person needs to mend it, and what a program needs to decide. */
export interface Refusal {
  readonly code: RefusalCode;
  /** The field that broke the rule, by its name in the model. */
  readonly field?: string;
  /** What was given and what the limit is, as a sentence. */
  readonly message: string;
  /** The limit that was broken, as decimal text, where there is one. */
  readonly limit?: string;
}

/** Tells a refusal from what a rule gives when it passes. */
export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'code' in outcome && 'message' in outcome;
