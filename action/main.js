// @ts-check
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { install } from './install.js';
import {
  ActionError,
  addPath,
  addSummary,
  childEnvironment,
  flag,
  input,
  mask,
  requiredInput,
  run,
  serviceEnvironment,
  set,
  start,
} from './runner.js';

/** The variable in which a secret of the login is passed. */
const secretVariable = 'LANYARD_ACTION_SECRET';
/** The exit code of a plan with differences. */
const differences = 10;

await start(async () => {
  const { version: own } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  for (const name of ['token', 'secretId', 'password', 'clientKey']) mask(input(name));
  const flags = {
    exportEnv: flag('exportEnv'),
    exportToken: flag('exportToken'),
    outputToken: flag('outputToken'),
    ignoreNotFound: flag('ignoreNotFound'),
    tlsSkipVerify: flag('tlsSkipVerify'),
    revoke: flag('revoke'),
  };
  const version = input('version') || own;
  const program = await install({ version, releaseUrl: input('releaseUrl'), checksum: input('checksum') });
  addPath(dirname(program));
  set('OUTPUT', 'version', version);

  const sources = [
    ...source('--read', input('secrets')),
    ...source('--kv', input('kv')),
    ...source('--var', input('variables')),
  ];
  const plan = { paths: lines(input('plan')), flags: planFlags(input('planFlags')) };
  const url = input('url');
  if (url === '') {
    if (input('secrets') !== '' || input('kv') !== '') throw new ActionError('missing input url');
    if (sources.length > 0) await exportValues(program, sources, flags, childEnvironment({}));
    if (plan.paths.length > 0) await showPlan(program, plan, newDirectory(), childEnvironment({}));
    return;
  }

  const directory = newDirectory();
  const settings = serviceSettings(url, directory, flags.tlsSkipVerify);
  const { token, isOwn } = await logIn(program, serviceEnvironment(settings));
  mask(token);
  if (isOwn && flags.revoke) {
    set('STATE', 'program', program);
    set('STATE', 'settings', JSON.stringify(settings));
    set('STATE', 'token', token);
  }
  if (flags.outputToken) set('OUTPUT', 'vault_token', token);
  if (flags.exportToken) for (const name of ['VAULT_TOKEN', 'LANYARD_SECRETS_TOKEN']) set('ENV', name, token);
  const env = serviceEnvironment({ ...settings, LANYARD_SECRETS_TOKEN: token });
  if (sources.length > 0) await exportValues(program, sources, flags, env);
  if (plan.paths.length > 0) await showPlan(program, plan, directory, env);
});

/** A directory that is removed at the end of the job. */
function newDirectory() {
  const directory = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'lanyard-'));
  set('STATE', 'directory', directory);
  return directory;
}

/** @param {string} text */
function lines(text) {
  const trimmed = text.split(/\r?\n/).map((line) => line.trim());
  return trimmed.filter((line) => line !== '');
}

/** @param {string} text */
function planFlags(text) {
  const words = text.split(/\s+/).filter((word) => word !== '');
  // They determine what standard output has.
  const reserved = words.find((word) => /^(-o|--(output|field|select|curl|help)\b)/.test(word));
  if (reserved !== undefined) throw new ActionError(`invalid input planFlags: ${reserved} is not supported`);
  return words;
}

/**
 * @param {string} program
 * @param {{ paths: readonly string[], flags: readonly string[] }} plan
 * @param {string} directory
 * @param {NodeJS.ProcessEnv} env
 */
async function showPlan(program, { paths, flags }, directory, env) {
  const args = ['plan', '--no-input', ...flags, '--output=markdown', '--', ...paths];
  const { code, stdout, error } = await run(program, args, { env, captures: true });
  if (code !== 0 && code !== differences) throw new ActionError(error || 'cannot make a complete plan', code);
  const file = join(directory, 'plan.md');
  writeFileSync(file, stdout, { mode: 0o600 });
  set('OUTPUT', 'plan_file', file);
  set('OUTPUT', 'plan_changes', String(code === differences));
  addSummary(stdout);
}

/**
 * @param {string} name
 * @param {string} value
 */
function source(name, value) {
  return value.replaceAll(/[\s;]/g, '') === '' ? [] : [`${name}=${value}`];
}

