import type { KeyFile } from '../data-directory.ts';
import { messageOf } from '../errors.ts';
import {
  type Answer,
  HttpRefusal,
  type HttpRequest,
  type HttpService,
  type ServiceParts,
  textAnswer,
} from '../http/service.ts';
import { answerOrRefuse, handlerOf } from '../http/table.ts';
import { State } from '../state/state.ts';
import type { PagedStorage } from '../storage.ts';
import { openVault, type Vault } from '../vault.ts';
import { Access } from './acl/access.ts';
import type { Scheduler } from './http/call.ts';
import { LockTimes } from './lock-times.ts';
import { schedulerRoutes } from './routes/table.ts';
import { beginNamespaces } from './state/namespaces.ts';
import type { Table, State as Tables } from './state/tables.ts';

export interface SchedulerParts extends ServiceParts {
  readonly storage: PagedStorage;
  /** Cryptographically strong bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Told of faults of the service, one line each. */
  readonly log: (line: string) => void;
  /** Where the key of the variables is; undefined: in memory, as they are. */
  readonly keyFile: KeyFile | undefined;
}

/** The scheduler on HTTP, and what ends it. */
export interface SchedulerService extends HttpService {
  /** Lets go of those who wait, and of the timers. */
  stop(): void;
}

/**
 * The namespaces and variables of a scheduler on a storage (docs/protocol/scheduler.md). Every error is plain
 * text (docs/protocol/scheduler.md#requests-and-responses).
 *
 * @throws EmbeddedError data: the key does not open what is kept
 */
export async function schedulerService(parts: SchedulerParts): Promise<SchedulerService> {
  const { clock, keyFile, log, random, storage, version } = parts;
  const fault = (error: unknown) => log(`scheduler: ${messageOf(error)}`);
  const state = new State<Table>({ storage, clock, random });
  await state.change(beginNamespaces);
  const scheduler: Scheduler = {
    state,
    vault: await vaultIn(state, random, keyFile),
    access: new Access(state),
    locks: new LockTimes(state, fault),
    random,
    version,
  };
  const routes = schedulerRoutes();

  async function route(request: HttpRequest): Promise<Answer> {
    const found = handlerOf(routes.find(request.path.segments), request, {
      noPath: () => refuse(404, 'Invalid URL path'),
      noMethod: () => refuse(405, 'Invalid method'),
    });
    if ('refusal' in found) return found.refusal;
    checkRegion(request);
    await scheduler.locks.sweep();
    const authority = scheduler.access.authorityOf(request);
    return found.handler({ scheduler, request, params: found.params, authority });
  }

  return {
    name: 'scheduler',
    prefixes: ['X-Scheduler', 'X-Nomad'],
    keysBelow: ['v1', 'var'],
    refuse,
    handle: (request) => answerOrRefuse(() => route(request), refuse, fault),
    stop() {
      scheduler.locks.stop();
      state.close();
    },
  };
}

/** @throws EmbeddedError data: the key does not open what is kept */
function vaultIn(state: Tables, random: SchedulerParts['random'], file: KeyFile | undefined): Promise<Vault> {
  return openVault({
    service: 'scheduler',
    random,
    file,
    proof: state.view.get('key', 'proof')?.sealed as string | undefined,
    keepProof: (sealed) => state.change((draft) => draft.put('key', 'proof', { sealed })),
  });
}

/** There is one region. */
function checkRegion({ query }: HttpRequest): void {
  if ((query.get('region') || 'global') !== 'global') throw new HttpRefusal(500, 'No path to region');
}

function refuse(status: number, message: string): Answer {
  return textAnswer(status, message);
}
