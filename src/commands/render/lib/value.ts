import type { ClientOptions } from '../../../command/api.ts';
import type { Context } from '../../../command/context.ts';
import type { LanyardError } from '../../../errors.ts';
import type { ValueRequest } from '../../../output/template/requests.ts';
import type { Source } from '../../../watch/watch.ts';
import type { Json } from '../../../wire/json.ts';
import type { ServiceName } from '../../../wire/services.ts';

/** How the state of a value is watched. `toValue` returns undefined: the value does not exist. */
interface Watched<State> {
  readonly source: Source<State>;
  readonly toValue: (state: State) => Json | undefined;
}

/** A value that a template requests. */
export interface Value<State = unknown> {
  /** The service that it is read from; undefined: none. */
  readonly service: ServiceName | undefined;
  /** Its texts are hidden in messages and in a dry run. */
  readonly isSecret: boolean;
  /**
   * Reads it once.
   *
   * @param options of the client while values are watched.
   * @throws LanyardError; not_found: it does not exist.
   */
  read(options?: ClientOptions): Promise<Json>;
  /** Absent: it does not change. */
  watch?(options: ClientOptions): Promise<Watched<State>>;
  /** The error for a watched value that does not exist. */
  missing(): LanyardError;
}

/** Opens a value. @throws LanyardError usage: an invalid name or option. */
export type OpenValue = (
  request: ValueRequest,
  ctx: Pick<Context, 'api' | 'output' | 'system'>,
  // biome-ignore lint/suspicious/noExplicitAny: of every state
) => Value<any>;
