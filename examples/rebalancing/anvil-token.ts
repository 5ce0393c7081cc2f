/** Puts a token on a local anvil and gives 10,000 of it to the address that is named. */
import solc from 'solc';

const TOKEN = `
pragma solidity ^0.8.0;
contract Token {
  uint8 public constant decimals = 6;
  mapping(address => uint) public balanceOf;
  mapping(address => mapping(address => uint)) public allowance;
  event Transfer(address indexed from, address indexed to, uint value);
  constructor() { balanceOf[msg.sender] = 1e12; }
  function approve(address spender, uint value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    return true;
  }
  function transfer(address to, uint value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}`;

const [url = '', owner = ''] = process.argv.slice(2);

async function ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** Sends by an account whose key anvil has, and waits for the block. */
async function sent(transaction: object): Promise<string | null> {
  const hash = await ask('eth_sendTransaction', transaction);
  for (;;) {
    const receipt = await ask('eth_getTransactionReceipt', hash);
    if (receipt !== null) return (receipt as { readonly contractAddress: string | null }).contractAddress; // prettier-ignore
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const input = {
  language: 'Solidity',
  sources: { token: { content: TOKEN } },
  settings: { outputSelection: { token: { Token: ['evm.bytecode.object'] } } },
};
const compiler = solc as { compile(text: string): string };
const { contracts } = JSON.parse(compiler.compile(JSON.stringify(input))) as {
  readonly contracts: {
    readonly token: { readonly Token: { readonly evm: { readonly bytecode: { readonly object: string } } } }; // prettier-ignore
  };
};
const [from] = (await ask('eth_accounts')) as readonly [string];
const to = await sent({ from, data: `0x${contracts.token.Token.evm.bytecode.object}` });
const amount = 10_000_000_000n.toString(16).padStart(64, '0');
const receiver = owner.slice(2).toLowerCase().padStart(64, '0');
await sent({ from, to, data: `0xa9059cbb${receiver}${amount}` });
console.log(`the token is ${to ?? 'nowhere'}, and ${owner} has 10,000 of it`);
