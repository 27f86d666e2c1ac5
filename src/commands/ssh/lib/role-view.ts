import { fieldOf } from '../../../objects/schema.ts';
import { sshRole } from '../../../objects/ssh-role.ts';
import { type Document, fields, type Shown, strong } from '../../../output/document.ts';
import { formatDuration } from '../../../wire/duration.ts';

/** A role with all fields; lists and maps in one line. */
export const roleView = (name: string, role: Readonly<Record<string, unknown>>): Document => [
  fields([
    ['name', strong(name)],
    ...Object.entries(role).map(([member, value]) => [member, roleText(member, value)] as const),
  ]),
];

/** OpenBao returns durations in seconds, other products as text with units. */
const roleText = (member: string, value: unknown): Shown =>
  fieldOf(sshRole, member)?.type === 'duration' && typeof value === 'number'
    ? formatDuration(value)
    : valueText(value);

function valueText(value: unknown): Shown {
  if (value === null || value === '' || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  const parts = Array.isArray(value) ? value.map(String) : Object.entries(value).map(pairText);
  return parts.length === 0 ? null : parts.join(', ');
}

const pairText = ([key, part]: [string, unknown]): string =>
  part === '' ? key : `${key}=${Array.isArray(part) ? part.join('+') : String(part)}`;
