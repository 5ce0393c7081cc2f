import { afterAll, expect, test, vi } from 'vitest';
import { isRejection } from '../../../../src/model/rejections.ts';
import { readPsbt } from '../../../../src/swaps/approvals/htlc/psbt.ts';
import type * as Issue from '../../../../src/swaps/approvals/issue.ts';
import type { SwapAnswer } from '../kit.ts';
import { scripted } from '../script-path.ts';
import { signPsbt } from '../users.ts';

// What a service hands out for the addresses of its own wallets dictates the key path alone.
vi.mock('../../../../src/swaps/approvals/issue.ts', async (original) => {
  const { issueApproval } = await original<typeof Issue>();
  const issueScripted: typeof issueApproval = (order, keys) => {
    const issued = issueApproval(order, keys);
    if (isRejection(issued) || issued.form !== 'htlc') return issued;
    const { psbt } = scripted(issued.params.psbt, order.publicKey ?? '');
    return { form: 'htlc', params: { ...issued.params, psbt } };
  };
  return { issueApproval: issueScripted };
});

// Test files share a process, whose modules are loaded: these are loaded again, and again after it.
vi.resetModules();
const { BTC, sharedSwapVenue, USDC_TRON } = await import('../kit.ts');
afterAll(() => {
  vi.doUnmock('../../../../src/swaps/approvals/issue.ts');
  vi.resetModules();
});

const venue = sharedSwapVenue({ resolver: { byHand: true } });

test(
  'a transaction that dictates a script is signed by it, and not by the key alone',
  { tags: ['server:swap-execution.approvals.htlc-key-or-script-path'] },
  async () => {
    const created = await venue().createIntent(BTC, USDC_TRON, 0.5);
    const { psbt, inputs } = created['params_to_sign'] as { psbt: string; inputs: number[] };
    const user = venue().user('bitcoin');
    const signed = signPsbt(user, psbt, inputs);
    const fields = [...(readPsbt(signed)?.inputs[0]?.entries() ?? [])];
    const [field, signature = ''] = fields.find(([key]) => key.startsWith('14')) ?? [];
    expect(field?.slice(2, 66)).toBe(user.publicKey);
    const hand = (signed_data: string): Promise<SwapAnswer> => {
      const json = { approval_type: 'psbt', signed_data };
      return venue().call('POST', `/v1/intents/${String(created['id'])}/approvals`, { json });
    };
    const before = venue().state();
    const bytes = Buffer.from(signed, 'base64').toString('hex');
    const wrong = signature.replace(/^../, signature.startsWith('00') ? '01' : '00');
    const asKey = bytes.replace(`41${field ?? ''}`, '0113');
    expect(asKey).not.toBe(bytes);
    for (const other of [bytes.replace(signature, wrong), asKey]) {
      expect(await hand(Buffer.from(other, 'hex').toString('base64'))).toMatchObject({
        status: 422,
      });
    }
    expect(venue().state()).toBe(before);
    expect(await hand(signed)).toMatchObject({ status: 200 });
    expect(await venue().status(created)).toMatchObject({ status: 'Approved' });
  },
);
