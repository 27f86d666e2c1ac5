import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/require.ts';
import { checkedResults, issuerCommands } from '../support/result-schemas.ts';
import { type EmbeddedTargets, embeddedTargets } from './embedded.ts';
import { nameOf, type Recording, recordings } from './recording.ts';
import { type Issue, replay } from './replay.ts';
import { type Outcome, recordedRun, runScenario } from './run.ts';
import { scenario } from './scenario.ts';

let running: EmbeddedTargets;
let issue: Issue;
beforeAll(async () => {
  running = await embeddedTargets();
  issue = await issuerOf(running);
});
afterAll(() => running.close());

/** A way to have key pairs issued by an embedded service: the private keys of recordings are redacted. */
async function issuerOf({ targets }: EmbeddedTargets): Promise<Issue> {
  const { address, token = '' } = targets.secrets;
  const call = async (path: string, body: object) => {
    const response = await fetch(`${address}/v1/ssh/${path}`, {
      method: 'POST',
      headers: { 'X-Secrets-Token': token },
      body: JSON.stringify(body),
    });
    return (response.status === 200 ? await response.json() : {}) as Issued;
  };
  await call('config/ca', { key_type: 'ed25519' });
  await call('roles/replay', { key_type: 'ca', allow_user_certificates: true, allowed_users: 'ubuntu' });
  return async () => {
    const { data } = await call('issue/replay', { key_type: 'ed25519', valid_principals: 'ubuntu' });
    return { private_key: data.private_key, signed_key: data.signed_key };
  };
}

interface Issued {
  readonly data: { readonly private_key: string; readonly signed_key: string };
}

/** Runs the recorded steps against a server that replays their responses. */
async function replayed(
  recording: Recording,
): Promise<{ outcomes: readonly Outcome[]; problems: readonly string[] }> {
  const { service, product, token, at } = recording;
  const names = new Set(recording.steps.map(({ name }) => name));
  const server = await replay(recording, issue);
  try {
    const { outcomes } = await runScenario(
      scenario.filter(({ name }) => names.has(name)),
      {
        targets: { [service]: { address: server.address, token, product } },
        write: true,
        run: recordedRun,
        noPauses: true,
        clock: () => new Date(at),
        onStep: (step) => {
          server.step = step?.name ?? '';
        },
      },
    );
    return { outcomes, problems: server.problems };
  } finally {
    await server.close();
  }
}

describe.each(recordings().map((recording) => [nameOf(recording), recording] as const))(
  '%s',
  (_name, recording) => {
    test('each recorded response leads to the recorded exit code, a result of its schema, and no other request', async () => {
      const { outcomes, problems } = await replayed(recording);
      const codes = new Map(recording.steps.map(({ name, code }) => [name, code]));
      const different = outcomes
        .filter(
          ({ step, code }) =>
            code !== codes.get(step.name) && (step.program === undefined || has(step.program)),
        )
        .map(
          ({ step, code, stderr }) =>
            `${step.name}: exit code ${code}, recorded ${codes.get(step.name)}\n${stderr}`,
        );
      expect([...different, ...problems]).toEqual([]);
      expect(outcomes.map(({ step }) => step.name)).toEqual(recording.steps.map(({ name }) => name));
      if (recording.product === 'openbao')
        expect([...checkedResults]).toEqual(expect.arrayContaining(issuerCommands));
    });
  },
);
