/** Puts a token on a local anvil and gives 10,000 of it to each address that is named. */
import solc from 'solc';
import { anvilAt } from './anvil.ts';

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
    move(msg.sender, to, value);
    return true;
  }
  function transferFrom(address from, address to, uint value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    move(from, to, value);
    return true;
  }
  function move(address from, address to, uint value) private {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}`;

const [url = '', ...owners] = process.argv.slice(2);
const { ask, sent } = anvilAt(url);

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
for (const owner of owners) {
  const receiver = owner.slice(2).toLowerCase().padStart(64, '0');
  await sent({ from, to, data: `0xa9059cbb${receiver}${amount}` });
}
console.log(`the token is ${to ?? 'nowhere'}; 10,000 of it each have ${owners.join(', ')}`);
