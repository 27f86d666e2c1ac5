import { factsAbout } from '../facts/facts.ts';
import type { LocalLine } from '../facts/row.ts';
import { keyPair } from '../support/keys.ts';
import { proxyWithPassword, values } from './values.ts';

export const token = values.bootstrap;
export const privateKey = keyPair('ed25519').privatePem;

const transaction = JSON.stringify([
  { KV: { Verb: 'set', Key: 'a', Value: Buffer.from(values.registryValue).toString('base64') } },
]);

/** The values that the rows name. */
const named: Readonly<Record<string, string>> = {
  ...values,
  proxy: proxyWithPassword,
  registryToken: values.registryValue.slice(0, 18),
  privateKey,
  brokenPrivateKey: privateKey.replace('MC4', 'MC5'),
  transaction,
  unknownVerb: transaction.replace('set', 'sett'),
};

/** A row with its values, in every text of it. */
const filled = <Row>(row: Row): Row =>
  JSON.parse(JSON.stringify(row), (_name, text) =>
    typeof text === 'string' ? text.replaceAll(/\{(\w+)\}/g, (all, name) => named[name] ?? all) : text,
  );

/** Command lines of every command that reaches no service, except `dev` and `quickstart`. */
export const localLines: readonly (LocalLine & { readonly command: string; readonly words: string })[] =
  factsAbout('local').flatMap(([command, lines]) =>
    lines.map((line) => ({
      ...filled(line),
      command,
      words: filled(`${command} ${line.args ?? ''}`).trim(),
    })),
  );
