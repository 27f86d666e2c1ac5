import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareAuthority, signRequest, startServices } from '../bench/services.ts';
import { type Counts, counter } from './count.ts';

/** Counts a command again, by its name in the baseline. */
export interface Scenario {
  readonly names: readonly string[];
  count(name: string): Promise<Counts>;
  close(): Promise<void>;
}

const object = 'counted';

/**
 * Starts embedded services with an active profile, and prepares what the commands need.
 *
 * @param trace also count system calls, by strace.
 */
export async function openScenario(trace: boolean): Promise<Scenario> {
  const services = await startServices();
  try {
    const { folder } = services;
    const key = join(folder, 'key.pub');
    const sign = ['ssh', 'sign', 'bench', '--key', key, '--principals', 'bench'];
    // The profile of `lanyard dev` is in this folder.
    const env = { LANYARD_CONFIG_DIR: folder, LANYARD_KEYRING: 'off' };
    const { run, count } = await counter({ folder, env, trace });
    await prepareAuthority(services, 'ed25519', 0);
    writeFileSync(key, signRequest().publicKey);
    await run(sign);
    await run(['var', 'put', object, 'user=app']);
    await run(['registry', 'kv', 'put', object, 'value']);
    await run(['kv', 'put', `secret/${object}`, 'user=app']);
    const commands = new Map<string, readonly string[]>([
      ['--version', ['--version']],
      ['--help', ['--help']],
      ['completion bash', ['completion', 'bash']],
      ['ssh sign --if-needed', [...sign, '--if-needed']],
      ['ssh sign', sign],
      ['ssh role list', ['ssh', 'role', 'list']],
      ['kv get', ['kv', 'get', `secret/${object}`]],
      ['var get', ['var', 'get', object]],
      ['registry kv get', ['registry', 'kv', 'get', object]],
      ['query list', ['query', 'list']],
      ['account list', ['account', 'list', '--auth-method', 'ampw_1234567890']],
    ]);
    return {
      names: [...commands.keys()],
      count: (name) => count(commands.get(name) ?? []),
      close: services.stop,
    };
  } catch (error) {
    await services.stop();
    throw error;
  }
}
