import type { BoxClient } from '../../api/box.ts';
import { isReleasedAlready } from '../../api/conditions.ts';
import type { Answer } from '../../api/transport.ts';
import type { Context } from '../../context.ts';
import { LanyardError } from '../../errors.ts';
import type { LargeFile } from '../../io/large-file.ts';
import type { ChecksumType } from './fields.ts';
import { afterAddress, callsOf, type Expected, orNone, refuseOther, standing, uploadImage } from './image.ts';
import { size } from './meter.ts';
import { tagOf } from './names.ts';
import type { ProviderName } from './provider/shared.ts';
import { refuseRevoked, warnOfLacking, withoutImage } from './releasing.ts';
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
  /** What a rehearsal says of its further requests. */
  readonly further?: readonly string[];
}

type Parts = Pick<Context, 'api' | 'io' | 'clock' | 'dryRun' | 'rehearsal'>;

/** The way to a goal. */
export interface Plan {
  readonly steps: readonly Step[];
  /**
   * Is the image of the provider still the one that was asked for? Somebody else may publish another one meanwhile.
   * @throws LanyardError conflict.
   */
  readonly check: () => Promise<void>;
}

/**
 * What has to be done, in this order, after a look at what is there: box, version, provider, image, release.
 *
 * @throws LanyardError conflict: a version that was revoked, a provider whose image is elsewhere; `interrupted` when a
 * person does not want an image changed that is released.
 */
export async function planOf(goal: Goal, ctx: Parts): Promise<Plan> {
  const client = await ctx.api.box();
  const { at, architecture } = goal;
  const box = await orNone(client.readBox(at));
  const version = box && (await orNone(client.readVersion(at)));
  const provider = version && (await orNone(callsOf(client, at, architecture).read()));
  if (version) refuseRevoked(`${tagOf(at)} ${at.version}`, version);
  const image = await imageSteps(client, goal, provider, ctx);
  if (version?.status === 'active' && image.replaces && !ctx.dryRun)
    await ctx.io.confirm(`${tagOf(at)} ${at.version} is released: change the images that people get?`);
  const { check } = image;
  return {
    steps: [
      boxStep(client, goal, box, ctx),
      versionStep(client, goal, version, ctx),
      ...image.steps,
      ...(goal.release ? [releaseStep(client, goal, version, check, ctx)] : []),
    ],
    check,
  };
}

const leave = (what: string): Step => ({ act: 'leave', what, done: 'Left', run: async () => undefined });

function boxStep(client: BoxClient, { at, box: fields }: Goal, there: Box | undefined, { io }: Parts): Step {
  const { username, name } = at;
  const of = { username, name };
  const what = `the box ${tagOf(at)}`;
  const read = () => client.readBox(of);
  const update = (now: Box) => {
    // An update that does not say who may see the box makes it private.
    const whole = { is_private: now.private ?? true, ...fields };
    return written(
      () => client.updateBox({ ...of, box: whole }),
      read,
      (then) => shows(then, whole),
      io,
    );
  };
  if (!there) {
    // What nobody named is private.
    const whole = { is_private: true, ...fields };
    return {
      ...{ act: 'create', done: 'Created', what: `${what}, ${whole.is_private ? 'private' : 'public'}` },
      run: () =>
        createdOr(
          () =>
            written(
              () => client.createBox({ box: { ...of, ...whole } }),
              read,
              (now) => shows(now, whole),
              io,
            ),
          read,
          async (now) => (shows(now, fields) ? now : update(now)),
        ),
    };
  }
  if (shows(there, fields)) return leave(what);
  return { ...{ act: 'update', done: 'Updated', what }, run: () => update(there) };
}

/**
 * Creates what was not there a moment ago. Where somebody else was faster, who may publish another provider of the
 * same version, what they made is gone on with.
 */
