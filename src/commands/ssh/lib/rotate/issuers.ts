import { isIssuerNameTaken, isMissingIssuer } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import type { Context } from '../../../../command/context.ts';
import { confirmDelete, confirmWrite, conflict, describeAs, listOrEmpty } from '../../../../errors.ts';
import type { SshCaBody } from '../../../../wire/secrets.ts';
import { issuerText, readDefaultIssuer, readIssuer } from '../ca/issuer.ts';
import { issuerMark } from './marks.ts';
import { expiryOf, issuerOf, type Roles, readRoles, writeRole } from './roles.ts';
import type { Step } from './steps.ts';
import type { IssuerCa, IssuerRotation } from './types.ts';

// The writes of a rotation on services with several issuers in a mount (docs/adr/0091-rotation-of-ssh-cas.md).

type Issuer = IssuerCa['issuer'];

/** The write of `start`. The name of the new issuer can exist once, so that a mount has one rotation. */
export function startIssuers(
  secrets: SecretsClient,
  { mount, old }: IssuerRotation,
  keyPair: SshCaBody,
): readonly Step[] {
  const name = issuerMark(old.issuer.id);
  const add = async () => {
    const response = await confirmWrite(
      () =>
        secrets.importNamedIssuer({ mount, name, ...keyPair }).catch(
          describeAs(isIssuerNameTaken, 'conflict', `a rotation of ${mount}/ was started at the same time`, {
            hint: 'Run `lanyard ssh ca rotate status` to see its phase.',
          }),
        ),
      async () => {
        const { key_info: info } = (await listOrEmpty(secrets.listIssuers({ mount }))).body.data;
        const names = Object.values(info ?? {}).map(({ issuer_name }) => issuer_name);
        return { done: names.includes(name), found: `${mount}/ does not have the new issuer` };
      },
    );
    const { issuer_id: id, issuer_name = '' } = response?.body.data ?? {};
    if (id !== undefined && issuer_name !== name)
      throw conflict(`the key pair is already issuer ${issuerText({ id, name: issuer_name })} of ${mount}/`, {
        service: 'secrets',
        hint: 'Use a new key pair: without --private-key, the service generates one.',
      });
  };
  return [{ done: `Added issuer "${name}" to ${mount}/.`, run: add }];
}

/** The writes of `switch`: roles of the old issuer and the default name the new one, then the time is recorded. */
export async function switchIssuers(
  secrets: SecretsClient,
  { mount, old, rolesOfOld }: IssuerRotation,
  next: IssuerCa,
  ctx: Context,
): Promise<readonly Step[]> {
  const roles = await readRoles(secrets, mount);
  // Roles that name the new issuer need its ID: its name changes.
  const changed = [...roles.keys()].filter(
    (name) => rolesOfOld.includes(name) || issuerOf(roles.get(name) ?? {}) === next.issuer.name,
  );
  const record = async () => {
    const now = await readRoles(secrets, mount);
    const late = [...now].filter(([, role]) => isNamed(old.issuer, issuerOf(role))).map(([name]) => name);
    // In a dry run, they still name the old issuer.
    if (late.length > 0 && !ctx.output.isDryRun)
      throw conflict(`roles of ${mount}/ were changed at the same time: ${late.join(', ')}`, {
        service: 'secrets',
        hint: `Run \`lanyard ssh ca rotate switch --mount ${mount}\` again to change them.`,
      });
    const signing = [...now.values()].filter((role) => {
      const issuer = issuerOf(role);
      return issuer === 'default' || isNamed(next.issuer, issuer);
    });
    const until = await expiryOf(secrets, mount, signing, ctx);
    await rename(secrets, mount, next.issuer, issuerMark(old.issuer.id, until));
  };
  return [
    ...unmarkSteps(secrets, mount, old.issuer, next.issuer),
    ...roleSteps(secrets, mount, roles, changed, next.issuer.id),
    ...(next.isDefault ? [] : [defaultStep(secrets, mount, next.issuer)]),
    { done: 'Recorded when the certificates of the old CA expire.', run: record },
  ];
}

/** The writes of `rollback`: roles and the default name the old issuer again. */
export async function rollBackIssuers(
  secrets: SecretsClient,
  { mount, old }: IssuerRotation,
  next: IssuerCa,
): Promise<readonly Step[]> {
  const roles = await readRoles(secrets, mount);
  const changed = [...roles].filter(([, role]) => isNamed(next.issuer, issuerOf(role))).map(([name]) => name);
  return [
    // The time is no longer true as soon as the old CA signs.
    ...unmarkSteps(secrets, mount, old.issuer, next.issuer),
    ...roleSteps(secrets, mount, roles, changed, old.issuer.name || old.issuer.id),
    ...(old.isDefault ? [] : [defaultStep(secrets, mount, old.issuer)]),
  ];
}

/** Deletes an issuer of the rotation, with its private key. */
export const deleteStep = (secrets: SecretsClient, mount: string, issuer: Issuer): Step => ({
  done: `Deleted issuer ${issuerText(issuer)} of ${mount}/.`,
  run: () =>
    confirmDelete(
      () => secrets.deleteIssuer({ mount, issuer: issuer.id }),
      () => secrets.readIssuer({ mount, issuer: issuer.id }),
      'the issuer',
      isMissingIssuer,
    ),
});

const isNamed = ({ id, name }: Issuer, reference: string | undefined): boolean =>
  reference !== undefined && (reference === id || reference === name);

const unmarkSteps = (secrets: SecretsClient, mount: string, old: Issuer, next: Issuer): readonly Step[] => {
  const name = issuerMark(old.id);
  if (next.name === name) return [];
  return [
    {
      done: `Removed the recorded time from the name of issuer ${next.id}.`,
      run: () => rename(secrets, mount, next, name),
    },
  ];
};

const rename = (secrets: SecretsClient, mount: string, { id }: Issuer, name: string) =>
  confirmWrite(
    () => secrets.renameIssuer({ mount, issuer: id, issuer_name: name }),
    async () => ({
      done: (await readIssuer(secrets, mount, id)).name === name,
      found: `issuer ${id} of ${mount}/ has another name`,
    }),
  );

const roleSteps = (
  secrets: SecretsClient,
  mount: string,
  roles: Roles,
  names: readonly string[],
  reference: string,
): readonly Step[] =>
  names.map((name) => ({
    done: `Changed the issuer of role ${name}.`,
    run: () => writeRole(secrets, mount, name, { ...roles.get(name), issuer_ref: reference }),
  }));

const defaultStep = (secrets: SecretsClient, mount: string, { id }: Issuer): Step => ({
  done: `Made issuer ${id} the default of ${mount}/.`,
  run: () =>
    confirmWrite(
      () => secrets.setDefaultIssuer({ mount, default: id }),
      async () => ({
        done: (await readDefaultIssuer(secrets, mount))?.id === id,
        found: `the default issuer of ${mount}/ is another one`,
      }),
    ),
});
