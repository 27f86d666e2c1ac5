import type { Call } from './answer.ts';
import { unmountedPathIn } from './conditions.ts';

interface NotMounted {
  readonly kind: 'not_found';
  /** Completes "operation: …". */
  readonly what: string;
  readonly hint: string;
}

/** What a 404 means that says that nothing is mounted where the path leads, with the line that mounts it. */
export function notMounted(
  { operation, mount, namespace }: Call,
  messages: readonly string[],
): NotMounted | undefined {
  const path = unmountedPathIn(messages);
  if (path === undefined) return undefined;
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  if (operation.engine === undefined || mount === undefined) {
    return {
      kind: 'not_found',
      what: `nothing is mounted at the path "${path}" (404)`,
      hint: `Run "lanyard secrets read sys/mounts${inNamespace}" to see what is mounted.`,
    };
  }
  return {
    kind: 'not_found',
    what: `no ${operation.engine} engine is mounted at ${mount}/ (404)`,
    hint: `Run "lanyard secrets write sys/mounts/${mount} type=${operation.engine}${inNamespace}" to mount it.`,
  };
}
