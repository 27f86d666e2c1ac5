import type { BoxClient } from '../../api/box.ts';
import type { Candidate } from './candidates.ts';
import { described, named, type Source, source, type Typed } from './source.ts';

type Box = Awaited<ReturnType<BoxClient['readBox']>>['body'];

const ownerOf = (value: string): string => value.slice(0, Math.max(value.indexOf('/'), 0));

const candidate = ({ username, name, short_description: about }: Box): Candidate => ({
  value: `${username}/${name}`,
  description: about ?? undefined,
});

const boxesOf = async (box: BoxClient, username: string): Promise<readonly Box[]> =>
  (await box.readOrganization({ username })).body.boxes ?? [];

async function ownBoxes(box: BoxClient): Promise<readonly Box[]> {
  const username = (await box.checkToken({})).body?.user.username;
  return username === undefined ? [] : boxesOf(box, username);
}

/** The boxes of the user of the token, and those that the search finds. */
async function visibleBoxes(box: BoxClient): Promise<readonly Box[]> {
  const lists = await Promise.allSettled([
    ownBoxes(box),
    box.searchBoxes({ limit: 100 }).then(({ body }) => body.boxes),
  ]);
  const boxes = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  return [...new Map(boxes.map((each) => [`${each.username}/${each.name}`, each])).values()];
}

/** The versions of a box, of the argument before. */
const versionScope = ({ operands: [name = ''] }: Typed): readonly string[] | undefined => {
  const [owner = '', box = '', ...rest] = name.split('/');
  return owner === '' || box === '' || rest.length > 0 ? undefined : [owner, box];
};

const versionsOf = async (box: BoxClient, [username = '', name = '']: readonly string[]) =>
  (await box.readBox({ username, name })).body.versions ?? [];

export const boxSources = {
  box: source(
    'box',
    async (box, [owner = '']) =>
      (await (owner === '' ? visibleBoxes(box) : boxesOf(box, owner))).map(candidate),
    ({ value }) => [ownerOf(value)],
  ),
  'box-owner': source('box', async (box) =>
    named([...new Set((await visibleBoxes(box)).map(({ username }) => username))]),
  ),
  'box-version': source(
    'box',
    async (box, scope) => described(await versionsOf(box, scope), ({ version, status }) => [version, status]),
    versionScope,
  ),
  'box-provider': source(
    'box',
    async (box, scope) => {
      const versions = await versionsOf(box, scope);
      const providers = versions.find(({ version }) => version === scope[2])?.providers ?? [];
      return named([...new Set(providers.map(({ name }) => name))]);
    },
    (typed) => {
      const scope = versionScope(typed);
      const version = typed.operands[1];
      return scope && version ? [...scope, version] : undefined;
    },
  ),
} as const satisfies Readonly<Record<string, Source>>;
