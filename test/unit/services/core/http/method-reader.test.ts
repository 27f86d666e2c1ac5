import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MethodReader } from '../../../../../src/services/core/http/method-reader.ts';

/** A connection with a simulated parser. */
function connection() {
  const reader = new MethodReader();
  return {
    /** Sends bytes in one packet; returns what the parser sees. */
    see(text: string): string {
      const chunk = Buffer.from(text, 'latin1');
      reader.observe(chunk);
      return chunk.toString('latin1');
    },
    /** The parser has read a head; returns the method reported to the service. */
    took(method: string | undefined, headers: Readonly<Record<string, string>> = {}) {
      const message = new IncomingMessage(new Socket());
      if (method !== undefined) message.method = method;
      Object.assign(message.headers, headers);
      message.complete = false;
      return {
        method: reader.methodOf(message),
        /** The parser has read the body. */
        end() {
          message.complete = true;
        },
      };
    },
  };
}

const rest = '/v1/a HTTP/1.1\r\nHost: localhost\r\n\r\n';
const list = `LIST ${rest}`;
const asLink = `LINK ${rest}`;
const recover = `RECOVER ${rest}`;
const asReport = `REPORT  ${rest}`;

/** A connection on which a request of any kind was sent and parsed. */
function sentOn(packets: readonly string[], method: string, headers: Readonly<Record<string, string>> = {}) {
  const sent = connection();
  const [first = '', ...others] = packets;
  const isWhole = first.includes('\r\n\r\n');
  sent.see(first);
  if (!isWhole) for (const packet of others) sent.see(packet);
  const taken = sent.took(method, headers);
  if (isWhole) for (const packet of others) expect(sent.see(packet)).toBe(packet);
  taken.end();
  return sent;
}

describe('a method that the parser does not support', () => {
  test.each([
    ['LIST', list, asLink, 'LINK'],
    ['RECOVER', recover, asReport, 'REPORT'],
  ])('%s is replaced for the parser, and reported by its own name', (method, bytes, shown, standIn) => {
    const { see, took } = connection();
    expect(see(bytes)).toBe(shown);
    expect(took(standIn).method).toBe(method);
  });

  test.each([
    ['LIST', list, asLink, 'LINK'],
    ['RECOVER', recover, asReport, 'REPORT'],
  ])('%s may arrive in packets of any size', (method, bytes, shown, standIn) => {
    for (let size = 1; size < 20; size++) {
      const { see, took } = connection();
      let seen = '';
      for (let from = 0; from < bytes.length; from += size) seen += see(bytes.slice(from, from + size));
      expect(seen).toBe(shown);
      const taken = took(standIn);
      expect(taken.method).toBe(method);
      taken.end();
      // The end of the blank line is known as well.
      expect(see(list)).toBe(asLink);
      expect(took('LINK').method).toBe('LIST');
    }
  });

  test('may follow empty lines, in the same packet or others', () => {
    const { see, took } = connection();
    expect(see('\r\n')).toBe('\r\n');
    expect(see('\n\r\n\r')).toBe('\n\r\n\r');
    expect(see(`\r\n${list}`)).toBe(`\r\n${asLink}`);
    expect(took('LINK').method).toBe('LIST');
  });

  test.each(['GET', 'LINK', 'REPORT', 'PUT', 'list', 'ALIST'])('is not read from %s', (method) => {
    const { see, took } = connection();
    expect(see(`${method} ${rest}`)).toBe(`${method} ${rest}`);
    expect(took(method).method).toBe(method);
  });

  test.each(['LISTS', 'LIS', 'L', 'LISK', 'LIST/', 'RECOVERS', 'RECORT', 'RE', 'LIST\t'])(
    'is not read from %s, nor from what follows it',
    (word) => {
      const { see, took } = connection();
      see(`${word}`);
      const shown = see(` LIST RECOVER ${rest}`);
      expect(shown).toBe(` LIST RECOVER ${rest}`);
      expect(took('LINK').method).toBe('LINK');
    },
  );

  test('is only reported for a request of the parser', () => {
    const { see, took } = connection();
    see(list);
    expect(took('GET').method).toBe('GET');
    const without = connection();
    without.see(list);
    expect(without.took(undefined).method).toBe('');
  });

  test('is not read from a header', () => {
    const { see } = connection();
    see('GET /a HTTP/1.1\r\n');
    for (const line of ['LIST /a\r\n', 'RECOVER : a\r\n', 'LIST']) expect(see(line)).toBe(line);
    expect(see('\r\n\n\r\n\nLIST ')).toBe('\r\n\n\r\n\nLIST ');
  });
});

