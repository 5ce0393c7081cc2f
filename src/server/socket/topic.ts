/** What every frame of the service begins with that has a topic of its own. */
const TOPIC = /^\{(?:"ch":"([^"\\]*)"|"jsonrpc":"2\.0","method":"([^"\\]*)")/;

/** What a frame is about: its channel, the method of a notification, or `reply`. */
export function topicOf(text: string): string {
  const [, channel, method] = TOPIC.exec(text) ?? [];
  return channel ?? method ?? 'reply';
}
