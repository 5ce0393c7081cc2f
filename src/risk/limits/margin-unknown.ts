import type { Rejection } from '../../model/rejections.ts';
import { accountMissing } from '../../rules/margin/margin-setting.ts';
import { riskPositions } from '../margin/risk-position.ts';
import { grows } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/**
 * Nothing is opened on margin in an account of which nothing is known, nor while a mark price is unknown
 * by which its positions are judged. What only closes passes.
 */
export function marginUnknownRejection({ asked, after, view }: Checked): Rejection | undefined {
  for (const position of riskPositions(asked, view)) {
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
