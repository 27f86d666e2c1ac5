import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectFailure, outputOf, quietOutputOf } from '../../support/command-tests.ts';
import { lanyard, shell, start } from '../../support/process.ts';
import { editing, keptIn } from '../editing.ts';
import { id, runAt, shelf } from './shelf.ts';

const { at, leftovers, editor } = editing();
const run = runAt(at);

const geo = { Name: 'geo', Token: 's3cret-token', Service: { Service: 'db', Near: 'n1', Tags: ['a', 'b'] } };

const edit = (server: Parameters<typeof run>[0], script: string, flags: string[] = []) =>
  run(server, ['edit', 'geo', ...flags], { env: editor(script) });

describe('query edit', () => {
  test('edits the query as YAML without the token in a private file and writes the result', async () => {
    const server = await shelf([geo]);
    expect(outputOf(await edit(server, `sed -i 's/Near: n1/Near: _agent/; /- b/d' "$1"; echo chatter`))).toBe(
      'Updated query geo.\nService.Near\t"n1"\t"_agent"\nService.Tags\t["a","b"]\t["a"]\n',
    );
    expect(server.bodies()).toEqual([{ ...geo, Service: { Service: 'db', Near: '_agent', Tags: ['a'] } }]);
    const seen = at.read('seen');
    expect(seen).toMatch(/^# Prepared query "geo"\..*\n# Its token is not shown and is unchanged/);
    expect(seen).toContain('Name: geo\nService:\n  Service: db\n  Near: n1\n  Tags:\n    - a\n    - b\n');
    expect(seen).not.toMatch(/s3cret|ModifyIndex|ID:/);
    expect(at.read('modes')).toBe('600\n700\n');
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['does not change the text', 'true'],
    ['empties the text', ': > "$1"'],
    ['keeps only comments', `grep '^#' "$1" > "$1.new"; mv "$1.new" "$1"`],
    ['changes only the formatting', `sed -i 's/Near: n1/Near: "n1"/; s/^Name/# more\\nName/' "$1"`],
  ])('writes nothing when the editor %s', async (_what, script) => {
    const server = await shelf([geo]);
    expect(await edit(server, script)).toEqual({ code: 0, stdout: 'Query geo is unchanged.\n', stderr: '' });
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['fails', 'echo x >> "$1"; exit 3', 1, /the editor exited with code 3; nothing was written/],
    ['is terminated by a signal', 'kill -INT $$', 130, /nothing was written/],
  ])('writes nothing when the editor %s', async (_what, script, code, message) => {
    const server = await shelf([geo]);
    expectFailure(await edit(server, script), code, message);
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test('prefers VISUAL to EDITOR, with arguments', async () => {
    const server = await shelf([geo]);
    const env = { ...editor('exit 9'), VISUAL: `sed -i -e 's/n1/n 2/'` };
    expect((await run(server, `edit ${id(1)}`, { env })).code).toBe(0);
    expect(server.bodies()).toMatchObject([{ Service: { Near: 'n 2' } }]);
    const line = `TO=n3 sh -c 'sed -i -e "s/n 2/$TO/" "$1"' -`;
    expect((await run(server, `edit ${id(1)}`, { env: { EDITOR: line } })).code).toBe(0);
    expect(server.bodies()).toMatchObject([{}, { Service: { Near: 'n3' } }]);
  });

  test('fails with a hint if no editor or no terminal is available', async () => {
    const server = await shelf([geo]);
    expectFailure(await run(server, 'edit geo'), 2, 'Set VISUAL or EDITOR');
    const missing = await run(server, 'edit geo', { env: { EDITOR: 'no-such-editor-anywhere' } });
    expectFailure(missing, 2, 'cannot run the editor "no-such-editor-anywhere": command not found');
    // The editor shares standard error with the shell that starts it, which says nothing of its own.
    const { url } = server;
    const whole = await shell(
      at,
      `EDITOR=no-such-editor LANYARD_REGISTRY_ADDR=${url} ${lanyard} query edit geo`,
    );
    expect(whole.stderr).toMatch(/^error: cannot run the editor "no-such-editor": command not found\n/);
    expect(await edit(server, 'true', ['--no-input'])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(server, 'edit none')).toMatchObject({ code: 3 });
  });

  test('prints the request with --dry-run and sends nothing', async () => {
    const server = await shelf([geo]);
    const stdout = quietOutputOf(await edit(server, `sed -i 's/n1/n2/' "$1"`, ['--dry-run']));
    expect(stdout).toMatch(/PUT .*"Token": "<redacted>"/s);
    expect(stdout).toContain('"Near": "n2"');
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });

  test('removes the file if interrupted while the editor runs', async () => {
    const server = await shelf([geo]);
    const env = editor(`echo ready > '${at.file('ready')}'; exec sleep 30`);
    const running = start(at, ['query', 'edit', 'geo'], { ...env, LANYARD_REGISTRY_ADDR: server.url });
    while (!existsSync(at.file('ready'))) await new Promise((done) => setTimeout(done, 20));
    expect(leftovers()).toHaveLength(1);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(server.writes()).toEqual([]);
    expect(leftovers()).toEqual([]);
  });
});

describe('an edited text is saved if the write fails', () => {
  test.each([
    ['is not YAML', `echo ': : [' >> "$1"`, /not valid YAML/, 2],
    [
      'has an unknown field',
      `sed -i 's/Near:/Nearr:/' "$1"`,
      /line 6: Service\.Nearr: .* did you mean "Near"\?/,
      2,
    ],
    ['breaks a rule', `sed -i 's/Service: db/Service: ""/' "$1"`, /Service\.Service: required/, 2],
    [
      'has two queries',
      `printf -- '---\\nName: x\\nService: {Service: s}\\n' >> "$1"`,
      /expected one query, found 2/,
      2,
    ],
  ])('because it %s', async (_what, script, message, code) => {
    const server = await shelf([geo]);
    const ran = await edit(server, script);
    expectFailure(ran, code, message);
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toContain('# Prepared query "geo"');
    expect(server.writes()).toEqual([]);
  });

  test('because the service rejects it', async () => {
    const server = await shelf([geo], ({ method }, response) => {
      if (method === 'PUT') response.writeHead(500).end('Bad Regexp: x');
    });
    const ran = await edit(server, `sed -i 's/n1/n2/' "$1"`);
    expectFailure(ran, 1, 'Bad Regexp: x');
    expect(readFileSync(keptIn(ran.stderr), 'utf8')).toContain('Near: n2');
  });

  test('because its token is hidden', async () => {
    const server = await shelf([{ ...geo, Token: '<hidden>' }]);
    const ran = await edit(server, `sed -i 's/n1/n2/' "$1"`);
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    keptIn(ran.stderr);
    expect(at.read('seen')).toContain('# Its token is hidden from yours');
    expect(server.writes()).toEqual([]);
    // A token, or none, that the text itself names is written.
    expect((await edit(server, `sed -i 's/n1/n2/' "$1"; echo 'Token: ""' >> "$1"`)).code).toBe(0);
    expect(server.bodies()).toMatchObject([{ Token: '' }]);
  });

  test('because of a concurrent change: lists the changes of both sides, and the kept text can be written', async () => {
    const theirs = { ...geo, Service: { Service: 'db', Near: 'theirs', Tags: ['a'], OnlyPassing: true } };
    const changed = JSON.stringify({ ID: id(1), RaftIndex: { ModifyIndex: 8 }, ...theirs });
    // Somebody else writes while the editor is open.
    const meanwhile = await shelf([geo], () => {
      if (existsSync(at.file('written'))) meanwhile.queries.set(id(1), JSON.parse(changed));
    });
    const ran = await edit(
      meanwhile,
      `sed -i 's/Near: n1/Near: mine/; s/db/pg/; /- b/d' "$1"; touch '${at.file('written')}'`,
    );
    at.clear('written');
    expectFailure(ran, 6, 'cannot write query "geo": changed concurrently; nothing was written');
    for (const line of [
      'Service.Near (both changed it): "n1" → yours "mine", theirs "theirs"',
      'Service.Service (only you changed it): "db" → "pg"',
      'Service.Tags (both changed it, to the same): ["a","b"] → ["a"]',
      'Service.OnlyPassing (only they changed it): (none) → true',
    ])
      expect(ran.stderr).toContain(line);
    expect(ran.stderr).not.toContain('s3cret');
    expect(meanwhile.writes()).toEqual([]);
    const line = /`lanyard query (update .*)` to write it/.exec(ran.stderr)?.[1] ?? '';
    expect((await run(meanwhile, line.split(' '))).code).toBe(0);
    expect(meanwhile.bodies()).toEqual([
      { ...geo, Service: { Service: 'pg', Near: 'mine', Tags: ['a'], OnlyPassing: true } },
    ]);
  });

  test('because it was deleted concurrently', async () => {
    const server = await shelf([geo], () => {
      if (existsSync(at.file('gone'))) server.queries.clear();
    });
    const ran = await edit(server, `sed -i 's/n1/n2/' "$1"; touch '${at.file('gone')}'`);
    at.clear('gone');
    expectFailure(ran, 6, 'deleted concurrently');
    keptIn(ran.stderr);
  });
});
