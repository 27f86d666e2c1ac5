import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bash } from '../../../scripts/generate/bash.ts';
import { fish } from '../../../scripts/generate/fish.ts';
import { everyCommand, flagsOf, modelOf, namesOf } from '../../../scripts/generate/model.ts';
import { zsh } from '../../../scripts/generate/zsh.ts';
import { has } from '../../support/require.ts';
import {
  bashOffers,
  fishOffers,
  type Offers,
  type Place,
  place,
  profiles,
  zshOffers,
} from '../../support/shells.ts';
import { sampleGroups, sampleTree } from './sample.ts';

const model = await modelOf(sampleTree, sampleGroups);

interface Shell {
  readonly name: string;
  readonly script: string;
  readonly offers: Offers;
  /** How the shell is told of things that it completes in its own way. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly profiles: readonly string[];
  /** What it adds for a value after `--flag=` or a mark. */
  readonly after: (before: string, values: readonly string[]) => readonly string[];
  readonly notes: readonly string[];
}

const allFiles = ['docs/', 'my folder/', 'my key.pub', 'notes.txt'];

const shells: readonly Shell[] = [
  {
    name: 'bash',
    script: bash(model),
    offers: bashOffers,
    // bash completes paths by itself when it is told to.
    files: ['(default)'],
    folders: ['(dirnames)'],
    profiles: ['\\$\\(touch\\ run\\)', 'my\\ staging', 'prod'],
    after: (_before, values) => values,
    notes: ['(default)'],
  },
  {
    name: 'fish',
    script: fish(model),
    offers: fishOffers,
    files: allFiles,
    folders: ['docs/', 'my folder/'],
    profiles: profiles.toSorted(),
    after: (before, values) => values.map((value) => `${before}${value}`),
    notes: ['notes.txt'],
  },
  {
    name: 'zsh',
    script: zsh(model),
    offers: zshOffers,
    // zsh shows the slash of a folder, and does not add it.
    files: ['docs', 'my\\ folder', 'my\\ key.pub', 'notes.txt'],
    folders: ['docs', 'my\\ folder'],
    profiles: profiles.toSorted(),
    after: (_before, values) => values,
    notes: ['notes.txt'],
  },
];

const names = (path: string): string[] => {
  const found = everyCommand(model.root).find(({ words }) => words.join(' ') === path);
  if (!found) throw new Error(`no ${path}`);
  return flagsOf(found, model).flatMap(namesOf).toSorted();
};

