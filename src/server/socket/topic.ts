/** The beginning of every frame of the service with its own topic. */
const TOPIC = /^\{(?:"ch":"([^"\\]*)"|"jsonrpc":"2\.0","method":"([^"\\]*)")/;

/** Topic of a frame: its channel, the method of a notification, or `reply`. */
export function topicOf(text: string): string {
  const [, channel, method] = TOPIC.exec(text) ?? [];
  return channel ?? method ?? 'reply';
}
