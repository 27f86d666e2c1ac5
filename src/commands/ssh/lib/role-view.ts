import { fieldOf } from '../../../objects/schema.ts';
import { sshRole } from '../../../objects/ssh-role.ts';
import { type Document, dim, fields, type StyledText, strong } from '../../../output/document.ts';
import { formatDuration } from '../../../wire/duration.ts';

/** A role with all fields; lists and maps in one line. */
export const roleView = (name: string, role: Readonly<Record<string, unknown>>): Document => [
  fields([
    ['name', [strong(name)]],
    ...Object.entries(role).map(([member, value]) => [member, roleText(member, value)] as const),
  ]),
];

/** OpenBao returns durations in seconds, other products as text with units. */
const roleText = (member: string, value: unknown): StyledText =>
  fieldOf(sshRole, member)?.type === 'duration' && typeof value === 'number'
    ? formatDuration(value)
    : valueText(value);

function valueText(value: unknown): StyledText {
  if (value === null || value === '' || value === undefined) return [dim('-')];
  if (Array.isArray(value)) return value.length === 0 ? [dim('-')] : value.map(String).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([key, part]) =>
      part === '' ? key : `${key}=${Array.isArray(part) ? part.join('+') : String(part)}`,
    );
    return parts.length === 0 ? [dim('-')] : parts.join(', ');
  }
  return String(value);
}
