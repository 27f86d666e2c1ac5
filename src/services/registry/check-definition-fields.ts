import { formatDuration, parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { FieldError } from '../core/http/decode-body.ts';
import { goRulesFor } from '../core/schema/go-rules.ts';
import { read } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';
import { durationInput, flag, integer, strings, text } from './config/rules.ts';

/** A duration with a unit, or a number of nanoseconds, in milliseconds. @throws FieldError */
export function readMilliseconds(value: Json): number {
  if (typeof value === 'number') return value / 1e6;
  const seconds =
    typeof value === 'string' && /^-?0$|^\S.*[a-zµ]$/.test(value) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`time: invalid duration ${JSON.stringify(value)}`);
  return seconds * 1000;
}

/** A duration as text; empty for 0. */
export function durationText(ms: number): string {
  if (ms === 0) return '';
  return ms % 1000 === 0 ? formatDuration(ms / 1000) : `${ms / 1000}s`;
}

const duration = s.nonEmpty(
  s.converted(
    s.string('A duration such as `5s`, or nanoseconds.'),
    (value) => durationText(readMilliseconds(value)),
    durationInput,
  ),
);

/** What a check of the catalog runs. Durations are texts, but `TTL` is a number of nanoseconds. */
const definition = s.named(
  'CheckDefinition',
  s.object({
    Interval: duration,
    OutputMaxSize: integer,
    ...s.each(['Timeout', 'DeregisterCriticalServiceAfter'], duration),
    ...s.each(['HTTP', 'TLSServerName', 'Method', 'Body', 'TCP', 'UDP', 'H2PING', 'OSService'], text),
    ...s.each(['DockerContainerID', 'Shell', 'GRPC', 'AliasNode', 'AliasService', 'SessionName'], text),
    ...s.each(['TLSSkipVerify', 'DisableRedirects', 'TCPUseTLS', 'H2PingUseTLS', 'GRPCUseTLS'], flag),
    Header: s.optional(s.anyObject()),
    ScriptArgs: strings,
    TTL: s.nonEmpty(
      s.converted(
        s.integer(duration.description),
        (value) => Math.round(readMilliseconds(value) * 1e6),
        durationInput,
      ),
    ),
  }),
);

export type CheckDefinition = s.Stored<typeof definition>;

/** The `Definition` of a check in a request; unknown fields have no effect. */
export const definitionInput = s.converted(definition, (value) =>
  read(definition, value, goRulesFor('Definition')),
);

/** The type of a check with this definition; empty: none, or without the interval that its type needs. */
export function typeOfDefinition({ Interval, ScriptArgs, TTL, ...rest }: CheckDefinition): string {
  const isPeriodic = (value: unknown) => value !== undefined && Interval !== undefined;
  if (isPeriodic(rest.GRPC)) return 'grpc';
  if (isPeriodic(rest.HTTP)) return 'http';
  if (TTL !== undefined) return 'ttl';
  if (isPeriodic(rest.TCP)) return 'tcp';
  if (isPeriodic(rest.UDP)) return 'udp';
  if (rest.AliasNode !== undefined || rest.AliasService !== undefined) return 'alias';
  if (ScriptArgs !== undefined) return isPeriodic(rest.DockerContainerID) ? 'docker' : 'script';
  if (isPeriodic(rest.H2PING)) return 'h2ping';
  return isPeriodic(rest.OSService) ? 'os_service' : '';
}
