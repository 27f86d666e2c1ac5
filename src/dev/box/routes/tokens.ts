import { type Answer, jsonAnswer } from '../../http/service.ts';
import { passwordMatches } from '../../password.ts';
import { demandToken } from '../access.ts';
import { type Call, timeOf } from '../http/call.ts';
import { bodyOf, Fields } from '../http/fields.ts';
import { notAllowed, unauthorised } from '../http/refusals.ts';
import { sentToken } from '../http/token.ts';
import { type User, userByLogin } from '../state/owners.ts';
import { hashOf, newSecret, type Token, tokenChange, tokenRemoval } from '../state/tokens.ts';

const deliveryMethod = 'sms';

/**
 * Makes a token of a user's login, password and, where two-factor authentication is on, code. Without the code the
 * answer is 406 and tells how one can be had (docs/protocol/box.md#tokens).
 */
export async function createToken(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const body = await bodyOf(request);
  const description = new Fields(body.token, 'token').text('description') ?? '';
  const code = new Fields(body.two_factor, 'two_factor').text('code');
  const user = await authenticated(call, new Fields(body.user, 'user'));
  if (user.phone !== null) {
    if (!code) return codeRequired();
    if (!registry.codes.use(user.name, code)) throw unauthorised('Invalid two-factor code');
  }
  const secret = newSecret(registry.random);
  const token: Token = { user: user.name, description, createdAt: timeOf(call) };
  await registry.storage.write([tokenChange(secret, token)]);
  return jsonAnswer(200, {
    description,
    token: secret,
    token_hash: hashOf(secret),
    created_at: token.createdAt,
  });
}

/** @throws HttpRefusal 403: a member is missing; 401: no such user, or not the password; 429 */
async function authenticated({ registry }: Call, fields: Fields): Promise<User> {
  const login = fields.required('login');
  const password = fields.required('password');
  const user = userByLogin(registry.storage, login);
  const right = await passwordMatches(password, user?.password);
  if (!user || !right) throw unauthorised('Invalid login or password');
  return user;
}

function codeRequired(): Answer {
  return jsonAnswer(406, {
    errors: ['Two-factor authentication is on; a code is required'],
    success: false,
    two_factor: { default_delivery_method: deliveryMethod, delivery_methods: [deliveryMethod] },
  });
}

/** Sends a user a code; what stands for the telephone here is told where the registry was started. */
export async function requestCode(call: Call): Promise<Answer> {
  const body = await bodyOf(call.request);
  const wanted = new Fields(body.two_factor, 'two_factor').required('delivery_method');
  if (wanted !== deliveryMethod)
    throw notAllowed(`two_factor.delivery_method must be ${deliveryMethod}: no other one is supported`);
  const user = await authenticated(call, new Fields(body.user, 'user'));
  if (user.phone === null) throw notAllowed(`Two-factor authentication is off for ${user.name}`);
  call.registry.print(`The code for ${user.name} is ${call.registry.codes.issue(user.name)}`);
  return jsonAnswer(200, {
    two_factor: { obfuscated_destination: `number ending in ${user.phone.slice(-4)}` },
  });
}

/** Tells whose the token is; one that is not known was refused before. */
export function validateToken(call: Call): Answer {
  return jsonAnswer(200, { user: { username: demandToken(call) } });
}

export async function deleteToken(call: Call): Promise<Answer> {
  demandToken(call);
  await call.registry.storage.write([tokenRemoval(sentToken(call.request) ?? '')]);
  return { status: 204 };
}
