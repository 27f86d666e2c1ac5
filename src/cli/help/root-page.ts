import { programSummary } from './help.ts';
import { type HelpPage, helpText, type Row } from './help-text.ts';
import { topics } from './topics.ts';

/** The areas by service and by purpose, one line each, so that they fit a screen. Aliases are not listed. */
export const rootCommands: readonly Row[] = [
  ['quickstart, dev', 'A tour; the embedded services'],
  ['status, login, logout', 'Services of a profile, and their tokens'],
  ['secrets, kv, ssh', 'Secrets service and SSH certificates'],
  ['registry, acl, query, txn, chain', 'Service registry'],
  ['box, account', 'Box registry; accounts, users and roles'],
  ['scheduler, namespace, var', 'Scheduler'],
  ['run, render, ci, wait', 'Values for commands, files and CI jobs'],
  ['export, import', 'Files for objects that exist'],
  ['plan, apply, validate', 'State of the services in files'],
  ['profile, alias, plugin', 'Settings of this program'],
  ['api, schema, completion', 'Any request; schemas; completion of shells'],
  ['help TOPIC', `${Object.keys(topics).join(', ')}; man pages: --man AREA`],
];

/** The help of the program. The build replaces it by its text, so that no other module is loaded for it. */
export const root: HelpPage = {
  path: 'lanyard',
  description: programSummary,
  usage: 'lanyard COMMAND [arguments] [flags]',
  arguments: [],
  commands: rootCommands,
  flags: [],
  shared: 'Flags: -V, --version; -h, --help (shared flags: "lanyard help flags")',
  examples: [],
};

/** The same as text in lines of at most 80 cells: the width of a pipe and of most terminals. */
export const rootTextAt80 = helpText(root, 80);
