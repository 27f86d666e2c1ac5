import {
  afterFailure,
  isPostponed,
  type RenewalRetry,
  renewalTime,
  type Validity,
} from '../../../src/ssh/renewal-schedule.ts';
import {
  EventQueue,
  exponential,
  highest,
  type Outage,
  QueuedService,
  seededRandom,
  sum,
  Windows,
} from './simulation.ts';

const minute = 60;
export const hour = 3600;

/** Seconds by which the service dates a certificate back. */
const backdating = 30;
/** Between two logins of a host, on average. */
const loginInterval = 2 * hour;

/** What decides about renewals: as the program does, or without the spreading. */
export interface Policy {
  readonly renewalTime: (validity: Validity, signed: Uint8Array) => number;
  /** False: every login and timer tries again after a failure. */
  readonly postpones: boolean;
}

/** The functions that the program calls. */
export const spread: Policy = {
  renewalTime: (validity, signed) => Number(renewalTime(validity, signed)),
  postpones: true,
};
export const spreadOnly: Policy = { ...spread, postpones: false };
/** At two thirds of the validity period, and again with each login. */
export const fixed: Policy = {
  renewalTime: ({ after, before }) => Number(after) + (Number(before - after) * 2) / 3,
  postpones: false,
};

export interface HostsOptions {
  readonly hosts: number;
  /** Seconds. */
  readonly life: number;
  readonly policy: Policy;
  /** Signatures per second of the service. */
  readonly rate: number;
  readonly seed: number;
  /** The service is away. */
  readonly outage?: Outage | undefined;
  /** Ends after this many validity periods. */
  readonly lives: number;
  /** Of the windows in which requests are counted, seconds. */
  readonly window: number;
}

export interface HostsResult {
  /** Requests per second in each window, answered or not, from the enrolment on. */
  readonly rates: readonly number[];
  /** Requests per second, on average from the second validity period until an outage. */
  readonly mean: number;
  /** In a window before an outage. */
  readonly peak: number;
  /** In a window after the service returned. */
  readonly peakAfterReturn: number;
  /** In a second after the service returned. */
  readonly peakSecondAfterReturn: number;
  /** Seconds until the last host that became due during the outage had a certificate again. */
  readonly recovery: number;
  /** Seconds from a request to the response, at most. */
  readonly longestWait: number;
  /** Requests that failed. */
  readonly failed: number;
  /** Renewals of a certificate that had expired. */
  readonly expired: number;
}

interface Host {
  readonly interval: number;
  readonly phase: number;
  validity: Validity;
  renewAt: number;
  retry: RenewalRetry | undefined;
}

/** A time that has nothing special: certificates have whole seconds. */
const epoch = 1_900_000_000;
/** Everybody is enrolled within this time. */
const enrolment = minute;

/**
 * A fleet of hosts that were enrolled in the same minute. Each checks its certificate by a timer with a phase of its own
 * (every 5 minutes to one hour, for short certificates more often) and before logins.
 */
export function simulateHosts(options: HostsOptions): HostsResult {
  const { life, policy, outage } = options;
  const random = seededRandom(options.seed);
  const queue = new EventQueue<number>();
  const service = new QueuedService(outage);
  const end = options.lives * life;
  const requests = new Windows(options.window, end);
  const seconds = new Windows(1, end);
  const work = 1 / options.rate;
  let [failed, expired, recovered] = [0, 0, 0];
  const dueDuringOutage = new Uint8Array(options.hosts);

  /** The next check of a host: its timer, or a login. */
  const check = ({ interval, phase }: Host, from: number): number => {
    const timer = Math.ceil((from - phase) / interval) * interval + phase;
    return Math.min(timer, from + exponential(random, loginInterval));
  };
  const signed = new Uint8Array(32);
  const certify = (host: Host, time: number): void => {
    const now = Math.floor(epoch + time);
    for (let at = 0; at < signed.length; at++) signed[at] = random() * 256;
    host.validity = { after: BigInt(now - backdating), before: BigInt(now + life) };
    host.renewAt = policy.renewalTime(host.validity, signed) - epoch;
    host.retry = undefined;
  };

  const slowest = Math.max(5 * minute, Math.min(hour, life / 24));
  const hosts = Array.from({ length: options.hosts }, (_each, index): Host => {
    const interval = 5 * minute + random() * (slowest - 5 * minute);
    const none = { validity: { after: 0n, before: 0n }, renewAt: 0, retry: undefined };
    const host: Host = { interval, phase: random() * interval, ...none };
    certify(host, random() * enrolment);
    queue.add(check(host, host.renewAt), index);
    return host;
  });

  for (let next = queue.next(); next !== undefined && next.time < end; next = queue.next()) {
    const { time, event: index } = next;
    const host = hosts[index] as Host;
    const now = epoch + time;
    const { after, before } = host.validity;
    if (host.retry && isPostponed(host.retry, host.validity, now)) {
      // The first check that is not postponed: at the next attempt, or in the last tenth.
      const last = Number(before) - Number(before - after) / 10 - epoch;
      queue.add(check(host, Math.min(host.retry.retryAt - epoch, Math.max(last, time) + 1)), index);
      continue;
    }
    requests.count(time);
    seconds.count(time);
    if (service.isAway(time)) {
      failed += 1;
      dueDuringOutage[index] = 1;
      if (policy.postpones && now < Number(before))
        host.retry = afterFailure(host.retry, host.validity, now, random());
      queue.add(check(host, time + 1), index);
      continue;
    }
    const done = service.serve(time, work);
    if (now >= Number(before)) expired += 1;
    if (dueDuringOutage[index] === 1) {
      dueDuringOutage[index] = 0;
      recovered = Math.max(recovered, done);
    }
    certify(host, done);
    queue.add(check(host, host.renewAt), index);
  }

  const until = outage ? outage.begin : end;
  const steady = requests.rates(life, until);
  return {
    rates: requests.rates(0, end),
    mean: sum(steady) / Math.max(steady.length, 1),
    peak: highest(requests.rates(0, until)),
    peakAfterReturn: outage ? highest(requests.rates(outage.end, end)) : 0,
    peakSecondAfterReturn: outage ? highest(seconds.rates(outage.end, end)) : 0,
    recovery: outage ? Math.max(0, recovered - outage.end) : 0,
    longestWait: service.longestWait,
    failed,
    expired,
  };
}

/** Seconds of a window that has enough renewals for a rate: 5 minutes, or longer for small fleets. */
export function windowFor(hosts: number, life: number): number {
  const enough = 400;
  const mean = hosts / (0.42 * life);
  return Math.max(5 * minute, Math.ceil(enough / mean / minute) * minute);
}
