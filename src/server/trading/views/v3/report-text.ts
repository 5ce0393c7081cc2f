import { notificationText } from '../../../../wire/trading/rpc.ts';
import { marginReport } from '../../../../wire/trading/v3/records/report.ts';
import { writerOf } from '../../../../wire/trading/writer.ts';
import type { OrderReport } from '../../orders/order-record.ts';
import { reportView } from './order.ts';

const write = writerOf(marginReport);

/** The report that was written last: its readers, and the reply to its request, come in a row. */
const last: { report?: OrderReport; text: string } = { text: '' };

/** A report as JSON; written once for all who are told of it. */
export function reportText(report: OrderReport): string {
  if (last.report !== report) {
    last.text = JSON.stringify(write(reportView(report)));
    last.report = report;
  }
  return last.text;
}

/** Reports as a JSON list. */
export const reportsText = (reports: readonly OrderReport[]): string =>
  `[${reports.map(reportText).join(',')}]`;

/** The notification of a report. */
export const reportNotice = (report: OrderReport): string =>
  notificationText(`${report.order.market}_order`, reportText(report));
