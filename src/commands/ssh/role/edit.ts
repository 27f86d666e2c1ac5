import { arg, command } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { splitList } from '../../../command/flag-values.ts';
import { conflict, usage } from '../../../errors.ts';
import { fieldProblems } from '../../../objects/field-problems.ts';
import { asSent, fieldOf } from '../../../objects/schema.ts';
import { sshRole } from '../../../objects/ssh-role.ts';
import {
  diffThreeWay,
  formatThreeWayChange,
  isEqual,
  writtenChanges,
  writtenResult,
} from '../../../output/diff.ts';
import { isObject } from '../../../wire/objects.ts';
import { shellWord } from '../../../wire/printable.ts';
import { mountFlag } from '../lib/mount.ts';
import { type RoleFields, shownRole } from '../lib/role-fields.ts';
import { readRoleFields, writeRoleFields } from '../lib/write-role.ts';

export default command({
  description:
    'Opens the role as YAML in $VISUAL, $EDITOR or vi; a field that is removed gets its default. Nothing is written if the text is unchanged or empty, or if the editor fails; a text that cannot be written is saved in XDG_RUNTIME_DIR, else TMPDIR. The service has no check-and-set for roles: the role is compared before the write.',
  examples: ['lanyard ssh role edit deploy', "EDITOR='code --wait' lanyard ssh role edit deploy"],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  handlesSignals: true,
  args: { role: arg.text('NAME', 'role to edit', { completes: 'ssh-role' }) },
  flags: { mount: mountFlag },
  async run({ args: { role: name }, flags: { mount } }, ctx) {
    const path = { mount, role: name };
    const secrets = await ctx.api.secrets();
    const base = await readRoleFields(secrets, path);
    const { yamlEditor } = ctx.input;
    const edited = await yamlEditor.edit(
      headerComment(name, base) + (await yamlEditor.stringify(asEdited(base))),
    );
    const result = (after: RoleFields) =>
      writtenResult('role', name, { name }, writtenChanges(shownRole(base), shownRole(after)));
    if (edited === undefined) return result(base);
    const object = { service: 'secrets', name: `${mount}/roles/${name}` } as const;
    try {
      const next = await readEdited(edited, base, ctx);
      if (isEqual(shownRole(base), shownRole(next))) return result(base);
      rejectConflict(name, base, next, await readRoleFields(secrets, path));
      const stored = await writeRoleFields(secrets, path, next, ctx);
      await yamlEditor.noteSaved(object);
      return result(stored);
    } catch (error) {
      throw await yamlEditor.saveAfterFailure(
        error,
        edited,
        object,
        () =>
          `. Run "lanyard ssh role edit ${shellWord(name)} --mount ${shellWord(mount)}" to edit the role again; a successful edit removes the file.`,
      );
    }
  },
});

const knownFields = Object.keys(sshRole.properties);

/** The form of a role for the editor: services return lists and durations in several forms. */
const asEdited = (role: RoleFields): RoleFields =>
  Object.fromEntries(
    Object.entries(shownRole(role)).map(([name, value]) => {
      const field = fieldOf(sshRole, name);
      const isText = field?.type === 'list' && typeof value === 'string';
      return [name, isText ? splitList(value) : value];
    }),
  );

/** The fields that the role has and this version does not know: they are kept as written. */
const unknownFields = (role: RoleFields): readonly string[] =>
  Object.keys(role).filter((name) => !knownFields.includes(name));

function headerComment(name: string, base: RoleFields): string {
  const others = knownFields.filter((field) => !(field in base));
  const unknown = unknownFields(base);
  return [
    `# SSH role ${JSON.stringify(name)}. If the text is unchanged or empty, nothing is written.`,
    '# A field that is removed gets its default. Durations are texts such as 30m.',
    ...(others.length === 0 ? [] : [`# Other fields: ${others.join(', ')}`]),
    ...(unknown.length === 0
      ? []
      : [
          `# Not known to this version, and written unchanged: ${unknown.map((each) => JSON.stringify(each)).join(', ')}`,
        ]),
    '',
  ].join('\n');
}

/** The role in the edited text. @throws LanyardError usage: not one object, unknown fields, wrong types. */
async function readEdited(text: string, base: RoleFields, ctx: Context): Promise<RoleFields> {
  const { name, definitions } = await ctx.input.yamlEditor.parse(text, 'the edited text');
  const [definition, ...others] = definitions;
  if (definition === undefined || others.length > 0)
    throw usage(`invalid role in ${name}: expected one role, found ${definitions.length}`);
  const problems = [...fieldProblems(sshRole, definition.value, { ignored: unknownFields(base) })];
  if (problems.length > 0)
    throw usage(`invalid role in ${name}`, {
      details: problems.map(
        ({ path, what }) => `${name}, line ${definition.lineOf(path)}: ${path.join('.')}: ${what}`,
      ),
      hint: 'Nothing was sent.',
    });
  const { value } = definition;
  if (!isObject(value)) throw usage(`invalid role in ${name}: expected an object`);
  const next = asSent(sshRole, value);
  if ((next.key_type ?? 'ca') !== base.key_type)
    throw conflict(`cannot change the type of a role from ${String(base.key_type)}`, {
      service: 'secrets',
      hint: 'Create another role with `lanyard ssh role put`.',
    });
  return next;
}

/** @throws LanyardError conflict: the role was changed in the meantime; one detail per changed field. */
function rejectConflict(name: string, base: RoleFields, mine: RoleFields, theirs: RoleFields): void {
  if (isEqual(shownRole(base), shownRole(theirs))) return;
  throw conflict(`cannot write role "${name}": changed concurrently; nothing was written`, {
    service: 'secrets',
    details: diffThreeWay(shownRole(base), shownRole(mine), shownRole(theirs)).map(formatThreeWayChange),
  });
}
