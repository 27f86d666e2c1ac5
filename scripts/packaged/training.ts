import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Run by `lanyard dev run`: the calls whose compiled code a packaged program contains, besides those of the quickstart,
// as people and scripts make them: reads and writes of one object, lists, formats, an object that does not exist, an
// invalid command line. The process is named by TRAINED: a Node and the arguments before those of Lanyard.

const [command = '', ...before] = JSON.parse(process.env.TRAINED ?? '[]') as string[];
const home = process.env.HOME ?? '';
writeFileSync(join(home, 'policy.hcl'), 'path "secret/*" { capabilities = ["read"] }\n');

/** Words of each call, and its exit code where that is not 0. */
const calls: readonly (readonly [words: string, code?: number])[] = [
  ['var put app/web user=app password=@pass --yes'],
  ['var get app/web'],
  ['var get app/web -o json'],
  ['var get app/web --field user'],
  ['var get app/web -o env'],
  ['var get app/none', 3],
  ['var list'],
  ['var list -o json'],
  ['var list --all -o jsonl'],
  ['var delete app/web --yes'],
  ['namespace list'],
  ['namespace get default -o json'],
  ['namespace put web --description Web'],
  ['registry kv put app/web value'],
  ['registry kv get app/web'],
  ['registry kv get app/web -o json'],
  ['registry kv get app/none', 3],
  ['registry kv list'],
  ['registry kv list app/ -o json'],
  ['registry kv delete app/web --yes'],
  ['registry service list'],
  ['registry node list -o json'],
  ['query list'],
  ['query list -o json'],
  ['registry config list'],
  ['kv put secret/web user=app password=@pass'],
  ['kv get secret/web'],
  ['kv get secret/web -o json'],
  ['kv get secret/web --field user'],
  ['kv get secret/none', 3],
  ['kv list secret'],
  ['kv list secret -o json'],
  ['secrets status'],
  ['secrets policy list'],
  ['secrets policy put web @policy.hcl'],
  ['secrets mount enable ssh --path ssh-web'],
  ['ssh ca create --mount ssh-web'],
  ['ssh ca get --mount ssh-web'],
  ['ssh role put web --mount ssh-web --key-type ca --allow-user-certificates --allowed-users * --ttl 30m'],
  ['ssh role list --mount ssh-web'],
  ['ssh role get web --mount ssh-web -o json'],
  ['ssh sign web --key key.pub --mount ssh-web --principals web'],
  ['ssh sign web --key key.pub --mount ssh-web --principals web --if-needed'],
  ['ssh sign web --key key.pub --mount ssh-web --principals web --if-needed'],
  ['ssh sign web --key key.pub --mount ssh-web --principals web -o json'],
  ['secrets mount disable ssh-web --yes'],
  ['account list'],
  ['account list -o json'],
  ['box list'],
  ['status'],
  ['status -o json'],
  ['profile list'],
  ['profile list -o json'],
  ['api secrets GET sys/health'],
  ['var get', 2],
  ['var gett app/web', 2],
  ['var get --help'],
  ['var --help'],
];

const { SERVES_TRAINING: _, ...own } = process.env;
const isFor = (name: string): boolean => /^LANYARD_.*_(ADDR|TOKEN)$/.test(name);
const products = Object.fromEntries(Object.entries(own).filter(([name]) => !isFor(name)));
writeFileSync(join(home, 'pass'), 'correct horse battery staple\n');
writeFileSync(
  join(home, 'key.pub'),
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIM1Ay5BjxVL8aZeHuQYPZP9G2jP0N5LN4iwN3t6sL2Fw web\n',
);
for (const [index, [words, code = 0]] of calls.entries()) {
  // Settings come from Lanyard's own variables or from those of the products.
  const env = index % 2 === 0 ? own : products;
  const { status, stderr } = spawnSync(command, [...before, ...words.split(' ')], {
    env,
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== code) throw new Error(`lanyard ${words} ended with ${status}: ${stderr}`);
}
