import { randomBytes } from 'node:crypto';
import { keyPair } from '../support/keys.ts';
import type { Canary } from './scan.ts';

/** Both ends are of letters and digits, so that a part of it is recognised in any encoding. */
const unique = (between: string): string => {
  const end = (): string => randomBytes(12).toString('hex').slice(0, 18);
  return `${end()}${between}${end()}`;
};

const pair = keyPair('rsa2048');
const user = 'canary-user';
const proxyPassword = unique('');
const addressPassword = unique('');
/** No key, so that the error is about it. */
export const clientKey = pair.privatePem.replaceAll(/^[A-Za-z0-9+/=]+$/gm, (line) =>
  [...line].reverse().join(''),
);
const basic = `${user}:${unique(' +/=')}`;

/** Values for the steps: unique in every run. Characters between the ends differ in every encoding. */
export const values = {
  value: unique(' +/=&%"é'),
  otherValue: `${unique(`'"\\/$\``)}\n${unique('<>')}`,
  item: unique(' +/=&%"é'),
  otherItem: `${unique(`'"\\/$\``)}\n${unique('<>')}`,
  registryValue: unique(' +/=&%"é'),
  queryToken: unique('-'),
  userPassword: `Aa1-${unique(` "\\/+&%'$`)}`,
  newPassword: `Aa1-${unique(` "\\/+&%'$`)}`,
  code: unique('/+'),
  nonce: unique('_'),
  tokenId: unique(''),
  bootstrap: `${randomBytes(4).toString('hex')}-1111-4111-8111-${randomBytes(6).toString('hex')}`,
  mistyped: unique('/+'),
  unsealKey: randomBytes(33).toString('hex'),
  caKey: pair.privatePem,
  caPublic: pair.publicLine,
} as const;

export const canaries: readonly Canary[] = [
  { name: 'value', value: values.value },
  { name: 'value', value: values.otherValue },
  { name: 'item', value: values.item },
  { name: 'item', value: values.otherItem },
  { name: 'registry value', value: values.registryValue },
  { name: 'query token', value: values.queryToken },
  { name: 'password', value: values.userPassword },
  { name: 'new password', value: values.newPassword },
  { name: 'code', value: values.code },
  { name: 'client nonce', value: values.nonce },
  { name: 'token ID', value: values.tokenId },
  { name: 'issued', value: values.bootstrap },
  { name: 'unseal key', value: values.unsealKey },
  { name: 'private key', value: values.caKey },
  { name: 'HTTP authentication', value: basic.slice(user.length + 1) },
  // A secret that is typed where none belongs.
  { name: 'password', value: values.mistyped },
  { name: 'proxy password', value: proxyPassword },
  { name: 'address password', value: addressPassword },
  { name: 'client key', value: clientKey },
];

/** Variables that every command line is run with. */
export const credentialsInEnvironment = {
  LANYARD_REGISTRY_HTTP_AUTH: basic,
  LANYARD_SCHEDULER_HTTP_AUTH: basic,
} as const;

/** A proxy and an address that hold a password. */
export const proxyWithPassword = `http://${user}:${proxyPassword}@127.0.0.1:9`;
export const addressWithPassword = `http://${user}:${addressPassword}@127.0.0.1:9`;
