import type { Api } from '../../command/api.ts';
import type { Host } from '../../command/host.ts';
import type { EditedObject, YamlEditor } from '../../command/input.ts';
import { parseYamlDefinitions } from '../../io/definition-file.ts';
import { editText, removeSavedText, savedTexts, saveEditedText } from '../../io/editor.ts';
import type { Messages, Prompts } from '../../io/io.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { parseItems } from '../../io/variable-file.ts';
import { renderYaml } from '../../output/yaml.ts';

/** The editor of YAML texts. In a dry run, texts are neither saved nor removed. */
export function yamlEditor(parts: {
  readonly host: Host;
  readonly io: Messages & Prompts;
  readonly api: Pick<Api, 'settings'>;
  readonly noInput: boolean;
  readonly isDryRun: boolean;
}): YamlEditor {
  const { host, io, api, noInput, isDryRun } = parts;
  const { env, platform, signal } = host;
  const fullName = async ({ service, name }: EditedObject): Promise<string> => {
    const { address, namespace = '' } = await api.settings(service);
    return [service, address, namespace, name].join('\0');
  };
  return {
    stringify: renderYaml,
    parse: parseYamlDefinitions,
    parseItems: (text, name) => parseItems(text, name, 'yaml'),
    edit: (content) =>
      editText(content, {
        env,
        cwd: host.cwd,
        platform,
        signal,
        onSignal: host.onSignal,
        interactive: io.isInteractive(),
        noInput,
      }),
    saveAfterFailure: async (error, content, object, hintOf) =>
      isDryRun ? error : saveEditedText(error, { content, object: await fullName(object) }, env, hintOf),
    noteSaved: async (object) => {
      if (isDryRun) return;
      for (const file of await savedTexts(await fullName(object), env))
        io.note(
          `${file} has the text of an earlier edit that was not written. Delete it if it is not needed.`,
        );
    },
    removeIfSaved: async (file) => {
      if (file === undefined || file === '-') return;
      if (await removeSavedText(resolvePath(host, file), env))
        io.note(`Removed ${file}: its text was written.`);
    },
  };
}
