import { join } from 'node:path';
import type { Host } from '../command/host.ts';
import { resolvePath } from '../io/resolve-path.ts';

/** The configuration directory: `LANYARD_CONFIG_DIR`, or the usual place of the system. */
export function configDirectory(host: Pick<Host, 'cwd' | 'env' | 'home' | 'platform'>): string {
  const { env, home, platform } = host;
  if (env.LANYARD_CONFIG_DIR) return resolvePath(host, env.LANYARD_CONFIG_DIR);
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'lanyard');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'lanyard');
}
