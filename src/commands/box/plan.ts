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

/** The requested state. */
export interface Goal {
  readonly at: ProviderName;
  readonly architecture: string | undefined;
  /** The given fields of the box. */
  readonly box: {
    readonly is_private?: boolean;
    readonly short_description?: string;
    readonly description?: string;
  };
  /** The description of the version, if given. */
  readonly description: string | undefined;
  readonly image:
    | { readonly file: LargeFile; readonly type: ChecksumType | undefined }
    | {
        readonly url: string;
        readonly fields: { readonly checksum?: string; readonly checksum_type?: string };
      };
  readonly release: boolean;
}

/** One step of a plan. */
export interface Step {
  readonly action: 'create' | 'update' | 'upload' | 'release' | 'unchanged';
  readonly target: string;
  /** The completed action: "Created". */
  readonly done: string;
  readonly run: () => Promise<unknown>;
  /** The description of its further requests in a dry run. */
  readonly further?: readonly string[];
}

type Parts = Pick<Context, 'api' | 'io' | 'clock' | 'dryRun' | 'rehearsal'>;

/** The steps to a requested state. */
export interface Plan {
  readonly steps: readonly Step[];
  /**
   * Checks that the provider still has the requested image.
   * @throws LanyardError conflict: another request replaced the image.
   */
  readonly check: () => Promise<void>;
}

/**
 * Compares the requested with the existing state. The order of the steps is: box, version, provider, image, release.
 *
 * @throws LanyardError conflict: the version is revoked, or the image of the provider is at a URL; `interrupted`: the
 * user does not confirm to replace a released image.
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
    await ctx.io.confirm(`Replace images of ${tagOf(at)} ${at.version}? The version is already released.`);
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

const unchanged = (target: string): Step => ({
  ...{ action: 'unchanged', target, done: 'Kept' },
  run: async () => undefined,
});

function boxStep(client: BoxClient, { at, box: fields }: Goal, there: Box | undefined, { io }: Parts): Step {
  const { username, name } = at;
  const of = { username, name };
  const target = `box ${tagOf(at)}`;
  const read = () => client.readBox(of);
  const update = (now: Box) => {
    // An update without is_private makes the box private.
    const whole = { is_private: now.private ?? true, ...fields };
    return written(
      () => client.updateBox({ ...of, box: whole }),
      read,
      (then) => shows(then, whole),
      io,
    );
  };
  if (!there) {
    // The default is private.
    const whole = { is_private: true, ...fields };
    return {
      ...{
        action: 'create',
        done: 'Created',
        target: `${target} (${whole.is_private ? 'private' : 'public'})`,
      },
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
  if (shows(there, fields)) return unchanged(target);
  return { ...{ action: 'update', done: 'Updated', target }, run: () => update(there) };
}

/**
 * Creates an object that did not exist before. If another request has created it (for another provider of the same
 * version), continues with that object.
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
  const target = `version ${number}`;
  const fields = description === undefined ? {} : { description };
  const read = () => client.readVersion(at);
  const isSo = (now: Version) => shows(now, fields);
  const update = () =>
    written(() => client.updateVersion({ username, name, number, version: fields }), read, isSo, io);
  if (!there) {
    const version = { version: number, ...fields };
    return {
      ...{ action: 'create', done: 'Created', target },
      run: () =>
        createdOr(
          () => written(() => client.createVersion({ username, name, version }), read, isSo, io),
          read,
          async (now) => (isSo(now) ? now : update()),
        ),
    };
  }
  if (isSo(there)) return unchanged(target);
  return { ...{ action: 'update', done: 'Updated', target }, run: update };
}

interface ImagePlan extends Plan {
  /** Whether an existing image is replaced. */
  readonly replaces: boolean;
}

/** The steps for the provider, and for its image if it is uploaded. */
async function imageSteps(
  client: BoxClient,
  { at, architecture, image }: Goal,
  there: Provider | undefined,
  ctx: Parts,
): Promise<ImagePlan> {
  const calls = callsOf(client, at, architecture);
  const target = `provider ${at.provider}${architecture === undefined ? '' : ` (${architecture})`}`;
  const fields = 'url' in image ? { ...image.fields, url: image.url } : {};
  const isSo = (now: Provider) => shows(now, fields);
  const update = () => written(() => calls.update(fields), calls.read, isSo, ctx.io);
  let isOthers = false;
  const goOn = async (now: Provider) => {
    isOthers = true;
    return isSo(now) ? now : update();
  };
  const create: Step = {
    ...{ action: 'create', done: 'Created', target },
    run: () =>
      createdOr(() => written(() => calls.create(fields), calls.read, isSo, ctx.io), calls.read, goOn),
  };
  const check = (expected: Expected) => refuseOther(calls, { at, architecture }, expected, ctx);
  if ('url' in image) {
    const change: Step = { action: 'update', done: 'Updated', target, run: update };
    return {
      steps: [there ? (isSo(there) ? unchanged(target) : change) : create],
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
    ...{ action: 'upload', done: 'Uploaded', target: `image (${named})` },
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
        ? [unchanged(target), unchanged(`image (${named})`)]
        : [there ? unchanged(target) : create, upload],
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
  const target = `version ${at.version}`;
  if (there?.status === 'active') return unchanged(`release of ${target}`);
  const read = () => client.readVersion(at);
  const isReleased = ({ status }: Version) => status === 'active';
  return {
    ...{ action: 'release', done: 'Released', target },
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
