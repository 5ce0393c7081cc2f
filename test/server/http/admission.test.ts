import { expect, test } from 'vitest';
import { hostDenial } from '../../../src/server/http/admission.ts';

test('a request with two Host headers is refused, whichever of them a reader would believe', () => {
  const rawHeaders = ['Host', 'localhost', 'Accept', '*/*', 'hOST', 'evil.example'];
  const denial = hostDenial({ headers: { host: 'localhost' }, rawHeaders }, [], 'control.hosts');
  expect(denial).toEqual({ status: 400, message: 'A request has one Host header.' });
});

test('a header with the value Host is no second one', () => {
  const rawHeaders = ['Host', 'localhost', 'X-Asked', 'host'];
  const denial = hostDenial({ headers: { host: 'localhost' }, rawHeaders }, [], 'control.hosts');
  expect(denial).toBeUndefined();
});
