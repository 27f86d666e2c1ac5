import type { Trace } from '../../api/endpoint.ts';
import { redact, redactUrl, type Secret } from '../../api/redaction.ts';
import type { Settings } from '../../api/settings.ts';
import type { Host } from '../../command/host.ts';
import { exitCodeOf, LanyardError } from '../../errors.ts';
import { escapeCommandsInJson } from '../../io/ci-commands.ts';
import { openDebugFile } from '../../io/debug-file.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { formatJson } from '../../wire/json.ts';
import type { ServiceName } from '../../wire/services.ts';
import { version } from '../version.ts';

/** The trace of one command in the file of `--debug`: JSON lines without secrets. */
export interface DebugLog extends Trace {
  /** The settings of a service and their sources, once. */
  settings(settings: Settings): void;
  message(kind: 'note' | 'warning', text: string): void;
  end(outcome: { readonly code: number } | { readonly error: unknown }): void;
}

/**
 * Opens the file of `--debug` or LANYARD_DEBUG_FILE and writes the first line.
 *
 * @param command the path of the command; its arguments may be misplaced secrets.
 * @param warn called once if the file cannot be written; the command continues.
 * @throws LanyardError usage, as `openDebugFile`.
 */
export function openDebugLog(
  name: string,
  command: string,
  host: Pick<Host, 'clock' | 'cwd' | 'env' | 'home' | 'platform' | 'signal'>,
  warn: (message: string) => void,
): DebugLog {
  const file = openDebugFile(resolvePath(host, name), warn);
  const secrets = new Set<Secret>();
  const written = new Set<ServiceName>();
  let id = 0;
  const write: DebugLog['write'] = (event) => {
    const line = formatJson({ time: host.clock().toISOString(), ...event });
    file.write(escapeCommandsInJson(redact(line, [...secrets]), host.env));
  };
  write({ event: 'start', version, node: process.version, platform: host.platform, command });
  return {
    write,
    nextId: () => {
      id += 1;
      return id;
    },
    received(received) {
      for (const secret of received) secrets.add(secret);
    },
    settings(settings) {
      if (written.has(settings.service)) return;
      written.add(settings.service);
      const { service, addresses, addressFrom, namespace, region, datacenter, tokenFrom, from } = settings;
      const shown = addresses.map((address) => {
        const url = URL.parse(address);
        return url === null ? '<invalid>' : redactUrl(url).replace(/\/$/, '');
      });
      write({
        event: 'settings',
        service,
        addresses: shown,
        addressFrom,
        ...(namespace === undefined ? {} : { namespace }),
        ...(region === undefined ? {} : { region }),
        ...(datacenter === undefined ? {} : { datacenter }),
        tokenFrom: tokenFrom ?? null,
        from: { ...from },
      });
    },
    message: (kind, text) => write({ event: kind, text }),
    end(outcome) {
      if ('code' in outcome) return write({ event: 'end', code: outcome.code });
      const { error } = outcome;
      // The message of an internal error may contain secrets.
      if (!(error instanceof LanyardError)) return write({ event: 'end', error: 'internal error' });
      const { kind, message, details, status } = error;
      write({
        event: 'end',
        code: exitCodeOf(error, host.signal),
        error: { kind, message, details: [...details], ...(status === undefined ? {} : { status }) },
      });
    },
  };
}
