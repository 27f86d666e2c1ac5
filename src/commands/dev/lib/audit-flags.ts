import { flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';

export const auditFlags = {
  auditLog: flag.file('FILE', 'secrets: audit log, to which requests and responses are appended'),
  auditOption: flag.map(
    'K=V',
    'option of the audit log: log_raw, hmac_accessor, elide_list_responses, mode or prefix; repeatable',
  ),
};

/** The audit log of the secrets service, and the options of its device. */
export interface AuditLogFlags {
  /** Absolute. */
  readonly path: string;
  readonly logRaw?: boolean;
  readonly hmacAccessor?: boolean;
  readonly elideListResponses?: boolean;
  readonly mode?: number;
  readonly prefix?: string;
}

/** @throws LanyardError usage: options without a log; an unknown option, or an invalid value */
export function readAuditLog(
  { auditLog, auditOption = {} }: Values<typeof auditFlags>,
  ctx: Context,
): AuditLogFlags | undefined {
  if (auditLog === undefined) {
    if (Object.keys(auditOption).length > 0) throw usage('--audit-option requires --audit-log');
    return undefined;
  }
  if (auditLog === '' || auditLog === '-') throw usage('--audit-log requires a file name');
  const {
    log_raw: raw,
    hmac_accessor: accessor,
    elide_list_responses: elide,
    mode,
    prefix,
    ...others
  } = auditOption;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw usage(`invalid --audit-option "${unknown}": unknown option`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a prefix is the start of a line
  if (prefix !== undefined && /[\u0000-\u001f\u007f]/.test(prefix))
    throw usage('invalid --audit-option prefix: expected text without control characters');
  return compact({
    path: ctx.files.absolute(auditLog),
    logRaw: readBoolean('log_raw', raw),
    hmacAccessor: readBoolean('hmac_accessor', accessor),
    elideListResponses: readBoolean('elide_list_responses', elide),
    mode: readMode(mode),
    prefix,
  });
}

function readBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false')
    throw usage(`invalid --audit-option ${name}=${text}: expected true or false`);
  return text === 'true';
}

function readMode(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^0?[0-7]{3}$/.test(text))
    throw usage(`invalid --audit-option mode=${text}: expected octal permissions such as 0600`);
  return Number.parseInt(text, 8);
}
