import { HttpTransport, type HttpRequest } from '../../gateways/http/transport.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { TargetSettings } from '../settings/notifications.ts';
import type { Message } from './notification.ts';
import { TRANSPORT_TERMS } from './target.ts';
import {
  deliveryOf,
  isSuccess,
  templateOf,
  type Answer,
  type Sender,
  type Template,
} from './templates.ts';

/** `undefined` if a target takes messages, or why it does not, in a few words without a secret. */
export type Fault = string | undefined;

/** Queries a target whether it takes messages; sends none. */
export function probe({ destination }: TargetSettings, scheduler: Scheduler): Promise<Fault> {
  const template = templateOf(destination);
  return asked(template, template.probe, scheduler, (answer) => template.isSound(answer));
}

/** Sends a test message to a target, once. */
export function sendTest(
  { name, destination }: TargetSettings,
  sender: Sender,
  scheduler: Scheduler,
): Promise<Fault> {
  const template = templateOf(destination);
  const at = scheduler.now();
  const text = `This is a test: notifications arrive here (target ${name}).`;
  const message: Message = {
    notifications: [{ kind: 'bot', level: 'info', text, at, fields: { event: 'test' } }],
    dropped: 0,
    isSilent: false,
  };
  return asked(template, template.request(message, sender, at), scheduler, isSuccess);
}

async function asked(
  template: Template,
  request: HttpRequest,
  scheduler: Scheduler,
  isSound: (answer: Answer) => boolean,
): Promise<Fault> {
  const transport = new HttpTransport(template.origin, scheduler, TRANSPORT_TERMS);
  try {
    const outcome = await transport.send(request);
    if (outcome.kind === 'answered' && isSound(outcome)) return undefined;
    const delivery = deliveryOf(template, outcome);
    return delivery.kind === 'delivered' ? 'it answers in an unknown way' : delivery.why;
  } finally {
    await transport.close();
  }
}
