import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { LanyardError, usage } from '../errors.ts';
import { agentIdentities, agentKeys } from './agent.ts';
import { serveAgent } from './agent-server.ts';
import { serveAskpass } from './askpass-server.ts';
import { createMemoryKey } from './ed25519-key.ts';
import { knownHostsCaLine } from './known-hosts.ts';
import type { ClientSettings } from './types.ts';

interface ProcessEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const families: Readonly<Record<string, 4 | 6>> = { inet: 4, inet6: 6 };

export type SshClient = ReturnType<typeof sshClient>;

/** The ssh client in the PATH of the environment. */
export function sshClient(environment: ProcessEnvironment) {
  return {
    /** The default user name of ssh. */
    localUser: userInfo().username,
    /**
     * Asks ssh for the effective settings of its configuration and these arguments.
     *
     * @param variables in addition to the environment.
     * @throws LanyardError usage: ssh is missing, or it rejects the arguments.
     */
    async resolveSettings(
      argv: readonly string[],
      variables: Readonly<Record<string, string>> = {},
    ): Promise<ClientSettings> {
      const env = { ...environment.env, ...variables };
      const { code, stdout, stderr } = await runSsh(['-G', ...argv], { ...environment, env });
      if (code === 0) return parseSettings(stdout);
      throw usage(`ssh rejected these arguments (exit code ${code})`, {
        details: stderr.trim().split('\n').slice(0, 5),
      });
    },
    /** Whether ssh would use an open connection (ControlMaster). */
    async hasSharedConnection(argv: readonly string[], settings: ClientSettings): Promise<boolean> {
      const path = settings.value('controlpath');
      if (path === undefined || path === 'none' || !existsSync(path)) return false;
      return (await runSsh(['-O', 'check', ...argv], environment)).code === 0;
    },
    /** The first address of the host. @throws LanyardError unreachable: it has none. */
    async resolveAddress(settings: ClientSettings): Promise<string> {
      const family = families[settings.value('addressfamily') ?? ''] ?? 0;
      try {
        return (await lookup(settings.host, { family, order: 'verbatim' })).address;
      } catch (cause) {
        const problem = (cause as NodeJS.ErrnoException).code;
        throw new LanyardError('unreachable', `cannot resolve host ${settings.host} (${problem})`, {
          hint: 'A one-time password is bound to an IP address: set the address of the host with --ip.',
          cause,
        });
      }
    },
    createMemoryKey,
    agentKeys,
    agentIdentities,
    serveAgent,
    serveAskpass,
    /** The known_hosts line, with newline, that trusts a CA for the host. @throws LanyardError usage: not a public key. */
    knownHostsCaLine: ({ host, port, value }: ClientSettings, publicKey: string): string => {
      const name = value('hostkeyalias') ?? host;
      return `${knownHostsCaLine([...new Set([name, `[${host}]:${port}`])], publicKey)}\n`;
    },
  };
}

/** Runs ssh without prompts and connections. */
function runSsh(argv: readonly string[], { cwd, env, signal }: ProcessEnvironment) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done, failed) => {
    const child = execFile('ssh', [...argv], { cwd, env, signal }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') {
        done({ code, stdout, stderr });
      } else if (signal.aborted || error?.signal) {
        failed(new LanyardError('interrupted', 'interrupted'));
      } else {
        const problem = code === 'ENOENT' ? 'command not found' : code;
        failed(
          usage(`cannot run ssh: ${problem}`, { hint: 'Install the OpenSSH client, version 8.5 or later.' }),
        );
      }
    });
    child.stdin?.end();
  });
}

/** Reads the lines of `ssh -G`: a name in lower case, and its value. */
function parseSettings(text: string): ClientSettings {
  const settings = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  const values = (name: string): readonly string[] => settings.get(name) ?? [];
  const value = (name: string): string | undefined => values(name)[0];
  return {
    user: value('user') ?? '',
    host: value('hostname') ?? '',
    port: Number(value('port') ?? 22),
    value,
    values,
  };
}
