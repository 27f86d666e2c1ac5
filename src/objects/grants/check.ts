import { memberOf } from '../../wire/objects.ts';
import { GrantError, type GrantFields, type ParsedGrant, parseGrant } from './parse.ts';
import { actions, formerActions, hasChildren, resourceTypes, typeOfId } from './words.ts';

/** IDs that the service replaces with the IDs of the caller, and their types. */
const templates: Readonly<Record<string, string>> = {
  'user.id': 'user',
  '.User.Id': 'user',
  'account.id': 'account',
  '.Account.Id': 'account',
};

/**
 * The fields of a grant that the service accepts.
 *
 * @throws GrantError: what is wrong, and where. Fields that the service would ignore are errors too.
 */
export function checkGrant(text: string): GrantFields {
  const parsed = parseGrant(text);
  const { type } = parsed.fields;
  checkActions(parsed);
  if (type !== undefined && type !== '*' && memberOf(resourceTypes, type) === undefined)
    throw new GrantError(
      `unknown type "${type}": expected *, ${Object.keys(resourceTypes).join(', ')}`,
      parsed.offsetOf('type'),
    );
  checkTarget(parsed);
  return parsed.fields;
}

function checkActions({ fields, offsetOf }: ParsedGrant): void {
  const { actions: given = [], output_fields } = fields;
  if (given.length === 0) {
    // A grant of fields alone.
    if (output_fields !== undefined) return;
    throw new GrantError('no actions: add for example "actions=read,list"');
  }
  let offset = offsetOf('actions');
  for (const action of given) {
    const current = memberOf(formerActions, action);
    if (current !== undefined)
      throw new GrantError(`the action "${action}" is no longer supported, use "${current}"`, offset);
    if (!actions.includes(action)) throw new GrantError(`unknown action "${action}"`, offset);
    if (offset !== undefined) offset += action.length + 1;
  }
  if (given.includes('*') && given.some((each) => each !== '*'))
    throw new GrantError('"*" cannot be combined with other actions', offsetOf('actions'));
}

/** Of collections: their objects are listed and created by type. */
const isOfCollection = (action: string): boolean => /^(list|create)(:|$)/.test(action);

/** The IDs and the type together: which resources the grant applies to. */
function checkTarget({ fields, offsetOf }: ParsedGrant): void {
  const { ids = [], type } = fields;
  const at = offsetOf('ids');
  if (ids.length === 0) {
    checkType(fields, offsetOf('type'));
    return;
  }
  if (ids.includes('*')) {
    if (ids.length > 1) throw new GrantError('"*" cannot be combined with other IDs', at);
    if (type === undefined) throw new GrantError('"ids=*" requires a type, such as "type=target"', at);
    return;
  }
  const types = new Set(ids.map((id) => requireType(id, at)));
  if (types.size > 1) throw new GrantError(`the IDs are of several types: ${[...types].join(', ')}`, at);
  const [typeOfIds = ''] = types;
  checkBelow(typeOfIds, fields, offsetOf('type') ?? at);
}

function requireType(id: string, offset: number | undefined): string {
  const template = /^\{\{\s*(.*?)\s*\}\}$/.exec(id)?.[1];
  if (template === undefined && id.startsWith('{{')) throw new GrantError(`invalid template "${id}"`, offset);
  const type = template === undefined ? typeOfId(id) : memberOf(templates, template);
  if (type !== undefined) return type;
  throw template === undefined
    ? new GrantError(`unknown kind of ID "${id}"`, offset)
    : new GrantError(`unknown template "${id}": expected {{.User.Id}} or {{.Account.Id}}`, offset);
}

/** Given IDs: the type is absent, their own, or one below it. */
function checkBelow(typeOfIds: string, { type, actions: given = [] }: GrantFields, offset?: number): void {
  if (type === '*') {
    if (hasChildren(typeOfIds)) return;
    throw new GrantError(
      `no other type is below a ${typeOfIds}: "type=*" requires IDs that have some`,
      offset,
    );
  }
  if (type !== undefined && type !== typeOfIds) {
    const { parent } = resourceTypes[type] ?? {};
    if (parent === typeOfIds) return;
    const expected = parent === undefined ? 'it is below no ID' : `it is below IDs of a ${parent}`;
    throw new GrantError(`type "${type}" is not below a ${typeOfIds}: ${expected}`, offset);
  }
  if (type !== undefined && resourceTypes[type]?.parent !== undefined)
    throw new GrantError(`omit "type=${type}": the IDs are IDs of ${type}s themselves`, offset);
  if (given.some(isOfCollection) && (type === undefined || given.every(isOfCollection)))
    throw new GrantError('"list" and "create" require a type without IDs, or a type below the IDs', offset);
}

/** A type without IDs: its collection. */
function checkType({ type, actions: given = [] }: GrantFields, offset: number | undefined): void {
  if (type === undefined) throw new GrantError('no IDs and no type: add for example "ids=*;type=target"');
  if (type === '*') throw new GrantError('"type=*" requires "ids=*"', offset);
  const isListOrCreate =
    given.every(isOfCollection) &&
    given.filter((each) => each.startsWith('create')).length <= 1 &&
    new Set(given).size === given.length;
  if (given.length > 0 && !isListOrCreate)
    throw new GrantError('a type without IDs permits only "list" and "create": add "ids=*"', offset);
  const { isTop, parent } = resourceTypes[type] ?? {};
  if (given.length > 0 && !isTop)
    throw new GrantError(
      parent === undefined
        ? `type "${type}" requires IDs`
        : `type "${type}" requires "ids=*", or the ID of its ${parent}`,
      offset,
    );
}

/** The same text for grants that permit the same. */
export function canonicalGrant({
  ids = [],
  type = '',
  actions: given = [],
  output_fields,
}: GrantFields): string {
  const sorted = (items: readonly string[]) => [...new Set(items)].toSorted().join(',');
  return [sorted(ids), type, sorted(given), output_fields && `(${sorted(output_fields)})`].join(';');
}

/** A grant in a form in which grants that permit the same are equal; one that cannot be read is its text. */
export function comparableGrant(text: string): string {
  try {
    return canonicalGrant(parseGrant(text).fields);
  } catch {
    return text;
  }
}
