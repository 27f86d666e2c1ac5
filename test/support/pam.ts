import { globSync, rmSync, writeFileSync } from 'node:fs';

const folder = '/etc/pam.d';

/**
 * Can tests log in through PAM: as root, with pam_exec? A line on stderr says what is missing.
 * @throws Error when it cannot be and `LANYARD_REQUIRE=all` says that nothing may be skipped.
 */
export function hasPam(): boolean {
  const modules = globSync('/{usr/,}lib{,64}/{,*/}security/pam_exec.so');
  const missing = process.getuid?.() !== 0 ? 'root' : modules.length === 0 ? 'pam_exec' : undefined;
  if (missing === undefined) return true;
  if (process.env.LANYARD_REQUIRE === 'all') {
    throw new Error(`${missing} is missing, and LANYARD_REQUIRE=all forbids to skip the tests of PAM`);
  }
  process.stderr.write(`${missing} is missing: the tests of PAM are skipped\n`);
  return false;
}

/** Makes a PAM service that asks for a password and leaves it to a program. */
export function pamService(name: string, program: string): { remove(): void } {
  const file = `${folder}/${name}`;
  writeFileSync(
    file,
    [
      `auth requisite pam_exec.so quiet expose_authtok ${program}`,
      // pam_exec has no opinion on credentials.
      'auth required pam_permit.so',
      'account required pam_permit.so',
      'session required pam_permit.so',
      '',
    ].join('\n'),
    { flag: 'wx' },
  );
  return { remove: () => rmSync(file, { force: true }) };
}
