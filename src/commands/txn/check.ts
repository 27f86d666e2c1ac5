import { command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { counted, fileArg, formDescription, readTransaction } from './transaction.ts';

export default command({
  description: `Reads a transaction as "txn apply" does, and sends nothing. ${formDescription}`,
  examples: ['lanyard txn check ops.yaml', 'lanyard txn check - -o json < ops.jsonl'],
  args: { file: fileArg },
  flags: {},
  async run({ args }, ctx) {
    const { name, operations } = await readTransaction(args.file, ctx);
    if (operations.length > specified)
      ctx.io.note(
        `more than ${specified} operations: Consul accepts them, a registry that follows the specification does not`,
      );
    const rows = operations.map(({ kind, verb, subject, line, writes }) => ({
      ...{ kind, verb, subject, line, writes },
    }));
    const writing = rows.filter(({ writes }) => writes).length;
    const what =
      writing === 0
        ? 'a transaction that only reads'
        : `${writing} of which ${writing === 1 ? 'writes' : 'write'}`;
    return {
      data: { file: name, operations: rows },
      rows,
      document: [text(code(name), ` can be sent: ${counted(rows.length, 'operation')}, ${what}.`)],
    };
  },
});

/** Operations that every registry accepts in a transaction (docs/protocol/transactions.md#failures). */
const specified = 64;
