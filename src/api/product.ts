import { tryParseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';

/** A response, as evidence of what sent it. */
export interface Evidence {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** What the evidence shows; null: nothing does. */
export interface Recognized {
  /** A name such as `OpenBao`, or `Vault-compatible` where only the API is known. */
  readonly product: string | null;
  readonly version: string | null;
}

/** Whether a response to a service's health request is from that service, in any state. */
export function isFrom(service: ServiceName, { status, headers, body }: Evidence): boolean {
  const fields = fieldsOf(body);
  switch (service) {
    case 'secrets':
      return typeof fields.initialized === 'boolean' && typeof fields.sealed === 'boolean';
    case 'registry':
      // Nomad responds to `status/leader` with a string too, without a header of its own.
      if (hasHeader(headers, /^x-(nomad|scheduler)-/)) return false;
      return (
        hasHeader(headers, /^x-(consul|registry)-(?!token)/) || (status === 200 && typeof body === 'string')
      );
    case 'scheduler':
      return [fields.server, fields.client].some((part) => typeof fieldsOf(part).ok === 'boolean');
    case 'accounts':
      if (status !== 200) return typeof fields.kind === 'string' && typeof fields.message === 'string';
      return fields.items === undefined
        ? typeof fields.response_type === 'string'
        : Array.isArray(fields.items) &&
            fields.items.every((item) => typeof fieldsOf(item).scope_id === 'string');
    case 'box':
      return Array.isArray(fields.boxes) || fields.success === false;
  }
}

/**
 * Names product and version from responses of a service; pure, and never a guess: a product is named only where a
 * response has what that product alone sends.
 *
 * @param evidence responses of the service, the one to its health request first.
 */
export function recognize(service: ServiceName, evidence: readonly Evidence[]): Recognized {
  const lanyard = evidence
    .map(({ headers }) => /^Lanyard\/(\S+)$/.exec(headers.server ?? ''))
    .find((match) => match !== null);
  if (lanyard) return { product: 'Lanyard', version: lanyard[1] ?? null };
  const [health] = evidence;
  if (health === undefined || !isFrom(service, health)) return { product: null, version: null };
  return { product: productOf(service, evidence), version: versionOf(service, evidence) };
}

function productOf(service: ServiceName, evidence: readonly Evidence[]): string {
  const has = (name: RegExp): boolean => evidence.some(({ headers }) => hasHeader(headers, name));
  const bodies = evidence.map(({ body }) => fieldsOf(body));
  switch (service) {
    case 'secrets':
      // The seal status: OpenBao has the time of the commit, Vault the time of the build. The first versions of OpenBao
      // had that too; only Vault has versions below 2 or a field for the enterprise edition.
      if (bodies.some((body) => 'commit_date' in body)) return 'OpenBao';
      return bodies.some((body) => 'build_date' in body) &&
        bodies.some((body) => 'enterprise' in body || /^[01]\./.test(String(body.version)))
        ? 'Vault'
        : 'Vault-compatible';
    case 'registry':
      return has(/^x-consul-/) ? 'Consul' : 'Consul-compatible';
    case 'scheduler':
      return has(/^x-nomad-/) ? 'Nomad' : 'Nomad-compatible';
    case 'accounts':
      // The gateway of its API, and its rate limits, which are counted by auth token.
      return has(/^x-boundary-/) ||
        evidence.some(
          ({ headers }) =>
            headers['grpc-metadata-content-type'] !== undefined ||
            headers['ratelimit-policy']?.includes('comment="auth-token"'),
        )
        ? 'Boundary'
        : 'Boundary-compatible';
    case 'box':
      return 'Vagrant-compatible';
  }
}

function versionOf(service: ServiceName, evidence: readonly Evidence[]): string | null {
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const versions = evidence.map(({ body }) => {
    const fields = fieldsOf(body);
    if (service === 'secrets') return text(fields.version);
    if (service === 'registry') return text(fieldsOf(fields.Config).Version);
    if (service !== 'scheduler') return null;
    const { Version, VersionPrerelease } = fieldsOf(fieldsOf(fields.config).Version);
    const prerelease = text(VersionPrerelease);
    return text(Version) && `${Version}${prerelease === null ? '' : `-${prerelease}`}`;
  });
  return versions.find((version) => version !== null) ?? null;
}

/** The fields of an object; none of anything else. JSON that was sent as text is read. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  const value = typeof body === 'string' && body.startsWith('{') ? tryParseJson(body) : body;
  return isObject(value) ? value : {};
}

const hasHeader = (headers: Evidence['headers'], name: RegExp): boolean =>
  Object.keys(headers).some((each) => name.test(each));
