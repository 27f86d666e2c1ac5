import { conflict, LanyardError } from '../errors.ts';
import { compare, merge, statedPointers, without, withoutWriteOnly } from './compare.ts';
import { compareOptions, generatedFields, isRotated } from './draft.ts';
import type { JsonObject, Live, Services, Write } from './kind.ts';
import { type Mark, splitMark, withMark } from './marks.ts';
import { canonicalText, normalize } from './normalize.ts';
import { withoutSecrets } from './operation-secrets.ts';
import { type Operation, operationLabel } from './operations.ts';
import { undoOf } from './undo-guard.ts';

/** How an operation ended. */
export interface Outcome {
  readonly status: 'done' | 'failed' | 'unknown' | 'not-started';
  readonly error?: LanyardError;
  /** The object after the operation. */
  readonly live?: Live | undefined;
}

/** How an operation of a plan ended. */
export interface OperationResult extends Outcome {
  readonly operation: Operation;
}

/**
 * Carries out one operation under its guard, and reads the object back. A lost response is settled by reading.
 * Never throws a LanyardError.
 */
export async function execute(operation: Operation, services: Services): Promise<Outcome> {
  const outcome = await carryOut(operation, services);
  return outcome.error ? { ...outcome, error: withoutSecrets(operation, outcome.error) } : outcome;
}

async function carryOut(operation: Operation, services: Services): Promise<Outcome> {
  try {
    if (operation.guard.type === 're-read' || operation.action === 'adopt')
      await requireUnchanged(operation, services);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return { status: 'failed', error };
  }
  try {
    await write(operation, services);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return settle(operation, error, services);
  }
  return confirm(operation, services);
}

async function write(operation: Operation, services: Services): Promise<void> {
  const { kind, identity, action, live, document } = operation;
  const resolvePath = document?.resolvePath ?? ((path: string) => path);
  if (action === 'create') {
    const version = document && undoOf(document.metadata)?.valuesVersion;
    if (version !== undefined && kind.versions) return kind.versions.restore(services, identity, version);
    const spec = marked(operation, merge(kind.schema, {}, operation.desired ?? {}));
    const name = document?.metadata.name;
    const spelled = typeof name === 'string' && kind.canonicalName?.(name) === identity.key ? { name } : {};
    await kind.create(services, { identity, ...spelled, spec, live: undefined, resolvePath });
    return;
  }
  if (!live) return;
  const stored = { ...live, spec: operation.mark ? withMark(kind, live.spec, operation.mark) : live.spec };
  if (action === 'delete') {
    // It goes with what contains it, which is deleted next.
    if (kind.obstacle?.('delete', live.spec, live) !== undefined) return;
    return kind.remove(services, identity, stored);
  }
  if (action === 'adopt' && !kind.mark) return;
  const write: Write & { readonly live: Live } = {
    identity,
    spec: desiredSpec(operation, live),
    live: stored,
    resolvePath,
  };
  await kind.update(services, write);
}

const marked = ({ kind, nextMark }: Operation, spec: JsonObject): JsonObject =>
  nextMark ? withMark(kind, spec, nextMark) : spec;

/** The complete object to store: what is stated, over what the service has. */
function desiredSpec(operation: Operation, live: Live): JsonObject {
  const { kind, action, desired = {}, document, unset } = operation;
  if (action === 'adopt' || document?.metadata.values === 'unmanaged') return marked(operation, live.spec);
  const isSent = isRotated(operation) || kind.sendsWriteOnly;
  const stated = isSent ? desired : withoutWriteOnly(kind.schema, desired);
  const merged = merge(kind.schema, live.spec, stated, document?.metadata.mergeKeys === true);
  const statedNow = new Set(statedPointers(kind.schema, desired));
  return marked(
    operation,
    without(
      merged,
      unset.filter((pointer) => !statedNow.has(pointer)),
    ),
  );
}

/** An object without its mark, and the mark. */
type MarkedLive = Live & { readonly mark: Mark | undefined };

async function readAgain({ kind, identity }: Operation, services: Services): Promise<MarkedLive | undefined> {
  const found = await kind.read(services, identity);
  return found && { ...found, ...splitMark(kind, found.spec) };
}

