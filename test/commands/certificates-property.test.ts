import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CertificateInfo } from '../../src/ssh/types.ts';
import { wireString } from '../../src/ssh/wire-format.ts';
import { embeddedForAll, errorOf } from '../support/command-tests.ts';
import { has } from '../support/require.ts';
import type { Ran } from '../support/run.ts';
import { sized } from '../support/soak.ts';
import { done, mountCa } from '../support/ssh-ca.ts';
import { Keygen, lineOf } from '../unit/ssh/keygen.ts';
import { listing, withoutUnknownData } from '../unit/ssh/keygen-listing.ts';
import { type Case, flags, type Key, request, role } from './certificate-cases.ts';
import { content, type Rule, rules } from './certificate-rules.ts';

const noon = new Date('2026-03-04T12:00:00Z');
const twentyDays = 20 * 24 * 3600 * 1000;

const made: Readonly<Record<string, readonly [type: string, bits: number, ...options: string[]]>> = {
  ed25519: ['ssh-ed25519', 256, '-t', 'ed25519'],
  rsa2048: ['ssh-rsa', 2048, '-t', 'rsa', '-b', '2048'],
  rsa3072: ['ssh-rsa', 3072, '-t', 'rsa', '-b', '3072'],
  ecdsa256: ['ecdsa-sha2-nistp256', 256, '-t', 'ecdsa', '-b', '256'],
  ecdsa384: ['ecdsa-sha2-nistp384', 384, '-t', 'ecdsa', '-b', '384'],
  ecdsa521: ['ecdsa-sha2-nistp521', 521, '-t', 'ecdsa', '-b', '521'],
  dsa: ['ssh-dss', 1024, '-t', 'dsa'],
};

const generated: Readonly<Record<string, readonly [type: string, bits: number, ...options: string[]]>> = {
  'ca-ed25519': ['ssh-ed25519', 256, '--key-type', 'ed25519'],
  'ca-ecdsa256': ['ecdsa-sha2-nistp256', 256, '--key-type', 'ec'],
  'ca-ecdsa384': ['ecdsa-sha2-nistp384', 384, '--key-type', 'ec', '--key-bits', '384'],
  'ca-rsa4096': ['ssh-rsa', 4096],
};
const handedOver: Readonly<Record<string, string>> = { 'ca-ecdsa521': 'ecdsa521', 'ca-rsa2048': 'rsa2048' };

