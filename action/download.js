// @ts-check
// Downloads a file: node download.js URL FILE. A process of its own, because Node reads the proxy variables only when it
// starts with NODE_USE_ENV_PROXY=1.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [url = '', file = ''] = process.argv.slice(2);

for (let attempt = 1; ; attempt += 1) {
  const problem = await download().catch((error) =>
    String(error.cause?.code ?? error.cause?.message ?? error.message),
  );
  if (problem === undefined) break;
  const isLasting = /^status 4(?!08|29)/.test(problem);
  if (isLasting || attempt === 3) {
    process.stderr.write(`cannot download ${url}: ${problem}\n`);
    process.exitCode = 1;
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000 * 2 ** attempt));
}

/** @returns {Promise<string | undefined>} why it failed */
async function download() {
  const response = await fetch(url, { headers: { 'User-Agent': 'lanyard-action' } });
  if (!response.ok || !response.body) return `status ${response.status}`;
  // The types of fetch and of Node's streams differ.
  await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), createWriteStream(file));
  return undefined;
}
