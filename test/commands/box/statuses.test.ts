import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { smallDisk } from '../../support/small-disk.ts';
import { type Boxes, boxes, boxesForAll } from './registry.ts';

const url = 'https://example.com/web.box';
const proof = { PW: 'a long password' };

/** The commands for box `dev/web` with version 1.0.0 and provider libvirt. */
const commands = [
  'search',
  'org get dev',
  'get dev/web',
  'create dev/new',
  'org create shop',
  'update dev/web --short-description x',
  'delete dev/web --yes',
  'version get dev/web 1.0.0',
  'version create dev/web 2.0.0',
  'version update dev/web 1.0.0 --description x',
  'version delete dev/web 1.0.0 --yes',
  'release dev/web 1.0.0',
  'revoke dev/web 1.0.0 --yes',
  'provider get dev/web 1.0.0 libvirt',
  `provider create dev/web 1.0.0 kvm --url ${url}`,
  `provider update dev/web 1.0.0 libvirt --url ${url}`,
  'provider delete dev/web 1.0.0 libvirt --yes',
];
const aboutTokens = ['token check', 'token delete --yes'];
const withoutToken = [
  'token create --login dev --password env://PW --no-store',
  'request-code --login dev --password env://PW',
];
const all = [...commands, ...aboutTokens, ...withoutToken];

/** Runs a failing command, and returns its error. */
async function failure(service: Boxes, line: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await service.run(`box ${line} -o json --quiet`, {
    env: { ...proof, ...env },
  });
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr);
  return { code, ...error };
}

async function started(options?: Parameters<typeof boxes>[0]): Promise<Boxes> {
  const service = await boxes(options);
  onTestFinished(service.close);
  return service;
}

describe('a rate limit is reported', () => {
  // Early in a minute, so that a retry in the next one is too late.
  const service = boxesForAll({ rateLimits: { box: 1 }, clock: () => new Date('2026-11-20T12:00:05Z') });
  beforeAll(async () => {
    await service.run('box search');
  });

  test.each(all)('to "box %s"', async (line) => {
    expect(await failure(service, line)).toMatchObject({
      code: 8,
      status: 429,
      retryable: true,
      service: 'box',
      message: expect.stringContaining('the box registry is limiting the rate of requests (429)'),
      hint: expect.stringContaining('Try again'),
    });
  });
});

describe('maintenance is reported', () => {
  const service = boxesForAll({ box: { maintenance: true } });

  test.each(all)('to "box %s"', async (line) => {
    expect(await failure(service, line)).toMatchObject({
      code: 8,
      status: 503,
      retryable: true,
      message: expect.stringContaining('the box registry is down for maintenance (503)'),
    });
  });
});

