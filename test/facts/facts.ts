import { readFileSync } from 'node:fs';
import { accountFacts } from './account.ts';
import { aclFacts } from './acl.ts';
import { boxFacts } from './box.ts';
import { generalFacts } from './general.ts';
import { kvFacts } from './kv.ts';
import { localFacts } from './local.ts';
import { queryFacts } from './query.ts';
import { registryFacts } from './registry.ts';
import type { Facts, Rows } from './row.ts';
import { schedulerFacts } from './scheduler.ts';
import { schedulerAclFacts } from './scheduler-acl.ts';
import { secretsFacts } from './secrets.ts';
import { secretsAuthFacts } from './secrets-auth.ts';
import { sshFacts } from './ssh.ts';
import { stateFacts } from './state.ts';

/** The rows of all areas, by command. */
export const facts: Rows = {
  ...localFacts,
  ...stateFacts,
  ...generalFacts,
  ...sshFacts,
  ...kvFacts,
  ...secretsFacts,
  ...secretsAuthFacts,
  ...aclFacts,
  ...queryFacts,
  ...registryFacts,
  ...boxFacts,
  ...schedulerFacts,
  ...schedulerAclFacts,
  ...accountFacts,
};

export const factsOf = (command: string): Facts => facts[command] ?? {};

/** What the rows say of one kind, by command. */
export const factsAbout = <Kind extends keyof Facts>(
  kind: Kind,
): readonly (readonly [command: string, value: NonNullable<Facts[Kind]>])[] =>
  Object.entries(facts).flatMap(([command, { [kind]: value }]) =>
    value === undefined ? [] : [[command, value] as const],
  );

/** Commands that reach no service. */
export const localCommands: readonly string[] = factsAbout('local').map(([command]) => command);

/** A fact of the commands that a test records: `npx vitest run TEST --update` writes the file. */
export const recordedFile = (name: 'sent' | 'handled'): string =>
  `${import.meta.dirname}/recorded/${name}.json`;

const recorded = (name: 'sent' | 'handled'): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(readFileSync(recordedFile(name), 'utf8'));

/** The operations that each command sends, as `service.operation`; test/commands/operations-sent.test.ts records them. */
export const sentOperations = recorded('sent');

/** The secrets that each command handles besides those of all; test/canary/canary.test.ts records them. */
export const handledSecrets = recorded('handled');

/** The text of a recording: a line for each command, in the order of their names. */
export const textOfRecording = (
  rows: Iterable<readonly [command: string, names: Iterable<string>]>,
): string =>
  `{\n${[...rows]
    .map(([command, names]): [string, string[]] => [command, [...names].sort()])
    .filter(([, names]) => names.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((row) => `  ${row.map((each) => JSON.stringify(each)).join(': ')}`)
    .join(',\n')}\n}\n`;
