import { US_PER_MINUTE, US_PER_MS, micros, type Micros } from '../../platform/time.ts';
import type { QuietHours } from '../settings/notifications.ts';

/** Whether a time is within quiet hours, by the clocks of their zone. */
export function quietHours(hours: QuietHours | undefined): (at: Micros) => boolean {
  if (hours === undefined) return () => false;
  const { fromMinute: from, toMinute: to } = hours;
  const minuteOf = minutesIn(hours.zone);
  return (at) => {
    const minute = minuteOf(at);
    return from < to ? from <= minute && minute < to : from <= minute || minute < to;
  };
}

/** The minute of the day that clocks of a zone show. */
function minutesIn(zone: string): (at: Micros) => number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const [hours = '', minutes = ''] = clock.format(at / US_PER_MS).split(':');
    return Number(hours) * 60 + Number(minutes);
  };
}

/** The next full minute: quiet hours begin and end with one, even when clocks change. */
export const nextMinute = (at: Micros): Micros =>
  micros((Math.floor(at / US_PER_MINUTE) + 1) * US_PER_MINUTE);
