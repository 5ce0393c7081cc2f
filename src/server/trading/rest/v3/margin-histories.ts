import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import { symbolsOf } from '../../../../wire/trading/v3/calls/order-params.ts';
import { closedPositions } from '../../margin/actions.ts';
import { historyQuery } from '../../orders/query.ts';
import { clearingView, closedPositionView, configView } from '../../views/v3/margin.ts';
import { answer, answerWith, type RestHandler } from '../handler.ts';

/** A handler of a margin call; the futures call differs only in its path. */
type Handler<Name extends keyof typeof marginCalls> = RestHandler<(typeof marginCalls)[Name]>;

type MarginMarket = 'margin' | 'futures';

/** Ended positions, latest first by default. */
export const getPositionHistory =
  (market: MarginMarket): Handler<'getMarginPositionHistory'> =>
  (service, { account, params }) =>
    answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
      closedPositions(service, { account, market, version: 3 }, query).map(closedPositionView),
    );

/** Payments of accounts without orders of their holders. */
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
