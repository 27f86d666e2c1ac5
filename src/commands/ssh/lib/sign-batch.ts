import type { SecretsClient } from '../../../api/secrets.ts';
import type { Outcome } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { exitCodeOf, type Kind, kinds, LanyardError, usage } from '../../../errors.ts';
import { bad, code, text } from '../../../output/document.ts';
import { timeLeftText } from '../../../output/humanize.ts';
import type { DryRunResult, Result } from '../../../output/result.ts';
import type { Keys } from '../../../ssh/keys.ts';
import { certificatePath } from '../../../wire/key-paths.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';
import { batchItems, type Item, isLineFile, itemQueue, readLine } from './batch-items.ts';
import { type CertificateFlags, certificateRequest, withHostNames } from './certificate-request.ts';
import { certificateFile, type KeyToSign, readKey } from './key-files.ts';
import { openRecorder } from './record.ts';
import { renew, serialNumber, signKey, writeCertificate } from './renewal.ts';

interface BatchFlags extends CertificateFlags {
  readonly role: string;
  readonly batch: readonly string[];
  readonly concurrency: number | undefined;
  readonly ifNeeded: boolean;
  readonly mount: string;
  readonly key: string | undefined;
  readonly out: string | undefined;
  readonly agent: boolean;
  readonly record: string | undefined;
}

type Request = Omit<SshSignBody, 'public_key'>;

interface ItemResult {
  /** The file of the key, or the file and line of its JSON. */
  readonly name: string;
  /** `fresh`: the existing certificate was kept. */
  readonly status: 'signed' | 'fresh' | 'failed';
  /** In hexadecimal. */
  readonly serial_number?: string;
  /** Of the public key. */
  readonly fingerprint?: string;
  /** The file of the certificate. */
  readonly out?: string;
  /** The certificate, if it is not written to a file. */
  readonly signed_key?: string;
  readonly error?: {
    /** The kind of the error, such as `forbidden`. */
    readonly code: string;
    readonly message: string;
    /** The messages of the service. */
    readonly messages: readonly string[];
  };
}

const defaultConcurrency = 16;
const maxConcurrency = 256;
/** Errors that every further key would have. */
const fatalKinds: readonly Kind[] = ['unauthenticated', 'unreachable', 'interrupted'];

/**
 * Signs many keys concurrently and prints each result as soon as it is known. An error of one key is part of its result;
 * an error that every key would have ends the batch.
 */
export async function signBatch(
  flags: BatchFlags,
  ctx: Context,
): Promise<Outcome<readonly ItemResult[]> | DryRunResult> {
  if (flags.key !== undefined || flags.out !== undefined || flags.agent)
    throw usage('--batch cannot be combined with --key, --out or --agent');
  const concurrency = flags.concurrency ?? defaultConcurrency;
  if (concurrency < 1 || concurrency > maxConcurrency)
    throw usage(`invalid --concurrency: expected 1 to ${maxConcurrency}`);
  const keys = await ctx.ssh.keys();
  const request = await withHostNames(certificateRequest(flags), ctx);
  const items = batchItems(flags.batch, ctx);
  const client = { forMany: true } as const;
  const secrets = () => ctx.api.secrets(client);
  const plan: Plan = { ...flags, request, secrets, withoutPrincipals: [] };
  if (ctx.output.isDryRun) return dryRunBatch(items, plan, keys, ctx);
  const rows = await ctx.output.streamList();
  // The number of lines is not known before they are read.
  const listed = flags.batch.some(isLineFile) ? undefined : (await Array.fromAsync(items)).flat();
  const nextItem = itemQueue(listed === undefined ? items : [listed].values());
  const counts = { signed: 0, fresh: 0, failed: 0 };
  const progress = await ctx.output.progress('signing');
  const startedAt = ctx.system.clock().getTime();
  let end: LanyardError | undefined;
  let place = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const item = end === undefined ? await nextItem() : undefined;
      if (item === undefined) return;
      const own = place++;
      const done = await signItem(item, plan, keys, ctx).catch((error: unknown) => {
        if (!(error instanceof LanyardError)) throw error;
        if (fatalKinds.includes(error.kind)) end ??= error;
        return failedResult(item.name, error);
      });
      counts[done.status] += 1;
      await rows.add(done, () => [resultLine(done)], own);
      const { columns } = progress;
      if (columns === 0) continue;
      const elapsedMs = ctx.system.clock().getTime() - startedAt;
      progress.update(progressText(counts, { total: listed?.length, elapsedMs, columns }));
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    progress.stop();
  }
  await rows.end();
  const { signed, fresh, failed: failure } = counts;
  ctx.output.note(`${signed} signed${fresh > 0 ? `, ${fresh} up to date` : ''}, ${failure} failed`);
  (await openRecorder(flags.record, ctx))?.summarize();
  const unlimited = plan.withoutPrincipals.length;
  if (unlimited > 0)
    ctx.output.warn(
      `certificates without principals: ${unlimited}, such as ${plan.withoutPrincipals[0]}; they are valid for any user or host. To limit them, add --principals`,
    );
  if (end !== undefined && signed + fresh === 0) throw end;
  if (end !== undefined) ctx.output.warn(`stopped early: ${end.message}`);
  return {
    exitCode:
      end?.kind === 'interrupted' ? exitCodeOf(end, ctx.system.signal) : failure > 0 ? kinds.unknown.code : 0,
  };
}

