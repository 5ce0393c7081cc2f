import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A client's end of a socket, which counts and hands on what it receives. */
export class Client {
  readonly raw: WebSocket;
  /** Frames received so far. */
  received = 0;
  #listen: (data: Buffer) => void = () => undefined;

  private constructor(raw: WebSocket) {
    this.raw = raw;
    raw.on('message', (data: Buffer) => {
      this.received += 1;
      this.#listen(data);
    });
  }

  static async open(port: number, path = '/'): Promise<Client> {
    const raw = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
    const client = new Client(raw);
    await once(raw, 'open');
    return client;
  }

  /** A trading socket that has logged in. */
  static async trader(port: number, name: string): Promise<Client> {
    const client = await Client.open(port, '/api/3/ws/trading');
    await client.ask('login', { type: 'BASIC', api_key: name, secret_key: name });
    return client;
  }

  send(frame: string): void {
    this.raw.send(frame);
  }

  /** Calls for every frame from now on. */
  listen(listener: (data: Buffer) => void): void {
    this.#listen = listener;
  }

  /** Asks, and waits for the first frame that comes; it must be no error. */
  async ask(method: string, params: unknown, more: object = {}): Promise<string> {
    const answer = new Promise<string>((resolve) => {
      this.listen((data) => {
        resolve(data.toString('utf8'));
      });
    });
    this.send(JSON.stringify({ method, params, id: 0, ...more }));
    const text = await answer;
    if (text.includes('"error"')) throw new Error(`${method} was refused: ${text}`);
    return text;
  }

  async close(): Promise<void> {
    const gone = once(this.raw, 'close');
    this.raw.close();
    await gone;
  }
}
