import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import type { TradingService } from '../../service.ts';
import { answer, refuse, type RestHandlers } from '../handler.ts';

type SettingCalls = Pick<
  typeof marginCalls,
  | 'getMarginSettings'
  | 'getFuturesSettings'
  | 'setMarginManagement'
  | 'setMarginReplenishment'
  | 'setFuturesReplenishment'
>;

type Market = 'margin' | 'futures';

/** Funds can be added automatically; there is no other automatic setting. */
const settings = ({ exchange }: TradingService, account: number, of: Market) => ({
  auto_margin_replenishment: exchange.margin.isReplenished(account, of),
  auto_margin_management: false,
});

function replenish(service: TradingService, account: number, of: Market, enabled: boolean) {
  service.act(({ margin }) => {
    margin.replenish(account, of, enabled);
  });
  return answer(settings(service, account, of));
}

/** Handlers of an account's own settings. */
export const settingHandlers: RestHandlers<SettingCalls> = {
  getMarginSettings: (service, { account }) => answer(settings(service, account, 'margin')),

  getFuturesSettings: (service, { account }) => answer(settings(service, account, 'futures')),

  setMarginManagement: (service, { account, params }) =>
    params.enabled
      ? refuse(600, 'Margin is not managed without asking here; it can be replenished', 'enabled')
      : answer(settings(service, account, 'margin')),

  setMarginReplenishment: (service, { account, params }) =>
    replenish(service, account, 'margin', params.enabled),

  setFuturesReplenishment: (service, { account, params }) =>
    replenish(service, account, 'futures', params.enabled),
};
