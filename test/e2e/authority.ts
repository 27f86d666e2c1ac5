import { home } from '../support/run.ts';
import { services } from '../support/services.ts';
import { done, mountCa } from '../support/ssh-ca.ts';
import { Keygen } from '../unit/ssh/keygen.ts';
import { type Sshd, startSshd } from './openssh.ts';

/** Embedded services with CAs, each in a mount of its name, and a folder of keys that they sign. */
export type Authority = Awaited<ReturnType<typeof startAuthority>>;

/**
 * @param cas the mounts, with the flags of `ssh ca create`. Each has a role `any`, which permits what is asked.
 * @param clock the services' own; sshd's is the machine's.
 */
export async function startAuthority(cas: Readonly<Record<string, readonly string[]>>, clock: () => Date) {
  const at = home();
  const keygen = new Keygen();
  const running = await services(at, { clock });
  const sshds: Promise<Sshd>[] = [];
  const publicKeys: Record<string, string> = {};

  const put = (mount: string, role: string, ...flags: readonly string[]) =>
    done(at, ['ssh', 'role', 'put', role, '--mount', mount, ...flags]);

  const allowed = ['--allow-user-certificates', '--allow-host-certificates', '--ttl', '5m'];
  const any = ['--allowed-users', '*', '--allowed-domains', '*', '--allowed-extensions', '*'];
  for (const [mount, flags] of Object.entries(cas)) {
    publicKeys[mount] = await mountCa(at, mount, flags);
    await put(mount, 'any', ...allowed, ...any);
  }

  return {
    keygen,
    env: at.env,
    publicKeys,
    put,
    /** Runs a command line that has to succeed. @returns what it wrote to standard output. */
    run: (...argv: readonly string[]) => done(at, argv),
    /** The same at another time of the client. */
    runAt: (now: Date, ...argv: readonly string[]) => done(at, argv, { now }),
    /** Runs a command line that must succeed; gives its output. */
    lanyard: (...argv: readonly string[]) => done(at, argv),
    /** Signs `KEY.pub`; the certificate comes to lie beside it, where ssh looks for it. */
    sign: (key: string, mount: string, role: string, ...flags: readonly string[]) =>
      done(at, ['ssh', 'sign', role, '--mount', mount, '--key', keygen.path(`${key}.pub`), ...flags]),
    inspect: async (certificate: string) =>
      JSON.parse(await done(at, ['ssh', 'inspect', keygen.path(certificate), '--output', 'json'])),
    sshd(name: string, ...lines: readonly string[]): Promise<Sshd> {
      const sshd = startSshd(keygen.folder, name, lines);
      sshds.push(sshd);
      return sshd;
    },
    async stop(): Promise<void> {
      for (const sshd of await Promise.allSettled(sshds)) {
        if (sshd.status === 'fulfilled') await sshd.value.stop();
      }
      await running.close();
      keygen.remove();
      at.remove();
    },
  };
}
