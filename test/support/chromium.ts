import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathOf } from './require.ts';

/** A headless Chromium without access to other hosts than this machine, and the one tab that it has open. */
export interface Browser {
  /** Opens an address, and waits for its `load` event. */
  open(url: string): Promise<void>;
  /**
   * Runs an expression in the page, and waits for its promise.
   *
   * @throws Error: what the expression throws
   */
  evaluate<T>(expression: string): Promise<T>;
  /** Sets the size of the window in CSS pixels, and the color scheme that the user prefers. */
  emulate(view: {
    readonly width: number;
    readonly height: number;
    readonly scheme: 'light' | 'dark';
  }): Promise<void>;
  /** The addresses that pages have requested since the start, also those that failed. */
  readonly requested: readonly string[];
  /** Errors that pages have logged or thrown since the start. */
  readonly errors: readonly string[];
  /** A PNG of what the window shows. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol of the browser
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol of the browser
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** Options of a Chromium without a window and without access to the network of its maker. */
export const headlessOptions = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
];
const options = [
  ...headlessOptions,
  '--hide-scrollbars',
  '--remote-debugging-pipe',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Starts Chromium with a profile of its own, which `close` removes. */
export async function startBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'lanyard-browser-'));
  const child = spawn(pathOf('chromium'), [...options, `--user-data-dir=${profile}`, 'about:blank'], {
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const requested: string[] = [];
  const errors: string[] = [];
  let loaded = Promise.withResolvers<void>();
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = `${rest}${chunk}`.split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      if (message.method === 'Page.loadEventFired') loaded.resolve();
      if (message.method === 'Runtime.exceptionThrown') {
        const { text, exception } = message.params.exceptionDetails;
        errors.push(exception?.description ?? text);
      }
      if (message.method === 'Log.entryAdded' && message.params.entry.level === 'error') {
        errors.push(`${message.params.entry.text} ${message.params.entry.url ?? ''}`);
      }
      if (message.method === 'Network.requestWillBeSent') requested.push(message.params.request.url);
    }
  });

  let count = 0;
  async function send(method: string, params: object = {}, sessionId?: string): Promise<Message['result']> {
    const id = ++count;
    const received = new Promise<Message>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const ended = exited.then((): Message => ({ error: { message: 'the browser has exited' } }));
    const { result, error } = await Promise.race([received, ended]);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  const { targetInfos } = await send('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }: { type: string }) => type === 'page');
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const inTab = (method: string, params?: object) => send(method, params, sessionId);
  await inTab('Page.enable');
  await inTab('Network.enable');
  await inTab('Runtime.enable');
  await inTab('Log.enable');

  return {
    requested,
    errors,
    async open(url) {
      loaded = Promise.withResolvers();
      const { errorText, loaderId } = await inTab('Page.navigate', { url });
      if (errorText) throw new Error(`cannot open ${url}: ${errorText}`);
      // An anchor of the same page is not loaded again.
      if (loaderId) await loaded.promise;
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await inTab('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    async emulate({ width, height, scheme }) {
      await inTab('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: width < 768,
      });
      await inTab('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
    },
    async screenshot() {
      const { data } = await inTab('Page.captureScreenshot');
      return Buffer.from(data, 'base64');
    },
    async close() {
      await send('Browser.close').catch(() => child.kill('SIGKILL'));
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
