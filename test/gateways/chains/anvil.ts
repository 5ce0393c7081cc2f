import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import solc from 'solc';
import permit2 from '../../../examples/rebalancing/permit2.json' with { type: 'json' };
import { freePort, wait } from '../../kit/nats-server.ts';
import { openFaultProxy, type FaultProxy } from './contract/fault-proxy.ts';

/** The binary lies in the optional package of the platform, where there is one. */
export const ANVIL = binary();

function binary(): string | undefined {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const own = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
  const name = `anvil-${process.platform}-${cpu}`;
  const path = join(dirname(dirname(own)), name, 'bin', 'anvil');
  return existsSync(path) ? path : undefined;
}

/** Anvil in a process of its own, behind a proxy that misbehaves when it is told to. */
export interface AnvilChain {
  readonly proxy: FaultProxy;
  /** Asks the chain itself, past the proxy. */
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function openAnvil(...flags: readonly string[]): Promise<AnvilChain> {
  if (ANVIL === undefined) throw new Error('there is no anvil for this platform');
  const port = await freePort();
  const node = spawn(ANVIL, ['--host', '127.0.0.1', '--port', `${port}`, '--quiet', ...flags]);
  const url = `http://127.0.0.1:${port}`;
  for (let turn = 0; turn < 500; turn += 1) {
    const isThere = await call(url, 'eth_chainId', []).catch(() => undefined);
    if (isThere !== undefined) break;
    await wait(20);
  }
  const proxy = await openFaultProxy(url);
  return {
    proxy,
    rpc: async (method, ...params) => call(url, method, params),
    close: async () => {
      await proxy.close();
      node.kill('SIGTERM');
    },
  };
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

/** A token with the rules of USDT: no return values, and an allowance changes by way of 0. */
const TOKEN = `
pragma solidity ^0.8.0;
contract Oracle {
  function getL1Fee(bytes memory data) external pure returns (uint) {
    require(data[0] == 0x02, "no transaction");
    return data.length * 10 ** 12;
  }
}
contract Token {
  uint8 public constant decimals = 6;
  uint public feeBps;
  bool public isPaused;
  mapping(address => uint) public balanceOf;
  mapping(address => mapping(address => uint)) public allowance;
  event Transfer(address indexed from, address indexed to, uint value);
  constructor() { balanceOf[msg.sender] = 10 ** 30; }
  function set(uint fee, bool paused) external { feeBps = fee; isPaused = paused; }
  function transfer(address to, uint value) external {
    require(!isPaused, "paused");
    balanceOf[msg.sender] -= value;
    uint left = value - value * feeBps / 10000;
    balanceOf[to] += left;
    emit Transfer(msg.sender, to, left);
  }
  function transferFrom(address from, address to, uint value) external {
    require(!isPaused, "paused");
    allowance[from][msg.sender] -= value;
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
  function approve(address spender, uint value) external {
    require(value == 0 || allowance[msg.sender][spender] == 0, "zero first");
    allowance[msg.sender][spender] = value;
  }
}`;

interface Codes {
  readonly token: string;
  readonly oracle: string;
}

let codes: Codes | undefined;
const compiledOnce = (): Codes => (codes ??= compiled());

/** Bytecode of the token, with `0x`. */
export const tokenCode = (): string => compiledOnce().token;

/** Bytecode of an oracle of a rollup, which takes 10^12 wei for each byte. */
export const oracleCode = (): string => compiledOnce().oracle;

function compiled(): Codes {
  const input = {
    language: 'Solidity',
    sources: { 'all.sol': { content: TOKEN } },
    // The oldest chain of the tests knows no later instructions.
    settings: { evmVersion: 'berlin', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  interface Made {
    contracts: { 'all.sol': Record<'Token' | 'Oracle', { evm: { bytecode: { object: string } } }> };
  }
  // Its types say that it is anything.
  const { compile } = solc as { compile(input: string): string };
  const made = JSON.parse(compile(JSON.stringify(input))) as Made;
  const { Token, Oracle } = made.contracts['all.sol'];
  return { token: `0x${Token.evm.bytecode.object}`, oracle: `0x${Oracle.evm.bytecode.object}` };
}

/** Where Permit2 is on most EVM chains. */
export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** The chain id of anvil as Permit2 has it beside its separator, and where. */
const CACHED = { at: 6_945, bytes: 32, chainId: 31_337n };

/**
 * Runtime bytecode of Permit2. As it was published it believes that chain 31337 has the separator of
 * another address: without that chain id it works the separator out, as on every other chain.
 */
export function permit2Code(): string {
  const [from, to] = [2 + 2 * CACHED.at, 2 + 2 * (CACHED.at + CACHED.bytes)];
  const { code } = permit2;
  if (BigInt(`0x${code.slice(from, to)}`) !== CACHED.chainId)
    throw new Error('it is another Permit2');
  return code.slice(0, from) + '0'.repeat(2 * CACHED.bytes) + code.slice(to);
}
