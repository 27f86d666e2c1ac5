/**
 * Files of src whose texts are not rewritten yet, by folder. The list only shrinks: remove a file (and an empty folder)
 * as soon as catalogue.test.ts finds nothing in it.
 */
export const pending: Readonly<Record<string, readonly string[]>> = {
  'src/api': [
    'answer.ts',
    'decode.ts',
    'failures.ts',
    'loss.ts',
    'receive.ts',
    'request.ts',
    'stream.ts',
    'transfer.ts',
    'transport.ts',
  ],
  src: ['calls.ts', 'cli.ts', 'command.ts', 'tokens.ts'],
  'src/config': ['credentials.ts', 'keyring.ts', 'lock.ts', 'shape.ts'],
  'src/io': [
    'callback.ts',
    'child.ts',
    'dotenv.ts',
    'editor.ts',
    'entries.ts',
    'files.ts',
    'items.ts',
    'large-file.ts',
    'prompt.ts',
    'targets.ts',
    'terminal.ts',
    'trees.ts',
  ],
  'src/output': ['env.ts', 'field.ts', 'rows.ts', 'select.ts', 'stand-ins.ts'],
  'src/ssh': ['agent.ts', 'askpass-server.ts', 'client.ts', 'key-line.ts', 'lint.ts', 'private-key.ts'],
};
