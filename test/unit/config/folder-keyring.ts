// Run as a program in the place of keyring-program: a keyring whose tokens are files of the folder KEYRING.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { KeyringRequest, KeyringResponse } from '../../../src/config/keyring.ts';

const { action, account, token }: KeyringRequest = JSON.parse(await text(process.stdin));
const file = join(process.env.KEYRING ?? '', encodeURIComponent(account));

function act(): KeyringResponse {
  if (action === 'set') writeFileSync(file, token ?? '');
  else if (action === 'delete') rmSync(file);
  else return { token: readFileSync(file, { encoding: 'utf8' }) };
  return {};
}

process.stdout.write(JSON.stringify(act()));