/**
 * @param {string} program
 * @param {readonly string[]} sources
 * @param {{ exportEnv: boolean, ignoreNotFound: boolean }} flags
 * @param {NodeJS.ProcessEnv} env
 */
async function exportValues(program, sources, { exportEnv, ignoreNotFound }, env) {
  const args = [
    ...['ci', 'export', '--ci', 'github', '--no-input', ...sources],
    ...(exportEnv ? ['--env'] : []),
    ...(ignoreNotFound ? ['--ignore-not-found'] : []),
  ];
  const { code, error } = await run(program, args, { env });
  if (code !== 0) throw new ActionError(error || 'cannot read the secrets', code);
}

/**
 * The settings of the service, as variables of Lanyard. Nothing else of the machine is used: no profile, no keyring.
 * @param {string} url
 * @param {string} directory
 * @param {boolean} skipsVerify
 * @returns {Record<string, string>}
 */
function serviceSettings(url, directory, skipsVerify) {
  /** @type {Record<string, string>} */
  const settings = {
    LANYARD_CONFIG_DIR: join(directory, 'config'),
    LANYARD_KEYRING: 'off',
    LANYARD_SECRETS_ADDR: url,
  };
  mkdirSync(join(directory, 'config'), { mode: 0o700 });
  const namespace = input('namespace');
  if (namespace !== '') settings.LANYARD_SECRETS_NAMESPACE = namespace;
  if (skipsVerify) settings.LANYARD_SECRETS_SKIP_VERIFY = 'true';
  for (const [name, variable] of [
    ['caCertificate', 'LANYARD_SECRETS_CACERT'],
    ['clientCertificate', 'LANYARD_SECRETS_CLIENT_CERT'],
    ['clientKey', 'LANYARD_SECRETS_CLIENT_KEY'],
  ]) {
    if (name === undefined || variable === undefined || input(name) === '') continue;
    const text = Buffer.from(input(name), 'base64').toString();
    if (!text.includes('-----BEGIN '))
      throw new ActionError(`invalid input ${name}: expected PEM encoded with base64`);
    if (name === 'clientKey') mask(text);
    settings[variable] = join(directory, `${name}.pem`);
    writeFileSync(join(directory, `${name}.pem`), text, { mode: 0o600 });
  }
  return settings;
}

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ token: string, isOwn: boolean }>} isOwn: the token was issued for this step
 */
async function logIn(program, env) {
  const method = input('method').toLowerCase() || 'token';
  if (method === 'token') return { token: requiredInput('token', method), isOwn: false };
  const login = loginOf(method);
  const optional = [
    ...(input('path') === '' ? [] : [`--path=${input('path')}`]),
    ...(login.takesRole && input('role') !== '' ? [`--role=${input('role')}`] : []),
  ];
  const args = [
    'secrets',
    'login',
    '--no-store',
    '--no-input',
    `--method=${method}`,
    ...login.args,
    ...optional,
  ];
  const { code, stdout, error } = await run(program, args, {
    env: { ...env, ...login.env },
    captures: true,
  });
  if (code !== 0) throw new ActionError(error || 'cannot log in', code);
  return { token: stdout.trim(), isOwn: true };
}

/**
 * @param {string} method
 * @returns {{ args: readonly string[], env?: Record<string, string>, takesRole?: boolean }}
 */
function loginOf(method) {
  const secretOf = (/** @type {string} */ name) => ({ [secretVariable]: requiredInput(name, method) });
  switch (method) {
    case 'jwt':
      return { args: [`--jwt=github://${input('jwtGithubAudience')}`], takesRole: true };
    case 'approle': {
      const roleId = `--role-id=${requiredInput('roleId', method)}`;
      if (input('secretId') === '') return { args: [roleId] };
      return { args: [roleId, `--secret-id=env://${secretVariable}`], env: secretOf('secretId') };
    }
    case 'userpass':
    case 'ldap':
      return {
        args: [`--username=${requiredInput('username', method)}`, `--password=env://${secretVariable}`],
        env: secretOf('password'),
      };
    case 'kubernetes':
      return { args: [`--jwt=@${requiredInput('kubernetesTokenPath', method)}`], takesRole: true };
    case 'cert':
      return { args: [], takesRole: true };
    default:
      throw new ActionError(
        `unsupported method "${method}": expected token, jwt, approle, userpass, ldap, kubernetes or cert`,
      );
  }
}