async function createdOr<Body>(
  create: () => Promise<unknown>,
  read: () => Promise<Answer<Body>>,
  goOn: (there: Body) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof LanyardError) || (error.status !== 422 && error.kind !== 'conflict')) throw error;
    const answer = await read().catch(() => undefined);
    if (!answer) throw error;
    return goOn(answer.body);
  }
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
  const update = () =>
    written(() => client.updateVersion({ username, name, number, version: fields }), read, isSo, io);
  if (!there) {
    const version = { version: number, ...fields };
    return {
      ...{ act: 'create', done: 'Created', what },
      run: () =>
        createdOr(
          () => written(() => client.createVersion({ username, name, version }), read, isSo, io),
          read,
          async (now) => (isSo(now) ? now : update()),
        ),
    };
  }
  if (isSo(there)) return leave(what);
  return { ...{ act: 'update', done: 'Updated', what }, run: update };
}

interface ImagePlan extends Plan {
  /** Is an image that is there to give way to another one? */
  readonly replaces: boolean;
}

/** The provider, and its image where it is uploaded. */
async function imageSteps(
  client: BoxClient,
  { at, architecture, image }: Goal,
  there: Provider | undefined,
  ctx: Parts,
): Promise<ImagePlan> {
  const calls = callsOf(client, at, architecture);
  const what = `the provider ${at.provider}${architecture === undefined ? '' : ` (${architecture})`}`;
  const fields = 'url' in image ? { ...image.fields, url: image.url } : {};
  const isSo = (now: Provider) => shows(now, fields);
  const update = () => written(() => calls.update(fields), calls.read, isSo, ctx.io);
  let isOthers = false;
  const goOn = async (now: Provider) => {
    isOthers = true;
    return isSo(now) ? now : update();
  };
  const create: Step = {
    ...{ act: 'create', done: 'Created', what },
    run: () =>
      createdOr(() => written(() => calls.create(fields), calls.read, isSo, ctx.io), calls.read, goOn),
  };
  const check = (expected: Expected) => refuseOther(calls, { at, architecture }, expected, ctx);
  if ('url' in image) {
    const change: Step = { act: 'update', done: 'Updated', what, run: update };
    return {
      steps: [there ? (isSo(there) ? leave(what) : change) : create],
      replaces: there !== undefined && !isSo(there),
      check: () => check(fields),
    };
  }
  const { file, type } = image;
  const wanted = { at, architecture, file, type };
  const found = there && (await standing(there, wanted, ctx));
  const named = `${file.path}, ${size(file.size)}`;
  let sent = there;
  const upload: Step = {
    ...{ act: 'upload', done: 'Uploaded', what: `the image (${named})` },
    further: afterAddress(file),
    run: async () => {
      sent = (await calls.read()).body;
      if (isOthers && (await standing(sent, wanted, ctx)) === 'same') return;
      sent = await uploadImage(sent, wanted, ctx);
    },
  };
  return {
    steps:
      found === 'same'
        ? [leave(what), leave(`the image (${named})`)]
        : [there ? leave(what) : create, upload],
    replaces: found === 'other',
    check: () => check({ checksum: sent?.checksum, checksum_type: sent?.checksum_type, size: file.size }),
  };
}

function releaseStep(
  client: BoxClient,
  { at }: Goal,
  there: Version | undefined,
  check: () => Promise<void>,
  ctx: Parts,
): Step {
  const what = `the version ${at.version}`;
  if (there?.status === 'active') return leave(`the release of ${what}`);
  const read = () => client.readVersion(at);
  const isReleased = ({ status }: Version) => status === 'active';
  return {
    ...{ act: 'release', done: 'Released', what },
    run: async () => {
      const { body: now } = await read();
      // A release cannot be undone.
      await check();
      if (isReleased(now)) return;
      warnOfLacking(await withoutImage(now, ctx), ctx.io);
      await written(() => client.releaseVersion(at), read, isReleased, ctx.io).catch((error: unknown) => {
        if (!isReleasedAlready(error)) throw error;
      });
    },
  };
}
