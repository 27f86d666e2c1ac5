// @ts-check
import { rmSync } from 'node:fs';
import { issue, run, serviceEnvironment, start } from './runner.js';

// Revokes the token of the login, and removes the files of the step. A token that cannot be revoked expires.
await start(async () => {
  const {
    STATE_directory: directory,
    STATE_program: program,
    STATE_settings: settings,
    STATE_token: token,
  } = process.env;
  if (program && settings && token) {
    const env = serviceEnvironment({ ...JSON.parse(settings), LANYARD_SECRETS_TOKEN: token });
    const { code } = await run(program, ['secrets', 'token', 'revoke', '--self', '--yes'], { env }).catch(
      () => ({ code: 1 }),
    );
    if (code !== 0) issue('warning', 'The token could not be revoked. It is valid until it expires.');
  }
  if (directory) rmSync(directory, { recursive: true, force: true });
});
