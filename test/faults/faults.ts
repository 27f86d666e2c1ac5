import { gzipSync } from 'node:zlib';
import type { Play, Reply } from './proxy.ts';

/**
 * What a fault is to the client:
 * `lost`: the connection ends, or nothing more comes, before a complete response.
 * `broken`: the response breaks the rules of HTTP.
 * `foreign`: valid HTTP that no service sends: pages, other encodings, malformed or oversized bodies.
 * `redirect`: a redirect, wherever it leads.
 * `gateway`: 502, 503 or 504 of something between.
 * `rejected`: an error of the service itself, with its status in `status`.
 * `harmless`: the service's own response in an unusual form, which has to be understood.
 */
export type FaultClass = 'lost' | 'broken' | 'foreign' | 'redirect' | 'gateway' | 'rejected' | 'harmless';

export interface Fault {
  readonly name: string;
  readonly class: FaultClass;
  readonly play: Play;
  /** Of `rejected`. */
  readonly status?: number;
  /** The client has to give up by itself: run it with a short time limit. */
  readonly stalls?: true;
  /** Of `foreign`: a body that some operation has, or does not look at. */
  readonly plausible?: true;
}

type Bytes = string | Buffer;

/** Plays bytes and ends the connection. */
const ends =
  (bytes: Bytes): Play =>
  (socket) =>
    void socket.end(bytes);

/** The same for bytes that depend on the reply and the request. */
const sends =
  (bytes: (reply: Reply, request: Parameters<Play>[2]) => Bytes): Play =>
  (socket, reply, request) =>
    void socket.end(bytes(reply, request));

const add = (type: FaultClass, entries: Readonly<Record<string, Play>>, more: Partial<Fault> = {}): Fault[] =>
  Object.entries(entries).map(([name, play]) => ({ name, class: type, play, ...more }));

const joined = (...parts: readonly Bytes[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const json = 'Content-Type: application/json\r\n';
const html = 'Content-Type: text/html\r\n';
const plain = 'Content-Type: text/plain\r\n';
const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}${json}Transfer-Encoding: chunked\r\n\r\n`;

/** A whole response. */
function response(status: string, body: Bytes, headers: string = json): Buffer {
  const length = Buffer.byteLength(body as string);
  return joined(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${length}\r\n\r\n`, body);
}

