import { beforeAll, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { displayWidth } from '../../src/wire/display-width.ts';
import { embeddedForAll } from '../support/command-tests.ts';
import { parseShellLine } from './shell-line.ts';

// Every list on terminals of several widths: a row is one line, and what names an object is never cut.

const { at, running } = embeddedForAll();

const long = 'a description with many words '.repeat(6).trim();
const name = 'a-name-of-thirty-two-characters0';

/** What makes an object with long values, for each list that has none without it. */
const before = `
ssh role put ${name} --key-type ca --allow-user-certificates
kv put secret/${name} k=v
secrets mount enable kv --path ${name} --description "${long}"
secrets auth enable userpass --path ${name} --description "${long}"
secrets auth enable approle
secrets auth role put approle ${name} --token-policies default
secrets auth role secret-id create approle ${name} --no-wrap --metadata team=${name}
acl policy put ${name} --description "${long}" --rules 'operator = "read"'
acl policy put ${name}-2 --description "${long}" --rules 'operator = "read"'
acl role put ${name} --description "${long}" --policy ${name},${name}-2
acl token create --description "${long}" --policy ${name},${name}-2 --ttl 1h
acl auth-method put ${name} --type jwt --jwks-url http://127.0.0.1:1/keys --bound-issuer x --description "${long}"
acl binding-rule create --method ${name} --bind-type role --bind-name ${name} --selector 'value.project == "${name}"' --description "${long}"
query create --name ${name} --service ${name} --failover-datacenters dc1
registry service register ${name} --tag one-${name} --tag two-${name}
registry kv put ${name} v
registry session create --name ${name}
box create dev/${name} --short-description "${long}"
scheduler acl policy put ${name} --description "${long}" --rules 'agent { policy = "read" }'
scheduler acl token create --name ${name} --policy ${name}
scheduler acl role put ${name} --description "${long}" --policy ${name}
namespace put ${name} --description "${long}"
var put ${name} k=v
account scope create ${name} --description "${long}"
account user create ${name} --description "${long}"
account role create ${name} --description "${long}"
account create --login-name ${name} --name "${name} ${name}" --password env://PASSWORD
profile put ${name} secrets.address=http://127.0.0.1:1
ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8
ssh creds otp --ip 10.1.2.3
ssh ca create --key-type ed25519
ssh role put deploy --allow-user-certificates --allowed-users ubuntu --default-user ubuntu
ssh issue deploy --key-type ed25519 --out .ssh/${name}
registry config put entry.json
alias set ${name.replaceAll('-', '')} "var list --filter '${long}'"`;

/** Lists whose command line has more than its words. */
const operands: Readonly<Record<string, string>> = {
  'kv list': 'kv list secret',
  'secrets list': 'secrets list secret/metadata',
  'secrets auth role list': 'secrets auth role list approle',
  'secrets auth role secret-id list': `secrets auth role secret-id list approle ${name}`,
  'secrets lease list': 'secrets lease list ssh/creds/otp',
  'var list': 'var list --all',
  'account token list': 'account token list --all',
};

beforeAll(async () => {
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken ?? '';
  at.env.LANYARD_REGISTRY_TOKEN = (await run('acl bootstrap --field SecretID')).trim();
  at.env.LANYARD_SCHEDULER_TOKEN = (await run('scheduler acl bootstrap --field SecretID')).trim();
  at.write('.ssh/config', '');
  at.write('bin/lanyard-other', '#!/bin/sh\n', 0o700);
  at.env.PATH = at.file('bin');
  at.write('entry.json', JSON.stringify({ Kind: 'service-defaults', Name: name }));
  for (const line of before.trim().split('\n')) await run(line);
});

async function run(line: string, options: { readonly columns?: number } = {}): Promise<string> {
  const { argv, env } = parseShellLine(`lanyard ${line}`, at);
  const ran = await at.run([...argv, '--no-color'], {
    env: { ...env, PASSWORD: 'correct-horse' },
    ...options,
  });
  expect(ran, line).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout;
}

/** Lists that the embedded service does not have. */
const notHere = ['ssh issuer list', 'secrets namespace list'];

/** Lists that begin with fields of the object that has the items, and their own tests. */
const withFields = ['ssh revoked list'];

const lists = tree
  .map(({ path }) => path)
  .filter((path) => path.endsWith(' list') && ![...notHere, ...withFields].includes(path));

test.each(lists)('%s', async (path) => {
  const line = operands[path] ?? path;
  const complete = (await run(line))
    .split('\n')
    .slice(0, -1)
    .map((row) => row.split('\t'));
  expect(complete.length, 'objects').toBeGreaterThan(0);
  for (const columns of [60, 80, 120]) {
    const [header = '', ...lines] = (await run(line, { columns })).split('\n').slice(0, -1);
    expect(header).toMatch(/^[A-Z ]+$/);
    const rows = lines.slice(0, complete.length);
    for (const [index, row] of rows.entries()) {
      // Only names and IDs, which are never cut, are too wide for it.
      const isFitted = displayWidth(row) <= columns || !/…|Not shown/.test(row);
      expect(isFitted, row).toBe(true);
      const id = complete[index]?.find((cell) => /^([\da-f]{8}-|acctpw_|at_)/.test(cell));
      const key = id !== undefined && header.includes('ID') ? id : complete[index]?.[0];
      expect(row).toContain(key);
    }
    expect(lines.slice(complete.length).join(' ')).toMatch(/^(Not shown: [A-Z ,]+\. Use .* -o json\.)?$/);
  }
});
