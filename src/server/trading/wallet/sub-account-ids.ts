import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';

/** The ids that a request names sub-accounts by. They are numbers of accounts. */
export function subAccountIds(given: readonly string[], member: string): Decoded<number[]> {
  const stranger = given.find((each) => !/^\d{1,15}$/.test(each));
  if (stranger === undefined) return decoded(given.map(Number));
  return undecoded(
    fault(
      10001,
      `${member} must name sub-accounts by number, not ${JSON.stringify(stranger)}`,
      member,
    ),
  );
}

/** The id of the one sub-account in a path. */
export function subAccountId(given: string, member: string): Decoded<number> {
  const ids = subAccountIds([given], member);
  return ids.kind === 'fault' ? ids : decoded(Number(given));
}
