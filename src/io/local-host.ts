import { lookup, lookupService } from 'node:dns/promises';
import { readFileSync, readlinkSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { hostname, networkInterfaces, userInfo } from 'node:os';
import { errorCode, osFailure, usage } from '../errors.ts';

/**
 * The names of this machine, lower case: its host name, and the full name that its addresses resolve to. `localhost`
 * is left out.
 */
export async function localHostNames(): Promise<string[]> {
  const own = hostname().toLowerCase();
  const full = own.includes('.') ? [] : await resolveFullNames(own);
  return [...new Set([own, ...full])].filter((name) => name !== '' && name !== 'localhost');
}

/** The user of this process and the host name: `ada@laptop`. A user without a name is its number. */
export function localUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}

async function resolveFullNames(own: string): Promise<string[]> {
  const addresses = await lookup(own, { all: true }).catch(() => []);
  const names = await Promise.all(
    addresses.map(async ({ address }) => {
      const found = await lookupService(address, 22).catch(() => undefined);
      return found?.hostname.toLowerCase() ?? '';
    }),
  );
  return names.filter((name) => name.startsWith(`${own}.`));
}

/** Addresses that every machine has: loopback and link-local. */
const sharedBlocks = ['127.0.0.0/8', '::1/128', '169.254.0.0/16', 'fe80::/10'];

/** Whether an address belongs to this machine only. */
export function isLocalAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((list = []) => list.map((entry) => entry.address));
  return isInCidrBlocks(address, own) && !isInCidrBlocks(address, sharedBlocks);
}

/**
 * Whether an address is in a list of addresses and blocks (`10.0.0.0/8`). Spellings of the same address are equal.
 *
 * @throws LanyardError usage: an invalid block. An invalid address is in no block.
 */
export function isInCidrBlocks(address: string, blocks: readonly string[]): boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [, start = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(block) ?? [];
    const version = isIP(start);
    const maxBits = version === 6 ? 128 : 32;
    if (version === 0 || Number(bits ?? 0) > maxBits)
      throw usage(`"${block}" is not an address or a CIDR block`);
    list.addSubnet(start, Number(bits ?? maxBits), version === 6 ? 'ipv6' : 'ipv4');
  }
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** A process, so that others on the same machine can see whether it still runs. */
export interface LocalProcess {
  /** Identifies the machine since its start, and the container; undefined: unknown. */
  readonly machine: string | undefined;
  readonly pid: number;
}

/** This process. Only Linux says which processes have numbers of their own: containers may have the same host name. */
export function localProcess(): LocalProcess {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { machine: `${boot} ${readlinkSync('/proc/self/ns/pid')}`, pid: process.pid };
  } catch {
    return { machine: undefined, pid: process.pid };
  }
}

/** Whether a process of this machine has ended; false: it runs, or is one of another machine. */
export function isProcessGone({ machine, pid }: Partial<LocalProcess>): boolean {
  if (machine === undefined || pid === undefined || machine !== localProcess().machine) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Sends a signal to another process. @returns false: it does not exist. @throws LanyardError failure: not permitted. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw osFailure(`send ${signal} to process ${pid}`, error);
  }
}
