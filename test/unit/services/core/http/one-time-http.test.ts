import { expect, test } from 'vitest';
import { embeddedProcess } from '../../../../support/embedded.ts';
import { pipeline } from '../../../../support/pipeline.ts';
import { sized } from '../../../../support/soak.ts';
import { folder } from '../../support.ts';

const count = sized(1_000, 200);
const verifications = 50;

test.for(['memory', 'a data directory'])(
  `of ${count} one-time passwords with ${verifications} concurrent verifications each over HTTP, each succeeds once, in %s`,
  async (where) => {
    const { address, token } = await embeddedProcess(where === 'memory' ? undefined : await folder());
    const role = { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' };
    const made = await pipeline(address, [
      { method: 'POST', path: '/v1/ssh/roles/hosts', token, body: role },
      ...Array.from({ length: count }, () => {
        return { method: 'POST', path: '/v1/ssh/creds/hosts', token, body: { ip: '10.1.2.3' } };
      }),
    ]);
    const passwords = made.slice(1).map(({ body }) => String(JSON.parse(body).data.key));
    expect(new Set(passwords).size).toBe(count);

    // Each connection presents every password, starting at a different one.
    const step = count / verifications;
    const connections = Array.from({ length: verifications }, (_, index) => {
      const turned = [...passwords.slice(index * step), ...passwords.slice(0, index * step)];
      const requests = turned.map((otp) => ({ method: 'PUT', path: '/v1/ssh/verify', body: { otp } }));
      return pipeline(address, requests).then((replies) => ({ turned, replies }));
    });
    const successes = new Map(passwords.map((password) => [password, 0]));
    const rejections = new Set<string>();
    let answers = 0;
    for (const { turned, replies } of await Promise.all(connections)) {
      for (const [index, { status, body }] of replies.entries()) {
        const password = turned[index] ?? '';
        answers++;
        if (status === 200) successes.set(password, (successes.get(password) ?? 0) + 1);
        else rejections.add(`${status} ${body.trim()}`);
      }
    }
    expect(answers).toBe(count * verifications);
    expect([...rejections]).toEqual(['400 {"errors":["OTP not found"]}']);
    expect(new Set(successes.values())).toEqual(new Set([1]));
  },
);
