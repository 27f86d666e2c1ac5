import type { Context } from '../../../../command/context.ts';
import { isKind, usage } from '../../../../errors.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { type Json, tryParseJson } from '../../../../wire/json.ts';
import { isObject } from '../../../../wire/objects.ts';
import { certificateFields, isTime, type SignedCertificate, signedCertificate } from './entry.ts';
import type { History } from './read-record.ts';

/** The values that an audit device hashes. */
const isClear = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.startsWith('hmac-sha256:');

const field = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined;
const clearText = (value: Json | undefined): string | undefined => (isClear(value) ? value : undefined);

/**
 * Reads the certificates in audit logs of the secrets service, of which the device of type file writes a line of JSON for
 * each request and response (docs/protocol/secrets.md#audit). Memory does not grow with the size of a log.
 *
 * Who, when, mount and role are in clear. The serial number and the certificate are hashed, unless the mount has them in
 * `audit_non_hmac_response_keys`, or the device `log_raw`.
 *
 * @param files in the order in which they were written; `-`: standard input; compressed with gzip or not.
 */
export async function readAuditLogs(
  files: readonly string[],
  { input, ssh }: Pick<Context, 'input' | 'ssh'>,
): Promise<History> {
  if (files.filter((file) => file === '-').length > 1) throw usage('--audit-log - can be given only once');
  const keys = await ssh.keys();
  const broken: string[] = [];
  let brokenCount = 0;
  let hashed = 0;
  const onBroken = (file: string, number: number): void => {
    brokenCount += 1;
    if (broken.length < 3) broken.push(`${file === '-' ? 'standard input' : file}:${number}`);
  };
  async function* groups() {
    for (const file of files) {
      let number = 0;
      for await (const lines of await input.readLogLines(file)) {
        const found: SignedCertificate[] = [];
        for (const line of lines) {
          number += 1;
          const read = line === undefined ? 'broken' : await readLine(line, keys);
          if (read === 'broken') onBroken(file, number);
          else if (read !== undefined) {
            if (read.serial === undefined) hashed += 1;
            found.push(read);
          }
        }
        yield found;
      }
    }
  }
  return {
    groups: groups(),
    gaps: () => [
      ...(brokenCount > 0 ? [`damaged lines: ${brokenCount}, such as ${broken.join(', ')}`] : []),
      ...(hashed > 0
        ? [
            `certificates without a serial number, of which the log has only the hash: ${hashed}. For later ones, run "lanyard secrets mount tune MOUNT --audit-non-hmac-response-keys serial_number,signed_key"`,
          ]
        : []),
    ],
  };
}

/** The certificate of a line. @returns undefined: the line is about something else */
async function readLine(line: string, keys: Keys): Promise<SignedCertificate | 'broken' | undefined> {
  const start = line.indexOf('{"');
  const text = line.trimEnd();
  if (text === '') return undefined;
  // The device may have a prefix.
  if (start < 0 || !text.endsWith('}')) return 'broken';
  // Lines about other paths, which are most, are not parsed.
  if (!/\/(sign|issue)\//.test(text) || !/"type": ?"response"/.test(text)) return undefined;
  const entry = tryParseJson(text.slice(start));
  if (!isObject(entry)) return 'broken';
  return entry.type === 'response' ? readResponse(entry, keys) : undefined;
}

async function readResponse(
  entry: { readonly [name: string]: Json },
  keys: Keys,
): Promise<SignedCertificate | 'broken' | undefined> {
  const { time, auth, request, response, error } = entry;
  const [, mount, role] = /^(.+)\/(?:sign|issue)\/([^/]+)$/.exec(String(field(request, 'path'))) ?? [];
  if (mount === undefined || role === undefined || (error !== undefined && error !== '')) return undefined;
  const data = field(response, 'data');
  const signed = field(data, 'signed_key');
  const isWrapped = isObject(field(response, 'wrap_info'));
  const type = field(request, 'mount_type') ?? field(response, 'mount_type');
  // Other engines have the same paths.
  if (typeof signed !== 'string' && !(isWrapped && type === 'ssh')) return undefined;
  if (!isTime(time)) return 'broken';
  const namespace = clearText(field(field(request, 'namespace'), 'path'))?.replace(/\/$/, '');
  const user = clearText(field(auth, 'display_name'));
  return signedCertificate({
    time,
    user,
    userFrom: user === undefined ? undefined : 'token',
    username: clearText(field(field(auth, 'metadata'), 'username')),
    entityId: clearText(field(auth, 'entity_id')),
    client: clearText(field(request, 'remote_address')),
    namespace,
    mount: namespace && mount.startsWith(`${namespace}/`) ? mount.slice(namespace.length + 1) : mount,
    role,
    ...requestedFields(field(request, 'data')),
    ...serialField(clearText(field(data, 'serial_number'))),
    ...(isClear(signed) ? await fieldsOf(signed, keys) : {}),
  });
}

/** What the request has in clear, if its keys are in `audit_non_hmac_request_keys`. */
function requestedFields(data: Json | undefined): {
  principals?: string[] | undefined;
  kind?: 'user' | 'host' | undefined;
  keyId?: string | undefined;
} {
  const principals = clearText(field(data, 'valid_principals'));
  const kind = field(data, 'cert_type');
  return {
    principals: principals?.split(',').filter((name) => name !== ''),
    kind: kind === 'user' || kind === 'host' ? kind : undefined,
    keyId: clearText(field(data, 'key_id')),
  };
}

/** The service has it in hexadecimal. */
const serialField = (hex: string | undefined): { serial?: string } =>
  hex !== undefined && /^[\da-f]{1,16}$/i.test(hex) ? { serial: String(BigInt(`0x${hex}`)) } : {};

async function fieldsOf(signed: string, keys: Keys): Promise<Partial<ReturnType<typeof certificateFields>>> {
  const found = await keys.inspect(signed, 'the audit log').catch((error: unknown) => {
    if (!isKind('usage')(error)) throw error;
  });
  return found?.what === 'certificate' ? certificateFields(found.certificate) : {};
}
