import { notificationText } from '../../../../wire/trading/rpc.ts';
import { report as reportRecord } from '../../../../wire/trading/v2/records/trading.ts';
import { writerOf } from '../../../../wire/trading/writer.ts';
import { ReportTexts } from '../report-texts.ts';
import { reportView } from './order.ts';

const write = writerOf(reportRecord);

/** How version 2 writes order reports. */
export const reportTexts = new ReportTexts(
  (report) => JSON.stringify(write(reportView(report))),
  ({ order }, text) =>
    notificationText(order.market === 'spot' ? 'report' : 'marginOrderReport', text),
);
