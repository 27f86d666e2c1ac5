import { chmodSync, existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectExit, expectFailure } from '../support/command-tests.ts';
import { hasPam, pamService } from '../support/pam.ts';
import { listening } from '../support/ports.ts';
import { lanyard, self } from '../support/process.ts';
import { has } from '../support/require.ts';
import { sized } from '../support/soak.ts';
import { filesIn, processes, type Site, slowWay, startSite, user } from './connecting.ts';
import type { Sshd } from './openssh.ts';

const programs = ['sshd', 'ssh', 'ssh-keygen', 'curl'].every(has) && hasPam();
const connections = sized(100, 24);
const role = ['--role', 'otp'];
const verifyByCurl =
  'curl -sf -H "Content-Type: application/json" -d "{\\"otp\\":\\"$(cat)\\"}" "$ADDRESS/v1/ssh/verify" > /dev/null';
const asking = ['UsePAM yes', 'KbdInteractiveAuthentication yes', 'PermitRootLogin yes'];

describe.skipIf(!programs)('ssh connect with a one-time password', () => {
  let site: Site;
  let host: Sshd;
  let jump: Sshd;
  let listener: Awaited<ReturnType<typeof listen>>;
  const endings: (() => void)[] = [];

  beforeAll(async () => {
    site = await startSite();
    listener = await listen(site.address);
    site.at.env.LANYARD_SECRETS_ADDR = listener.address;
    host = await startHost('host', `${lanyard} ssh verify - > /dev/null 2>&1`, site.at.env);
    jump = await startHost('jump', 'cat >> tries; exit 1', {});
    site.configure('Host behind', 'HostName 127.0.0.1', `Port ${host.port}`, `User ${user}`);
    site.configure('ProxyJump jump', `UserKnownHostsFile ${site.keygen.path('host-known')}`);
  });
  beforeEach(() => {
    host.mark();
    jump.mark();
    for (const name of ['at-the-door', 'wait', 'tries']) site.at.clear(name);
  });
  afterAll(async () => {
    for (const end of endings) end();
    await listener.close();
    await site.stop();
  });

  /** A host whose PAM service leaves passwords to a line of shell; it waits at the door while there is a file `wait`. */
  function startHost(name: string, check: string, env: Readonly<Record<string, string>>): Promise<Sshd> {
    const variables = Object.entries({ ...env, HOME: site.at.path }).map(
      ([key, value]) => `export ${key}='${value}'`,
    );
    const script = site.at.write(
      `${name}-door`,
      [
        ...['#!/bin/sh', ...variables, `cd ${site.at.path}`, 'touch at-the-door'],
        'while [ -e wait ]; do sleep 0.05; done',
        `tr -d '\\000' | ${check}`,
      ].join('\n'),
    );
    chmodSync(script, 0o700);
    const service = `lanyard-test-${process.pid}-${name}`;
    endings.push(pamService(service, script).remove);
    return site.host(name, asking, { service });
  }

  async function until(file: string): Promise<void> {
    while (!existsSync(site.at.file(file))) await sleep(20);
  }

  const expectNothingLeft = async (): Promise<void> => {
    expect(await site.leases('otp')).toEqual([]);
    expect(site.folders()).toEqual([]);
  };

  test('logs in, ends with the exit code of the command, and leaves no lease', async () => {
    const ran = await site.connect(['host', ...role], ['echo in; exit 3']);
    expect(ran, host.log()).toMatchObject({ code: 3, stdout: 'in\n', stderr: '' });
    expect(host.log()).toContain('Accepted keyboard-interactive/pam');
    await expectNothingLeft();
  });

  test('never shows the password, neither during the login nor later', async () => {
    site.at.write('wait', '');
    const running = site.connecting(['host', ...role], ['echo in; while [ -e wait2 ]; do sleep 0.1; done']);
    await until('at-the-door');
    const key = listener.keys.at(-1) ?? '';
    expect(key).not.toBe('');
    const seen = (): string => {
      const files = site.folders().map((name) => filesIn(site.at.file(`tmp/${name}`)));
      return [processes(), ...files, running.stdout(), running.stderr()].join('\n');
    };
    expect(site.folders()).toHaveLength(1);
    expect(seen()).not.toContain(key);
    site.at.clear('wait');
    await running.until(/in/);
    expect(seen()).not.toContain(key);
    expect(await running.ended).toMatchObject({ code: 0, stdout: 'in\n', stderr: '' });
    expect(seen()).not.toContain(key);
    await expectNothingLeft();
  });

  test('sends nothing to a jump host, whatever it requests', async () => {
    const ran = await site.connect(['behind', ...role], ['true']);
    expect(ran, jump.log()).toMatchObject({ code: 255, stdout: '' });
    expect(existsSync(site.at.file('tries')) ? site.at.read('tries') : '').not.toContain(
      listener.keys.at(-1),
    );
    await expectNothingLeft();
  });

  test('sends nothing to a host with another key than the known one', async () => {
    const known = site.keygen.write('wrong', `[127.0.0.1]:${host.port} ${site.keygen.read('jump-key.pub')}`);
    const ran = await site.connect(['host', ...role], ['-o', `UserKnownHostsFile=${known}`, 'true']);
    expectFailure(ran, 255, 'REMOTE HOST IDENTIFICATION HAS CHANGED');
    expect(existsSync(site.at.file('at-the-door'))).toBe(false);
    await expectNothingLeft();
  });

  test('sends the password once, and not to a host that rejects every login', async () => {
    expectFailure(await site.connect(['jump', ...role], ['true']), 255, 'Permission denied');
    expect(site.at.read('tries')).toBe(listener.keys.at(-1));
    await expectNothingLeft();
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves nothing when %s ends the login',
    async (signal) => {
      const way = await slowWay(host.port, 60_000);
      const running = site.connecting(['host', ...role], ['-p', way.port, 'true']);
      await way.connected;
      expect(await site.leases('otp')).toHaveLength(1);
      running.child.kill(signal);
      const { code } = await running.ended;
      expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
      way.close();
      await expectNothingLeft();
    },
  );

  test('leaves nothing when a signal comes while the password is being made', async () => {
    listener.hold();
    const running = site.connecting(['host', ...role], ['true']);
    await listener.held();
    running.child.kill('SIGINT');
    await sleep(100);
    listener.release();
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    await expectNothingLeft();
  });

  test('uses the password up where it may not revoke the lease', async () => {
    const token = await site.tokenFor('path "ssh/creds/otp" { capabilities = ["create", "update"] }');
    const lesser = { LANYARD_SECRETS_TOKEN: token };
    const ran = await site.connect(['jump', ...role, '--mode', 'otp'], ['true'], lesser);
    expectExit(ran, 255, /warning: cannot revoke lease .* the password is used and the lease will expire/);
    const again = await site.at.run(['ssh', 'verify', '-'], { stdin: listener.keys.at(-1) ?? '' });
    expect(again.stderr).toContain('unknown or already used');
    await site.at.run(['api', 'secrets', 'POST', 'sys/leases/revoke-prefix/ssh/creds/otp']);
  });

  test(`leaves no lease of ${connections} connections, of which half fail or are interrupted`, async () => {
    const shut = await slowWay(1, 0);
    const never = await slowWay(1, 60_000);
    const quick = await startHost('quick', verifyByCurl, { ADDRESS: site.address });
    const succeeding = { code: 0, ssh: ['true'], to: 'quick' };
    const kinds = [
      succeeding,
      { code: 255, ssh: ['-q', '-p', shut.port, 'true'], to: 'host' },
      succeeding,
      { code: 130, ssh: ['-q', '-p', never.port, 'true'], to: 'host' },
    ];
    const codes: [number, number][] = [];
    // These run in this process, whose temporary folders are looked through afterwards.
    vi.stubEnv('TMPDIR', site.at.file('tmp'));
    onTestFinished(() => void vi.unstubAllEnvs());
    let at = 0;
    const work = async (): Promise<void> => {
      for (let number = at++; number < connections; number = at++) {
        const { code, ssh, to } = kinds[number % 4] ?? succeeding;
        const interrupted = new AbortController();
        // At every stage: before there is a password, while it is made, while ssh waits for the host.
        if (code === 130) setTimeout(() => interrupted.abort('SIGINT'), (number / connections) * 500);
        const signal = interrupted.signal;
        const ran = await site.at.run(site.argv([to, ...role], ssh), { self, signal });
        codes.push([ran.code, code]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    shut.close();
    never.close();
    expect(codes).toHaveLength(connections);
    expect(
      codes.filter(([code, wanted]) => code !== wanted),
      quick.log(),
    ).toEqual([]);
    expect(listener.keys.length).toBeGreaterThan((connections * 3) / 4);
    await expectNothingLeft();
  });

  test('says before ssh starts that the service is down', async () => {
    const env = { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' };
    expect(await site.connect(['host', ...role], ['true'], env)).toMatchObject({ code: 7, stdout: '' });
    expect(host.log()).toBe('');
    expect(site.folders()).toEqual([]);
  });
});

/** Stands before the service, and remembers the passwords that pass by. */
async function listen(behind: string) {
  const keys: string[] = [];
  let gate: PromiseWithResolvers<void> | undefined;
  let reached = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request(
      new URL(url ?? '', behind),
      { method: method ?? 'GET', headers },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        if (url?.startsWith('/v1/ssh/creds/') && answer.statusCode === 200) {
          keys.push(JSON.parse(body.toString()).data.key as string);
          reached.resolve();
          await gate?.promise;
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
      },
    );
    incoming.pipe(passed);
  });
  const { address } = await listening(server);
  return {
    address,
    keys,
    /** Holds the answers with passwords back. */
    hold(): void {
      gate = Promise.withResolvers();
      reached = Promise.withResolvers();
    },
    held: () => reached.promise,
    release(): void {
      gate?.resolve();
      gate = undefined;
    },
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}
