/**
 * What the page does: it reads both descriptions from the venue, shows what they say, and sends
 * calls. Everything is written as text, so nothing in a description can become markup.
 */
export const SCRIPT = `
'use strict';
const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((child) => child !== undefined));
  return node;
};
const byId = (id) => document.getElementById(id);
const lastOf = (ref) => ref.split('/').at(-1);

/** A type in a few words; records are links. */
function typeOf(schema) {
  if (schema === undefined) return [''];
  if (schema.$ref) {
    const name = lastOf(schema.$ref);
    return [make('a', { href: '#record-' + name, textContent: name })];
  }
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) {
    const words = schema.enum.map((word) => JSON.stringify(word));
    return [words.length > 12 ? words.slice(0, 12).join(' | ') + ' …' : words.join(' | ')];
  }
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return ways.flatMap((one, i) => (i === 0 ? typeOf(one) : [' or ', ...typeOf(one)]));
  if (schema.type === 'array') {
    const items = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
    if (items) return ['[', ...items.flatMap((one, i) => (i === 0 ? typeOf(one) : [', ', ...typeOf(one)])), ']'];
    return ['list of ', ...typeOf(schema.items)];
  }
  if (schema.additionalProperties) return ['by name: ', ...typeOf(schema.additionalProperties)];
  return [[schema.type ?? 'any'].flat().join(' or ')];
}

function bounds(schema) {
  const said = [];
  if (schema.format) said.push(schema.format);
  if (schema.minimum !== undefined && schema.minimum !== 0) said.push('from ' + schema.minimum);
  if (schema.maximum !== undefined) said.push('up to ' + schema.maximum);
  if (schema.maxLength !== undefined) said.push('up to ' + schema.maxLength + ' characters');
  if (schema.default !== undefined) said.push('default ' + JSON.stringify(schema.default));
  if (schema.description) said.push(schema.description);
  return said.join('; ');
}

function memberTable(rows) {
  const head = make('tr', {}, ...['member', 'type', '', ''].map((word) => make('th', { textContent: word, scope: 'col' })));
  const lines = rows.flatMap(([name, schema, required, where]) => {
    const line = make('tr', {},
      make('td', { textContent: name }),
      make('td', {}, ...typeOf(schema)),
      make('td', { className: 'dim', textContent: [required ? 'required' : 'optional', where].filter(Boolean).join(', ') }),
      make('td', { className: 'dim', textContent: bounds(schema) }));
    return [line, ...innersOf(schema).map((inner) =>
      make('tr', {}, make('td', { colSpan: 4, className: 'inner' }, memberTable(membersOf(inner)))))];
  });
  return make('div', { className: 'scroll' }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...lines)));
}

/** The members of something without a name of its own, however deep in lists it is. */
function innerOf(schema) {
  if (schema === undefined || schema.$ref) return undefined;
  if (schema.properties && Object.keys(schema.properties).length > 0) return schema;
  if (typeof schema.additionalProperties === 'object') return innerOf(schema.additionalProperties);
  return Array.isArray(schema.items) ? undefined : innerOf(schema.items);
}

/** The same of each way that a value may be written. */
function innersOf(schema) {
  const inners = (schema?.anyOf ?? schema?.oneOf ?? [schema]).map(innerOf);
  return inners.filter((inner) => inner !== undefined);
}

const membersOf = (schema) =>
  Object.entries(schema.properties ?? {}).map(([name, one]) => [name, one, (schema.required ?? []).includes(name)]);

/** A schema: its members as a table, or its type in words. */
function schemaOf(schema) {
  if (schema?.properties && Object.keys(schema.properties).length > 0) return memberTable(membersOf(schema));
  const ways = (schema?.oneOf ?? schema?.anyOf ?? []).filter((one) => one.properties);
  if (ways.length > 0) return make('div', {}, ...ways.map((one) => memberTable(membersOf(one))));
  const inner = innerOf(schema);
  return make('div', {}, make('p', {}, ...typeOf(schema)), inner && memberTable(membersOf(inner)));
}

const heading = (text) => make('h3', { textContent: text });

/** Something to open, which is filled when it is opened first. */
function entry(id, verb, path, summary, fill) {
  const body = make('div', { className: 'body' });
  const node = make('details', { id },
    make('summary', {},
      make('span', { className: 'verb ' + verb, textContent: verb }),
      make('span', { className: 'path', textContent: path }),
      make('span', { className: 'dim', textContent: summary })),
    body);
  node.dataset.words = (verb + ' ' + path + ' ' + summary + ' ' + id).toLowerCase();
  node.addEventListener('toggle', () => {
    if (node.open && body.childElementCount === 0) body.append(...fill());
  });
  return node;
}

function call(path, verb, operation) {
  return entry('call-' + operation.operationId, verb.toUpperCase(), path, operation.summary, () => {
    const parameters = operation.parameters ?? [];
    const body = operation.requestBody?.content['application/json'].schema;
    const parts = [make('p', { className: 'dim', textContent: operation.description })];
    if (parameters.length > 0) {
      parts.push(heading('Parameters'), memberTable(parameters.map((one) =>
        [one.name, { ...one.schema, description: one.description }, one.required, 'in the ' + one.in])));
    }
    if (body) parts.push(heading('Body'), schemaOf(body));
    parts.push(heading('Answer'), schemaOf(operation.responses[200].content['application/json'].schema));
    parts.push(heading('Try it'), tryForm(path, verb.toUpperCase(), operation, parameters, body));
    return parts;
  });
}

/** A body to begin with: what is required, with something of its type. */
function draftOf(schema) {
  const draft = {};
  for (const [name, one, required] of membersOf(schema)) {
    if (required) draft[name] = one.enum?.[0] ?? (one.type === 'integer' ? 1 : one.type === 'boolean' ? true : '');
  }
  return JSON.stringify(draft, undefined, 2);
}

function tryForm(path, verb, operation, parameters, body) {
  const inputs = parameters.map((one) => ({ one, input: make('input', { name: one.name, required: one.required === true && one.in === 'path' }) }));
  const text = body ? make('textarea', { name: 'body', value: draftOf(body), spellcheck: false }) : undefined;
  const shown = make('pre', { hidden: true, role: 'status' });
  const form = make('form', {},
    ...inputs.map(({ one, input }) => make('label', {}, make('code', { textContent: one.name }), input)),
    text,
    make('button', { type: 'submit', textContent: 'Send ' + verb }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let url = path;
    for (const { one, input } of inputs) {
      if (one.in === 'path') url = url.replace('{' + one.name + '}', encodeURIComponent(input.value));
      else if (input.value !== '') query.set(one.name, input.value);
    }
    const headers = {};
    if (operation.security.length > 0 && byId('key').value !== '') {
      const bytes = new TextEncoder().encode(byId('key').value + ':' + byId('secret').value);
      headers.authorization = 'Basic ' + btoa(String.fromCharCode(...bytes));
    }
    if (text) headers['content-type'] = 'application/json';
    shown.hidden = false;
    try {
      const answer = await fetch(url + (query.size > 0 ? '?' + query : ''), { method: verb, headers, body: text?.value });
      const words = await answer.text();
      let pretty = words;
      try { pretty = JSON.stringify(JSON.parse(words), undefined, 2); } catch { /* It is shown as it came. */ }
      shown.textContent = answer.status + ' ' + answer.statusText + '\\n' + pretty;
    } catch (error) {
      shown.textContent = 'The venue does not answer: ' + error.message;
    }
  });
  return make('div', {}, form, shown);
}

function rest(document) {
  const groups = new Map(document.tags.map(({ name }) => [name, []]));
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(verbs)) groups.get(operation.tags[0]).push(call(path, verb, operation));
  }
  return [...groups].map(([name, calls]) => section(name, undefined, calls));
}

const section = (name, about, entries) =>
  make('section', {}, make('h2', { textContent: name }), about && make('p', { className: 'dim', textContent: about }), ...entries);

function sockets(document) {
  const messageAt = ({ $ref }) => {
    const [, , channel, , ...key] = $ref.split('/');
    return document.channels[channel].messages[key.join('/')];
  };
  return Object.entries(document.channels).map(([name, channel]) => {
    const own = Object.entries(document.operations).filter(([, one]) => lastOf(one.channel.$ref) === name);
    return section(channel.address, channel.description, own.map(([id, operation]) => {
      const [message] = operation.messages.map(messageAt);
      return entry('socket-' + id, operation.action === 'receive' ? 'SEND' : 'RECEIVE', message.title, operation.summary, () => {
        const parts = [];
        if (operation.description) parts.push(make('p', { className: 'dim', textContent: operation.description }));
        parts.push(heading(operation.action === 'receive' ? 'Request' : 'Frame'), schemaOf(message.payload));
        if (operation.reply) parts.push(heading('Reply'), schemaOf(messageAt(operation.reply.messages[0]).payload));
        return parts;
      });
    }));
  });
}

const records = (schemas) =>
  section('Records', 'What calls and sockets are made of.', Object.entries(schemas).map(([name, schema]) =>
    entry('record-' + name, 'RECORD', name, '', () => [schemaOf(schema)])));

/** Shows what all the words of the filter are in. */
function filter() {
  const words = byId('filter').value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const part of document.querySelectorAll('section')) {
    let any = false;
    for (const node of part.querySelectorAll('details')) {
      const fits = words.every((word) => node.dataset.words.includes(word));
      node.classList.toggle('missing', !fits);
      any ||= fits;
    }
    part.classList.toggle('missing', !any);
  }
}

/** Opens what the address names. */
function reveal() {
  const node = byId(decodeURIComponent(location.hash.slice(1)));
  if (node?.localName !== 'details') return;
  node.open = true;
  node.scrollIntoView();
}

async function start() {
  const [openApi, asyncApi] = await Promise.all(['/openapi.json', '/asyncapi.json'].map((url) => fetch(url).then((answer) => answer.json())));
  byId('about').textContent = openApi.info.description;
  byId('calls').append(...rest(openApi), ...sockets(asyncApi),
    records({ ...openApi.components.schemas, ...asyncApi.components.schemas }));
  byId('filter').addEventListener('input', filter);
  addEventListener('hashchange', reveal);
  reveal();
}
start().catch((error) => { byId('about').textContent = 'The descriptions cannot be read: ' + error.message; });
`;
