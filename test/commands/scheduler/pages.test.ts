import { beforeAll, expect, test } from 'vitest';
import { mapConcurrently } from '../../../src/wire/concurrently.ts';
import { embeddedForAll, outputOf } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';

// More tokens than a page has, on a scheduler whose access control is on.

const { at, running, run } = embeddedForAll();
const count = 1100;

beforeAll(async () => {
  const secret = outputOf(await run('scheduler acl bootstrap --field SecretID')).trim();
  at.env.LANYARD_SCHEDULER_TOKEN = secret;
  at.write('rules.hcl', 'agent { policy = "read" }');
  outputOf(await run('scheduler acl policy put deploy --rules @rules.hcl'));
  const create = (n: number) =>
    fetch(`${running.addresses.scheduler}/v1/acl/token`, {
      method: 'PUT',
      headers: { 'X-Nomad-Token': secret },
      body: JSON.stringify({ Name: `many-${n}`, Type: 'client', Policies: ['deploy'] }),
    });
  const numbers = Array.from({ length: count }, (_none, n) => n);
  await mapConcurrently(numbers, create, 16);
});

test('lists the tokens of all pages, and finds one on any of them by its name', async () => {
  const names = JSON.parse(outputOf(await run('scheduler acl token list -o json --select [].Name')));
  expect(new Set(names).size).toBe(count + 1);
  for (const name of ['many-0', `many-${count - 1}`])
    expect(outputOf(await run(`scheduler acl token get ${name} --field Name`))).toBe(`${name}\n`);
});

test.each([
  ['policy list', { Name: 'many' }],
  ['role list', { ID: 'a', Name: 'many', Policies: [{ Name: 'b' }] }],
])('the requests of %s do not grow with the objects', async (line, object) => {
  const requests: number[] = [];
  for (const length of [4, 8]) {
    const scheduler = await serve((seen, response) =>
      response.end(
        JSON.stringify(
          seen.url.includes('/token/self')
            ? { AccessorID: 'a', Type: 'management' }
            : Array.from({ length }, (_none, n) => ({ ...object, Name: `many-${n}` })),
        ),
      ),
    );
    outputOf(await run(`scheduler acl ${line} --address ${scheduler.url}`));
    requests.push(scheduler.seen.length);
  }
  expect(requests[0]).toBe(requests[1]);
});

test('ends with an error if the scheduler returns the same page twice', async () => {
  const scheduler = await serve((_seen, response) => {
    response.writeHead(200, { 'X-Nomad-NextToken': 'same' }).end('[]');
  });
  const ran = await run(`scheduler acl token list --address ${scheduler.url}`);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the same page was returned twice') });
});
