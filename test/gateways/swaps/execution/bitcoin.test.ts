import { describe, expect, test } from 'vitest';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import { readPsbt } from '../../../../src/swaps/approvals/htlc/psbt.ts';
import type { AgreedTerms, SwapClient, SwapIntent } from '../../../../src/clients.ts';
import {
  BTC,
  sharedSwapVenue,
  USDC_ETHEREUM,
  USDC_TRON,
  type SwapVenue,
} from '../../../server/swaps/kit.ts';
import { scripted } from '../../../server/swaps/script-path.ts';
import { answerBytes, openRawService } from '../../trading/kit/raw-service.ts';
import { executionClient, executionClientOf, networkOf, signerOf, thrownBy } from '../kit.ts';
import { byHand, requestOf } from './kit.ts';

const venue = sharedSwapVenue(byHand);

/** An intent from Bitcoin to a token, and what its user has agreed to. */
async function made(venue: SwapVenue, client: SwapClient, to: number) {
  const { user, request } = requestOf(venue, BTC, to, '0.0125');
  const { from, amount, slippage_bps } = request;
  const token = { token_id: to };
  const quote = await client.getQuote({ from: { token_id: BTC }, to: token, amount, slippage_bps });
  const intent = await client.createIntent({ ...request, quote_id: quote.id });
  const agreed: AgreedTerms = {
    network: networkOf('bitcoin'),
    token: quote.from.token,
    lots: quote.from.amount_lots,
    from: from.address,
    destination: {
      network: quote.to.network_id,
      token: quote.to.token,
      address: request.to.address,
      leastLots: quote.to.min_amount_lots,
    },
  };
  return { intent, agreed, signer: signerOf(user) };
}

const withMemo = (intent: SwapIntent, memo: unknown): SwapIntent => ({
  ...intent,
  params_to_sign: { ...intent.params_to_sign, memo },
});

describe('a swap from Bitcoin', () => {
  test(
    'signs nothing that commits to something else than was agreed',
    { tags: ['client:swap-execution.approvals.htlc-params'] },
    async () => {
      const client = executionClientOf(venue());
      const { intent, agreed, signer } = await made(venue(), client, USDC_TRON);
      const other = await made(venue(), client, USDC_ETHEREUM);
      const before = venue().state();
      const memo = String(intent.params_to_sign['memo']);
      for (const [asked, terms, field] of [
        [intent, other.agreed, 'memo.network_id'],
        [withMemo(intent, other.intent.params_to_sign['memo']), agreed, 'memo.intent'],
        [{ ...other.intent, id: intent.id }, other.agreed, 'memo.intent'],
        [withMemo(other.intent, memo.replace(intent.id, other.intent.id)), agreed, 'psbt.outputs.commitment'], // prettier-ignore
        [withMemo(intent, undefined), agreed, 'memo'],
      ] as const) {
        const error = await thrownBy(client.approve(asked, terms, signer));
        expect(error).toMatchObject({ code: 'approval-refused', field });
      }
      expect(venue().state()).toBe(before);
      await client.approve(intent, agreed, signer);
      expect(await client.getIntent(intent.id)).toMatchObject({ state: 'approved' });
    },
  );

  test(
    'is signed by a key where the PSBT dictates that, and by a script where it dictates one',
    { tags: ['client:swap-execution.approvals.htlc-key-or-script-path'] },
    async () => {
      const handed: string[] = [];
      const service = await openRawService(({ body }, socket) => {
        handed.push((JSON.parse(body) as { signed_data: string }).signed_data);
        socket.write(answerBytes(200, '{"intent_id":"it"}'));
      });
      const client = executionClient(service.url, { scheduler: venue().scheduler });
      const { intent, agreed } = await made(venue(), executionClientOf(venue()), USDC_TRON);
      const { privateKey, publicKey = '' } = venue().user('bitcoin');
      const signer = keySigner('bitcoin', privateKey);
      await client.approve(intent, agreed, signer);
      const { psbt, address: from } = scripted(String(intent.params_to_sign['psbt']), publicKey);
      const asked = { ...intent, params_to_sign: { ...intent.params_to_sign, psbt } };
      await client.approve(asked, { ...agreed, from }, { ...signer, address: from });
      const added = [String(intent.params_to_sign['psbt']), psbt].map((before, at) => {
        const old = readPsbt(before)?.inputs[0];
        const now = readPsbt(handed[at] ?? '')?.inputs[0];
        return [...(now?.keys() ?? [])].filter((key) => old?.has(key) !== true);
      });
      expect(added).toEqual([['13'], [expect.stringMatching(`^14${publicKey}[0-9a-f]{64}$`)]]);
    },
  );
});
