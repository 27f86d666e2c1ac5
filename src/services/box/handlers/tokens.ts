import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { passwordMatches } from '../../core/password.ts';
import { requireToken, sentToken } from '../auth.ts';
import { Fields, readBody } from '../body.ts';
import { type Call, timeOf } from '../call.ts';
import { forbidden, unauthorized } from '../errors.ts';
import { type User, userByLogin } from '../model/owners.ts';
import { hashOf, newSecret, type Token, tokenChange, tokenRemoval } from '../model/tokens.ts';

const deliveryMethod = 'sms';

/**
 * Creates a token for a user's login, password and, with two-factor authentication, code. Without the code the
 * response is 406 with the ways to request one (docs/protocol/box.md#tokens).
 */
export async function createToken(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const body = await readBody(request);
  const description = new Fields(body.token, 'token').string('description') ?? '';
  const code = new Fields(body.two_factor, 'two_factor').string('code');
  const user = await authenticate(call, new Fields(body.user, 'user'));
  if (user.phone !== null) {
    if (!code) return codeRequiredResponse();
    if (!registry.codes.use(user.name, code)) throw unauthorized('Invalid two-factor code');
  }
  const secret = newSecret(registry.random);
  const token: Token = { user: user.name, description, createdAt: timeOf(call) };
  await registry.storage.write([tokenChange(secret, token)]);
  return jsonResponse(200, {
    description,
    token: secret,
    token_hash: hashOf(secret),
    created_at: token.createdAt,
  });
}

/** @throws HttpError 403: a field is missing; 401: unknown user or wrong password; 429 */
async function authenticate({ registry }: Call, fields: Fields): Promise<User> {
  const login = fields.required('login');
  const password = fields.required('password');
  const user = await userByLogin(registry.storage, login);
  const isCorrect = await passwordMatches(password, user?.password, registry.scryptCost);
  if (!user || !isCorrect) throw unauthorized('Invalid login or password');
  return user;
}

function codeRequiredResponse(): HttpResponse {
  return jsonResponse(406, {
    errors: ['Two-factor authentication is on; a code is required'],
    success: false,
    two_factor: { default_delivery_method: deliveryMethod, delivery_methods: [deliveryMethod] },
  });
}

/** Sends a code to a user: it is printed where the registry was started, in place of a text message. */
export async function requestCode(call: Call): Promise<HttpResponse> {
  const body = await readBody(call.request);
  const requestedMethod = new Fields(body.two_factor, 'two_factor').required('delivery_method');
  if (requestedMethod !== deliveryMethod)
    throw forbidden(`two_factor.delivery_method must be ${deliveryMethod}: no other one is supported`);
  const user = await authenticate(call, new Fields(body.user, 'user'));
  if (user.phone === null) throw forbidden(`Two-factor authentication is off for ${user.name}`);
  call.registry.print(`The code for ${user.name} is ${call.registry.codes.issue(user.name)}`);
  return jsonResponse(200, {
    two_factor: { obfuscated_destination: `number ending in ${user.phone.slice(-4)}` },
  });
}

/** Returns the user of the token; an unknown token was rejected before. */
export function validateToken(call: Call): HttpResponse {
  return jsonResponse(200, { user: { username: requireToken(call) } });
}

export async function deleteToken(call: Call): Promise<HttpResponse> {
  requireToken(call);
  await call.registry.storage.write([tokenRemoval(sentToken(call.request) ?? '')]);
  return { status: 204 };
}
