import { arg, command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import {
  currentProfile,
  forEachService,
  type ServiceOutcome,
  selectServices,
} from '../command/each-service.ts';
import { kinds, usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';

/** The commands that revoke the current token of a service. The scheduler has none. */
const logouts: { readonly [S in ServiceName]?: string } = {
  secrets: 'secrets logout',
  registry: 'acl logout',
  box: 'box token delete',
  accounts: 'account logout',
};

export default command({
  description:
    'Revokes every token stored with the profile at its service and removes it from this machine. Remembered logins stay, for "lanyard login"; tokens that no login can restore need a confirmation. The exit code is 9 if a token was not revoked.',
  examples: ['lanyard logout --yes', 'lanyard logout secrets'],
  writes: 'after reads',
  changes: [
    ...(['profiles', 'tokens', 'secrets token', 'secrets lease', 'acl token', 'account token'] as const),
  ],
  returnsList: () => true,
  args: {
    services: arg.rest('SERVICE', 'services to log out of (default: all with a stored token)', 0, {
      completes: serviceNames,
    }),
  },
  async run({ args }, ctx) {
    const { name, profile } = await currentProfile('log out', ctx);
    const services = selectServices(args.services);
    const isStored = (service: ServiceName): boolean => profile[service]?.token === 'stored';
    const chosen = args.services.length === 0 ? services.filter(isStored) : services;
    if (chosen.length === 0) ctx.output.note(`No token is stored with profile ${name}.`);
    const done = await forEachService(
      chosen,
      async (service) =>
        isStored(service)
          ? logOut(name, service, ctx)
          : { service, status: 'no token', message: 'no token is stored' },
      ctx,
    );
    return done?.exitCode ? { ...done, exitCode: kinds.unknown.code } : done;
  },
});

async function logOut(
  name: string,
  service: ServiceName,
  ctx: Context,
): Promise<ServiceOutcome<'revoked' | 'removed' | 'no token'>> {
  const words = logouts[service]?.split(' ');
  if (words === undefined) return removeToken(name, service, ctx);
  const { tokenFrom = '' } = await ctx.api.settings(service);
  // The variable would be revoked, and the stored token would stay.
  if (tokenFrom.startsWith('LANYARD_'))
    throw usage(`cannot log out: ${tokenFrom} is set and overrides the token of profile ${name}`, {
      hint: `Unset ${tokenFrom} and run the command again.`,
    });
  const done = await ctx.system.runCommand(['-p', name, ...words]);
  if (done?.exitCode)
    return {
      service,
      status: 'unconfirmed',
      message: 'removed the token, but it was not revoked and may still be valid',
    };
  const data = isObject(done?.data) ? done.data : {};
  return [data.revoked, data.destroyed, data.deleted].includes(true)
    ? { service, status: 'revoked', message: 'revoked and removed the token' }
    : { service, status: 'removed', message: 'removed the token, which the service does not know' };
}

/** Removes the token of a service that cannot revoke it. */
async function removeToken(name: string, service: ServiceName, ctx: Context): Promise<ServiceOutcome<never>> {
  await ctx.input.confirm(
    `Remove the ${service} token of profile "${name}"? It cannot be restored, and is not revoked.`,
  );
  await ctx.profile.tokens.saveAll(name, [{ service, token: undefined }], (current) => {
    const { [service]: settings, ...others } = current.profiles[name] ?? {};
    const { token: _, ...rest } = settings ?? {};
    return { ...current, profiles: { ...current.profiles, [name]: { ...others, [service]: rest } } };
  });
  return {
    service,
    status: 'unconfirmed',
    message: 'removed the token, which was not revoked: the service has no logout',
  };
}
