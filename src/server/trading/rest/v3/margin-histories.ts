import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import { symbolsOf } from '../../../../wire/trading/v3/calls/order-params.ts';
import { closedPositions } from '../../margin/actions.ts';
import { historyQuery } from '../../orders/query.ts';
import { clearingView, closedPositionView, configView } from '../../views/v3/margin.ts';
import { answer, answerWith, type RestHandler } from '../handler.ts';

/** What does a call of margin trading; the call of the same purpose of futures differs in its path only. */
type Handler<Name extends keyof typeof marginCalls> = RestHandler<(typeof marginCalls)[Name]>;

type MarginMarket = 'margin' | 'futures';

/** Positions that have ended, latest first unless asked otherwise. */
export const getPositionHistory =
  (market: MarginMarket): Handler<'getMarginPositionHistory'> =>
  (service, { account, params }) =>
    answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
      closedPositions(service, { account, market, version: 3 }, query).map(closedPositionView),
    );

/** What accounts paid and received without their holders' doing. */
export const getClearingHistory =
  (market: MarginMarket): Handler<'getMarginClearingHistory'> =>
  (service, { account, params }) =>
    answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
      service.clearings.of(account, market, query).map(clearingView),
    );

/** On what terms the symbols of a market are traded. */
export const getConfig =
  (market: MarginMarket): Handler<'getMarginConfig'> =>
  (service) =>
    answer(service.act((exchange) => configView(exchange, market)));