/** `signing: 20 of 100 done, 1 failed, 8 s left`; the failures, then the time are omitted where they do not fit. */
export function progressText(
  { signed, fresh, failed }: Readonly<Record<ItemResult['status'], number>>,
  batch: { readonly total: number | undefined; readonly elapsedMs: number; readonly columns: number },
): string {
  const { total, elapsedMs, columns } = batch;
  const done = signed + fresh;
  const processed = done + failed;
  const left =
    total === undefined ? '' : `, ${timeLeftText((elapsedMs / processed / 1000) * (total - processed))}`;
  const count = `signing: ${done}${total === undefined ? '' : ` of ${total}`} done`;
  const texts = [`${count}, ${failed} failed${left}`, `${count}${left}`, count];
  return texts.find((text) => text.length <= columns) ?? `${processed}`;
}

/** Dry run: shows every request of a batch; invalid items are reported as warnings and counted as failed. */
async function dryRunBatch(
  groups: AsyncIterator<readonly Item[]>,
  plan: Plan,
  keys: Keys,
  ctx: Context,
): Promise<DryRunResult> {
  const shown: Result[] = [];
  let failure = 0;
  const nextItem = itemQueue(groups);
  for (let item = await nextItem(); item !== undefined; item = await nextItem()) {
    try {
      await signItem(item, plan, keys, ctx);
    } catch (error) {
      if (!(error instanceof LanyardError)) shown.push(await ctx.output.dryRunResult(error));
      else {
        ctx.output.warn(`${item.name}: ${[error.message, ...error.details].join('; ')}`);
        failure += 1;
      }
    }
  }
  const data = shown.map((result) => result.data);
  return {
    data,
    rows: data,
    document: shown.flatMap(({ document }) => document),
    isDryRun: true,
    exitCode: failure > 0 ? kinds.unknown.code : 0,
  };
}

interface Plan extends Pick<BatchFlags, 'role' | 'mount' | 'ifNeeded' | 'record'> {
  readonly request: Request;
  readonly secrets: () => Promise<SecretsClient>;
  /** The names of the keys whose certificates have no principals. */
  readonly withoutPrincipals: string[];
}

async function signItem(item: Item, plan: Plan, keys: Keys, ctx: Context): Promise<ItemResult> {
  const { key, out, request } = await signingOf(item, plan.request, keys, ctx);
  const { mount, role, secrets, record } = plan;
  const signing = { mount, role, key, request, secrets, record };
  if (out !== undefined) await ctx.files.checkWritable([certificateFile(out)]);
  const isRenewed = plan.ifNeeded && out !== undefined;
  const done = await (isRenewed ? renew(out, signing, keys, ctx) : signKey(signing, keys, ctx));
  if (out !== undefined && !plan.ifNeeded) await writeCertificate(out, signing, done.signed, ctx);
  if (done.body && done.certificate.principals.length === 0) plan.withoutPrincipals.push(item.name);
  return {
    name: item.name,
    status: done.body ? 'signed' : 'fresh',
    serial_number: done.body ? done.body.data.serial_number : serialNumber(done),
    fingerprint: key.fingerprint,
    ...(out === undefined ? { signed_key: done.signed } : { out }),
  };
}

async function signingOf(
  item: Item,
  request: Request,
  keys: Keys,
  ctx: Context,
): Promise<{ key: KeyToSign; out: string | undefined; request: Request }> {
  if ('file' in item)
    return { key: await readKey(item.file, keys, ctx), out: certificatePath(item.file), request };
  const { public_key: line, key: file, out, ...own } = readLine(item);
  if ((line === undefined) === (file === undefined))
    throw usage(`${item.name}: expected one of public_key and key`);
  const merged = { ...request, ...own };
  if (file !== undefined)
    return { key: await readKey(file, keys, ctx), out: out ?? certificatePath(file), request: merged };
  const { line: fields, info } = keys.readPublicKey(line ?? '', item.name);
  return { key: { line: fields, fingerprint: info.fingerprint, path: undefined }, out, request: merged };
}

const failedResult = (name: string, { kind, message, details }: LanyardError): ItemResult => ({
  name,
  status: 'failed',
  error: { code: kind, message, messages: details },
});

const resultLine = ({ name, status, out, signed_key: signed, error }: ItemResult) => {
  if (error) return text(bad('failed'), ` ${name}: ${[error.message, ...error.messages].join('; ')}`);
  if (signed !== undefined) return text(signed.trimEnd());
  return text(status, ' ', code(out ?? name));
};
