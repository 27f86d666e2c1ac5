import type { BoxClient } from '../../api/box.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { LargeFile } from '../../io/large-file.ts';
import type { ChecksumType } from './fields.ts';
import { callsOf, hostedImage, orNone, standing, uploadImage } from './image.ts';
import { size } from './meter.ts';
import { tagOf } from './names.ts';
import { nameOf, type ProviderName } from './provider/shared.ts';
import { shows, written } from './shared.ts';
import type { Box, Provider, Version } from './views.ts';

/** What is to be there in the end. */
export interface Goal {
  readonly at: ProviderName;
  readonly architecture: string | undefined;
  /** Those of the box that were named. */
  readonly box: {
    readonly is_private?: boolean;
    readonly short_description?: string;
    readonly description?: string;
  };
  /** Of the version, where it was named. */
  readonly description: string | undefined;
  readonly image:
    | { readonly file: LargeFile; readonly type: ChecksumType | undefined }
    | {
        readonly url: string;
        readonly fields: { readonly checksum?: string; readonly checksum_type?: string };
      };
  readonly release: boolean;
}

/** One thing on the way there. */
export interface Step {
  readonly act: 'create' | 'update' | 'upload' | 'release' | 'leave';
  readonly what: string;
  /** The act when it is done: "Created". */
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

type Parts = Pick<Context, 'api' | 'io' | 'clock' | 'dryRun'>;

/**
 * What has to be done, in this order, after a look at what is there: box, version, provider, image, release.
 *
 * @throws LanyardError conflict: a version that was revoked, a provider whose image is elsewhere; `interrupted` when a
 * person does not want an image changed that is released.
 */
export async function planOf(goal: Goal, ctx: Parts): Promise<readonly Step[]> {
  const client = await ctx.api.box();
  const { at, architecture } = goal;
  const box = await orNone(client.readBox(at));
  const version = box && (await orNone(client.readVersion(at)));
  const provider = version && (await orNone(callsOf(client, at, architecture).read()));
  if (version?.status === 'revoked' && goal.release)
    throw new LanyardError(
      'conflict',
      `${tagOf(at)} ${at.version} was revoked, and cannot be released again`,
      {
        hint: 'Publish it as another version.',
      },
    );
  const image = await imageSteps(client, goal, provider, ctx);
  if (version?.status === 'active' && image.some(({ act }) => act !== 'leave') && !ctx.dryRun)
    await ctx.io.confirm(`${tagOf(at)} ${at.version} is released: change the images that people get?`);
  return [
    boxStep(client, goal, box, ctx),
    versionStep(client, goal, version, ctx),
    ...image,
    ...(goal.release ? [releaseStep(client, goal, version, ctx)] : []),
  ];
}

const leave = (what: string): Step => ({ act: 'leave', what, done: 'Left', run: async () => undefined });

function boxStep(client: BoxClient, { at, box: fields }: Goal, there: Box | undefined, { io }: Parts): Step {
  const { username, name } = at;
  const of = { username, name };
  const what = `the box ${tagOf(at)}`;
  const read = () => client.readBox(of);
  if (!there) {
    // What nobody named is private.
    const whole = { is_private: true, ...fields };
    return {
      ...{ act: 'create', done: 'Created', what: `${what}, ${whole.is_private ? 'private' : 'public'}` },
      run: () =>
        written(
          () => client.createBox({ box: { ...of, ...whole } }),
          read,
          (now) => shows(now, whole),
          io,
        ),
    };
  }
  if (shows(there, fields)) return leave(what);
  // An update that does not say who may see the box makes it private.
  const whole = { is_private: there.private ?? true, ...fields };
  return {
    ...{ act: 'update', done: 'Updated', what },
    run: () =>
      written(
        () => client.updateBox({ ...of, box: whole }),
        read,
        (now) => shows(now, whole),
        io,
      ),
  };
}

function versionStep(
  client: BoxClient,
  { at, description }: Goal,
  there: Version | undefined,
  { io }: Parts,
): Step {
  const { username, name, version: number } = at;
  const what = `the version ${number}`;
  const fields = description === undefined ? {} : { description };
  const read = () => client.readVersion(at);
  const isSo = (now: Version) => shows(now, fields);
  if (!there) {
    const version = { version: number, ...fields };
    return {
      ...{ act: 'create', done: 'Created', what },
      run: () => written(() => client.createVersion({ username, name, version }), read, isSo, io),
    };
  }
  if (isSo(there)) return leave(what);
  return {
    ...{ act: 'update', done: 'Updated', what },
    run: () =>
      written(() => client.updateVersion({ username, name, number, version: fields }), read, isSo, io),
  };
}

/** The provider, and its image where it is uploaded. */
async function imageSteps(
  client: BoxClient,
  { at, architecture, image }: Goal,
  there: Provider | undefined,
  ctx: Parts,
): Promise<readonly Step[]> {
  const calls = callsOf(client, at, architecture);
  const what = `the provider ${at.provider}${architecture === undefined ? '' : ` (${architecture})`}`;
  const fields = 'url' in image ? { ...image.fields, url: image.url } : {};
  const isSo = (now: Provider) => shows(now, fields);
  const create: Step = {
    ...{ act: 'create', done: 'Created', what },
    run: () => written(() => calls.create(fields), calls.read, isSo, ctx.io),
  };
  if ('url' in image) {
    const update = () => written(() => calls.update(fields), calls.read, isSo, ctx.io);
    if (!there) return [create];
    return [isSo(there) ? leave(what) : { act: 'update', done: 'Updated', what, run: update }];
  }
  const { file, type } = image;
  const wanted = { at, architecture, file, type };
  const found = there && (await standing(there, wanted, ctx));
  const named = `${file.path}, ${size(file.size)}`;
  if (found === 'same') return [leave(what), leave(`the image (${named})`)];
  const upload: Step = {
    ...{ act: 'upload', done: 'Uploaded', what: `the image (${named})` },
    run: async () => uploadImage((await calls.read()).body, wanted, ctx),
  };
  return [there ? leave(what) : create, upload];
}

function releaseStep(client: BoxClient, goal: Goal, there: Version | undefined, ctx: Parts): Step {
  const { at } = goal;
  const what = `the version ${at.version}`;
  if (there?.status === 'active') return leave(`the release of ${what}`);
  return {
    ...{ act: 'release', done: 'Released', what },
    run: async () => {
      await refuseMissing(client, goal, ctx);
      const read = () => client.readVersion(at);
      return written(
        () => client.releaseVersion(at),
        read,
        ({ status }) => status === 'active',
        ctx.io,
      );
    },
  };
}

/** Looks once more, because a release cannot be undone: has every provider of the version its image? */
async function refuseMissing(client: BoxClient, { at }: Goal, ctx: Parts): Promise<void> {
  const { body } = await client.readVersion(at);
  const lacking: string[] = [];
  for (const provider of body.providers ?? []) {
    if (!provider.original_url && !(await hostedImage(provider, ctx)))
      lacking.push(nameOf({ ...at, provider: provider.name }, undefined));
  }
  if (lacking.length === 0) return;
  throw new LanyardError('conflict', `${tagOf(at)} ${at.version} is not released: an image is missing`, {
    service: 'box',
    details: lacking.map((name) => `${name} has no image.`),
    hint: 'Publish it, or delete that provider with "lanyard box provider delete"; then run this again.',
  });
}
