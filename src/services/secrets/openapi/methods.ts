import * as s from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';

/** A method of a path. OpenAPI has no LIST, SCAN and RECOVER: GET and POST have parameters for them. */
interface Method {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: s.Fields;
  readonly headers?: s.Fields;
}

const listFlags = {
  list: s.boolean('List instead of reading; same as the method LIST.'),
  scan: s.boolean('List all keys below the path; same as the method SCAN.'),
};
const recoverHeader = s.string('Recover from this snapshot; same as the method RECOVER.');

/** The methods of a path, for the document of the service and for those of its help. @param prefix of headers */
export function methodsOf({ operations, query }: PathDescription, prefix: string): Method[] {
  const has = (name: PathDescription['operations'][number]) => operations.includes(name);
  const lists = (['list', 'scan'] as const).filter(has);
  const isRequired = lists.length === 1 && !has('read');
  const flags = lists.map((name) => [name, isRequired ? s.required(listFlags[name]) : listFlags[name]]);
  const methods: (Method | false)[] = [
    (has('read') || lists.length > 0) && {
      method: 'GET',
      query: { ...mapFields(query, describedField), ...Object.fromEntries(flags) },
    },
    has('create') && {
      method: 'POST',
      ...(has('recover') && { headers: { [`${prefix}-Recover-Snapshot-Id`]: recoverHeader } }),
    },
    has('patch') && { method: 'PATCH' },
    has('delete') && { method: 'DELETE' },
  ];
  return methods.filter((each) => each !== false);
}

const notes: Readonly<Partial<Record<s.Type['kind'], string>>> = {
  duration: ' Seconds, or a duration such as `1h30m`.',
  list: ' An array, or one comma-separated string.',
};

/** The field of a request, with what its text may be. */
export const describedField = <T extends s.Type>(type: T): T => ({
  ...type,
  description: `${type.description ?? ''}${notes[type.kind] ?? ''}`,
});

export const mapFields = (fields: s.Fields, map: (type: s.Type) => s.Type): s.Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, map(type)]));
