/** The types of auth methods that have roles; `token`: the roles for new tokens. */
export const authRoleTypes = ['approle', 'jwt', 'oidc', 'kubernetes', 'cert', 'userpass', 'token'] as const;
export type AuthRoleType = (typeof authRoleTypes)[number];

/** What the types call their roles in paths. */
export const authRoleKinds = {
  approle: 'role',
  jwt: 'role',
  oidc: 'role',
  kubernetes: 'role',
  cert: 'certs',
  userpass: 'users',
  token: 'roles',
} as const satisfies { readonly [Type in AuthRoleType]: string };
