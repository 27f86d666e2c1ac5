// @ts-check
import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ActionError, childEnvironment, run } from './runner.js';

/** @type {Readonly<Record<string, { os: string, suffix: string }>>} */
const systems = {
  linux: { os: 'linux', suffix: 'tar.xz' },
  darwin: { os: 'darwin', suffix: 'tar.gz' },
  win32: { os: 'win', suffix: 'zip' },
};

/**
 * Installs a release into the tool cache of the runner, if it is not there.
 * @param {{ version: string, releaseUrl: string, checksum: string }} wanted
 * @returns {Promise<string>} the path of the program
 */
export async function install({ version, releaseUrl, checksum }) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    throw new ActionError(`invalid input version "${version}": expected a version such as 1.2.3`);
  if (checksum !== '' && !/^[0-9a-f]{64}$/i.test(checksum))
    throw new ActionError('invalid input checksum: expected 64 hexadecimal digits (SHA-256)');
  const system = systems[process.platform];
  if (!system) throw new ActionError(`no release for ${process.platform}`);
  const platform = `${system.os}-${process.arch}`;
  // Without a tool cache, a new directory: another user could have put a program into one with a known name.
  const tools = process.env.RUNNER_TOOL_CACHE || mkdtempSync(join(temporary(), 'lanyard-tools-'));
  const cache = join(tools, 'lanyard', version);
  const directory = join(cache, process.arch);
  const marker = `${directory}.complete`;
  const program =
    process.platform === 'win32' ? join(directory, 'lanyard.exe') : join(directory, 'bin', 'lanyard');
  // The checksum of what is in the cache is that of the archive it was made from.
  const isCached = (/** @type {string} */ wanted) =>
    existsSync(program) &&
    existsSync(marker) &&
    (wanted === '' || readFileSync(marker, 'utf8').trim() === wanted.toLowerCase());
  if (isCached(checksum)) return program;
  const name = `lanyard-${version}-${platform}`;
  const base = checkedUrl(releaseUrl, version);
  const work = mkdtempSync(join(temporary(), 'lanyard-install-'));
  try {
    const archive = `${name}.${system.suffix}`;
    const expected = checksum.toLowerCase() || (await publishedChecksum(base, archive, work));
    const file = join(work, archive);
    await download(`${base}/${archive}`, file);
    const actual = await sha256(file);
    if (actual !== expected)
      throw new ActionError(`wrong checksum of ${archive}: expected ${expected}, got ${actual}`);
    await extract(file, work);
    // Another job may have installed it in the meantime, and use it.
    if (isCached(actual)) return program;
    // First the marker: an interruption leaves a copy that is not used.
    rmSync(marker, { force: true });
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    cpSync(join(work, name), directory, { recursive: true });
    writeFileSync(marker, `${actual}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}

const temporary = () => process.env.RUNNER_TEMP || tmpdir();

/**
 * @param {string} given
 * @param {string} version
 */
function checkedUrl(given, version) {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_SERVER_URL: server } = process.env;
  if (given === '' && !repository)
    throw new ActionError('missing input releaseUrl: the action is not used from a repository with releases');
  const text =
    given === '' ? `${server}/${repository}/releases/download/v${version}` : given.replace(/\/+$/, '');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url?.protocol !== 'https:' && !isLoopback)
    throw new ActionError(`invalid address of the release "${text}": expected an https URL`);
  return text;
}

/**
 * @param {string} base
 * @param {string} archive
 * @param {string} work
 */
async function publishedChecksum(base, archive, work) {
  const file = join(work, 'SHA256SUMS');
  await download(`${base}/SHA256SUMS`, file);
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((each) => each.slice(66) === archive);
  const checksum = /^([0-9a-f]{64}) [ *]/.exec(line ?? '')?.[1];
  if (checksum === undefined) throw new ActionError(`SHA256SUMS of the release has no ${archive}`);
  return checksum;
}

/**
 * @param {string} url
 * @param {string} file
 */
async function download(url, file) {
  const script = join(import.meta.dirname, 'download.js');
  const env = childEnvironment({ NODE_USE_ENV_PROXY: '1' });
  const { code } = await run(process.execPath, [script, url, file], { env });
  if (code !== 0) throw new ActionError('cannot install Lanyard: the download failed');
}

/** @param {string} file */
async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * @param {string} file
 * @param {string} directory
 */
async function extract(file, directory) {
  // The tar of Windows also extracts zip archives; that of Git, which may be first in PATH, does not.
  const tar =
    process.platform === 'win32'
      ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'tar.exe')
      : 'tar';
  const { code } = await run(tar, ['-xf', file, '-C', directory]);
  if (code !== 0) throw new ActionError('cannot extract the archive: tar failed (on Linux it needs xz)');
}
