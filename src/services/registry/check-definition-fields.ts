import { formatDuration, parseDuration } from '../../wire/duration.ts';
import type { Json } from '../../wire/json.ts';
import { compact } from '../../wire/objects.ts';
import { FieldError, Fields, type JsonObject } from '../core/http/fields.ts';

/** A duration with a unit, or a number of nanoseconds, in milliseconds. @throws FieldError */
export function readMilliseconds(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value / 1e6;
  const seconds = typeof value === 'string' && /[a-zµ0]$/.test(value) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new FieldError(`time: invalid duration ${JSON.stringify(value)}`);
  return seconds * 1000;
}

/** A duration as text; empty for 0. */
export function durationText(ms: number): string {
  if (ms === 0) return '';
  return ms % 1000 === 0 ? formatDuration(ms / 1000) : `${ms / 1000}s`;
}

/**
 * The `Definition` of a check in the catalog, without empty fields. Names ignore case, and unknown ones are ignored.
 * Durations are text, but `TTL` is a number of nanoseconds.
 * @throws FieldError
 */
export function readCatalogDefinition(value: Json | undefined): JsonObject {
  const fields = new Fields(value ?? {}, 'Definition');
  const text = (name: string) => fields.string(name) || undefined;
  const flag = (name: string) => fields.boolean(name) || undefined;
  const duration = (name: string) => durationText(readMilliseconds(fields.get(name))) || undefined;
  const arguments_ = fields.strings('ScriptArgs');
  return compact({
    Interval: duration('Interval'),
    OutputMaxSize: fields.integer('OutputMaxSize') || undefined,
    Timeout: duration('Timeout'),
    DeregisterCriticalServiceAfter: duration('DeregisterCriticalServiceAfter'),
    HTTP: text('HTTP'),
    TLSServerName: text('TLSServerName'),
    TLSSkipVerify: flag('TLSSkipVerify'),
    Header: fields.rawObject('Header'),
    Method: text('Method'),
    Body: text('Body'),
    DisableRedirects: flag('DisableRedirects'),
    TCP: text('TCP'),
    TCPUseTLS: flag('TCPUseTLS'),
    UDP: text('UDP'),
    H2PING: text('H2PING'),
    OSService: text('OSService'),
    H2PingUseTLS: flag('H2PingUseTLS'),
    ScriptArgs: arguments_.length > 0 ? arguments_ : undefined,
    DockerContainerID: text('DockerContainerID'),
    Shell: text('Shell'),
    GRPC: text('GRPC'),
    GRPCUseTLS: flag('GRPCUseTLS'),
    AliasNode: text('AliasNode'),
    AliasService: text('AliasService'),
    SessionName: text('SessionName'),
    TTL: Math.round(readMilliseconds(fields.get('TTL')) * 1e6) || undefined,
  });
}

/** The type of a check with this definition; empty: none, or without the interval that its type needs. */
export function typeOfDefinition(definition: JsonObject): string {
  const { Interval, ScriptArgs, TTL } = definition;
  const isPeriodic = (name: string) => definition[name] !== undefined && Interval !== undefined;
  if (isPeriodic('GRPC')) return 'grpc';
  if (isPeriodic('HTTP')) return 'http';
  if (TTL !== undefined) return 'ttl';
  if (isPeriodic('TCP')) return 'tcp';
  if (isPeriodic('UDP')) return 'udp';
  if (definition.AliasNode !== undefined || definition.AliasService !== undefined) return 'alias';
  if (ScriptArgs !== undefined && isPeriodic('DockerContainerID')) return 'docker';
  if (ScriptArgs !== undefined) return 'script';
  if (isPeriodic('H2PING')) return 'h2ping';
  return isPeriodic('OSService') ? 'os_service' : '';
}
