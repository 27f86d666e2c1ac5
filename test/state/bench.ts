import { afterAll } from 'vitest';
import { merge } from '../../src/state/compare.ts';
import {
  type Identity,
  identityText,
  type JsonObject,
  type Kind,
  type Live,
  type Services,
} from '../../src/state/kind.ts';
import { findKind } from '../../src/state/kinds.ts';
import { formatJson } from '../../src/wire/json.ts';
import { embeddedTargets } from '../conformance/embedded.ts';
import { type FaultProxy, faultProxy, isWrite, type Passed } from '../faults/proxy.ts';
import { type Home, home, type Ran, type RunOptions } from '../support/run.ts';
import { clientsOf } from './clients.ts';
import { type ObjectCase, objectCases } from './objects.ts';
import { imageContent, imageFile } from './other-objects.ts';

/** An object as a file states it. */
export interface Stated {
  readonly kind: string;
  readonly identity: Identity;
  readonly spec: JsonObject;
  readonly metadata?: JsonObject;
}

/** Sets of files in a home, in front of services behind a proxy that counts and breaks requests. */
export interface Bench {
  readonly at: Home;
  readonly proxy: FaultProxy;
  /** Other users: clients that do not pass the proxy. Each use is a separate run. */
  readonly others: Services;
  /** The environment of another user. */
  readonly othersEnv: Readonly<Record<string, string>>;
  /** The writing requests since the last `proxy.begin`, without those to the record of a set. */
  writes(): readonly Passed[];
  run(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  close(): Promise<void>;
}

/** A bench for all tests of a file. */
export async function benchForAll(): Promise<Bench> {
  const bench = await stateBench();
  afterAll(() => bench.close());
  return bench;
}

export async function stateBench(): Promise<Bench> {
  const at = home();
  at.write(imageFile, imageContent);
  const running = await embeddedTargets();
  const proxy = await faultProxy(running.targets);
  const addresses = (targets: typeof running.targets): Record<string, string> =>
    Object.fromEntries(
      Object.entries(targets).map(([service, { address }]) => [
        `LANYARD_${service.toUpperCase()}_ADDR`,
        address,
      ]),
    );
  for (const [service, { token }] of Object.entries(running.targets))
    if (token !== undefined) at.env[`LANYARD_${service.toUpperCase()}_TOKEN`] = token;
  Object.assign(at.env, addresses(proxy.targets));
  const othersEnv = { ...at.env, ...addresses(running.targets) };
  return {
    at,
    proxy,
    get others() {
      return clientsOf({ ...at, env: othersEnv });
    },
    othersEnv,
    writes: () =>
      proxy.passed.filter(
        (request) => isWrite(request) && !request.url.includes(recordPath) && !isReadingTransaction(request),
      ),
    run: (argv, options) => at.run(argv, options),
    async close() {
      await proxy.close();
      await running.close();
      at.remove();
    },
  };
}

/** Keys whose names a path cannot have are read in a transaction. */
export const isReadingTransaction = ({ url, body }: Pick<Passed, 'url' | 'body'>): boolean =>
  url.startsWith('/v1/txn') && /^\[\{"KV":\{"Verb":"get"/.test(body);

/** Where the sets have their records, below `lanyard/sets`. */
const recordPath = '/kv/lanyard/sets/';

export interface SetOptions {
  readonly id: string;
  /** The directory (default: state). */
  readonly directory?: string;
  /** `spec` of the set, besides its record. */
  readonly spec?: JsonObject;
}

/** Writes the files of a set: one for each object, as JSON. */
export function writeSet(
  { at }: Pick<Bench, 'at'>,
  objects: readonly Stated[],
  { id, directory = 'state', spec = {} }: SetOptions,
): void {
  at.clear(directory);
  const write = (name: string, document: object): void => {
    at.write(
      `${directory}/${name}.json`,
      formatJson({ apiVersion: 'lanyard/v1', ...document } as JsonObject, 2),
    );
  };
  write('set', {
    kind: 'Set',
    metadata: { name: 'test', id },
    spec: { record: `registry:lanyard/sets/${id}`, ...spec },
  });
  // The file of the providers.
  at.write(`${directory}/${imageFile}`, imageContent);
  for (const [index, object] of objects.entries()) write(`object-${index}`, documentOf(object));
}

/** A document that states an object. */
function documentOf({ kind: name, identity: { scope, key }, spec, metadata }: Stated): object {
  const kind = kindOf(name);
  const isNamed = kind.nameIs !== undefined && !kind.keyOf;
  return {
    kind: name,
    metadata: { ...scope, ...(isNamed && { name: key }), allowLiteral: true, ...metadata },
    spec,
  };
}

export function kindOf(name: string): Kind {
  const found = findKind(name);
  if (!found) throw new Error(`no kind ${name}`);
  return found;
}

/** An object of a kind that must exist. */
export async function readExisting(clients: Services, kind: Kind, identity: Identity): Promise<Live> {
  const live = await kind.read(clients, identity);
  if (!live) throw new Error('it does not exist');
  return live;
}

/** Paths of files, where no object has one. */
export const resolvePath = (path: string): string => path;

/** Creates what the object of a case needs, where it does not exist. */
export async function createNeeds({ needs = [] }: ObjectCase, { others, at }: Bench): Promise<void> {
  for (const { kind: name, identity, spec } of needs) {
    const kind = kindOf(name);
    if (!(await kind.read(others, identity)))
      await kind.create(others, { identity, spec, live: undefined, resolvePath: (path) => at.file(path) });
  }
}

/** Removes an object; one that its service cannot delete goes with the object that it is in. */
export async function removeObject(
  clients: Services,
  { kind: name, identity, needs = [] }: ObjectCase,
  live: Live,
): Promise<void> {
  const kind = kindOf(name);
  const owner = needs.at(-1);
  const isRemoved = kind.obstacle?.('delete', live.spec, live) === undefined || owner === undefined;
  if (isRemoved) return kind.remove(clients, identity, live);
  const ownerKind = kindOf(owner.kind);
  await ownerKind.remove(clients, owner.identity, await readExisting(clients, ownerKind, owner.identity));
}

let serial = 0;
/** An ID for a new set. */
export function newSetId(): string {
  serial += 1;
  return `set${String(serial).padStart(7, '0')}`;
}

/** The text of the record of a set in the registry. */
export async function recordText({ others }: Bench, id: string): Promise<string> {
  const [entry] = (await (await others.registry()).readKey({ key: `lanyard/sets/${id}` })).body;
  return Buffer.from(entry?.Value ?? '', 'base64').toString();
}

/** A policy of the registry. */
export const policy = (name: string, description = 'made by a test', metadata: JsonObject = {}): Stated => ({
  kind: 'registry.policy',
  identity: { scope: {}, key: name },
  spec: { Description: description, Rules: 'service "web" { policy = "read" }' },
  metadata,
});

/** A variable of the scheduler. */
export const variable = (path: string, Items: JsonObject, metadata: JsonObject = {}): Stated => ({
  kind: 'scheduler.variable',
  identity: { scope: { namespace: 'default' }, key: path },
  spec: { Items },
  metadata,
});

/** A secret of the first mount. */
export const secret = (key: string, data: JsonObject, metadata: JsonObject = {}): Stated => ({
  kind: 'secrets.kv',
  identity: { scope: { mount: 'secret' }, key },
  spec: { data },
  metadata,
});

/** Every object of the cases and what they need, each once: objects of all kinds that refer to each other. */
export function everyObject(): readonly Stated[] {
  const found = new Map<string, Stated>();
  for (const object of objectCases)
    for (const { kind, identity, spec } of [...(object.needs ?? []), object]) {
      const id = `${kind} ${identityText(identity)}`;
      if (!found.has(id)) found.set(id, { kind, identity, spec });
    }
  return [...found.values()];
}

/** Kinds whose services reject a change that leaves fields out. */
const complete = new Set(['accounts.auth-method', 'registry.auth-method']);

/** What the next version of the files states of an object; undefined: it cannot be changed. */
export const changedSpec = ({ kind, spec, changed }: ObjectCase): JsonObject | undefined =>
  changed && complete.has(kind) ? merge(kindOf(kind).schema, spec, changed) : changed;

export const isSame = (one: Stated, other: Pick<Stated, 'kind' | 'identity'>): boolean =>
  one.kind === other.kind && identityText(one.identity) === identityText(other.identity);

const isNeeded = (object: Stated): boolean =>
  objectCases.some(({ needs = [] }) => needs.some((each) => isSame(object, each)));

/** Whether the service can delete an object without what it is in. */
export const isDeletable = ({ kind, spec }: Stated): boolean =>
  kindOf(kind).obstacle?.('delete', spec, undefined) === undefined;

/** The next version of the files: every third object that no other needs is gone, the others are changed. */
export function nextVersion(objects: readonly Stated[]): readonly Stated[] {
  return objects.flatMap((object, index) => {
    if (index % 3 === 0 && !isNeeded(object) && isDeletable(object)) return [];
    const found = objectCases.find((each) => isSame(object, each));
    return [{ ...object, spec: (found && changedSpec(found)) ?? object.spec }];
  });
}
