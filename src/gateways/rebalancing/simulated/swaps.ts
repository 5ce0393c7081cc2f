import { MillraceError } from '../../../model/errors.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { signApproval } from '../../../swaps/approvals/check.ts';
import { readJson, writeJson } from '../../../wire/json.ts';
import { ServiceError } from '../../http/service-error.ts';
import { issuedApproval } from '../../swaps/reading/issued.ts';
import type { SwapService } from '../swap/service.ts';
import { CLIENT, type SimulatedServices } from './services.ts';
import type { SwapModel } from './settings.ts';
import type { LocalWire } from './wire.ts';

export interface LocalSwapParts {
  readonly name: string;
  readonly model: SwapModel;
  readonly services: () => SimulatedServices;
  readonly wire: LocalWire;
}

/** The swap service of this process, which answers all but an acceptance at once. */
export const localSwaps = ({ name, model, services, wire }: LocalSwapParts): SwapService => ({
  quote: async ({ path: { from, to }, amount, slippage }) => {
    if (wire.happens(model.chances.refused)) throw refused(NO_OFFER);
    const request = { from: { id: from.token.id }, to: { id: to.token.id } };
    const quote = services().inputs.quote(name, {
      ...request,
      amount,
      slippageBps: Number(slippage),
    });
    if (isRejection(quote)) throw refused(quote);
    const { id, outcome, expiresAt } = quote;
    return Promise.resolve({ id, ...outcome, expiresAt });
  },
  createIntent: async ({ path: { from, to } }, quote) => {
    await wire.pass(model.accept);
    if (wire.happens(model.chances.expired)) throw refused(EXPIRED);
    const { address } = from.signer;
    const parties = { from: address, refundTo: address, to: to.signer.address };
    const intent = services().inputs.createIntent(name, { quote, ...parties });
    if (isRejection(intent)) throw refused(intent);
    const { id, issued, deadline } = intent;
    // As over the wire, where it is written and read again.
    const params = readJson(writeJson(issued.params)) as Readonly<Record<string, unknown>>;
    return { intent: id, form: issued.form, params, deadline };
  },
  approve: async ({ intent, form, params, deadline }, agreed, signer) => {
    const issued = issuedApproval({ form, params });
    const terms = { ...agreed, intent, deadline };
    const signed = await signApproval(issued.params, form, terms, signer);
    const approved = services().inputs.approve(name, intent, signed);
    if (isRejection(approved)) throw refused(approved);
  },
  status: async (id) => {
    const intent = services().swaps.get(name)?.intent(CLIENT.name, id);
    if (intent === undefined) throw new MillraceError('internal', `There is no service ${name}.`);
    if (isRejection(intent)) throw refused(intent);
    const { state, quote, deposit, fulfilment } = intent;
    const stages = { depositTx: deposit?.hash, fulfilTx: fulfilment?.hash };
    return Promise.resolve({ state, sentLots: quote.fromLots, ...stages });
  },
});

const NO_OFFER: Rejection = { code: 'venue-refused', message: 'There is no offer now.' };
const EXPIRED: Rejection = { code: 'quote-expired', message: 'The quote no longer stands.' };

/** Rejections that another quote may help with. */
const STALE: ReadonlySet<string> = new Set(['quote-expired', 'quote-used', 'quote-unknown']);

const refused = ({ code, message }: Rejection): ServiceError =>
  new ServiceError('service-refused', message, {
    serviceCode: 0,
    serviceMessage: message,
    description: undefined,
    httpStatus: undefined,
    class: STALE.has(code) ? 'refused' : 'bad-request',
  });
