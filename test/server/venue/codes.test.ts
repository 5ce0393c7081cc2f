import { expect, test } from 'vitest';
import { Instrument } from '../../../src/model/instrument.ts';
import { openVenue } from '../kit.ts';
import { instruments } from '../instruments.ts';

test('a venue refuses a symbol with small letters, which no request could name', async () => {
  const [first] = instruments();
  const small = new Instrument({ ...first.terms, symbol: 'ethbtc' });
  await expect(openVenue({ instruments: [small] })).rejects.toMatchObject({
    code: 'config-invalid',
    message:
      'The code ethbtc has small letters; the service knows symbols and currencies in capitals, as ETHBTC.',
  });
});
