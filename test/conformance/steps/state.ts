import { kindNames } from '../../../src/state/kinds.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { type Step, stepsOf } from '../step.ts';

export interface Document {
  readonly kind: string;
  readonly metadata: Readonly<Record<string, string | boolean>>;
  readonly spec: object;
}

interface Stated {
  /** `spec.record` of the set. */
  readonly record: string;
  readonly documents: readonly Document[];
  /** The next version of the files: without the last document. */
  readonly changed: readonly Document[];
  /** The exit code of `apply` with a token without permissions; undefined: no such step. */
  readonly forbidden?: number;
  /** The exit code of the last `plan`; default: 0. Values of secrets are not in an undo that is not encrypted. */
  readonly undone?: number;
  /** KIND and NAME of an object of the set. */
  readonly imported: string;
}

/** Ten characters, as in the marks of the objects. */
const id = 'conform001';

/** Kinds that are protected by default and that the steps prune. */
const prune = { kinds: [...kindNames] };

/** The files of a set: one with all documents. JSON is YAML. */
export const setFiles = (
  record: string,
  documents: readonly Document[],
): Readonly<Record<string, string>> => ({
  'state/set.yaml': [{ kind: 'Set', metadata: { name: '{run}', id }, spec: { record, prune } }, ...documents]
    .map((document) => `${JSON.stringify({ apiVersion: 'lanyard/v1', ...document })}\n`)
    .join('---\n'),
});

/** A set that is planned, applied, planned again, changed and pruned. */
function setSteps(
  service: ServiceName,
  { record, documents, changed, forbidden, undone = 0, imported }: Stated,
): Step[] {
  const { write, after } = stepsOf(service);
  const common = { env: { STATE_PASSWORD: '{password}' } };
  const options = { ...common, files: setFiles(record, documents) };
  const next = { ...common, files: setFiles(record, changed) };
  return [
    after(`plan: ${service}`, 'plan state', { ...options, code: 10 }),
    after(`diff: ${service}`, 'diff state', { ...options, code: 10 }),
    after(`plan: ${service}, saved`, 'plan state --out state.plan --force', { ...options, code: 10 }),
    ...(forbidden === undefined
      ? []
      : [
          write(`apply: ${service}, forbidden`, 'apply state --yes', {
            ...options,
            as: 'limited',
            code: forbidden,
          }),
        ]),
    write(`apply: ${service}, dry run`, 'apply state --dry-run', { ...options, code: 10 }),
    write(`apply: ${service}`, 'apply state --yes', options),
    write(`apply: ${service}, outdated plan`, 'apply state.plan --yes', { ...options, code: 6 }),
    after(`plan: ${service}, applied`, 'plan state', options),
    after(`diff: ${service}, applied`, 'diff state', options),
    after(
      `plan: ${service}, unmanaged`,
      `plan state --unmanaged --kind ${imported.split(' ')[0]} --ignore ${imported.split(' ')[0]}`,
      options,
    ),
    after(`import: ${service}`, `import ${imported} - --secrets env`, options),
    after(`plan: ${service}, changed`, 'plan state --prune', { ...next, code: 10 }),
    write(`apply: ${service}, changed and pruned`, 'apply state --prune --prune-max 1 --yes', next),
    after(`plan: ${service}, pruned`, 'plan state --prune', next),
    write(`apply: ${service}, with an undo`, 'apply state --undo undo.yaml --force --yes', options),
    after(`plan: ${service}, undo`, 'plan undo.yaml', { ...next, code: 10 }),
    write(`apply: ${service}, undone`, 'apply undo.yaml --yes', next),
    after(`plan: ${service}, undone`, 'plan state', { ...next, code: undone }),
  ];
}

const password = { valueFrom: 'env://STATE_PASSWORD' };
const allow = { deletion: 'allow' } as const;

const secretsMount = {
  kind: 'secrets.mount',
  metadata: { name: '{run}-state/' },
  spec: { type: 'kv', options: { version: '2' } },
};
const secretsPolicy = (rule: string): Document => ({
  kind: 'secrets.policy',
  metadata: { name: '{run}-state' },
  spec: { policy: `path "{run}-state/*" { capabilities = ["${rule}"] }` },
});
const authMethod = {
  kind: 'secrets.auth-method',
  metadata: { name: '{run}-state/', ...allow },
  spec: { type: 'approle' },
};
const authRole = (token_ttl: string): Document => ({
  kind: 'secrets.auth-role',
  metadata: { authMethod: '{run}-state', name: 'app' },
  spec: { type: 'approle', token_policies: ['{run}-state'], token_ttl },
});
const tokenRole = {
  kind: 'secrets.token-role',
  metadata: { name: '{run}-state' },
  spec: { allowed_policies: ['{run}-state'], token_period: '24h' },
};
const secret = {
  kind: 'secrets.kv',
  metadata: { mount: '{run}-state', name: 'app', ...allow },
  spec: { data: { user: password, password } },
};

/** A set of the secrets service, with its record in a file. */
export const secretsStateSteps: readonly Step[] = [
  ...setSteps('secrets', {
    record: 'file:.secrets-record.json',
    documents: [secretsMount, secretsPolicy('read'), authMethod, authRole('1h'), tokenRole, secret],
    changed: [secretsMount, secretsPolicy('list'), authMethod, authRole('2h'), tokenRole],
    forbidden: 5,
    imported: 'secrets.policy {run}-state',
  }),
  stepsOf('secrets').cleanup(
    'secrets: remove the mount of the set',
    'secrets delete sys/mounts/{run}-state --yes',
  ),
  ...['auth/token/roles/{run}-state', 'sys/auth/{run}-state'].map((path) =>
    stepsOf('secrets').cleanup(`secrets: remove ${path} of the set`, `secrets delete ${path} --yes`),
  ),
  stepsOf('secrets').cleanup(
    'secrets: remove the policy of the set',
    'secrets delete sys/policies/acl/{run}-state --yes',
  ),
];