describe('the next request', () => {
  const next = ({ see, took }: ReturnType<typeof connection>): string => {
    const shown = see(list);
    expect([asLink, list]).toContain(shown);
    return took(shown === list ? 'GET' : 'LINK').method;
  };

  test.each<[string, readonly string[], string, Readonly<Record<string, string>>]>([
    ['without a body', [`GET ${rest}`], 'GET', {}],
    ['with a body in separate packets', [`PUT ${rest}`, 'LIST', ' /'], 'PUT', { 'content-length': '6' }],
    ['with a body in the same packet', [`PUT ${rest}12345`], 'PUT', { 'content-length': '5' }],
    ['with a body in the same packet and others', [`PUT ${rest}12`, '345'], 'PUT', { 'content-length': '5' }],
    ['in chunks', [`PUT ${rest}`, '5\r\nLIST \r\n', '0\r\n\r\n'], 'PUT', { 'transfer-encoding': 'chunked' }],
    ['in one chunk of nothing', [`PUT ${rest}0\r\n\r\n`], 'PUT', { 'transfer-encoding': 'chunked' }],
    [
      'in chunks that are split anywhere',
      [`PUT ${rest}1`, '\r', '\na\r\n0', '\r\n', '\r', '\n'],
      'PUT',
      { 'transfer-encoding': 'chunked' },
    ],
    ['with lines that end in a line feed alone', ['GET / HTTP/1.1\nA: b\n\r\nC: d\r\n\r\n'], 'GET', {}],
    ['with blank lines that are none', ['GET / HTTP/1.1\r\nA: \r\r\n', '\r\r\n\r', '\n'], 'GET', {}],
  ])('is recognized after one %s', (_what, packets, method, headers) => {
    const sent = sentOn(packets, method, headers);
    expect(next(sent)).toBe('LIST');
  });

  test('is recognized after many', () => {
    const { see, took } = connection();
    const put = `PUT ${rest}`;
    for (let round = 0; round < 3; round++) {
      expect(see(list)).toBe(asLink);
      const first = took('LINK');
      expect(first.method).toBe('LIST');
      first.end();
      see(`${put}123`);
      const second = took('PUT', { 'content-length': '3' });
      expect(second.method).toBe('PUT');
      second.end();
      expect(see(recover)).toBe(asReport);
      const third = took('REPORT');
      expect(third.method).toBe('RECOVER');
      third.end();
      see(put);
      const fourth = took('PUT', { 'transfer-encoding': 'chunked' });
      see('0\r\n\r\n');
      fourth.end();
    }
  });

  test.each<[string, readonly string[], string, Readonly<Record<string, string>>]>([
    ['without a body', [`GET ${rest}LI`], 'GET', {}],
    ['with a body', [`PUT ${rest}`, '12345LI'], 'PUT', { 'content-length': '5' }],
    ['in chunks', [`PUT ${rest}`, '0\r\n\r\nLI'], 'PUT', { 'transfer-encoding': 'chunked' }],
  ])('is not changed if a part of it arrived in the packet of one %s', (_what, packets, method, headers) => {
    const sent = sentOn(packets, method, headers);
    expect(next(sent)).toBe('GET');
  });

  test('is not changed if it arrived in the packet of another one', () => {
    const { see, took } = connection();
    see(`GET ${rest}GET ${rest}`);
    took('GET').end();
    took('GET').end();
    expect(see(list)).toBe(list);
    expect(see(list)).toBe(list);
  });

  test('is not changed if the end of the previous one is unknown, though its length fits', () => {
    const { see, took } = connection();
    const put = `PUT ${rest}`;
    see(`GET ${rest}${put}`);
    took('GET').end();
    // As long as its own head, which arrived in the packet of the first.
    const second = took('PUT', { 'content-length': String(put.length) });
    see(`${'x'.repeat(put.length)}LI`);
    second.end();
    expect(see(list)).toBe(list);
  });

  test('is never changed again after two arrived in one packet, also if the second is chunked', () => {
    const { see, took } = connection();
    see(`GET ${rest}PUT ${rest}`);
    took('GET').end();
    const second = took('PUT', { 'transfer-encoding': 'chunked' });
    see('0\r\n\r\n');
    second.end();
    expect(see(list)).toBe(list);
  });

  test('is not changed if the parser rejected the previous one', () => {
    const { see } = connection();
    see(`BAD ${rest}`);
    expect(see(list)).toBe(list);
  });

  test('is not changed while the body of the previous one may continue', () => {
    const { see, took } = connection();
    see(`PUT ${rest}`);
    took('PUT', { 'content-length': '100' });
    expect(see(list)).toBe(list);
    expect(see(recover)).toBe(recover);
  });

  test('has its own length', () => {
    const sent = sentOn([`PUT ${rest}`, '12345'], 'PUT', { 'content-length': '5' });
    expect(sent.see(`PUT ${rest}12`)).toBe(`PUT ${rest}12`);
    sent.took('PUT', { 'content-length': '2' }).end();
    expect(next(sent)).toBe('LIST');
  });
});
