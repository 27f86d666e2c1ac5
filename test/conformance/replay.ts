import { formatJson } from '../../src/wire/json.ts';
import { type Exchange, isWatch, type Recording } from './recording.ts';
import { privateKeyMark } from './redact.ts';
import { bytesOf, serve } from './server.ts';

export interface Replay {
  readonly address: string;
  /** The step whose exchanges are replayed next. */
  step: string;
  /** What went otherwise than recorded: requests that no recording has, and recorded ones that were not sent. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** A key pair and a certificate for it, for responses whose private key was redacted. */
export type Issue = () => Promise<{ readonly private_key: string; readonly signed_key: string }>;

/**
 * A server on loopback that sends what a product sent: to a request of a step, the first recorded response to the
 * same method and path in that step which was not sent yet.
 */
export async function replay(recording: Recording, issue: Issue): Promise<Replay> {
  const problems: string[] = [];
  const current: { step: string; left: Exchange[] } = { step: '', left: [] };
  const server = await serve(async (method, request, response) => {
    await bytesOf(request);
    const url = request.url ?? '';
    // The lock does not change before the command ends, and with it the request.
    if (isWatch({ method, path: url })) return;
    const index = current.left.findIndex((each) => each.method === method && each.path === url);
    const [exchange] = index < 0 ? [] : current.left.splice(index, 1);
    if (!exchange) {
      problems.push(`${current.step}: sent ${method} ${url}, which is not recorded`);
      response.writeHead(599).end('not recorded');
      return;
    }
    const body = await bodyOf(exchange, issue);
    response.writeHead(exchange.status, {
      ...(exchange.type === '' ? {} : { 'Content-Type': exchange.type }),
      ...exchange.headers,
    });
    response.end(method === 'HEAD' ? undefined : body);
  });
  return {
    address: server.address,
    problems,
    get step() {
      return current.step;
    },
    set step(step) {
      for (const { method, path } of current.left)
        problems.push(`${current.step}: did not send ${method} ${path}, which is recorded`);
      current.step = step;
      current.left = [...(recording.steps.find(({ name }) => name === step)?.exchanges ?? [])];
    },
    close: server.close,
  };
}

async function bodyOf({ json, text }: Exchange, issue: Issue): Promise<string> {
  if (json === undefined) return text ?? '';
  const body = formatJson(json);
  if (!body.includes(`"private_key":"${privateKeyMark}"`)) return body;
  const issued = await issue();
  const envelope = json as { readonly data: Readonly<Record<string, unknown>> };
  return JSON.stringify({ ...envelope, data: { ...envelope.data, ...issued } });
}
