import { setTimeout as pause } from 'node:timers/promises';

/** Who signs in with the browser while a step waits for that. */
export interface SignIn {
  readonly login: string;
  readonly password: string;
}

/** Milliseconds before the sign-in: the step asks for its token at least once before that. */
const delayMs = 1500;

/**
 * Does what a person with a browser does at the page of the provider that `boundary dev` starts: fills in the form,
 * and follows the redirect to the service.
 *
 * @throws Error the page has no form
 */
export async function signIn(url: string, { login, password }: SignIn): Promise<void> {
  await pause(delayMs);
  const page = await (await fetch(url)).text();
  const [, action] = /<form action="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) throw new Error(`no form at ${new URL(url).origin}`);
  const hidden = [...page.matchAll(/<input name="(\w+)" type="hidden" value="([^"]*)"/g)];
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
  form.set('uname', login);
  form.set('psw', password);
  await fetch(new URL(action, url), { method: 'POST', body: form });
}

/** The URL in what a step prints on standard error; undefined: not complete yet. */
export const loginUrlIn = (said: string): string | undefined => /^ *(https?:\S+)\n/m.exec(said)?.[1];
