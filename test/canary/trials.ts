import type { Play, Reply } from '../faults/proxy.ts';

/** A request and the response that the service gave to it. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly reply: Reply;
}

/** Sends a whole response, and ends the connection. */
export function respond(
  socket: Parameters<Play>[0],
  status: number | string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): void {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 ${status}${typeof status === 'number' ? ' X' : ''}\r\n${lines.join('')}Connection: close\r\n${
          String(status).startsWith('204') ? '' : `Content-Length: ${bytes.length}\r\n`
        }\r\n`,
      ),
      bytes,
    ]),
  );
}

/** Plays the responses that were recorded, those of one route in their order and the last of them again and again. */
export function replay(
  exchanges: readonly Exchange[],
  change: (reply: Reply) => Reply = (same) => same,
): Play {
  const counts = new Map<string, number>();
  const route = ({ method, url }: { readonly method: string; readonly url: string }): string =>
    `${method} ${url.split('?')[0]}`;
  return (socket, _none, request) => {
    const key = route(request);
    const own = exchanges.filter((exchange) => route(exchange) === key);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const found = own[Math.min(count, own.length - 1)];
    if (!found) return respond(socket, 404, '{"errors":[]}');
    const { status, headers, body } = change(found.reply);
    const {
      connection: _c,
      'transfer-encoding': _t,
      'content-length': _l,
      'keep-alive': _k,
      ...kept
    } = headers;
    respond(socket, status, body, kept as Record<string, string>);
  };
}

type Sent = Parameters<Play>[2];

const json = { 'Content-Type': 'application/json' };
const text = { 'Content-Type': 'text/plain' };

/** Everything that a request holds, as it was sent and as it is read. */
function echo({ method, url, headers, body }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `${method} ${url}`,
    decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '')),
    ...lines,
    body,
  ].join('\n');
}

/** The same in the places where the services have their messages. */
function errors(request: Sent, before = ''): string {
  const said = `${before}${echo(request)}`;
  const quoted = JSON.stringify({ ...request.headers, sent: request.body });
  return JSON.stringify({
    errors: [said, quoted, { message: said }],
    Errors: [{ OpIndex: 0, What: said }],
    message: said,
    kind: 'InvalidArgument',
    details: { request_fields: [{ name: 'x', description: quoted }] },
    success: false,
  });
}

const tokenOf = ({ headers, body }: Sent): string =>
  String(
    Object.entries(headers).find(([name]) => /token$/.test(name))?.[1] ?? headers.authorization ?? body,
  ).replaceAll(/[\r\n]/g, ' ');

/** A way in which a call fails. */
export interface Failure {
  readonly name: string;
  /** What it repeats may be the result of the command. */
  readonly isResult?: true;
  readonly play: (exchanges: readonly Exchange[], elsewhere: string) => Play;
}

const failure = (name: string, play: Play): Failure => ({ name, play: () => play });

const bodyFor = (exchanges: readonly Exchange[], { method, url }: Sent): string =>
  String(exchanges.find((each) => each.method === method && each.url === url)?.reply.body ?? '{}');

/** A way to fail that begins with the response of the service. */
const spoiled = (
  name: string,
  spoil: (body: string, socket: Parameters<Play>[0], request: Sent) => void,
): Failure => ({
  name,
  play: (exchanges) => (socket, _none, request) => spoil(bodyFor(exchanges, request), socket, request),
});

const objectIn = (body: string): string => (body.startsWith('{') ? body : '{}');

/** Every leaf of a body, in the place of the object that held it. */
function flattened(body: string): string {
  try {
    const value = JSON.parse(body) as unknown;
    if (typeof value !== 'object' || value === null) return JSON.stringify({ data: value });
    const entries = Object.entries(value).map(([name, member]) => [name, JSON.stringify(member)]);
    return JSON.stringify(Object.fromEntries(entries));
  } catch {
    return JSON.stringify([body]);
  }
}

export const failures: readonly Failure[] = [
  ...[400, 401, 403, 404, 405, 409, 422, 500, 502].map((status) =>
    failure(`${status} that repeats the request`, (socket, _none, request) =>
      respond(socket, status, errors(request)),
    ),
  ),
  ...[400, 403, 404, 409, 500, 503].map((status) =>
    failure(`${status} that repeats the request as text`, (socket, _none, request) =>
      respond(socket, status, echo(request), text),
    ),
  ),
  failure('a check-and-set conflict that repeats the request', (socket, _none, request) =>
    respond(socket, 400, errors(request, 'check-and-set parameter did not match the current version\n')),
  ),
  // A conflict of the scheduler holds the stored variable.
  spoiled('409 with what is stored', (body, socket) => respond(socket, 409, objectIn(body))),
  spoiled('409 with what is stored, as text', (body, socket) => respond(socket, 409, objectIn(body), text)),
  failure('a page with 500 that repeats the request', (socket, _none, request) =>
    respond(socket, 500, `<html>${echo(request)}`, { 'Content-Type': 'text/html' }),
  ),
  failure('a reason phrase that is the token', (socket, _none, request) =>
    respond(socket, `403 ${tokenOf(request)}`, '{"errors":["permission denied"]}'),
  ),
  failure('headers that are the token', (socket, _none, request) =>
    respond(socket, 429, '{"errors":["slow down"]}', { ...json, 'Retry-After': tokenOf(request) }),
  ),
  failure('an encoding that is the token', (socket, _none, request) =>
    respond(socket, 200, '{}', { ...json, 'Content-Encoding': tokenOf(request) }),
  ),
  {
    name: 'a redirect to another origin',
    play: (_exchanges, elsewhere) => (socket, _none, request) =>
      respond(socket, 307, '', {
        Location: `${elsewhere}${request.url.split('?')[0]}?token=${encodeURIComponent(tokenOf(request))}`,
      }),
  },
  {
    name: 'a redirect with credentials',
    play: (_exchanges, elsewhere) => (socket, _none, request) =>
      respond(socket, 302, '', {
        Location: elsewhere.replace('//', `//user:${encodeURIComponent(tokenOf(request))}@`),
      }),
  },
  failure('a lost response', (socket) => void socket.destroy()),
  spoiled('a response that ends early', (body, socket) => {
    socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 999}\r\n\r\n${body}`,
    );
  }),
  spoiled('malformed JSON', (body, socket) => respond(socket, 200, `${body.slice(0, -1)},`)),
  spoiled('JSON of other types', (body, socket) => respond(socket, 200, flattened(body))),
  spoiled('JSON in a list', (body, socket) => respond(socket, 200, `[${JSON.stringify(body)}]`)),
  spoiled('JSON as a text', (body, socket) => respond(socket, 200, JSON.stringify(body))),
  spoiled('the response with a status that does not exist', (body, socket) => respond(socket, 299, body)),
  spoiled(
    'the response in lines that end in LF',
    (body, socket) =>
      void socket.end(`HTTP/1.1 200 OK\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`),
  ),
  {
    ...failure('200 that repeats the request', (socket, _none, request) =>
      respond(socket, 200, errors(request)),
    ),
    isResult: true,
  },
  failure('malformed JSON that repeats the request', (socket, _none, request) =>
    respond(socket, 200, `${errors(request)},`),
  ),
];

/** Commands to CI services, at the start of a line and anywhere in it. */
const ciCommands =
  '\n  ::stop-commands::token\r::group::a\n: :x ##[group]b ##VSO[task.complete]c section_start:1:d\r\u001b[0K\n' +
  '\u200b:\u200b:stop-commands::token #\u200b#[group]e';

const withCommands = (value: unknown): unknown =>
  typeof value === 'string'
    ? `${value}${ciCommands}`
    : Array.isArray(value)
      ? value.map(withCommands)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withCommands(member)]))
        : value;

const changedJson = (name: string, change: (body: object) => unknown): Failure => ({
  name,
  isResult: true,
  play: (exchanges) =>
    replay(exchanges, (own) => {
      try {
        return { ...own, body: Buffer.from(JSON.stringify(change(JSON.parse(String(own.body)) as object))) };
      } catch {
        return own;
      }
    }),
});

/** Responses with texts that would be commands at the start of a line of the log of a CI service. */
export const commandTexts: readonly Failure[] = [
  ...[400, 403, 404, 500].map((status) =>
    failure(`${status} with commands to the CI service`, (socket) =>
      respond(
        socket,
        status,
        JSON.stringify({
          errors: [`::stop-commands::token${ciCommands}`],
          message: `::stop-commands::token${ciCommands}`,
        }),
      ),
    ),
  ),
  failure('text with commands to the CI service', (socket) =>
    respond(socket, 400, `::stop-commands::token${ciCommands}`, text),
  ),
  changedJson('warnings with commands to the CI service', (body) =>
    Array.isArray(body) ? body : { ...body, warnings: ['::stop-commands::token', `w${ciCommands}`] },
  ),
  changedJson('fields with commands to the CI service', withCommands),
];

/** The service's own response, with warnings that repeat the request. */
export const withWarnings: Failure = {
  name: 'warnings that repeat the request',
  isResult: true,
  play: (exchanges) => (socket, reply, request) => {
    const said = echo(request);
    replay(exchanges, (own) => {
      try {
        const body = JSON.parse(String(own.body)) as object;
        const changed = Array.isArray(body) ? body : { ...body, warnings: [said], Warnings: said };
        return { ...own, body: Buffer.from(JSON.stringify(changed)) };
      } catch {
        return own;
      }
    })(socket, reply, request);
  },
};
