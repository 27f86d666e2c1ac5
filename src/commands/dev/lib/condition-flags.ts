import { flag, type Values } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { compact } from '../../../wire/objects.ts';
import { type ServiceName, serviceNames } from '../../../wire/services.ts';

/** Conditions of real clusters, for tests. */
export const conditionFlags = {
  standby: flag.duration('secrets: start a standby whose reads are this far behind'),
  afterStart: flag.list(
    'SERVICE=STATUS:TIME',
    'respond to every request with this status for some time after the start; repeatable',
  ),
} as const;

/** The conditions as the embedded services take them. Times are milliseconds. */
export interface DevConditions {
  readonly standby?: { readonly ms: number };
  readonly afterStart?: Readonly<
    Partial<Record<ServiceName, { readonly status: number; readonly ms: number }>>
  >;
}

/** The statuses of each service while it has no leader or restores its state. */
const statuses: Readonly<Record<ServiceName, readonly number[]>> = {
  secrets: [500, 503],
  registry: [403, 500, 503],
  box: [503],
  scheduler: [403, 500, 503],
  accounts: [500, 503],
};

/** @throws LanyardError usage: not SERVICE=STATUS:TIME, or not a status that the service has. */
export function readConditions({ standby, afterStart = [] }: Values<typeof conditionFlags>): DevConditions {
  const times = afterStart.map((text) => {
    const [, name, status, time = ''] = /^([a-z]+)=(\d{3}):(.+)$/.exec(text) ?? [];
    const service = serviceNames.find((each) => each === name);
    const seconds = parseDuration(time);
    if (!service || seconds === undefined)
      throw usage(`invalid --after-start "${text}": expected SERVICE=STATUS:TIME, such as scheduler=403:3s`);
    if (!statuses[service].includes(Number(status)))
      throw usage(
        `invalid --after-start "${text}": expected a status of ${service}: ${statuses[service].join(', ')}`,
      );
    return [service, { status: Number(status), ms: seconds * 1000 }] as const;
  });
  return compact({
    standby: standby === undefined ? undefined : { ms: (parseDuration(standby) ?? 0) * 1000 },
    afterStart: times.length === 0 ? undefined : Object.fromEntries(times),
  });
}
