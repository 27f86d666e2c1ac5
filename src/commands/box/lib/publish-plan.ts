import type { BoxClient } from '../../../api/box.ts';
import { type ProviderName, providerCalls } from '../../../api/box-provider.ts';
import { isReleasedAlready } from '../../../api/conditions/box.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, unlessNotFound } from '../../../errors.ts';
import type { LargeFile } from '../../../io/large-file.ts';
import { compact } from '../../../wire/objects.ts';
import { boxTag } from './box-names.ts';
import { type Fields, matchesSent, writeAndConfirm } from './confirmed-writes.ts';
import type { ChecksumType } from './fields.ts';
import {
  compareImage,
  type ExpectedProvider,
  rejectOtherProvider,
  uploadFollowUps,
  uploadImage,
} from './image-upload.ts';
import { formatSize } from './progress-bar.ts';
import { providersWithoutImage, rejectRevoked, warnAboutMissingImages } from './release-checks.ts';
import type { Box, Provider, Version } from './views.ts';

export interface Goal {
  readonly at: ProviderName;
  readonly architecture: string | undefined;
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

export interface Step {
  readonly action: 'create' | 'update' | 'upload' | 'release' | 'unchanged';
  readonly target: string;
  readonly run: () => Promise<unknown>;
  /** The description of its further requests in a dry run. */
  readonly followUps?: readonly string[];
}

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
export async function createPlan(goal: Goal, ctx: Context): Promise<Plan> {
  const client = await ctx.api.box();
  const { at, architecture } = goal;
  const box = await unlessNotFound(client.readBox(at));
  const version = box && (await unlessNotFound(client.readVersion(at)));
  const provider = version && (await unlessNotFound(providerCalls(client, at, architecture).read()));
  if (version) rejectRevoked(`${boxTag(at)} ${at.version}`, version);
  const image = await imageSteps(client, goal, provider, ctx);
  if (version?.status === 'active' && image.replaces && !ctx.output.dryRunFlag)
    await ctx.input.confirm(
      `Replace images of ${boxTag(at)} ${at.version}? The version is already released.`,
    );
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

const unchanged = (target: string): Step => ({ action: 'unchanged', target, run: async () => undefined });

/** A write, and the fields that the object has afterwards. */
interface Write {
  readonly send: () => Promise<ServiceResponse<unknown>>;
  readonly sent: Fields;
}

interface ObjectWrites<Body> {
  readonly target: string;
  readonly existing: Body | undefined;
  readonly fields: Fields;
  readonly read: () => Promise<ServiceResponse<Body>>;
  readonly create: Write;
  readonly update: (now: Body) => Write;
  /** Called if another request created the object. */
  readonly onExisting?: () => void;
}

/** Creates an object that does not exist, or updates one without the given fields. */
function objectStep<Body extends Fields>(
  { target, existing, fields, read, create, update, onExisting }: ObjectWrites<Body>,
  { output }: Context,
): Step {
  const confirm = ({ send, sent }: Write) =>
    writeAndConfirm(send, read, (now) => matchesSent(now, sent), output);
  const run = () =>
    createOrContinue(
      () => confirm(create),
      read,
      async (now) => {
        onExisting?.();
        return matchesSent(now, fields) ? now : confirm(update(now));
      },
    );
  if (!existing) return { action: 'create', target, run };
  if (matchesSent(existing, fields)) return unchanged(target);
  return { action: 'update', target, run: () => confirm(update(existing)) };
}

function boxStep(
  client: BoxClient,
  { at, box: fields }: Goal,
  existing: Box | undefined,
  ctx: Context,
): Step {
  const { username, name } = at;
  const boxName = { username, name };
  // The default is private, also for an update without is_private.
  const created = { is_private: true, ...fields };
  const access = existing ? '' : ` (${created.is_private ? 'private' : 'public'})`;
  return objectStep(
    {
      target: `box ${boxTag(at)}${access}`,
      existing,
      fields,
      read: () => client.readBox(boxName),
      create: { send: () => client.createBox({ box: { ...boxName, ...created } }), sent: created },
      update: (now) => {
        const box = { is_private: now.private ?? true, ...fields };
        return { send: () => client.updateBox({ ...boxName, box }), sent: box };
      },
    },
    ctx,
  );
}

/**
 * Creates an object that did not exist before. If another request has created it (for another provider of the same
 * version), continues with that object.
 */
async function createOrContinue<Body>(
  create: () => Promise<unknown>,
  read: () => Promise<ServiceResponse<Body>>,
  onExisting: (existing: Body) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof LanyardError) || (error.status !== 422 && error.kind !== 'conflict')) throw error;
    const response = await read().catch(() => undefined);
    if (!response) throw error;
    return onExisting(response.body);
  }
}