for (const shell of shells) {
  describe.skipIf(!has(shell.name))(`completion in ${shell.name}, which must be installed`, () => {
    let at: Place;
    const offersOf = async (...lines: string[]): Promise<string[][]> => shell.offers(at, lines);
    const expectOffers = async (expected: Readonly<Record<string, readonly string[]>>): Promise<void> => {
      const offered = await offersOf(...Object.keys(expected));
      expect(Object.fromEntries(Object.keys(expected).map((line, index) => [line, offered[index]]))).toEqual(
        expected,
      );
    };

    beforeAll(async () => {
      at = await place(shell.script, shell.name === 'zsh' ? '_lanyard' : `lanyard.${shell.name}`);
    });
    afterAll(() => at.remove());

    test('offers the commands of each level', async () => {
      await expectOffers({
        'lanyard ': ['api', 'dev', 'help', 'key', 'profile', 'status'],
        'lanyard k': ['key'],
        'lanyard key ': ['show', 'sign'],
        'lanyard key si': ['sign'],
        'lanyard dev ': ['run'],
      });
    });

    test('finds the command behind flags and their values', async () => {
      await expectOffers({
        'lanyard -p prod key ': ['show', 'sign'],
        'lanyard -p key key ': ['show', 'sign'],
        'lanyard --profile=prod -q key ': ['show', 'sign'],
        'lanyard -qp prod key ': ['show', 'sign'],
        'lanyard -pprod key ': ['show', 'sign'],
        'lanyard key -o json ': ['show', 'sign'],
        'lanyard key --no-input sign --typ': ['--type'],
      });
    });

    test('offers every flag of the command, its own and shared ones', async () => {
      const [sign, api, root] = await offersOf('lanyard key sign -', 'lanyard api -', 'lanyard -');
      expect(sign).toEqual(names('key sign'));
      expect(api).toEqual(names('api'));
      expect(root).toEqual(names(''));
    });

    test('offers flags where nothing else is possible', async () => {
      const [status, signed] = await offersOf('lanyard status ', 'lanyard key sign role ');
      expect(status).toEqual(names('status'));
      expect(signed).toEqual(names('key sign'));
    });

    test('offers the choices of a flag', async () => {
      await expectOffers({
        'lanyard key sign --type ': ['host', 'user'],
        'lanyard key sign --type h': ['host'],
        'lanyard key sign --type=': shell.after('--type=', ['host', 'user']),
        'lanyard key sign --type=us': shell.after('--type=', ['user']),
        'lanyard key sign -t ': ['host', 'user'],
        'lanyard key sign -at ': ['host', 'user'],
        'lanyard -o y': ['yaml'],
      });
    });

    test('offers the choices of an argument, one argument after the other', async () => {
      await expectOffers({
        'lanyard api ': ['GET', 'PUT'],
        'lanyard api P': ['PUT'],
        'lanyard api GET ': [],
      });
    });

    test('offers nothing for free text and for what does not exist', async () => {
      await expectOffers({
        'lanyard key sign ': [],
        'lanyard key sign --ttl ': [],
        'lanyard key sign --ttl=': [],
        'lanyard key sign --valid-names ': [],
        'lanyard nothing ': [],
        'lanyard key nothing ': [],
        'lanyard key sign --nothing=': [],
      });
    });

    test('offers files and folders', async () => {
      await expectOffers({
        'lanyard key sign --key ': shell.files,
        'lanyard key show ': shell.files,
        'lanyard api GET path ': shell.files,
        'lanyard api GET path one two ': shell.files,
        'lanyard dev --data ': shell.folders,
      });
    });

    test('offers files after the mark of a source', async () => {
      await expectOffers({
        'lanyard key sign --key @no': shell.after(
          '@',
          shell.name === 'bash' ? ['@notes.txt'] : ['notes.txt'],
        ),
        'lanyard key sign --key=@no': shell.after(
          '--key=@',
          shell.name === 'bash' ? ['@notes.txt'] : ['notes.txt'],
        ),
      });
    });

    test('offers profiles, quoted for the shell', async () => {
      await expectOffers({
        'lanyard profile use ': shell.profiles,
        'lanyard -p pro': ['prod'],
        'lanyard -n ': [],
        'lanyard -n team profile u': ['use'],
        'lanyard --profile=pro': shell.after('--profile=', ['prod']),
      });
    });

    test('offers nothing but files after --', async () => {
      await expectOffers({
        'lanyard key sign role -- ': shell.files,
        'lanyard key sign -- no': shell.notes,
        'lanyard api -- no': shell.notes,
      });
    });

    test('completes a nested command line', async () => {
      await expectOffers({
        'lanyard dev run -- lanyar': ['lanyard'],
        'lanyard dev run lanyar': ['lanyard'],
        'lanyard dev run -q -- cat no': shell.notes,
      });
    });

    test('walks commands and topics after help', async () => {
      await expectOffers({
        'lanyard help ': [
          'aliases-and-plugins',
          ...['api', 'boundary', 'ci-github', 'ci-gitlab', 'ci-jobs', 'consul'],
          ...['copy-secrets', 'dev', 'drift', 'embedded-services'],
          ...[
            'environment',
            'environments',
            'exit-codes',
            'flags',
            'formats',
            'from-boundary',
            'from-consul',
          ],
          ...['from-nomad', 'from-vagrant', 'from-vault', 'getting-started', 'guides', 'key'],
          ...['new-boundary', 'new-consul', 'new-nomad', 'new-openbao', 'nomad'],
          ...['one-time-passwords', 'profile'],
          ...[
            'real-clusters',
            'running-programs',
            'ssh-certificates',
            'ssh-for-teams',
            'ssh-history',
            'ssh-hosts',
            'ssh-rejected',
            'ssh-revoke',
            'ssh-rotate',
            'state-files',
            'status',
            'team-state',
            'templates',
          ],
          ...['vagrant', 'vault', 'watching'],
        ],
        'lanyard help from-': ['from-boundary', 'from-consul', 'from-nomad', 'from-vagrant', 'from-vault'],
        'lanyard help key ': ['show', 'sign'],
        'lanyard help key sign ': [],
        'lanyard help exit-codes ': [],
      });
    });

    test('offers the areas that have a man page after help --man', async () => {
      const areas = ['api', 'config', 'dev', 'key', 'profile', 'status'];
      await expectOffers({
        'lanyard help -': ['--man'],
        'lanyard help --m': ['--man'],
        'lanyard help key --m': ['--man'],
        'lanyard help --man ': areas,
        'lanyard help --man c': ['config'],
        'lanyard help --man key ': ['show', 'sign'],
        'lanyard help --man config ': [],
      });
    });
  });
}