describe.skipIf(!has('ssh-keygen'))('certificates by random roles and requests', () => {
  let now = noon;
  const { at, running } = embeddedForAll({ clock: () => now });
  const keygen = new Keygen();
  const subjects: Key[] = [];
  const authorities: Key[] = [];
  const tokens: Record<string, string> = {};
  let certificate: string;

  const run = (...argv: readonly string[]) => at.run([...argv, '--output', 'json'], { now });

  function keyIn(name: string, type: string, bits: number, line: string): Key {
    keygen.write(`${name}.pub`, line);
    const [, blob = ''] = line.split(' ');
    return { name, type, bits, blob, fingerprint: keygen.fingerprint(`${name}.pub`) };
  }

  async function mount(name: string, type: string, bits: number, ...flags: string[]): Promise<void> {
    authorities.push(keyIn(name, type, bits, await mountCa(at, name, flags)));
  }

  beforeAll(async () => {
    certificate = join(at.path, 'certificate');
    for (const [name, [type, bits, ...options]] of Object.entries(made)) {
      // From version 10 on, OpenSSH makes no DSA keys.
      if (name === 'dsa' && !keygen.accepts('-q', ...options, '-N', '', '-f', 'trial')) continue;
      keygen.make(name, options);
      subjects.push(keyIn(name, type, bits, keygen.read(`${name}.pub`)));
    }
    for (const [type, line] of securityKeys()) subjects.push(keyIn(type, type, 256, line));
    for (const [name, [type, bits, ...options]] of Object.entries(generated)) {
      await mount(name, type, bits, ...options);
    }
    for (const [name, pair] of Object.entries(handedOver)) {
      const [type = '', bits = 0] = made[pair] ?? [];
      const files = ['--private-key', keygen.path(pair), '--public-key', keygen.path(`${pair}.pub`)];
      await mount(name, type, bits, ...files);
    }
    tokens.root = running.rootToken;
    const token = await done(at, ['api', 'secrets', 'POST', 'auth/token/create', '--data', '-'], {
      stdin: '{"display_name":"build 7!"}',
    });
    tokens['token-build-7'] = JSON.parse(token).auth.client_token;
  });

  afterAll(() => keygen.remove());

  test('are rejected by the violated rule, or have what the role determines, according to ssh-keygen and to inspect', async () => {
    let issued = 0;
    const reached = new Set<Rule>();
    const pairs = new Set<string>();
    const kinds = new Set<string>();

    await fc.assert(
      fc.asyncProperty(
        fc.record({
          role,
          request,
          subject: fc.constantFrom(...subjects),
          ca: fc.constantFrom(...authorities),
          displayName: fc.constantFrom(...Object.keys(tokens)),
          later: fc.integer({ min: 0, max: twentyDays }),
        }),
        async ({ later, ...chosen }) => {
          now = new Date(noon.getTime() + later);
          at.env.LANYARD_SECRETS_TOKEN = tokens[chosen.displayName] ?? '';
          const c: Case = { ...chosen, now: now.getTime() / 1000 };
          rmSync(certificate, { force: true });
          const broken = rules.find(({ isBroken }) => isBroken(c));
          if (broken) reached.add(broken);

          const put = await run(
            'ssh',
            'role',
            'put',
            'r',
            '--replace',
            '--mount',
            c.ca.name,
            ...flags(c.role),
          );
          if (broken?.command === 'ssh role put') return expectRejection(put, broken.message, c);
          expect(put).toMatchObject({ code: 0, stderr: '' });

          const key = keygen.path(`${c.subject.name}.pub`);
          const files = ['--key', key, '--out', certificate];
          const signed = await run('ssh', 'sign', 'r', '--mount', c.ca.name, ...files, ...flags(c.request));
          if (broken) return expectRejection(signed, broken.message, c);
          expect(signed).toMatchObject({ code: 0 });

          const { serial_number, signed_key } = JSON.parse(signed.stdout).data;
          expect(readFileSync(certificate, 'utf8')).toBe(signed_key);
          expect(statSync(certificate).mode & 0o777).toBe(0o600);
          const expected = { ...content(c), serial: BigInt(`0x${serial_number}`).toString() };
          expectListed(expected);
          const inspected = await done(at, ['ssh', 'inspect', certificate, '--output', 'json'], { now });
          expectInspected(expected, JSON.parse(inspected));
          issued += 1;
          pairs.add(`${c.subject.name} by ${c.ca.name}`);
          kinds.add(`${expected.kind} ${expected.signatureAlgorithm}`);
        },
      ),
      { seed: 20, numRuns: sized(2_000, 1_000) },
    );

    // The cases must reach every rule and every kind of key, or they would prove little.
    expect(rules.filter((rule) => !reached.has(rule))).toEqual([]);
    expect(issued).toBeGreaterThan(sized(500, 250));
    expect(pairs.size).toBe(subjects.length * authorities.length);
    expect(kinds.size).toBe(14);
  });

  function expectRejection(ran: Ran, message: Rule['message'], c: Case): void {
    const expected = typeof message === 'string' ? message : message(c);
    expect(errorOf(ran, 1)).toMatchObject({ status: 400, messages: [expected] });
    expect(statSync(certificate, { throwIfNoEntry: false })).toBeUndefined();
  }

  function expectListed(expected: CertificateInfo): void {
    const listed = keygen.run('-L', '-f', certificate);
    expect(withoutUnknownData(listed)).toBe(listing(expected));
    // Of an option that it does not know, ssh-keygen prints the data in hex, a string within the data.
    const options = [...expected.criticalOptions, ...expected.extensions];
    for (const [, name = '', hex = ''] of listed.matchAll(/^\s+(\S+) UNKNOWN OPTION: (\w+)/gm)) {
      expect(options).toContainEqual([name, Buffer.from(hex, 'hex').toString('utf8', 4)]);
    }
  }

  function expectInspected(expected: CertificateInfo, inspected: Record<string, object>): void {
    const { criticalOptions = {}, extensions = {}, ...rest } = inspected;
    const { validAfter, validBefore = 0, ...same } = expected;
    expect({
      ...rest,
      criticalOptions: Object.entries(criticalOptions),
      extensions: Object.entries(extensions),
    }).toEqual({
      ...same,
      what: 'certificate',
      validAfter: validAfter === undefined ? null : new Date(validAfter * 1000).toISOString(),
      validBefore: new Date(validBefore * 1000).toISOString(),
      secondsLeft: Math.floor(validBefore - now.getTime() / 1000),
    });
  }
});

/** Public keys as security keys have them; no hardware is needed to certify one. */
function securityKeys(): [type: string, line: string][] {
  const coordinates = (key: KeyObject) => {
    const { x = '', y = '' } = key.export({ format: 'jwk' });
    return [x, y].map((number) => Buffer.from(number, 'base64url'));
  };
  const point = coordinates(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
  const [edwards = Buffer.alloc(0)] = coordinates(generateKeyPairSync('ed25519').publicKey);
  const fields = {
    'sk-ssh-ed25519@openssh.com': [edwards],
    'sk-ecdsa-sha2-nistp256@openssh.com': [Buffer.from('nistp256'), Buffer.concat([Buffer.of(4), ...point])],
  };
  return Object.entries(fields).map(([type, own]) => [
    type,
    `${lineOf(type, ...[...own, Buffer.from('ssh:')].map(wireString))} a comment\n`,
  ]);
}
