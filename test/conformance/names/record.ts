import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparable, idIn, pathOf } from './comparable.ts';
import { prefixOf, sequence } from './requests.ts';

/**
 * Records the responses of a Consul server with access control, with a management token in
 * `LANYARD_REGISTRY_TOKEN`: `npm run conformance:names -- ADDRESS FIRST-SEED SEQUENCES LENGTH [FILE]`.
 */
const [address = '', first = '', count = '', length = '', out] = process.argv.slice(2);
const headers = { 'X-Consul-Token': process.env.LANYARD_REGISTRY_TOKEN ?? '' };
const self = (await (await fetch(`${address}/v1/agent/self`, { headers })).json()) as {
  readonly Config: { readonly Version: string };
};
const version = self.Config.Version;

const sequences = [];
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const ids: string[] = [];
  const steps = [];
  for (const request of sequence(seed, Number(length))) {
    const { method, sent } = request;
    const response = await fetch(`${address}/v1/${pathOf(request, ids)}`, {
      method,
      headers,
      ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    });
    const text = await response.text();
    ids.push(idIn(text));
    steps.push({ ...request, ...comparable(prefixOf(seed), request, response.status, text) });
  }
  sequences.push({ seed, steps });
}
const lines = sequences.map((each) => JSON.stringify(each)).join(',\n');
writeFileSync(
  out ?? join(import.meta.dirname, `consul-${version}.json`),
  `{"product":"consul","version":"${version}","sequences":[\n${lines}\n]}\n`,
);
