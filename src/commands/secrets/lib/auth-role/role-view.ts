import { authRole } from '../../../../objects/auth-role.ts';
import { fieldOf } from '../../../../objects/schema.ts';
import { type Document, fields, type Shown, strong } from '../../../../output/document.ts';
import { formatDuration } from '../../../../wire/duration.ts';
import { formatJson } from '../../../../wire/json.ts';
import { currentFields, type RoleFields } from './change.ts';

/** A role with all fields; lists and maps in one line. */
export const authRoleView = (name: string, role: RoleFields): Document => [
  fields([
    ['name', strong(name)],
    ...Object.entries(currentFields(role)).map(([field, value]) => [field, valueText(field, value)] as const),
  ]),
];

function valueText(field: string, value: unknown): Shown {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'number' && fieldOf(authRole, field)?.type === 'duration')
    return formatDuration(value);
  if (typeof value !== 'object') return String(value);
  const parts = Array.isArray(value) ? value.map(partText) : Object.entries(value).map(pairText);
  return parts.join(', ') || null;
}

const partText = (part: unknown): string => (typeof part === 'string' ? part : formatJson(part));
const pairText = ([key, part]: [string, unknown]): string => `${key}=${partText(part)}`;
