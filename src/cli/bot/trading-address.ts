import { z } from 'zod';
import { IS_SENTENCE } from '../../config/explain.ts';
import type { TradingAddress } from '../../gateways/trading/client/address.ts';
import { MillraceError } from '../../model/errors.ts';

/** The schemes of an address, and an example. */
interface AddressForm {
  readonly name: string;
  readonly schemes: RegExp;
  readonly example: string;
  readonly path: boolean;
}

const URL_FORM: AddressForm = {
  name: 'url',
  schemes: /^https?:$/,
  path: false,
  example: 'http://127.0.0.1:8330',
};
const BASE_URL_FORM: AddressForm = {
  name: 'baseUrl',
  schemes: /^https?:$/,
  path: true,
  example: 'https://api.example.com/api/3',
};
const WS_URL_FORM: AddressForm = {
  name: 'wsUrl',
  schemes: /^wss?:$/,
  path: true,
  example: 'wss://api.example.com/api/3/ws',
};

/** An address without a slash at its end, or what is wrong with it, which shows no secret. */
function readAddress(
  text: string,
  { schemes, example, path }: AddressForm,
  instead: string,
): { readonly address: string } | { readonly wrong: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.test(url.protocol)) {
    return { wrong: `takes the address of the service, such as ${example}.` };
  }
  if (url.username !== '' || url.password !== '') {
    return { wrong: `holds a password or a user name; ${instead}.` };
  }
  const home = `${url.protocol}//${url.host}`;
  if (!path && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
    return { wrong: `takes the address without a path: ${home}.` };
  }
  if (url.search !== '' || url.hash !== '') {
    return { wrong: 'ends with its path; nothing may follow from ? or # on.' };
  }
  return { address: home + url.pathname.replace(/\/+$/, '') };
}

const address = (form: AddressForm) =>
  z.string().transform((text, context) => {
    const read = readAddress(text, form, 'give them as key and secret of the account');
    if ('address' in read) return read.address;
    const message = `${form.name} ${read.wrong}`;
    context.addIssue({ code: 'custom', message, params: { [IS_SENTENCE]: true } });
    return z.NEVER;
  });

/** Of an address only scheme, host and port. */
export const origin = address(URL_FORM);

/** The members with the address of a trading service; `tradingAddress` reads them. */
export const TRADING_ADDRESS = {
  url: origin.optional().describe('Address of the service, such as http://127.0.0.1:8330.'),
  baseUrl: address(BASE_URL_FORM)
    .optional()
    .describe('Instead of url: address of REST calls, such as https://api.example.com/api/3.'),
  wsUrl: address(WS_URL_FORM)
    .optional()
    .describe('Beside baseUrl: address of sockets, such as wss://api.example.com/api/3/ws.'),
};

/** For editors: either `url`, or the two others. */
export const TRADING_ADDRESS_RULE = {
  oneOf: [{ required: ['url'] }, { required: ['baseUrl', 'wsUrl'] }],
};

/** Reads the members of `TRADING_ADDRESS`; `refuse` receives a sentence if they do not fit. */
export function tradingAddress(
  {
    url,
    baseUrl,
    wsUrl,
  }: Readonly<Partial<Record<keyof typeof TRADING_ADDRESS, string | undefined>>>,
  refuse: (sentence: string) => never,
): TradingAddress {
  if (baseUrl === undefined && wsUrl === undefined) {
    return url === undefined
      ? refuse(
          'url is missing; say where the service is, such as http://127.0.0.1:8330, or give baseUrl and wsUrl.',
        )
      : { url };
  }
  if (url !== undefined) {
    return refuse('url stands beside baseUrl or wsUrl; give url alone, or baseUrl and wsUrl.');
  }
  if (baseUrl === undefined) {
    return refuse('baseUrl is missing beside wsUrl, such as https://api.example.com/api/3.');
  }
  if (wsUrl === undefined) {
    return refuse('wsUrl is missing beside baseUrl, such as wss://api.example.com/api/3/ws.');
  }
  return { baseUrl, wsUrl };
}

/** Address options of a command. */
export interface AddressFlags {
  readonly url?: string;
  readonly baseUrl?: string;
  readonly wsUrl?: string;
}

/** The part of the address options that needs no account. Throws `usage`. */
export function flaggedAddress({ url, baseUrl, wsUrl }: AddressFlags): TradingAddress {
  if (baseUrl === undefined && wsUrl === undefined) {
    if (url !== undefined) return { url: flagged('--url', url, URL_FORM) };
    throw unaddressed(
      '--url',
      '--url is missing; say where the service is, such as http://127.0.0.1:8330, or give --base-url and --ws-url.',
    );
  }
  if (url !== undefined) {
    const sentence = '--url stands beside --base-url or --ws-url; give --url alone, or the two.';
    throw unaddressed('--url', sentence);
  }
  if (baseUrl === undefined) {
    const sentence = `--base-url is missing beside --ws-url, such as ${BASE_URL_FORM.example}.`;
    throw unaddressed('--base-url', sentence);
  }
  if (wsUrl === undefined) {
    const sentence = `--ws-url is missing beside --base-url, such as ${WS_URL_FORM.example}.`;
    throw unaddressed('--ws-url', sentence);
  }
  return {
    baseUrl: flagged('--base-url', baseUrl, BASE_URL_FORM),
    wsUrl: flagged('--ws-url', wsUrl, WS_URL_FORM),
  };
}

function flagged(option: string, text: string, form: AddressForm): string {
  const read = readAddress(text, form, 'leave them out, as market data needs none');
  if ('address' in read) return read.address;
  throw unaddressed(option, `${option} ${read.wrong}`);
}

const unaddressed = (field: string, sentence: string): MillraceError =>
  new MillraceError('usage', sentence, { field });
