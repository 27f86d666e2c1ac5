import type { BoxClient } from '../../../api/box.ts';
import { isReleasedAlready } from '../../../api/conditions.ts';
import type { ServiceResponse } from '../../../api/http/response.ts';
import type { Context } from '../../../cli/context.ts';
import { LanyardError, unlessNotFound } from '../../../errors.ts';
import type { LargeFile } from '../../../io/large-file.ts';
import { boxTag } from './box-names.ts';
import { matchesSent, writeAndConfirm } from './confirmed-writes.ts';
import type { ChecksumType } from './fields.ts';
import {
  compareImage,
  type ExpectedProvider,
  providerCalls,
  rejectOtherProvider,
  uploadFollowUps,
  uploadImage,
} from './image-upload.ts';
import { formatSize } from './progress-bar.ts';
import type { ProviderName } from './provider/provider-name.ts';
import { providersWithoutImage, rejectRevoked, warnAboutMissingImages } from './release-checks.ts';
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
  readonly run: () => Promise<unknown>;
  /** The description of its further requests in a dry run. */
  readonly followUps?: readonly string[];
}

type PlanContext = Pick<Context, 'api' | 'input' | 'output' | 'system'>;

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
export async function createPlan(goal: Goal, ctx: PlanContext): Promise<Plan> {
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

function boxStep(
  client: BoxClient,
  { at, box: fields }: Goal,
  existing: Box | undefined,
  { output }: PlanContext,
): Step {
  const { username, name } = at;
  const boxName = { username, name };
  const target = `box ${boxTag(at)}`;
  const read = () => client.readBox(boxName);
  const update = (now: Box) => {
    // An update without is_private makes the box private.
    const allFields = { is_private: now.private ?? true, ...fields };
    return writeAndConfirm(
      () => client.updateBox({ ...boxName, box: allFields }),
      read,
      (then) => matchesSent(then, allFields),
      output,
    );
  };
  if (!existing) {
    // The default is private.
    const allFields = { is_private: true, ...fields };
    return {
      action: 'create',
      target: `${target} (${allFields.is_private ? 'private' : 'public'})`,
      run: () =>
        createOrContinue(
          () =>
            writeAndConfirm(
              () => client.createBox({ box: { ...boxName, ...allFields } }),
              read,
              (now) => matchesSent(now, allFields),
              output,
            ),
          read,
          async (now) => (matchesSent(now, fields) ? now : update(now)),
        ),
    };
  }
  if (matchesSent(existing, fields)) return unchanged(target);
  return { action: 'update', target, run: () => update(existing) };
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
  { output }: PlanContext,
): Step {
  const { username, name, version: number } = at;
  const target = `version ${number}`;
  const fields = description === undefined ? {} : { description };
  const read = () => client.readVersion(at);
  const matches = (now: Version) => matchesSent(now, fields);
  const update = () =>
    writeAndConfirm(
      () => client.updateVersion({ username, name, number, version: fields }),
      read,
      matches,
      output,
    );
  if (!existing) {
    const version = { version: number, ...fields };
    return {
      action: 'create',
      target,
      run: () =>
        createOrContinue(
          () =>
            writeAndConfirm(() => client.createVersion({ username, name, version }), read, matches, output),
          read,
          async (now) => (matches(now) ? now : update()),
        ),
    };
  }
  if (matches(existing)) return unchanged(target);
  return { action: 'update', target, run: update };
}

interface ImagePlan extends Plan {
  /** Whether an existing image is replaced. */
  readonly replaces: boolean;
}

/** The steps for the provider, and for its image if it is uploaded. */
async function imageSteps(
  client: BoxClient,
  { at, architecture, image }: Goal,
  existing: Provider | undefined,
  ctx: PlanContext,
): Promise<ImagePlan> {
  const calls = providerCalls(client, at, architecture);
  const target = `provider ${at.provider}${architecture === undefined ? '' : ` (${architecture})`}`;
  const fields = 'url' in image ? { ...image.fields, url: image.url } : {};
  const matches = (now: Provider) => matchesSent(now, fields);
  const update = () => writeAndConfirm(() => calls.update(fields), calls.read, matches, ctx.output);
  let isCreatedByOther = false;
  const onExisting = async (now: Provider) => {
    isCreatedByOther = true;
    return matches(now) ? now : update();
  };
  const create: Step = {
    action: 'create',
    target,
    run: () =>
      createOrContinue(
        () => writeAndConfirm(() => calls.create(fields), calls.read, matches, ctx.output),
        calls.read,
        onExisting,
      ),
  };
  const check = (expected: ExpectedProvider) =>
    rejectOtherProvider(calls, { at, architecture }, expected, ctx);
  if ('url' in image) {
    const change: Step = { action: 'update', target, run: update };
    return {
      steps: [existing ? (matches(existing) ? unchanged(target) : change) : create],
      replaces: existing !== undefined && !matches(existing),
      check: () => check(fields),
    };
  }
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
    steps:
      found === 'same'
        ? [unchanged(target), unchanged(imageTarget)]
        : [existing ? unchanged(target) : create, upload],
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
  ctx: PlanContext,
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
