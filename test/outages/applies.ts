import { setTimeout as sleep } from 'node:timers/promises';
import { kindNames } from '../../src/state/kinds.ts';
import type { Found, SetKinds, SetObject } from './sets.ts';
import type { Ask } from './subjects.ts';
import type { Ended } from './truth.ts';

export interface ApplyParts {
  /** Runs a command line where the files are; `onStdout` gets the output as it comes. */
  readonly run: (argv: readonly string[], onStdout?: (text: string) => void) => Promise<Ended>;
  /** Writes a file, or removes a directory. */
  readonly write: (path: string, content: string) => void;
  readonly clear: (directory: string) => void;
  readonly ask: Ask;
  /** A server ends and starts again. @returns when it is over; whether a server was gone before `isEnded` was true. */
  readonly outage: (isEnded: () => boolean) => Promise<boolean>;
  /** In [0, 1). */
  readonly random: () => number;
}

/** How one apply with an outage ended. */
export interface JudgedApply {
  readonly code: number;
  readonly stderr: string;
  /** A server ended before the apply did. */
  readonly isInside: boolean;
  /** What was not true. */
  readonly untrue: readonly string[];
}

const directory = 'state';
const others = 'others';
const prune = ['--prune', '--prune-max', '1000'];
/** A line of an operation that ended: sign, kind and name, state. */
const resultLine = /^[+~-] (\S+ .*?) {2}(done|failed|unknown|not started)\b/gm;

/**
 * Applies the versions of a set while servers end and start, and compares reports and objects. Each version changes
 * every object, creates some and deletes others. A second set is not applied again: its objects must stay.
 */
export async function applying(
  kinds: SetKinds,
  name: string,
  parts: ApplyParts,
): Promise<(version: number) => Promise<JudgedApply>> {
  const { run, ask, random } = parts;
  const bystanders = `lanyard-others-${name}`;
  const prefix = `lanyard-apply-${name}`;
  const find = (of: string): Promise<Found> => persistent(() => kinds.find(ask, of));
  const stated = (version: number): readonly SetObject[] =>
    kinds.objects(prefix, `v${version}`, (index) => (index + version) % 5 !== 0);

  writeSet(
    parts,
    others,
    kinds,
    bystanders,
    kinds.objects(bystanders, 'v0', (index) => index % 5 === 0),
  );
  await must(run, ['apply', others, '--yes']);
  const untouched = await find(bystanders);
  let before: Found = new Map();

  return async (version) => {
    const objects = stated(version);
    const target = new Map(objects.map(({ id, value }) => [id, [value]]));
    writeSet(parts, directory, kinds, prefix, objects);
    const untrue: string[] = [];
    const check = (what: string, found: Found, expected: Found): void => {
      untrue.push(...differences(found, expected).map((line) => `${what}: ${line}`));
    };

    const linesBefore = Math.floor(random() * objects.length * 0.9);
    let shown = '';
    let hasEnded = false;
    let outage: Promise<boolean> | undefined;
    const { code, stdout, stderr } = await run(['apply', directory, '--yes', ...prune], (text) => {
      shown += text;
      if ([...shown.matchAll(resultLine)].length > linesBefore) outage ??= parts.outage(() => hasEnded);
    });
    hasEnded = true;
    const isInside = (await outage) ?? false;
    const found = await find(prefix);
    if (code === 0) check('exit code 0', found, target);
    else if (code !== 9) check(`exit code ${code}`, found, before);
    for (const [, label = '', state] of stdout.matchAll(resultLine)) {
      const values = found.get(label)?.join();
      const isTrue =
        state === 'unknown' || values === (state === 'done' ? target : before).get(label)?.join();
      if (!isTrue) untrue.push(`${label} is reported as ${state}, and is ${values ?? 'missing'}`);
    }
    for (const [id, values] of found)
      if (values.length > 1) untrue.push(`${id} exists ${values.length} times`);

    const again = await run(['apply', directory, '--yes', ...prune]);
    if (again.code !== 0) untrue.push(`the next apply: exit code ${again.code}\n${again.stderr}`);
    before = await find(prefix);
    check('after the next apply', before, target);
    const plan = await run(['plan', directory, '--prune']);
    if (plan.code !== 0) untrue.push(`the plan: exit code ${plan.code}\n${plan.stdout}${plan.stderr}`);
    check('other objects', await find(bystanders), untouched);
    return { code, stderr, isInside, untrue };
  };
}

function writeSet(
  { write, clear }: Pick<ApplyParts, 'write' | 'clear'>,
  to: string,
  kinds: SetKinds,
  name: string,
  objects: readonly SetObject[],
): void {
  clear(to);
  const id = [...name].reduce((sum, letter) => (sum * 31n + BigInt(letter.charCodeAt(0))) % 36n ** 10n, 7n);
  const spec = { record: kinds.record(name), prune: { max: 1000, kinds: [...kindNames] } };
  const metadata = { name, id: id.toString(36).padStart(10, '0') };
  const put = (file: string, document: object): void =>
    write(`${to}/${file}.json`, JSON.stringify({ apiVersion: 'lanyard/v1', ...document }));
  put('set', { kind: 'Set', metadata, spec });
  for (const [index, { kind, metadata, spec }] of objects.entries())
    put(`object-${index}`, { kind, metadata: { ...metadata, allowLiteral: true, deletion: 'allow' }, spec });
}

async function must(run: ApplyParts['run'], argv: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(argv);
  if (code !== 0) throw new Error(`${argv.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
}

/** Reads until a server responds again. */
async function persistent<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt > 240) throw error;
    }
    await sleep(500);
  }
}

function differences(found: Found, expected: Found): readonly string[] {
  return [...new Set([...found.keys(), ...expected.keys()])].flatMap((id) => {
    const [is, due] = [found.get(id)?.join(), expected.get(id)?.join()];
    return is === due ? [] : [`${id} is ${is ?? 'missing'}, not ${due ?? 'missing'}`];
  });
}
