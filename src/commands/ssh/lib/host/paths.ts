/** The files of an enrolled sshd, all below the directory of its configuration. */
export interface HostPaths {
  /** The main configuration of sshd: `/etc/ssh/sshd_config`. */
  readonly config: string;
  readonly directory: string;
  /** The directory of Lanyard, mode 0700: `/etc/ssh/lanyard`. */
  readonly own: string;
  readonly manifest: string;
  /** The files before an unfinished change. */
  readonly journal: string;
  readonly lock: string;
  readonly userCas: string;
  readonly revoked: string;
  readonly secretId: string;
  /** The name of the systemd units without `.timer` and `.service`. */
  readonly unit: string;
}

export const defaultConfig = '/etc/ssh/sshd_config';

/** @param config an absolute path. Each sshd of a host has a configuration, and units, of its own. */
export function hostPaths(config: string): HostPaths {
  const directory = config.replace(/\/[^/]*$/, '');
  const own = `${directory}/lanyard`;
  const suffix = config === defaultConfig ? '' : config.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return {
    config,
    directory,
    own,
    manifest: `${own}/host.json`,
    journal: `${own}/journal.json`,
    lock: `${own}/host`,
    userCas: `${own}/user_ca_keys`,
    revoked: `${own}/revoked_keys`,
    secretId: `${own}/secret-id`,
    unit: `lanyard-ssh-host${suffix}`,
  };
}

/** The file in a directory that sshd_config includes. Files are read in order of their names, and the first value counts. */
export const dropInName = '10-lanyard.conf';
