// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';

/** An error that is shown without its stack. */
export class ActionError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The value of an input, without spaces at its ends.
 * @param {string} name
 */
export const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();

/**
 * @param {string} name
 * @returns {boolean}
 */
export function flag(name) {
  const value = input(name).toLowerCase();
  if (['true', 'false', ''].includes(value)) return value === 'true';
  throw new ActionError(`invalid input ${name}: expected true or false`);
}

/**
 * @param {string} name
 * @param {string} method
 */
export function requiredInput(name, method) {
  const value = input(name);
  if (value === '') throw new ActionError(`missing input ${name}: method ${method} requires it`);
  return value;
}

/**
 * A command to the runner.
 * @param {string} command
 * @param {string} data
 */
export function issue(command, data) {
  const escaped = data.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${command}::${escaped}\n`);
}

/**
 * Masks each line of a secret in the log.
 * @param {string} secret
 */
export function mask(secret) {
  for (const line of secret.split(/[\r\n]+/)) if (line.trim() !== '') issue('add-mask', line);
}

/**
 * Sets a value in a file of the runner: GITHUB_OUTPUT, GITHUB_ENV or GITHUB_STATE.
 * @param {'OUTPUT' | 'ENV' | 'STATE'} kind
 * @param {string} name
 * @param {string} value
 */
export function set(kind, name, value) {
  const delimiter = `LANYARD_${randomBytes(16).toString('hex')}`;
  append(kind, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
}

/** @param {string} directory */
export const addPath = (directory) => append('PATH', `${directory}\n`);

/**
 * Adds Markdown to the summary of the job, which runners of older servers do not have.
 * @param {string} markdown
 */
export function addSummary(markdown) {
  if (process.env.GITHUB_STEP_SUMMARY) append('STEP_SUMMARY', `${markdown}\n`);
}

/**
 * @param {string} kind
 * @param {string} text
 */
function append(kind, text) {
  const path = process.env[`GITHUB_${kind}`];
  if (!path) throw new ActionError(`GITHUB_${kind} is not set`);
  appendFileSync(path, text);
}

/**
 * The environment of programs: that of the action without its inputs, some of which are secret, and more.
 * @param {Readonly<Record<string, string>>} more
 */
export const childEnvironment = (more) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(INPUT|STATE)_/i.test(name))),
  ...more,
});

/** Settings of the secrets service that the inputs replace, and of profiles. */
const replaced =
  /^(?:LANYARD_SECRETS|BAO|VAULT)_(?:ADDR|NAMESPACE|TOKEN\w*|CACERT\w*|CAPATH|CLIENT_CERT|CLIENT_KEY|SKIP_VERIFY)$|^LANYARD_PROFILE$/i;

/**
 * The environment of programs that use the service of the inputs: no setting of the job adds to them, such as a token
 * of another step or VAULT_SKIP_VERIFY.
 * @param {Readonly<Record<string, string>>} settings
 */
export const serviceEnvironment = (settings) => ({
  ...Object.fromEntries(Object.entries(childEnvironment({})).filter(([name]) => !replaced.test(name))),
  ...settings,
});

const maxErrorLength = 16_384;

/**
 * The message of the last error in the output of a program, with its details.
 * @param {string} text
 */
function lastError(text) {
  const lines = text.split('\n');
  const first = lines.findLastIndex((line) => line.startsWith('error: '));
  if (first < 0) return '';
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('  '));
  return lines
    .slice(first, end < 0 ? undefined : end)
    .map((line) => line.replace(/^error: |^ {2}/, ''))
    .join('\n');
}

/**
 * Runs a program to its end. Its standard error is in the log, with the commands that mask secrets.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, captures?: boolean }} [options] captures: standard output is returned
 * @returns {Promise<{ code: number, stdout: string, error: string }>} error: the last one that the program reported
 */
export async function run(program, args, { env = childEnvironment({}), captures = false } = {}) {
  const child = spawn(program, args, { env, stdio: ['ignore', captures ? 'pipe' : 'inherit', 'pipe'] });
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    process.stderr.write(chunk);
    stderr = (stderr + chunk).slice(-maxErrorLength);
  });
  const [code] = await once(child, 'close');
  return { code: code ?? 1, stdout, error: lastError(stderr) };
}

/**
 * Runs the action: an error is shown, and fails the step.
 * @param {() => Promise<void>} main
 */
export async function start(main) {
  try {
    await main();
  } catch (error) {
    issue('error', error instanceof ActionError ? error.message : String(error));
    process.exitCode = error instanceof ActionError ? error.exitCode : 1;
  }
}
