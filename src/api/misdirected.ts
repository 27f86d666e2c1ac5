import type { Kind } from '../errors.ts';
import { isPlainHttpToTls, unmountedPathIn } from './conditions.ts';
import type { Call } from './response.ts';
import { services } from './services.ts';

interface ErrorMeaning {
  readonly kind: Kind;
  /** Completes "cannot <operation>: …". */
  readonly what: string;
  readonly hint: string;
}

/** What a failure means that says that a request came to the wrong place: to a port with TLS, to no mount. */
export function misdirectedRequest(
  { operation, mount, namespace }: Call,
  status: number,
  messages: readonly string[],
): ErrorMeaning | undefined {
  const { engine, service, token } = operation;
  if (status === 400 && isPlainHttpToTls(messages)) {
    return {
      kind: 'unreachable',
      what: `the ${services[service].title} expects TLS (400)`,
      hint: 'Use https:// in its address.',
    };
  }
  // Without a token, the service does not say that there is no mount.
  if (status === 403 && engine !== undefined && token === 'none') {
    return {
      kind: 'forbidden',
      what: 'permission denied (403)',
      hint: `Check that an ${engine} engine is mounted at ${mount}/.`,
    };
  }
  const path = status === 404 ? unmountedPathIn(messages) : undefined;
  if (path === undefined) return undefined;
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  return engine === undefined
    ? {
        kind: 'not_found',
        what: `nothing is mounted at the path "${path}" (404)`,
        hint: `Run \`lanyard secrets read sys/mounts${inNamespace}\` to see what is mounted.`,
      }
    : {
        kind: 'not_found',
        what: `no ${engine} engine is mounted at ${mount}/ (404)`,
        hint: `Run \`lanyard secrets write sys/mounts/${mount} type=${engine}${inNamespace}\` to mount it.`,
      };
}
