import { isAccessControlOff } from '../../api/conditions/any.ts';
import { isMissingSchedulerToken } from '../../api/conditions/scheduler.ts';
import type { SchedulerTokenMetadata } from '../../api/scheduler-acl.ts';
import { conflict, insteadOf, LanyardError, unlessNotFound } from '../../errors.ts';
import { schedulerToken as fields } from '../../objects/scheduler-acl.ts';
import { field } from '../../objects/schema.ts';
import { formatDuration } from '../../wire/duration.ts';
import { compact } from '../../wire/objects.ts';
import { newPageTokens, nextPageToken } from '../../wire/pages.ts';
import { shellWord } from '../../wire/printable.ts';
import { IdIndex } from '../id-index.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { durationText } from '../secrets-mounts.ts';
import { maxTextBytes, namedObjects } from './scheduler-acl.ts';
import { requireCompleteLists } from './scheduler-lists.ts';

type Token = SchedulerTokenMetadata;

const { Type, Policies, Global, ExpirationTTL } = fields.properties;
const { isWriteOnly: _lifetime, ...lifetime } = ExpirationTTL;

/** Without the name, which is the identity, and the time at which a token expires, which is different in another cluster. */
const schema = field.object(
  {
    Type: { ...Type, default: 'client' },
    Policies,
    Roles: field.set(field.object({ Name: field.string() }, { foldsNames: true, required: ['Name'] }), {
      description: 'Roles by name: `[{ Name: ops }]`.',
    }),
    Global,
    ExpirationTTL: lifetime,
  },
  { foldsNames: true },
);

/** Seconds from the creation to the expiration: lists do not have `ExpirationTTL`. */
const lifetimeOf = ({ CreateTime = '', ExpirationTime }: Token): string | undefined =>
  expires({ ExpirationTime })
    ? formatDuration((Date.parse(ExpirationTime ?? '') - Date.parse(CreateTime)) / 1000)
    : undefined;

const expires = ({ ExpirationTime }: Pick<Token, 'ExpirationTime'>): boolean =>
  typeof ExpirationTime === 'string' && !ExpirationTime.startsWith('0001-');

const liveOf = (token: Token): Live => ({
  spec: {
    Type: token.Type || 'client',
    Policies: [...(token.Policies ?? [])],
    Roles: (token.Roles ?? []).map(({ Name = '' }) => ({ Name })),
    Global: token.Global === true,
    ...compact({ ExpirationTTL: lifetimeOf(token) }),
  },
  version: String(token.ModifyIndex ?? 0),
  uid: token.AccessorID,
  id: token.AccessorID,
});

/** Every token, without its secret. */
async function listTokens(services: Services): Promise<readonly Token[]> {
  await requireCompleteLists(services, 'list tokens');
  const scheduler = await services.scheduler();
  const tokens: Token[] = [];
  const isNew = newPageTokens();
  let next: string | undefined;
  do {
    const { body, headers } = await scheduler.listTokens({
      per_page: 1000,
      ...compact({ next_token: next }),
    });
    tokens.push(...(body ?? []));
    next = nextPageToken(headers);
    if (next !== undefined && !isNew(next))
      throw new LanyardError('failure', 'cannot list tokens: the same page was returned twice', {
        service: 'scheduler',
      });
  } while (next !== undefined);
  return withRoleNames(services, tokens);
}

/** Lists of Nomad have the roles of a token by their IDs, also of roles that were deleted. */
async function withRoleNames(services: Services, tokens: readonly Token[]): Promise<readonly Token[]> {
  if (!tokens.some(({ Roles }) => Roles?.some(({ Name }) => !Name))) return tokens;
  const roles = (await (await services.scheduler()).listRoles({})).body ?? [];
  const names = new Map(roles.map(({ ID, Name }) => [ID, Name]));
  return tokens.map((token) => ({
    ...token,
    Roles: (token.Roles ?? []).flatMap(({ ID = '', Name }) => {
      const current = Name || names.get(ID);
      return current === undefined ? [] : [{ ID, Name: current }];
    }),
  }));
}

const listOrNone = (services: Services): Promise<readonly Token[]> =>
  listTokens(services).catch(insteadOf(isAccessControlOff, []));

const nameOf = ({ Name = '' }: Token): string => Name;

const tokensOf = new IdIndex<Token>({
  list: listTokens,
  keyOf: nameOf,
  idOf: ({ AccessorID }) => AccessorID,
  read: async (services, accessor) =>
    unlessNotFound((await services.scheduler()).readToken({ accessor }), isMissingSchedulerToken),
});

/** @throws LanyardError failure: several tokens */
function onlyToken(_services: Services, found: readonly Token[], { key }: Identity): Live | undefined {
  const [token, other] = found;
  if (other)
    throw new LanyardError(
      'failure',
      `several tokens have the name "${key}": ${found.map(({ AccessorID }) => AccessorID).join(', ')}`,
      {
        service: 'scheduler',
        hint: 'Delete or rename all but one: `lanyard scheduler acl token delete ACCESSOR`.',
      },
    );
  return token && liveOf(token);
}

