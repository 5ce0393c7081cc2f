import { z } from 'zod';
import { flag, json, numeric, optional, record, text, whole } from '../../fields.ts';

const network = record('Network', {
  code: text,
  network_name: text,
  network: text,
  /** `TOKEN`, or the code of the network's own currency. */
  protocol: optional(text),
  default: flag,
  is_ens_available: flag,
  payin_enabled: flag,
  payout_enabled: flag,
  precision_payout: numeric,
  payout_fee: optional(numeric),
  payout_is_payment_id: flag,
  payin_payment_id: flag,
  payin_confirmations: whole(),
  address_regex: optional(text),
  payment_id_regex: optional(text),
  /** Seconds that a withdrawal takes. */
  low_processing_time: optional(numeric),
  high_processing_time: optional(numeric),
  avg_processing_time: optional(numeric),
  crypto_payment_id_name: optional(text),
  crypto_explorer: optional(text),
  contract_address: optional(text),
  is_multichain: optional(flag),
  /** The network's id of the currency. */
  asset_id: json.optional(),
});

/** A currency and the networks on which it moves. */
export const currency = record('Currency', {
  full_name: text,
  crypto: flag,
  payin_enabled: flag,
  payout_enabled: flag,
  transfer_enabled: flag,
  sign: optional(text),
  crypto_payment_id_name: optional(text),
  /** A link with a `{tx}` placeholder. */
  crypto_explorer: optional(text),
  precision_transfer: numeric,
  account_top_order: optional(whole()),
  qr_prefix: optional(text),
  delisted: flag,
  networks: z.array(network),
});
