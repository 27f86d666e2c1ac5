import { childrenOf, programSummary, sharedHelp } from './help.ts';
import { flagRows, type HelpPage, helpText, type Row } from './help-text.ts';
import { topics } from './topics.ts';

/** The help of the program. The build replaces it by its text, so that no other module is loaded for it. */
export const root: HelpPage = {
  path: 'lanyard',
  description: programSummary,
  usage: 'lanyard <area> [noun] <verb> [arguments] [flags]',
  arguments: [],
  commands: childrenOf(''),
  flags: flagRows({
    version: { short: 'V', help: 'print the version' },
    help: { short: 'h', help: 'show help' },
  }),
  shared: `Shared flags: common, output, service, write ${sharedHelp}`,
  examples: [],
  topics: [
    ...Object.entries(topics).map(([name, { summary }]): Row => [`help ${name}`, summary]),
    ['help --man [AREA]', 'Man page of the program or of an area'],
  ],
};

/** The same as text in lines of at most 80 cells: the width of a pipe and of most terminals. */
export const rootTextAt80 = helpText(root, 80);
