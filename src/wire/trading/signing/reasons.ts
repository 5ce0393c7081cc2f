import { fault, type Fault } from '../faults.ts';

/** Reasons of rejected credentials, with their errors. */
const REASONS = {
  missing: [1001, 'The request carries no Authorization header'],
  'scheme-unsupported': [1004, 'The scheme must be Basic or HS256'],
  malformed: [1002, 'The credentials are not of the form that the scheme asks for'],
  'key-unknown': [1002, 'The API key or its secret is wrong'],
  'secret-wrong': [1002, 'The API key or its secret is wrong'],
  'signature-wrong': [1002, 'The signature is not that of the request'],
  'timestamp-invalid': [1002, 'The timestamp is not a whole number'],
  'timestamp-stale': [1002, 'The timestamp is outside the window around the time of the server'],
  'window-invalid': [1002, 'The window is not a whole number of 1 to 60000 milliseconds'],
} as const;

export type AuthReason = keyof typeof REASONS;

/** The error that a rejection of credentials is answered with. */
export function authFault(reason: AuthReason): Fault {
  const [code, description] = REASONS[reason];
  return fault(code, description);
}
