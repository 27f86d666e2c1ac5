import { formatJson } from '../../../wire/json.ts';
import { messageOf } from '../../core/errors.ts';
import type { ModelParts } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { checkTables, table } from '../../core/store/table.ts';
import { uuid } from '../../core/uuid.ts';
import type { EngineResponse } from '../engine.ts';
import { orBadRequest } from '../errors.ts';
import { type AuditedRequest, type AuditSettings, auditEntry } from './entry.ts';
import { type Hash, saltedHash } from './hash.ts';

export interface AuditDevice extends AuditSettings {
  /** With a trailing slash. */
  readonly path: string;
  readonly type: 'file';
  readonly description: string;
  /** As shown by `sys/audit`. */
  readonly options: Readonly<Record<string, string>>;
  readonly prefix: string;
  append(line: string): Promise<void>;
}

const salts = table('salt/', { salt: s.string() });

interface AuditParts extends ModelParts {
  readonly version: string;
  readonly devices: readonly AuditDevice[];
}

/** Each device gets a line for a request and its response, neither of which passes unless one device has it. */
export class Audit {
  readonly #parts: AuditParts;
  readonly #hashes = new Map<string, Hash>();

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  get devices(): readonly AuditDevice[] {
    return this.#parts.devices;
  }

  /** Creates the salts of new devices. */
  async open(): Promise<void> {
    const { storage, random, devices } = this.#parts;
    checkTables(storage, [salts]);
    for (const { path } of devices) {
      const stored = salts.get(storage, path) ?? { salt: uuid(random) };
      if (!salts.get(storage, path)) await storage.write([salts.put(path, stored)]);
      this.#hashes.set(path, saltedHash(stored.salt));
    }
  }

  /** The hash of a text in the log of a device. @throws SecretsError 400: no such device */
  hash(path: string, text: string): string {
    const hash = this.#hashes.get(path);
    return orBadRequest(hash, `unknown audit backend ${JSON.stringify(path)}`)(text);
  }

  /** @throws Error: no device has the line */
  async log(
    type: 'request' | 'response',
    request: AuditedRequest,
    outcome: { readonly response?: EngineResponse | undefined; readonly error?: unknown },
  ): Promise<void> {
    const { clock, version, devices } = this.#parts;
    const logged = await Promise.allSettled(
      devices.map(async (device) => {
        const hash = (text: string): string => this.hash(device.path, text);
        const entry = await auditEntry({ type, request, ...outcome, device, hash, time: clock(), version });
        await device.append(device.prefix + formatJson(entry));
      }),
    );
    const failed = logged.find((each) => each.status === 'rejected');
    if (failed && logged.every((each) => each.status === 'rejected'))
      throw new Error(`cannot write to an audit device: ${messageOf(failed.reason)}`);
  }
}