/** Whether two states of an object are the same. */
function isSameState({ kind }: Operation, one: Live | undefined, other: Live | undefined): boolean {
  if (!one || !other) return one === other;
  const text = ({ spec }: Live): string => canonicalText(normalize(kind.schema, spec) ?? {});
  return one.version === other.version && one.uid === other.uid && text(one) === text(other);
}

/** @throws LanyardError conflict: the object is not what the plan saw. */
async function requireUnchanged(operation: Operation, services: Services): Promise<void> {
  const current = await readAgain(operation, services).catch((error: unknown) => {
    // What the object is in was created just now.
    if (operation.action === 'create' && error instanceof LanyardError && error.kind === 'not_found')
      return undefined;
    throw error;
  });
  if (isSameState(operation, operation.live, current) && current?.mark?.id === operation.mark?.id) return;
  throw changedSincePlan(operation);
}

const changedSincePlan = (operation: Operation): LanyardError =>
  conflict(`${operationLabel(operation)} was changed since the plan`, {
    service: operation.kind.service,
    hint: 'Nothing was written to it. Run `lanyard plan` again.',
  });

/** Whether the object is as the operation wants it; undefined: reading does not show that. */
function isDone(operation: Operation, current: MarkedLive | undefined): boolean | undefined {
  const { kind, action, live, nextMark } = operation;
  if (action === 'delete') return current === undefined;
  if (!current || differences(operation, current).length > 0) return false;
  if (kind.mark && nextMark)
    return current.mark?.id === nextMark.id && current.mark.rotation === nextMark.rotation;
  if (!isRotated(operation)) return true;
  return live?.version === '' ? undefined : current.version !== live?.version;
}

function differences(operation: Operation, current: Live): readonly string[] {
  const { kind, desired = {}, document } = operation;
  if (!document || operation.action === 'adopt' || document.metadata.values === 'unmanaged') return [];
  const options = { options: hidden, members: new Map(), moves: new Map() };
  return compare(
    kind.schema,
    desired,
    current.spec,
    compareOptions(document, { resolved: new Set() }, options, generatedFields(kind, desired)),
  ).map(({ path }) => path);
}

const hidden = {
  adopt: false,
  takeOver: false,
  prune: undefined,
  showsSecrets: false,
  filter: undefined,
  others: [],
} as const;

/** After a write that succeeded: a field that the service did not keep would differ for ever. */
async function confirm(operation: Operation, services: Services): Promise<Outcome> {
  try {
    const live = await readAgain(operation, services);
    if (operation.action === 'delete') return { status: 'done' };
    const lost = live ? differences(operation, live) : ['the object'];
    if (lost.length === 0) return { status: 'done', live };
    const error = new LanyardError('unknown', `not kept by the server: ${lost.join(', ')}`, {
      service: operation.kind.service,
      hint: 'The object was written. Remove the fields from the file, or check the version of the server.',
    });
    return { status: 'unknown', error, live };
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    // Written; the token may write and not read.
    if (error.kind === 'forbidden') return { status: 'done' };
    return { status: 'unknown', error };
  }
}

/** The error of a request that was lost, where the object shows that it had no effect. */
function notWritten({ kind }: Operation, error: LanyardError): LanyardError {
  if (error.kind === 'unreachable') return error;
  const [, cause = error.message] = /: outcome unknown: (.*)$/s.exec(error.message) ?? [];
  return new LanyardError('unreachable', `${cause}; the object is unchanged`, {
    service: kind.service,
    retryable: true,
  });
}

/** After a write that failed: whether it took effect nevertheless, or a part of it. */
async function settle(operation: Operation, error: LanyardError, services: Services): Promise<Outcome> {
  if (error.kind === 'conflict') return { status: 'failed', error };
  const isLost = error.kind === 'unknown' || error.kind === 'unreachable';
  try {
    const current = await readAgain(operation, services);
    const isSettled = isLost ? isDone(operation, current) : false;
    if (isSettled === true) return { status: 'done', live: current };
    if (isSettled === undefined || !isSameState(operation, operation.live, current))
      return { status: 'unknown', error };
    if (!isLost) return { status: 'failed', error };
    return { status: 'failed', error: notWritten(operation, error) };
  } catch (failure) {
    if (!(failure instanceof LanyardError)) throw failure;
    return { status: error.kind === 'unknown' ? 'unknown' : 'failed', error };
  }
}