function versionStep(
  client: BoxClient,
  { at, description }: Goal,
  existing: Version | undefined,
  ctx: Context,
): Step {
  const { username, name, version: number } = at;
  const fields = compact({ description });
  const version = { version: number, ...fields };
  const send = () => client.updateVersion({ username, name, number, version: fields });
  return objectStep(
    {
      target: `version ${number}`,
      existing,
      fields,
      read: () => client.readVersion(at),
      create: { send: () => client.createVersion({ username, name, version }), sent: fields },
      update: () => ({ send, sent: fields }),
    },
    ctx,
  );
}

interface ImagePlan extends Plan {
  readonly replaces: boolean;
}

/** The steps for the provider, and for its image if it is uploaded. */
async function imageSteps(
  client: BoxClient,
  { at, architecture, image }: Goal,
  existing: Provider | undefined,
  ctx: Context,
): Promise<ImagePlan> {
  const calls = providerCalls(client, at, architecture);
  const target = `provider ${at.provider}${architecture === undefined ? '' : ` (${architecture})`}`;
  const fields = 'url' in image ? { ...image.fields, url: image.url } : {};
  let isCreatedByOther = false;
  const step = objectStep(
    {
      target,
      existing,
      fields,
      read: calls.read,
      create: { send: () => calls.create(compact({ architecture, ...fields })), sent: fields },
      update: () => ({ send: () => calls.update(fields), sent: fields }),
      onExisting: () => {
        isCreatedByOther = true;
      },
    },
    ctx,
  );
  const check = (expected: ExpectedProvider) =>
    rejectOtherProvider(calls, { at, architecture }, expected, ctx);
  if ('url' in image)
    return { steps: [step], replaces: step.action === 'update', check: () => check(fields) };
  const { file, type } = image;
  const desired = { at, architecture, file, type };
  const found = existing && (await compareImage(existing, desired, ctx));
  const imageTarget = `image (${file.path}, ${formatSize(file.size)})`;
  let sentFields = existing;
  const upload: Step = {
    action: 'upload',
    target: imageTarget,
    followUps: uploadFollowUps(file),
    run: async () => {
      sentFields = (await calls.read()).body;
      if (isCreatedByOther && (await compareImage(sentFields, desired, ctx)) === 'same') return;
      sentFields = await uploadImage(sentFields, desired, ctx);
    },
  };
  return {
    steps: found === 'same' ? [step, unchanged(imageTarget)] : [step, upload],
    replaces: found === 'other',
    check: () =>
      check({ checksum: sentFields?.checksum, checksum_type: sentFields?.checksum_type, size: file.size }),
  };
}

function releaseStep(
  client: BoxClient,
  { at }: Goal,
  existing: Version | undefined,
  check: () => Promise<void>,
  ctx: Context,
): Step {
  const target = `version ${at.version}`;
  if (existing?.status === 'active') return unchanged(`release of ${target}`);
  const read = () => client.readVersion(at);
  const isReleased = ({ status }: Version) => status === 'active';
  return {
    action: 'release',
    target,
    run: async () => {
      const { body: now } = await read();
      // A release cannot be undone.
      await check();
      if (isReleased(now)) return;
      warnAboutMissingImages(await providersWithoutImage(now, ctx), ctx.output);
      await writeAndConfirm(() => client.releaseVersion(at), read, isReleased, ctx.output).catch(
        (error: unknown) => {
          if (!isReleasedAlready(error)) throw error;
        },
      );
    },
  };
}
