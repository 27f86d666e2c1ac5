import { twoColumns } from './help-text.ts';
import { wrapText } from './wrap.ts';

/** `--watch` and `wait`. @param width cells in a line. */
export const watching = (width: number): string => `${wrapText('Watching and waiting', width)}

${wrapText(
  `"chain get", "query exec", "var get", "var list", "kv get", "registry kv get", "registry service get" and "status" show their result again at each change with --watch, until interrupted (exit code 130; after SIGTERM 143, after SIGHUP 129). Text has a line with the time before each state. --field and --select show only the selected part, at each change. With -o jsonl each line is one event:`,
  width,
)}

${twoColumns(
  [
    ['at', 'time of the event, in ISO 8601'],
    ['index', 'index of the state, if the service has one'],
    ['status', 'present, absent or error'],
    ['data', 'the result, as in -o json; only with present'],
    ['error', 'kind, message and messages of the service; only with error'],
  ],
  width,
).join('\n')}

${wrapText(
  `Changes arrive at once where the service has blocking queries: keys, services and chains of the registry, and variables. Other results are read at an interval, which --interval changes: secrets and prepared queries every 5s, "status" every 10s. There are at least 100 ms between reads. If the service fails, the state is read again after 250 ms to 30 s, with one warning. A denied read (401, 403) ends the watch.

"run --watch" restarts, signals or stops a command when its variables, secrets, keys or credentials change. It renews its token and leases, and replaces credentials before they end (see "lanyard help running-programs").

"wait service", "wait key", "wait var", "wait kv", "wait secrets" and "wait status" wait until the object meets the conditions of --for, and print which condition was met; -o json includes the object. Conditions are:`,
  width,
)}

${twoColumns(
  [
    ['present', 'the object exists'],
    ['absent', 'the object does not exist'],
    [
      'changed',
      'the object exists and has changed since the start, also if it was deleted and created again',
    ],
    ['EXPRESSION', 'a JMESPath expression is true: --for "Items.ready == \'yes\'"'],
  ],
  width,
).join('\n')}

${wrapText(
  `An object or a field that does not exist yet is waited for. An expression is false if its result is null, false or empty. All conditions must be met; with --any one of them. With --stable they must be met without interruption. --fail-if ends the wait. --timeout is the time to wait, not the timeout of a request.

Exit codes of "wait": 0 met; 1 --fail-if; 2 invalid expression, or a field that the object never has; 4 or 5 access denied; 8 not met within --timeout, also if the service is unreachable. With --fail-fast an unreachable service is an error at once (7 or 8).`,
  width,
)}
`;
