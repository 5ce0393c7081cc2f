import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { remoteSigner } from '../../../src/gateways/chains/remote-signer.ts';
import { FAMILIES } from '../../../src/swaps/chains/families/families.ts';
import type { ApprovalSigner, TypedData } from '../../../src/swaps/approvals/approval.ts';
import { digestOf } from '../../../src/swaps/approvals/permit2/typed-data.ts';
import { keySigner, signerOn } from '../../../src/swaps/keys/key-ring.ts';
import type { NetworkFamily } from '../../../src/swaps/tokens.ts';

const KEY = '5'.repeat(64);
const DIGEST = 'ab'.repeat(32);

interface Question {
  readonly version: number;
  readonly family: NetworkFamily;
  readonly address: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly purpose: string;
}

type Answer = (question: Question, token: string | undefined) => Promise<string | undefined>;

/** A signer on a socket that answers so; silent where there is no answer. */
async function open(answer: Answer): Promise<string> {
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      expect(`${request.method ?? ''} ${request.url ?? ''}`).toBe('POST /v1/sign');
      void answer(JSON.parse(text) as Question, request.headers.authorization).then((body) => {
        if (body !== undefined) response.end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const signedBy =
  (key: string, questions: Question[] = []): Answer =>
  async (question) => {
    questions.push(question);
    const signer = keySigner(question.family, key);
    const { kind, payload } = question;
    const signature =
      kind === 'typedData'
        ? await signer.signTypedData?.(payload as TypedData)
        : kind === 'message'
          ? Buffer.from((await signer.signMessage?.(Buffer.from(String(payload), 'hex'))) ?? []).toString('hex') // prettier-ignore
          : await signer.signTransfer?.(String(payload));
    return JSON.stringify({ signature });
  };

const digestBy = async (signer: ApprovalSigner): Promise<string> =>
  (await signer.signTransfer?.(DIGEST, 'send 5 USDC')) ?? '';

test.each(['evm', 'tron', 'bitcoin', 'solana'] as const)(
  'a signer of %s gets the request as text, and its answer is that of a key in the file',
  async (family) => {
    const questions: Question[] = [];
    const own = keySigner(family, KEY);
    const signer = remoteSigner({
      url: await open(signedBy(KEY, questions)),
      address: own.address,
    });
    expect([signer.family, signer.address]).toEqual([family, own.address]);
    expect(await digestBy(signer)).toBe(await digestBy(own));
    expect(questions).toEqual([
      { version: 1, family, address: own.address, kind: 'digest', payload: DIGEST, purpose: 'send 5 USDC' }, // prettier-ignore
    ]);
  },
);

test('a signer of a wallet on a test network of Bitcoin is believed by its address there', async () => {
  const own = signerOn('regtest', keySigner('bitcoin', KEY));
  expect(own.address).toMatch(/^bcrt1p/);
  const address = own.address.toUpperCase();
  const signer = remoteSigner({ url: await open(signedBy(KEY)), address });
  expect([signer.family, signer.address]).toEqual(['bitcoin', own.address]);
  expect(await digestBy(signer)).toBe(await digestBy(own));
  const other = remoteSigner({ url: await open(signedBy('6'.repeat(64))), address });
  await expect(digestBy(other)).rejects.toMatchObject({ code: 'answer-invalid' });
  expect(() => signerOn('regtest', keySigner('evm', KEY))).toThrow('no public key of Bitcoin');
});

test('typed data and messages go whole, and large numbers as text', async () => {
  const typed: TypedData = {
    domain: { name: 'Permit2', chainId: 1n },
    types: { Pay: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Pay',
    message: { amount: 2n ** 200n },
  };
  const evm = keySigner('evm', KEY);
  const questions: Question[] = [];
  const url = await open(signedBy(KEY, questions));
  const signature = await remoteSigner({ url, address: evm.address }).signTypedData?.(typed);
  expect(signature).toBe(await evm.signTypedData?.(typed));
  expect(questions[0]?.payload).toMatchObject({ message: { amount: `${2n ** 200n}` } });
  const bytes = Buffer.from(digestOf(typed).slice(2) + (signature ?? '').slice(2), 'hex');
  expect(FAMILIES.evm.isSignedBy(evm.address, bytes.subarray(0, 32), bytes.subarray(32))).toBe(
    true,
  );

  const solana = keySigner('solana', KEY);
  const message = Uint8Array.from({ length: 300 }, (_, nth) => nth % 256);
  const remote = remoteSigner({ url, address: solana.address });
  expect(remote.publicKey).toBe(solana.publicKey);
  expect(await remote.signMessage?.(message)).toEqual(await solana.signMessage?.(message));
});

test.each<[string, Answer, string, RegExp]>([
  ['of another key', signedBy('6'.repeat(64)), 'answer-invalid', /not one of 0x.*not used/],
  ['that is no text', async () => Promise.resolve('{"signature":5}'), 'answer-invalid', /without a signature/],
  ['that is none', async () => Promise.resolve('{"signature":"0x00"}'), 'answer-invalid', /not one of/],
  ['in HTML', async () => Promise.resolve('<html>'), 'answer-invalid', /answers 200 without/],
  ['that is no', async () => Promise.resolve('{"refused":"too much for today"}'), 'approval-refused', /refuses: too much for today\./],
  ['that never comes', async () => Promise.resolve(undefined), 'service-unavailable', /does not answer.*Nothing was sent/],
])('an answer %s is no signature, and the error says so', async (_, answer, code, sentence) => {
  const { address } = keySigner('evm', KEY);
  const options = { url: await open(answer), address, timeoutUs: 300_000, token: 'very-secret' };
  const error = await digestBy(remoteSigner(options)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) as string });
  expect(String(error)).not.toContain('very-secret');
}); // prettier-ignore

test('a signer that is not there, and an address that is none, are reported', async () => {
  const { address } = keySigner('evm', KEY);
  const signer = remoteSigner({ url: 'http://127.0.0.1:1', address });
  await expect(digestBy(signer)).rejects.toMatchObject({ code: 'unreachable' });
  expect(() => remoteSigner({ url: 'http://127.0.0.1:1', address: `${address}0` })).toThrow('no address of a wallet'); // prettier-ignore
});

test('a token goes along as a bearer', async () => {
  const tokens: (string | undefined)[] = [];
  const url = await open(async (question, token) => {
    tokens.push(token);
    return signedBy(KEY)(question, token);
  });
  await digestBy(remoteSigner({ url, address: keySigner('evm', KEY).address, token: 'abc' }));
  expect(tokens).toEqual(['Bearer abc']);
});
