import type { AuditDevice } from './audit.ts';
import { AuditFile } from './audit-file.ts';

/** The options of an audit device of type file, with the names and texts of the product. */
export interface AuditLogOptions {
  /** Absolute. */
  readonly path: string;
  readonly logRaw?: boolean | undefined;
  readonly hmacAccessor?: boolean | undefined;
  readonly elideListResponses?: boolean | undefined;
  /** Permissions of the file; 0: unchanged. */
  readonly mode?: number | undefined;
  readonly prefix?: string | undefined;
}

/** A device, and the file that it writes to, to be closed at the end. */
export interface AuditLog {
  readonly device: AuditDevice;
  readonly file: AuditFile;
}

/**
 * Opens the log. Its file is named where the service is started: a caller of the HTTP API could have any file of the
 * user written to. @throws EmbeddedError foreign
 */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { path, logRaw = false, hmacAccessor = true, elideListResponses = false, mode, prefix } = options;
  // Execution is never permitted, as in the product.
  const permissions = mode === undefined ? undefined : mode & 0o666;
  const file = await AuditFile.open({ path, mode: permissions, prefix });
  const device: AuditDevice = {
    path: 'file/',
    type: 'file',
    description: 'set when the service was started',
    options: {
      file_path: path,
      ...(options.logRaw !== undefined && { log_raw: String(logRaw) }),
      ...(options.hmacAccessor !== undefined && { hmac_accessor: String(hmacAccessor) }),
      ...(options.elideListResponses !== undefined && { elide_list_responses: String(elideListResponses) }),
      ...(mode !== undefined && { mode: mode.toString(8).padStart(4, '0') }),
      ...(prefix !== undefined && { prefix }),
    },
    isRaw: logRaw,
    hashesAccessors: hmacAccessor,
    elidesLists: elideListResponses,
    prefix: prefix ?? '',
    append: (line) => file.append(line),
  };
  return { device, file };
}
