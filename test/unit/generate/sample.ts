import type { CommandEntry } from '../../../src/command/command.ts';
import { arg, command, flag } from '../../../src/command/command.ts';

/** A small command line with one of everything that a completion script has to know. */
const commands: Readonly<Record<string, readonly [summary: string, leaf: ReturnType<typeof command>]>> = {
  status: ['what is reachable', command({ args: {}, flags: {}, run: async () => undefined })],
  dev: [
    'run the services',
    command({
      args: {},
      flags: { data: flag.text('DIR', 'where data is kept', { completes: 'directory' }) },
      run: async () => undefined,
    }),
  ],
  'dev run': [
    'run one command against fresh services',
    command({
      args: { line: arg.rest('COMMAND', 'the command and its arguments', 1, { completes: 'command' }) },
      flags: {},
      run: async () => undefined,
    }),
  ],
  'key sign': [
    'sign a key: "quoted", \'quoted\', [$HOME], `x` and 100% \\ of it',
    command({
      description: 'Signs <one> key | or *two*.',
      examples: ['lanyard key sign deploy'],
      service: 'secrets',
      writes: true,
      args: { role: arg.text('ROLE', 'the role') },
      flags: {
        key: flag.text('FILE|-', 'the key: [a] "file", it\'s `here` for $5, 100% \\', { completes: 'file' }),
        type: flag.choice(['user', 'host'], 'what it is for', { short: 't' }),
        ttl: flag.duration('how long'),
        name: flag.list('A,B', 'names', { aliases: ['valid-names'] }),
        agent: flag.boolean('add it to the agent', { short: 'a' }),
        out: flag.text('FILE', 'an --out of its own', { completes: 'file' }),
      },
      run: async () => undefined,
    }),
  ],
  'key show': [
    'show a key',
    command({
      args: { file: arg.optional('FILE|-', 'the file', { completes: 'file' }) },
      flags: {},
      run: async () => undefined,
    }),
  ],
  'profile use': [
    'make a profile the active one',
    command({
      args: { name: arg.text('NAME', 'the profile', { completes: 'profile' }) },
      flags: {},
      run: async () => undefined,
    }),
  ],
  api: [
    'any call',
    command({
      service: 'box',
      args: {
        method: arg.choice('METHOD', ['GET', 'PUT'], 'the method'),
        path: arg.text('PATH', 'the path'),
        files: arg.rest('FILE', 'more', 0, { completes: 'file' }),
      },
      flags: {},
      run: async () => undefined,
    }),
  ],
};

export const sampleGroups = { key: 'keys', profile: 'profiles' };

export const sampleTree: readonly CommandEntry[] = Object.entries(commands).map(
  ([path, [summary, leaf]]) => ({
    path,
    summary,
    load: async () => ({ default: leaf }),
  }),
);
