import { command } from '../../command/command.ts';
import { code, text } from '../../output/document.ts';
import { countText } from '../../output/humanize.ts';
import { fileArg, formDescription, readTransaction } from './lib/transaction.ts';

export default command({
  description: `Checks a file for "txn apply" and sends nothing. ${formDescription}`,
  examples: ['lanyard txn check ops.yaml', 'lanyard txn check - -o json < ops.jsonl'],
  args: { file: fileArg },
  async run({ args }, ctx) {
    const { name, operations } = await readTransaction(args.file, ctx);
    if (operations.length > specifiedOperations)
      ctx.output.note(
        `More than ${specifiedOperations} operations are accepted by Consul, but not by "lanyard dev".`,
      );
    const rows = operations.map(({ kind, verb, subject, line, writes }) => ({
      kind,
      verb,
      subject,
      line,
      writes,
    }));
    const writing = rows.filter(({ writes }) => writes).length;
    const what = writing === 0 ? 'read-only' : `${writing} of which ${writing === 1 ? 'writes' : 'write'}`;
    return {
      data: { file: name, operations: rows },
      rows,
      document: [text(code(name), ` is valid: ${countText(rows.length, 'operation')}, ${what}.`)],
    };
  },
});

/** The number of operations that every registry accepts (docs/protocol/transactions.md#failures). */
const specifiedOperations = 64;
