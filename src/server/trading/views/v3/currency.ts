import type { Currency, Network } from '../../../../model/currency.ts';
import type { currency as schema } from '../../../../wire/trading/v3/records/currency.ts';
import { explorerOf, protocolOf } from '../currency-words.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';

type Record = Writable<typeof schema>;

/**
 * A currency in version 3's form. An existing preferred network comes first and is its default; otherwise
 * its own first one is.
 */
export function currencyView(currency: Currency, preferredNetwork?: string): Record {
  const { terms, precisionTransfer, networks } = currency;
  const { shown = {} } = terms;
  const preferred = networks.find(({ code }) => code === preferredNetwork);
  const ordered =
    preferred === undefined
      ? networks
      : [preferred, ...networks.filter((network) => network !== preferred)];
  return {
    full_name: terms.name,
    crypto: shown.isCrypto ?? true,
    payin_enabled: terms.payinEnabled,
    payout_enabled: terms.payoutEnabled,
    transfer_enabled: terms.transferEnabled,
    sign: shown.sign ?? '',
    crypto_payment_id_name: shown.paymentIdName ?? '',
    crypto_explorer: explorerOf(currency),
    precision_transfer: precisionTransfer,
    account_top_order: shown.topOrder,
    qr_prefix: shown.qrPrefix ?? '',
    delisted: shown.isDelisted ?? false,
    networks: ordered.map((network, rank) => networkView(currency, network, rank === 0)),
  };
}

function networkView(
  currency: Currency,
  network: Network,
  isDefault: boolean,
): Record['networks'][number] {
  const { terms, code } = network;
  const { shown = {} } = terms;
  return {
    code: currency.code,
    network_name: shown.name ?? code,
    network: code,
    protocol: protocolOf(currency, network),
    default: isDefault,
    is_ens_available: shown.isEns ?? false,
    payin_enabled: terms.payinEnabled,
    payout_enabled: terms.payoutEnabled,
    precision_payout: network.precisionPayout,
    payout_fee: network.payoutFee,
    payout_is_payment_id: terms.payoutIsPaymentId,
    payin_payment_id: terms.payinPaymentId,
    payin_confirmations: terms.payinConfirmations,
    address_regex: terms.addressRegex,
    payment_id_regex: terms.paymentIdRegex,
    low_processing_time: shown.processingTime?.low,
    high_processing_time: shown.processingTime?.high,
    avg_processing_time: shown.processingTime?.avg,
    crypto_payment_id_name: shown.paymentIdName,
    crypto_explorer: shown.explorer,
    contract_address: shown.contractAddress ?? '',
    is_multichain: currency.networks.length > 1,
    asset_id: shown.assetId,
  };
}