const registryPolicy = (Description: string): Document => ({
  kind: 'registry.policy',
  metadata: { name: '{run}-state' },
  spec: { Description, Rules: 'service "web" { policy = "read" }' },
});
const registryKey = {
  kind: 'registry.key',
  metadata: { name: '{run}/state/key', ...allow },
  spec: { value: password },
};

/** A set of the service registry, with its record in a key. */
export const registryStateSteps: readonly Step[] = [
  ...setSteps('registry', {
    record: 'registry:{run}/state/record',
    documents: [registryPolicy('first'), registryKey],
    changed: [registryPolicy('second')],
    forbidden: 5,
    imported: 'registry.policy {run}-state',
  }),
  stepsOf('registry').cleanup(
    'registry: remove the keys of the set',
    'registry kv delete {run}/state/ --recursive --yes',
  ),
  stepsOf('registry').cleanup(
    'registry: remove the policy of the set',
    'acl policy delete {run}-state --yes',
  ),
];

const inNamespace = (name: string) => ({ namespace: '{run}', name, ...allow });
const variable = (name: string, Items: object): Document => ({
  kind: 'scheduler.variable',
  metadata: inNamespace(name),
  spec: { Items },
});

const schedulerPolicy = (Description: string): Document => ({
  kind: 'scheduler.policy',
  metadata: { name: '{run}-state' },
  spec: { Description, Rules: 'namespace "{run}" {\n  policy = "read"\n}\n' },
});
const schedulerRole = {
  kind: 'scheduler.role',
  metadata: { name: '{run}-state' },
  spec: { Policies: [{ Name: '{run}-state' }] },
};
/** A set of the scheduler in the namespace of the run, with its record in a variable. */
export const schedulerStateSteps: readonly Step[] = [
  ...setSteps('scheduler', {
    record: 'scheduler:{run}/state/record',
    documents: [
      schedulerPolicy('first'),
      schedulerRole,
      variable('state/db', { password }),
      variable('state/gone', { user: password }),
    ],
    changed: [schedulerPolicy('second'), schedulerRole, variable('state/db', { password, user: password })],
    forbidden: 5,
    undone: 10,
    imported: 'scheduler.policy {run}-state',
  }),
  stepsOf('scheduler').cleanup(
    'scheduler: remove the role of the set',
    'scheduler acl role delete {run}-state --yes',
  ),
  stepsOf('scheduler').cleanup(
    'scheduler: remove the policy of the set',
    'scheduler acl policy delete {run}-state --yes',
  ),
  ...['db', 'gone', 'record'].map((name) =>
    stepsOf('scheduler').cleanup(
      `scheduler: remove state/${name}`,
      `var delete state/${name} --yes --namespace {run}`,
    ),
  ),
];

const box = (short_description: string): Document => ({
  kind: 'box.box',
  metadata: { owner: '{owner}', name: '{run}-state' },
  spec: { short_description },
});
const inBox = { owner: '{owner}', box: '{run}-state' };
const version = {
  kind: 'box.version',
  metadata: { ...inBox, name: '1.0.0' },
  spec: { description: 'First' },
};
const provider = {
  kind: 'box.provider',
  metadata: { ...inBox, version: '1.0.0', architecture: 'amd64', name: 'virtualbox', ...allow },
  spec: { url: 'https://example.com/web.box' },
};

/** A set of the box registry, with its record in a file. */
export const boxStateSteps: readonly Step[] = [
  ...setSteps('box', {
    record: 'file:.box-record.json',
    documents: [box('First'), version, provider],
    changed: [box('Second'), version],
    imported: 'box.box {owner}/{run}-state',
  }),
  stepsOf('box').cleanup('box: remove the box of the set', 'box delete {owner}/{run}-state --yes'),
];

const method = (description: string): Document => ({
  kind: 'accounts.auth-method',
  metadata: { scope: 'global', name: '{run}-state', ...allow },
  spec: { type: 'password', description },
});
const account = {
  kind: 'accounts.account',
  metadata: { scope: 'global', authMethod: '{run}-state', name: 'state', ...allow },
  spec: { name: 'State', attributes: { password } },
};

const org = {
  kind: 'accounts.scope',
  metadata: { name: '{run}-state', ...allow },
  spec: { description: 'Team' },
};
const user = (description: string): Document => ({
  kind: 'accounts.user',
  metadata: { scope: '{run}-state', name: 'state' },
  spec: { description },
});
const role = {
  kind: 'accounts.role',
  metadata: { scope: '{run}-state', name: 'state' },
  spec: {
    grant_strings: ['ids=*;type=scope;actions=read'],
    principals: [{ scope: '{run}-state', name: 'state' }],
  },
};

/** A set of the account service, with its record in a file. */
export const accountsStateSteps: readonly Step[] = [
  ...setSteps('accounts', {
    record: 'file:.accounts-record.json',
    documents: [method('first'), org, user('first'), role, account],
    changed: [method('second'), org, user('second'), role],
    imported: 'accounts.user {run}-state/state',
  }),
  stepsOf('accounts').prepare(
    'accounts: auth method of the set',
    `api accounts GET 'auth-methods?scope_id=global&filter=%22%2Fitem%2Fname%22%3D%3D%22{run}-state%22'`,
    { save: { stateMethod: 'items[0].id' } },
  ),
  stepsOf('accounts').cleanup(
    'accounts: remove the auth method of the set',
    'api accounts DELETE auth-methods/{stateMethod} --yes',
    { text: true },
  ),
];
