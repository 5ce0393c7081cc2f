import type { Rejection } from '../../model/rejections.ts';
import { accountMissing } from '../../rules/margin/margin-setting.ts';
import { riskPositions } from '../margin/risk-position.ts';
import { grows } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/**
 * Rejects an order that opens a position in an unknown account, or while a mark price of its
 * positions is unknown. Orders that only close pass.
 */
export function marginUnknownRejection({ requested, after, view }: Checked): Rejection | undefined {
  for (const position of riskPositions(requested, view)) {
    if (!grows(position, { after, before: view.orders })) continue;
    const { instrument, mode, account, mark } = position;
    if (account === undefined) return accountMissing(instrument, mode);
    if (mark === undefined) return marketUnknown(instrument.symbol, WHAT);
    const other = account.positions.find(
      ({ symbol }) => view.margin?.markPrice(symbol) === undefined,
    );
    if (other !== undefined) return marketUnknown(other.symbol, WHAT);
  }
  return undefined;
}

const WHAT = 'An order that opens on margin';
