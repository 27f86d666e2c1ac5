// @ts-check
// Downloads a file: node download.js URL FILE. Redirects to plain http are rejected. A process of its own, because Node
// reads the proxy variables only when it starts with NODE_USE_ENV_PROXY=1.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [url = '', file = ''] = process.argv.slice(2);
const rejectedRedirect = 'redirected to an address that is not https, or too often';

for (let attempt = 1; ; attempt += 1) {
  const problem = await download().catch((error) =>
    String(error.cause?.code ?? error.cause?.message ?? error.message),
  );
  if (problem === undefined) break;
  const isLasting = problem === rejectedRedirect || /^status 4(?!08|29)/.test(problem);
  if (isLasting || attempt === 3) {
    process.stderr.write(`cannot download ${url}: ${problem}\n`);
    process.exitCode = 1;
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000 * 2 ** attempt));
}

/** @returns {Promise<string | undefined>} why it failed */
async function download() {
  const response = await open(new URL(url), 10);
  if (!response) return rejectedRedirect;
  if (!response.ok || !response.body) return `status ${response.status}`;
  // The types of fetch and of Node's streams differ.
  await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), createWriteStream(file));
  return undefined;
}

/**
 * @param {URL} from
 * @param {number} redirects
 * @returns {Promise<Response | undefined>} undefined: a redirect that is not followed
 */
async function open(from, redirects) {
  const response = await fetch(from, { headers: { 'User-Agent': 'lanyard-action' }, redirect: 'manual' });
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
  await response.body?.cancel();
  const to = new URL(location, from);
  const isPermitted = to.protocol === 'https:' || (from.protocol === 'http:' && to.origin === from.origin);
  return isPermitted && redirects > 0 ? open(to, redirects - 1) : undefined;
}
