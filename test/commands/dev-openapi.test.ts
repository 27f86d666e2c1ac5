import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src/cli/version.ts';
import { openApiOf } from '../../src/services/openapi.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { homeForAll, quietOutputOf } from '../support/command-tests.ts';

const at = homeForAll();

describe('dev --openapi', () => {
  test.for(serviceNames)('prints the document of %s, with the version of the program', async (service) => {
    const expected: unknown = JSON.parse(JSON.stringify(await openApiOf(service, version)));
    for (const flags of [[], ['-o', 'json']]) {
      const stdout = quietOutputOf(await at.run(['dev', '--openapi', service, ...flags]));
      expect(JSON.parse(stdout)).toEqual(expected);
    }
  });

  test('writes YAML', async () => {
    const stdout = quietOutputOf(await at.run(['dev', '--openapi', 'scheduler', '-o', 'yaml']));
    expect(parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { title: 'Scheduler', version } });
  });

  test('starts nothing, and writes no profile', async () => {
    await at.run(['dev', '--openapi', 'box']);
    const { stdout } = await at.run(['profile', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('rejects an unknown service with the five names', async () => {
    const { code, stdout, stderr } = await at.run(['dev', '--openapi', 'consul']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(serviceNames.join(', '));
  });

  test.for([
    ['--data', 'state'],
    ['--port', '0'],
    ['--two-factor'],
    ['--rate-limit', '5'],
    ['--datacenters', 'dc1,dc2'],
  ])('cannot be combined with %s', async (flags) => {
    const { code, stdout, stderr } = await at.run(['dev', '--openapi', 'box', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`--openapi cannot be combined with ${flags[0]}`);
  });
});
