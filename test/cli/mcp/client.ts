import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const BIN = resolve('bin/millrace.js');

/** What a tool answered, as data; of an error its code and sentence. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly data: unknown;
}

/** What a caller can add to a call. */
type CallOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/** A client of another maker, with a server of its own over real pipes. */
export interface McpSession {
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
}

/** Starts `millrace mcp` in a folder and connects; both end with the test. */
export async function connected(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<McpSession> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=millrace-source', BIN, 'mcp', ...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, given = {}, options = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given }, options);
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { isError: isError === true, data: JSON.parse(text) as unknown };
    },
  };
}