describe('an error of a box registry', () => {
  const service = boxesForAll();
  beforeAll(async () => {
    for (const line of [
      ...['create dev/web --public', 'version create dev/web 1.0.0'],
      ...[`provider create dev/web 1.0.0 libvirt --url ${url}`, 'release dev/web 1.0.0'],
    ])
      expect((await service.run(`box ${line}`)).code).toBe(0);
  });

  test.each([...commands.filter((line) => /create|update|delete|revoke/.test(line)), ...aboutTokens])(
    '"box %s" with an invalid token is not authorized',
    async (line) => {
      expect(await failure(service, line, { LANYARD_BOX_TOKEN: 'nope' })).toMatchObject({
        code: 4,
        status: 401,
        messages: ['The token is not valid'],
      });
    },
  );

  test.each(commands.filter((line) => /create|update|delete|revoke/.test(line)))(
    '"box %s" without a token is not authorized, and no change is sent',
    async (line) => {
      expect(await failure(service, line, { LANYARD_BOX_TOKEN: '' })).toMatchObject({
        code: 4,
        hint: expect.stringContaining('lanyard box token create'),
      });
    },
  );

  test('a missing permission of a valid token is forbidden', async () => {
    expect(await failure(service, 'create closed/web')).toMatchObject({
      code: 5,
      status: 401,
      message: 'cannot create box: permission denied (401): POST /api/v1/boxes',
      messages: ['You are not authorized to create boxes of closed'],
      hint: 'The token is valid. Ask an owner of the boxes for access.',
    });
  });

  test('a required payment is reported', async () => {
    expect(await failure(service, 'create poor/web')).toMatchObject({
      code: 1,
      status: 402,
      retryable: false,
      message: expect.stringContaining('payment required (402)'),
      hint: 'The owner must settle the bill with the service.',
    });
  });

  test('an invalid parameter is reported with the message of the service', async () => {
    expect(await failure(service, 'create dev/-web')).toMatchObject({
      code: 5,
      status: 403,
      message: 'cannot create box: permission denied, or a parameter is missing or invalid (403)',
      messages: [expect.stringContaining('box.name')],
    });
  });

  test.each([
    'get dev/none',
    'org get none',
    'update dev/none --public',
    'update dev/none --short-description x',
    'delete dev/none --yes',
    'version get dev/web 9.0.0',
    'version create dev/none 1.0.0',
    'version update dev/web 9.0.0 --description x',
    'version delete dev/web 9.0.0 --yes',
    'release dev/web 9.0.0',
    'revoke dev/web 9.0.0 --yes',
    'provider get dev/web 1.0.0 none',
    'provider get dev/web 1.0.0 libvirt --architecture s390x',
    `provider create dev/web 9.0.0 libvirt --url ${url}`,
    `provider update dev/web 1.0.0 none --url ${url}`,
    'provider delete dev/web 1.0.0 none --yes',
  ])('"box %s" is not found', async (line) => {
    const error = await failure(service, line);
    expect(error).toMatchObject({ code: 3, status: 404 });
    // The message of the service says no more.
    expect(error).not.toHaveProperty('messages');
    const names = line.replace(/^(?:[a-z]+ )*/, '').replace(/ --.*| libvirt --url.*/, '');
    expect(`${error.message.replace(/^cannot [a-z ]+: /, '')} `).toContain(
      `${line.includes('create') ? (names.split(' ')[0] ?? '') : names} `,
    );
  });

  test('without the owner of a new box names the command that creates it', async () => {
    expect(await failure(service, 'create nosuch/web')).toMatchObject({
      code: 1,
      status: 422,
      hint: 'Run `lanyard box org create nosuch` to create the organization.',
    });
  });

  test.each([
    ['create dev/web', 'box dev/web', 'There is a box dev/web already'],
    ['version create dev/web 1.0.0', 'version dev/web 1.0.0', 'dev/web has a version 1.0.0 already'],
    [
      `provider create dev/web 1.0.0 libvirt --url ${url}`,
      'provider dev/web 1.0.0 libvirt',
      'must be unique for version',
    ],
  ])('"box %s" of an existing object is a conflict', async (line, thing, why) => {
    expect(await failure(service, line)).toMatchObject({
      code: 6,
      status: 422,
      message: `${thing} already exists`,
      messages: [expect.stringContaining(why)],
      hint: `Run \`lanyard box ${line.replace('create', 'update').replace(/ --url .*/, '')}\` to change it.`,
    });
  });

  test('a 422 for a missing object is not a conflict', async () => {
    expect(await failure(service, 'create missing/web')).toMatchObject({
      code: 1,
      status: 422,
      message: expect.stringContaining('the box registry cannot process the request (422)'),
      messages: ['User or organization missing does not exist'],
    });
  });
});

test('a full disk is reported with the message of the service', async ({ skip }) => {
  const data = await smallDisk();
  if (data === undefined) return skip('a disk of its own cannot be mounted here');
  const service = await started({ dataDirectory: data });
  service.at.write('long.md', 'x'.repeat(500_000));
  let last: Awaited<ReturnType<typeof failure>> | undefined;
  for (let number = 0; last === undefined && number < 20; number++) {
    const line = `create dev/web${number} --description @long.md`;
    const { code, stderr } = await service.run(`box ${line} -o json`);
    if (code !== 0) last = { code, ...JSON.parse(stderr).error };
  }
  expect(last).toMatchObject({
    code: 1,
    status: 500,
    retryable: false,
    message: 'cannot create box: the box registry responded with status 500',
    messages: [expect.stringMatching(/full|space/)],
  });
});