const reads = tokensOf.reads({ live: onlyToken });

const isBootstrapToken = ({ Name, Type }: Pick<Token, 'Name' | 'Type'>): boolean =>
  Name === 'Bootstrap Token' && Type === 'management';

/**
 * The tokens that files can state: with a name that no other token has. One that expires is left out unless files state
 * it, because the tokens of logins expire and are not marked as such.
 */
function nameable(tokens: readonly Token[], known: ReadonlySet<string>): readonly Token[] {
  return [...Map.groupBy(tokens, nameOf)].flatMap(([name, [token, other]]) =>
    name === '' || token === undefined || other || (expires(token) && !known.has(name)) ? [] : [token],
  );
}

/** How many tokens an export leaves out, without those of the bootstrap. @param exported names */
export async function countOtherTokens(services: Services, exported: ReadonlySet<string>): Promise<number> {
  const tokens = await listOrNone(services);
  return tokens.filter((token) => !exported.has(nameOf(token)) && !isBootstrapToken(token)).length;
}

function grantsProblem(spec: JsonObject): string | undefined {
  const { Type: type, Policies: policies, Roles: roles } = withWireNames(schema, spec);
  const isGranted = [policies, roles].some((list) => Array.isArray(list) && list.length > 0);
  if (isGranted)
    return type === 'management' ? 'a management token cannot have policies or roles' : undefined;
  return type === 'management' ? undefined : 'a client token must have a policy or a role';
}

const check = ({ key }: Identity, spec: JsonObject): readonly string[] => [
  ...(Buffer.byteLength(key) > maxTextBytes ? [`name is too long: at most ${maxTextBytes} bytes`] : []),
  ...[grantsProblem(spec) ?? []].flat(),
];

/** A token as requests have it. */
function bodyOf(spec: JsonObject, Name: string): JsonObject {
  const { ExpirationTTL: ttl, ...rest } = withWireNames(schema, spec);
  return { Name, ...rest, Type: rest.Type || 'client', ...(ttl ? { ExpirationTTL: durationText(ttl) } : {}) };
}

/**
 * A token of the scheduler (docs/protocol/scheduler.md#access-control), by its name: the service assigns the accessor ID
 * (ADR 105). Its secret is never returned.
 */
export const schedulerToken: Kind = {
  name: 'scheduler.token',
  service: 'scheduler',
  description: 'A token of the scheduler with a name that no other token has.',
  scope: [],
  nameIs: 'name of the token, which no other token has',
  schema,
  level: 4,
  guard: 're-read',
  check,
  // Roles may have been deleted.
  omitted: (spec) => (grantsProblem(spec) === undefined ? undefined : 'without policies and roles'),
  notice: ({ key }) => {
    const name = key.startsWith('-') ? `-- ${shellWord(key)}` : shellWord(key);
    return `read its secret with \`lanyard scheduler acl token get --show-secret ${name}\``;
  },
  references: (_identity, spec) => {
    const stated = withWireNames(schema, spec);
    return [
      ...namedObjects('scheduler.policy', stated.Policies),
      ...namedObjects('scheduler.role', stated.Roles),
    ];
  },
  isBuiltIn: ({ key }, live) =>
    live !== undefined && isBootstrapToken({ Name: key, Type: String(live.spec.Type) }),
  async list(services, known = []) {
    const tokens = nameable(await listOrNone(services), new Set(known.map(({ key }) => key)));
    return tokens.map((token) => ({ scope: {}, key: nameOf(token) }));
  },
  ...reads,
  async create(services, { identity, spec }) {
    const scheduler = await services.scheduler();
    // The service permits several tokens of a name.
    if (await reads.read(services, identity)) throw conflict(`token "${identity.key}" already exists`);
    const send = () => scheduler.createToken(bodyOf(spec, identity.key));
    await tokensOf.write(services, identity, ({ body }) => body.AccessorID, send);
  },
  async update(services, { identity, spec, live: { id: accessor = '' } }) {
    const scheduler = await services.scheduler();
    // The service rejects another lifetime and expiration, and none: it would compute one from the lifetime.
    const { ExpirationTTL: ttl, ExpirationTime } = (await scheduler.readToken({ accessor })).body;
    const { ExpirationTTL: _stated, ...body } = bodyOf(spec, identity.key);
    const kept = expires({ ExpirationTime })
      ? compact({ ExpirationTTL: ttl || undefined, ExpirationTime })
      : {};
    await tokensOf.write(services, identity, accessor, () =>
      scheduler.updateToken({ ...body, ...kept, accessor, AccessorID: accessor }),
    );
  },
  async remove(services, identity, { id: accessor = '' }) {
    const scheduler = await services.scheduler();
    await tokensOf.write(services, identity, accessor, () => scheduler.deleteToken({ accessor }));
  },
};
