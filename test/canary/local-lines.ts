import { keyPair } from '../support/keys.ts';
import type { RunOptions } from '../support/run.ts';
import { proxyWithPassword, values } from './values.ts';

/** A command line that reaches no service. */
export interface LocalLine extends RunOptions {
  readonly command: string;
  readonly words?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Run before it. */
  readonly before?: string;
  /** Exit codes besides 0 and 2. */
  readonly code?: number;
}

export const token = values.bootstrap;
export const privateKey = keyPair('ed25519').privatePem;
const stored = 'profile put own secrets.address=http://127.0.0.1:9 secrets.token=-';
const products = {
  VAULT_ADDR: 'https://vault.example.com:8200',
  VAULT_TOKEN: token,
  VAULT_PROXY_ADDR: proxyWithPassword,
  CONSUL_HTTP_ADDR: 'https://consul.example.com:8501',
  CONSUL_HTTP_TOKEN: values.nonce,
  CONSUL_HTTP_AUTH: `user:${values.code}`,
  NOMAD_ADDR: 'https://nomad.example.com:4646',
  NOMAD_TOKEN: values.registryValue.slice(0, 18),
};
const transaction = JSON.stringify([
  { KV: { Verb: 'set', Key: 'a', Value: Buffer.from(values.registryValue).toString('base64') } },
]);

const stateDocument = `apiVersion: lanyard/v1\nkind: scheduler.variable\nmetadata: {name: app}\nspec: {Items: {password: ${values.item}}}\n`;

/** Command lines of every command that reaches no service, except `dev` and `quickstart`. */
export const localLines: readonly LocalLine[] = [
  { command: 'profile put', words: stored, stdin: token },
  { command: 'profile put', words: `profile put own secrets.token=${values.mistyped}` },
  { command: 'profile put', words: `profile put own secrets.token=env://CANARY`, env: { CANARY: token } },
  { command: 'profile put', words: `profile put own registry.http-auth=u:${values.mistyped}` },
  { command: 'profile put', words: `profile put own secrets.proxy=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.addresses=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.address=${proxyWithPassword}` },
  { command: 'profile put', words: `profile put own secrets.tokn=${values.mistyped}` },
  { command: 'profile put', words: 'profile put own secrets.token=?', typed: `${token}\n`, columns: 80 },
  { command: 'profile list', before: stored },
  { command: 'profile get', words: 'profile get own', before: stored },
  { command: 'profile use', words: 'profile use own', before: stored },
  { command: 'profile delete', words: 'profile delete own --yes', before: stored },
  { command: 'profile import', words: 'profile import --force', env: products },
  { command: 'profile import', words: 'profile import --force -v', env: products },
  { command: 'txn check', words: 'txn check -', stdin: transaction },
  { command: 'txn check', words: 'txn check -', stdin: transaction.replace('set', 'sett'), code: 1 },
  { command: 'txn check', words: 'txn check -', stdin: `${transaction},`, code: 1 },
  { command: 'secrets policy check', words: 'secrets policy check -', stdin: 'path "a" { policy = "read" }' },
  { command: 'ssh inspect', words: 'ssh inspect key', files: { key: privateKey } },
  { command: 'ssh inspect', words: 'ssh inspect -', stdin: privateKey.replace('MC4', 'MC5') },
  { command: 'ssh config', words: 'ssh config --role deploy --host *.example.com --dry-run', code: 1 },
  { command: 'validate', words: 'validate -', stdin: stateDocument },
  { command: 'validate', words: 'validate -', stdin: `${stateDocument}}` },
  { command: 'completion', words: 'completion bash' },
  { command: 'alias set', words: 'alias set own status --force' },
  { command: 'alias list', before: 'alias set own status' },
  { command: 'alias get', words: 'alias get own', before: 'alias set own status' },
  { command: 'alias delete', words: 'alias delete own', before: 'alias set own status', code: 3 },
  { command: 'plugin list' },
  { command: 'schema', words: 'schema ssh sign' },
  { command: 'dev run', words: 'dev run -- true' },
  { command: 'dev run', words: 'dev run -v -- true' },
];
