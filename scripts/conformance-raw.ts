import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '../src/wire/services.ts';
import { embeddedTargets } from '../test/conformance/embedded.ts';
import { type Product, productAt } from '../test/conformance/product.ts';
import {
  type Agreement,
  agreementFile,
  agreementOf,
  shareOf,
  textOfAgreements,
} from '../test/conformance/raw/agreement.ts';
import { type Compared, compareAll } from '../test/conformance/raw/compare-all.ts';
import { readTracked, textOfTracked, trackedFile } from '../test/conformance/raw/dialects.ts';
import { type RawResponse, textOfRaw } from '../test/conformance/raw/recording.ts';
import { requestLists } from '../test/conformance/raw/requests.ts';
import { sendAll } from '../test/conformance/raw/send.ts';
import { nameOf } from '../test/conformance/recording.ts';

const help = `Sends the raw requests of test/conformance/raw, and compares the responses.

npm run conformance:raw                               compare embedded services with the recordings
npm run conformance:raw -- --update                   also write agreement.json, and remove the requests from
                                                      tracked.json that no longer differ
npm run conformance:raw -- --record DIR --scheduler URL
                                                      send the requests to real products (--secrets, --registry,
                                                      --accounts) and write DIR/PRODUCT-VERSION/raw-SERVICE.json

Products need the tokens LANYARD_SECRETS_TOKEN, LANYARD_REGISTRY_TOKEN and so on, and --product S=NAME-VERSION where
their responses do not say what they are. Names begin with lanyard-conformance- and are removed at the end.
`;

const { values: flags } = parseArgs({
  options: {
    ...Object.fromEntries(serviceNames.map((service) => [service, { type: 'string' as const }])),
    record: { type: 'string' },
    product: { type: 'string', multiple: true, default: [] },
    update: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const out = (line: string): void => void process.stdout.write(`${line}\n`);

if (flags.help) out(help);
else if (flags.record === undefined) await compareEmbedded();
else await recordProducts(flags.record);

/** Compares embedded services with the recordings, one line for each difference. */
async function compareEmbedded(): Promise<void> {
  const running = await embeddedTargets();
  try {
    const agreements: Record<string, Agreement> = {};
    const compared = await compareAll(running);
    for (const { name, recording, list, embedded, comparisons } of compared) {
      const agreement = agreementOf(comparisons);
      agreements[name] = agreement;
      const own = new Map(embedded.map((response) => [response.name, response]));
      for (const { name: request, found } of comparisons) {
        for (const { difference, dialect } of found)
          out(
            [dialect?.reason ?? 'NOT LISTED', name, request, difference.request, difference.what].join(' | '),
          );
        if (!flags.verbose || found.length === 0) continue;
        out(`    ${name}: ${bodyOf(recording.responses.find((each) => each.name === request))}`);
        out(`    embedded: ${bodyOf(own.get(request))}`);
      }
      out(
        `# ${name}: ${list.requests.filter(({ isCleanup }) => !isCleanup).length} requests, ${agreement.same} same, ${agreement.dialect} dialect, ${agreement.different} different: ${(100 * shareOf(agreement)).toFixed(1)} %`,
      );
    }
    if (flags.update) {
      await writeFile(agreementFile, textOfAgreements(agreements));
      await writeFile(trackedFile, textOfTracked(neededOf(compared)));
    }
  } finally {
    await running.close();
  }
}

/** The tracked requests that still differ. */
function neededOf(compared: readonly Compared[]): Record<string, readonly string[]> {
  const differing = new Set(
    compared.flatMap(({ recording: { product }, comparisons }) =>
      comparisons.flatMap(({ name, found }) =>
        found.some(({ dialect }) => dialect?.reason === 'tracked') ? [`${product} ${name}`] : [],
      ),
    ),
  );
  return Object.fromEntries(
    Object.entries(readTracked()).map(([product, names]) => [
      product,
      names.filter((name) => differing.has(`${product} ${name}`)),
    ]),
  );
}

function bodyOf(response: RawResponse | undefined): string {
  return JSON.stringify([response?.status, response?.json ?? response?.text ?? response?.shape ?? null]);
}

async function recordProducts(directory: string): Promise<void> {
  for (const list of requestLists) {
    const address = (flags as Readonly<Record<string, unknown>>)[list.service];
    if (typeof address !== 'string') continue;
    const token = process.env[`LANYARD_${list.service.toUpperCase()}_TOKEN`] ?? '';
    const product = namedProduct(list.service) ?? (await productAt(list.service, address, token));
    const at = `${new Date().toISOString().slice(0, 16)}:00.000Z`;
    const responses = await sendAll(list, {
      address,
      token,
      settles: true,
      run: `lanyard-conformance-${randomBytes(4).toString('hex')}`,
      onResponse({ name, method, path }, status, body) {
        if (flags.verbose) out(`${status} ${name} | ${method} ${path} | ${body.trim().slice(0, 300)}`);
      },
    });
    const recording = { service: list.service, ...product, at, responses };
    const folder = join(directory, nameOf(recording));
    await mkdir(folder, { recursive: true });
    const file = join(folder, `raw-${list.service}.json`);
    await writeFile(file, textOfRaw(recording));
    out(`# wrote ${file}: ${responses.length} responses`);
  }
}

function namedProduct(service: ServiceName): Product | undefined {
  const match = flags.product
    .map((text) => /^(\w+)=([a-z]+)-(.+)$/.exec(text))
    .find((found) => found?.[1] === service);
  return match?.[2] && match[3] ? { product: match[2], version: match[3] } : undefined;
}
