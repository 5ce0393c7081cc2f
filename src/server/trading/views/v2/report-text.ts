import { notificationText } from '../../../../wire/trading/rpc.ts';
import { report as reportRecord } from '../../../../wire/trading/v2/records/trading.ts';
import { writerOf } from '../../../../wire/trading/writer.ts';
import type { Frame } from '../../../socket/frame.ts';
import type { OrderReport } from '../../orders/order-record.ts';
import { ReportTexts } from '../report-texts.ts';
import { reportView } from './order.ts';

const write = writerOf(reportRecord);

const texts = new ReportTexts((report) => JSON.stringify(write(reportView(report))));

/** A report as JSON; written once for all subscribers. */
export const reportText = (report: OrderReport): string => texts.text(report);

/** Reports as a JSON list. */
export const reportsText = (reports: readonly OrderReport[]): string =>
  `[${reports.map(reportText).join(',')}]`;

/** The notification of a report. */
export const reportNotice = (report: OrderReport): Frame =>
  texts.frame(report, (text) =>
    notificationText(report.order.market === 'spot' ? 'report' : 'marginOrderReport', text),
  );