const lost: readonly Fault[] = add('lost', {
  'reset without a response': (socket) => void socket.resetAndDestroy(),
  'closed without a response': (socket) => void socket.end(),
  'destroyed without a response': (socket) => void socket.destroy(),
  'closed within the status line': ends('HTTP/1.1 2'),
  'closed after the status line': ends(ok),
  'closed within a header': ends(`${ok}Content-Ty`),
  'closed after a header': ends(ok + json),
  'closed before the body': ends(`${ok}${json}Content-Length: 20\r\n\r\n`),
  'closed within the body': ends(`${ok}${json}Content-Length: 20\r\n\r\n{"data":`),
  'closed one byte early': ends(`${ok}${json}Content-Length: 3\r\n\r\n{}`),
  'closed before the first chunk': ends(chunked),
  'closed within a chunk size': ends(`${chunked}1`),
  'closed within a chunk': ends(`${chunked}10\r\n{"dat`),
  'closed before the last chunk': ends(`${chunked}2\r\n{}\r\n`),
  'closed within the last chunk': ends(`${chunked}2\r\n{}\r\n0\r\n`),
  'closed within a compressed body': ends(
    `${ok}${json}Content-Encoding: gzip\r\nContent-Length: 40\r\n\r\n\x1f\x8b`,
  ),
  'closed after 100 Continue': ends('HTTP/1.1 100 Continue\r\n\r\n'),
  'closed after 103 Early Hints': ends('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  'reset within the body': (socket) =>
    void socket.write(`${ok}${json}Content-Length: 20\r\n\r\n{"data":`, () => socket.resetAndDestroy()),
  'reset within a header': (socket) => void socket.write(`${ok}Conte`, () => socket.resetAndDestroy()),
});

const stalls: readonly Fault[] = add(
  'lost',
  {
    'no response': () => {},
    'stalls within the status line': (socket) => void socket.write('HTTP/1.1 '),
    'stalls within the headers': (socket) => void socket.write(ok + json),
    'stalls before the body': (socket) => void socket.write(`${ok}${json}Content-Length: 20\r\n\r\n`),
    'stalls within the body': (socket) => void socket.write(`${ok}${json}Content-Length: 20\r\n\r\n{"data"`),
    'stalls before the last chunk': (socket) => void socket.write(`${chunked}2\r\n{}\r\n`),
    'stalls after 100 Continue': (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    'one byte now and then': (socket) => {
      socket.write(`${ok}${json}Content-Length: 1000000\r\n\r\n{`);
      const timer = setInterval(() => socket.write(' '), 20);
      socket.on('close', () => clearInterval(timer));
    },
    'informational responses without end': (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
  },
  { stalls: true },
);

const broken: readonly Fault[] = add('broken', {
  'a chunk size that is not a number': ends(`${chunked}zz\r\n{}\r\n0\r\n\r\n`),
  '101 Switching Protocols': (socket) =>
    void socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
  'a negative chunk size': ends(`${chunked}-2\r\n{}\r\n0\r\n\r\n`),
  'a chunk size beyond 64 bits': ends(`${chunked}fffffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
  'a chunk that is longer than its size': ends(`${chunked}1\r\n{}\r\n0\r\n\r\n`),
  'two different lengths': ends(`${ok}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
  'a length and chunks': ends(
    `${ok}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'a length that is not a number': ends(`${ok}${json}Content-Length: 2x\r\n\r\n{}`),
  'a negative length': ends(`${ok}${json}Content-Length: -2\r\n\r\n{}`),
  'an empty length': ends(`${ok}${json}Content-Length: \r\n\r\n{}`),
  'a length beyond 64 bits': ends(`${ok}${json}Content-Length: 99999999999999999999999\r\n\r\n{}`),
  'a list of lengths': ends(`${ok}${json}Content-Length: 2, 3\r\n\r\n{}`),
  'chunks that are not the last coding': ends(`${ok}${json}Transfer-Encoding: chunked, x\r\n\r\n2\r\n{}`),
  'a header of 200 KB': ends(`${ok}X-Long: ${'a'.repeat(200_000)}\r\nContent-Length: 2\r\n\r\n{}`),
  'a header name of 200 KB': ends(`${ok}${'a'.repeat(200_000)}: b\r\nContent-Length: 2\r\n\r\n{}`),
  'ten thousand headers': ends(`${ok}${'X-Many: a\r\n'.repeat(10_000)}Content-Length: 2\r\n\r\n{}`),
  'lines that end in LF': ends('HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'),
  'lines that end in CR': ends('HTTP/1.1 200 OK\rContent-Length: 2\r\r{}'),
  'NUL in a header': ends(`${ok}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\n{}`),
  'a header without a colon': ends(`${ok}X-None\r\nContent-Length: 2\r\n\r\n{}`),
  'a header without a name': ends(`${ok}: none\r\nContent-Length: 2\r\n\r\n{}`),
  'a space before the colon': ends(`${ok}Content-Length : 2\r\n\r\n{}`),
  'HTTP/0.9': ends('<p>done</p>'),
  'HTTP/2 frames': ends(Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128])),
  'a version of HTTP that does not exist': ends('HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'a status that is not a number': ends('HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\n{}'),
  'a status of two digits': ends('HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'a status of four digits': ends('HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'a status line in lower case': ends('http/1.1 200 ok\r\ncontent-length: 2\r\n\r\n{}'),
  ICY: ends('ICY 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'binary bytes': ends(Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])),
  'bytes after a response': ends(
    joined(response('200 OK', '{}', `${json}Connection: close\r\n`), 'HTTP/1.1 500 X\r\n\r\n'),
  ),
  'an SSH banner': ends('SSH-2.0-OpenSSH_9.9\r\n'),
  'an SMTP banner': ends('220 mail.example.com ESMTP\r\n'),
  'a TLS alert': ends(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
  'a request in place of a response': ends('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
  'the request sent back': sends(
    (_reply, { method, url, headers, body }) =>
      `${method} ${url} HTTP/1.1\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`,
  ),
});

const bomb = gzipSync(Buffer.alloc(2_000_000, ' '));

/** The credentials of a request, wherever they are. */
const echo = (headers: Readonly<Record<string, unknown>>, body: string): string =>
  JSON.stringify({ ...headers, sent: body });

const plausible = [
  'JSON of the wrong types',
  'a JSON string',
  'plain text',
  'an image',
  'XML',
  'a megabyte of text',
  'server-sent events',
  'a multipart body',
  'text that repeats the request',
];

const foreign: readonly Fault[] = add('foreign', {
  'a login page': ends(response('200 OK', '<!doctype html><form>', html)),
  'a page without a type': ends(response('200 OK', '<!DOCTYPE html><p>done', '')),
  'a page with 404': ends(response('404 Not Found', '<html>', html)),
  'a page with 403': ends(response('403 Forbidden', '<html>', html)),
  'a page with 413': ends(response('413 Too Large', '<html>', html)),
  'a page with 500': ends(response('500 Error', '<html>', html)),
  'plain text': ends(response('200 OK', 'done', plain)),
  XML: ends(response('200 OK', '<?xml version="1.0"?><a/>', 'Content-Type: application/xml\r\n')),
  'an image': ends(response('200 OK', Buffer.from([137, 80, 78, 71]), 'Content-Type: image/png\r\n')),
  'malformed JSON': ends(response('200 OK', '{"data":')),
  'JSON with a trailing comma': ends(response('200 OK', '{"data":{},}')),
  'two JSON values': ends(response('200 OK', '{}{}')),
  'JSON in single quotes': ends(response('200 OK', "{'data':{}}")),
  'a JSON number': ends(response('200 OK', '42')),
  'a JSON string': ends(response('200 OK', '"done"')),
  'JSON of the wrong types': ends(response('200 OK', '{"data":42,"auth":[],"items":"x","ID":{}}')),
  'JSON nested 5,000 levels deep': ends(response('200 OK', '['.repeat(5000) + ']'.repeat(5000))),
  'JSON that is not UTF-8': ends(response('200 OK', Buffer.from([123, 34, 97, 34, 58, 34, 255, 34, 125]))),
  'JSON in UTF-16': ends(response('200 OK', Buffer.from('\uFEFF{"data":{}}', 'utf16le'))),
  NaN: ends(response('200 OK', '{"data":NaN}')),
  'server-sent events': ends(response('200 OK', 'data: {}\n\n', 'Content-Type: text/event-stream\r\n')),
  'a multipart body': ends(response('200 OK', '--a--\r\n', 'Content-Type: multipart/mixed; boundary=a\r\n')),
  'gzip that was not asked for': ends(
    response('200 OK', gzipSync('{"data":{}}'), `${json}Content-Encoding: gzip\r\n`),
  ),
  'gzip that is not gzip': ends(response('200 OK', '{"data":{}}', `${json}Content-Encoding: gzip\r\n`)),
  'a gzip bomb': ends(response('200 OK', bomb, `${json}Content-Encoding: gzip\r\n`)),
  'an unknown encoding': ends(response('200 OK', 'x', `${json}Content-Encoding: zstd, br\r\n`)),
  'a megabyte of spaces': ends(response('200 OK', ' '.repeat(1_000_000))),
  'a megabyte of text': ends(response('200 OK', 'x'.repeat(1_000_000), plain)),
  '206 Partial Content': ends(response('206 Partial', '{"da', `${json}Content-Range: bytes 0-3/9\r\n`)),
  '205 Reset Content': ends('HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n'),
  'an unused status 299': ends(response('299 Odd', '{}')),
  '304 Not Modified': ends('HTTP/1.1 304 Not Modified\r\n\r\n'),
  '600, which is no status': ends(response('600 Odd', '{}')),
  'a page that repeats the request': sends((_reply, { headers, body }) =>
    response('500 Error', `<html>${echo(headers, body)}`, html),
  ),
  'text that repeats the request': sends((_reply, { headers, body }) =>
    response('200 OK', echo(headers, body), plain),
  ),
  'malformed JSON that repeats the request': sends((_reply, { headers, body }) =>
    response('200 OK', `${echo(headers, body)},`),
  ),
}).map((fault) => (plausible.includes(fault.name) ? { ...fault, plausible: true } : fault));

const to = (location: string, status = '307 Temporary Redirect'): Play =>
  ends(response(status, '', location === '' ? '' : `Location: ${location}\r\n`));

const redirects: readonly Fault[] = add('redirect', {
  'a redirect without a target': to('', '302 Found'),
  'a redirect to nothing': to('http://'),
  'a redirect to a file': to('file:///etc/passwd'),
  'a redirect to a script': to('javascript:alert(1)'),
  'a redirect to another origin': to('http://127.0.0.1:9/v1/x'),
  'a redirect to another origin (301)': to('http://127.0.0.1:9/v1/x', '301 Moved'),
  'a redirect to another origin (303)': to('http://127.0.0.1:9/v1/x', '303 See Other'),
  'a redirect to another origin (308)': to('http://127.0.0.1:9/v1/x', '308 Permanent'),
  'a redirect to another host': to('//localhost.invalid/v1/x'),
  'a redirect to a name and a password': to('http://user:word@127.0.0.1:9/'),
  'a redirect that is too long': to(`/${'a'.repeat(14_000)}`),
  'a redirect to a login page': to('/login', '302 Found'),
  'a redirect to itself': sends((_reply, { url }) =>
    response('307 Temporary Redirect', '', `Location: ${url}\r\n`),
  ),
  'many choices': to('/v1/x', '300 Multiple Choices'),
  'a redirect that carries the token': sends((_reply, { headers }) =>
    response('302 Found', '', `Location: http://127.0.0.1:9/?t=${encodeURIComponent(tokenOf(headers))}\r\n`),
  ),
});

const tokenOf = (headers: Readonly<Record<string, unknown>>): string =>
  String(
    Object.entries(headers).find(([name]) => /token$/.test(name))?.[1] ?? headers.authorization ?? 'none',
  );

const gateway: readonly Fault[] = add('gateway', {
  'a page with 502': ends(response('502 Bad Gateway', '<html>', html)),
  '502 without a body': ends(response('502 Bad Gateway', '', '')),
  '502 in JSON': ends(response('502 Bad Gateway', '{"message":"upstream"}')),
  '502 with errors': ends(response('502 Bad Gateway', '{"errors":["upstream"]}')),
  'a page with 503': ends(response('503 Unavailable', '<html>', html)),
  '503 of Envoy': ends(response('503 Service Unavailable', 'upstream connect error', plain)),
  '503 without a body': ends(response('503 Service Unavailable', '', 'Retry-After: 0\r\n')),
  'a page with 504': ends(response('504 Gateway Timeout', '<html>', html)),
  '504 without a body': ends(response('504 Gateway Timeout', '', '')),
  '504 with errors': ends(response('504 Gateway Timeout', '{"errors":["timeout"]}')),
});

const rejects = (status: number, name: string, play: Play): Fault => ({
  name,
  class: 'rejected',
  status,
  play,
});

const error = (status: number, body: string, headers = json): Fault =>
  rejects(status, `${status}: ${body.slice(0, 40)}`, ends(response(`${status} Error`, body, headers)));

const rejected: readonly Fault[] = [
  rejects(
    404,
    'closed within the body of a 404',
    ends(`HTTP/1.1 404 No\r\n${json}Content-Length: 90\r\n\r\n{"errors":[`),
  ),
  rejects(
    500,
    'closed within the body of a 500',
    ends(`HTTP/1.1 500 Error\r\n${json}Content-Length: 90\r\n\r\n{"errors":[`),
  ),
  error(400, '{"errors":["invalid request"]}'),
  error(400, 'Bad request', plain),
  error(401, '{"errors":["not allowed"]}'),
  error(403, '{"errors":["permission denied"]}'),
  error(403, 'Permission denied', plain),
  error(405, '{"errors":["unsupported operation"]}'),
  error(422, '{"errors":["cannot"]}'),
  error(429, '{"errors":["slow down"]}', `${json}Retry-After: 0\r\n`),
  error(429, '', 'Retry-After: soon\r\n'),
  error(500, '{"errors":["internal error"]}'),
  error(500, 'internal error', plain),
  error(500, '{"errors":[{"a":[1]},null,3]}'),
  rejects(
    400,
    '400 that repeats the request',
    sends((_reply, { headers, body }) =>
      response('400 Error', JSON.stringify({ errors: [echo(headers, body)] })),
    ),
  ),
  rejects(
    403,
    '403 whose reason phrase is the token',
    sends((_reply, { headers }) => response(`403 ${tokenOf(headers)}`, '{"errors":["permission denied"]}')),
  ),
];

/** The service's own response: its status, its type, its body. */
function head({ status, headers }: Reply, more: string): string {
  const type = headers['content-type'];
  const kept = Object.entries(headers).filter(([name]) => /^x-|^location$|index/.test(name));
  const lines = kept.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} Odd\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}${lines}${more}\r\n`;
}

const hasBody = ({ status }: Reply): boolean => status !== 204 && status !== 304;

/** The whole response with a length, after `before`. */
const whole = (reply: Reply, more = ''): Buffer =>
  joined(
    head(reply, `${hasBody(reply) ? `Content-Length: ${reply.body.length}\r\n` : ''}${more}`),
    reply.body,
  );

const harmless: readonly Fault[] = add('harmless', {
  'a response that ends with the connection': sends((reply) =>
    joined(head(reply, 'Connection: close\r\n'), reply.body),
  ),
  'chunks of one byte': sends((reply) => {
    if (!hasBody(reply)) return whole(reply);
    const chunks = [...reply.body].flatMap((byte) => ['1\r\n', Buffer.of(byte), '\r\n']);
    return joined(head(reply, 'Transfer-Encoding: chunked\r\n'), ...chunks, '0\r\n\r\n');
  }),
  'a chunk with an extension and a trailer': sends((reply) => {
    if (!hasBody(reply) || reply.body.length === 0) return whole(reply);
    const first = `${reply.body.length.toString(16)};a=b\r\n`;
    const last = '\r\n0\r\nX-Trailer: a\r\n\r\n';
    return joined(head(reply, 'Transfer-Encoding: chunked\r\n'), first, reply.body, last);
  }),
  'after 100 Continue': sends((reply) => joined('HTTP/1.1 100 Continue\r\n\r\n', whole(reply))),
  'after 103 Early Hints': sends((reply) => joined('HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n', whole(reply))),
  'in two packets': (socket, reply) => {
    const bytes = whole(reply);
    socket.write(bytes.subarray(0, 20), () => setImmediate(() => socket.end(bytes.subarray(20))));
  },
  'with a hundred more headers': sends((reply) =>
    whole(reply, Array.from({ length: 100 }, (_none, index) => `X-More-${index}: a\r\n`).join('')),
  ),
  'with bytes above ASCII in a header': sends((reply) => whole(reply, 'X-Name: \xe4\r\n')),
  'with cookies': sends((reply) => whole(reply, 'Set-Cookie: a=b\r\nSet-Cookie: c=d\r\n')),
  'with a Retry-After': sends((reply) => whole(reply, 'Retry-After: 9\r\n')),
  'with the encoding identity': sends((reply) => whole(reply, 'Content-Encoding: identity\r\n')),
});

/** Every fault of HTTP. Those before HTTP (connection, TLS) are in unreached.ts. */
export const faults: readonly Fault[] = [
  ...[...lost, ...stalls, ...broken, ...foreign],
  ...[...redirects, ...gateway, ...rejected, ...harmless],
];
