import { twoColumns } from './help-text.ts';
import { wrapText } from './wrap.ts';

/** Certificates of `ssh sign`, `ssh config` and `ssh proxy`. @param width cells in a line. */
export const sshCertificates = (width: number): string => `${wrapText('Certificates for SSH keys', width)}

${wrapText(
  `A certificate is due for renewal at a random point, different for each certificate, between a quarter and two thirds of its validity period, so that many hosts do not renew at the same time. "ssh sign --if-needed", "ssh config" and "ssh proxy" keep a certificate until then, if it is for the key and matches the request: exactly the given principals, extensions and critical options, the key ID, and a validity period of at most --ttl.

If the service is unavailable, a certificate that is due for renewal stays in use until it expires, with a warning. The next attempt follows after a random delay, at first about 1/16 of the validity period and twice as long after each failure, at most 3/8 of the remaining validity; in the last tenth every login tries. The delay is stored next to the certificate (FILE-cert.pub.retry). "ssh sign" without --if-needed signs immediately. Afterwards ssh uses your other keys.

"ssh sign" without --key uses the first of id_ed25519.pub, id_ecdsa.pub and id_rsa.pub in ~/.ssh. A host certificate without --principals is for the names of this machine.

"ssh sign --batch" accepts public key files, directories of them, and JSON lines (FILE.jsonl, or - for standard input). The certificate of a key file is written next to it. A JSON line has these fields:`,
  width,
)}

${twoColumns(
  [
    ['public_key', 'the public key; the certificate is in the result unless "out" is set'],
    ['key', 'a public key file, instead of public_key'],
    ['out', 'the certificate file (default with "key": next to it)'],
    ['principals', 'a list, or a text with commas'],
    ['ttl, key_id, cert_type', 'as --ttl, --key-id and --cert-type'],
    ['extensions, critical_options', 'objects of names and values'],
  ],
  width,
).join('\n')}

${wrapText(
  `"ssh proxy" adds the renewed certificate to the running ssh-agent: ssh reads certificate files before its proxy command has finished, and queries the agent afterwards.

"ssh config" creates a dedicated key in ~/.ssh/lanyard. Running it again for the same role and user replaces the include file.`,
  width,
)}
`;

/** The children of `run` and `dev run`. @param width cells in a line. */
export const runningPrograms = (width: number): string => `${wrapText('Running programs', width)}

${wrapText(
  `"run" sets the items of scheduler variables (--var) and key-value secrets (--kv) in the environment of a program. "dev run" starts embedded services for a program, with the variables of their addresses and tokens. Both pass standard input, output and error through. "run" writes nothing to disk. "var lock" and "registry lock" run a program while they hold a lock, renew it, and release it afterwards.

Names: characters that a variable cannot have become "_"; --upper converts names to upper case, --prefix adds a prefix. An item overrides an existing variable of its name. Two items with the same name are an error, and so are names that affect how programs run (PATH, LD_PRELOAD; see "lanyard help formats"). Values that are not text become JSON, null becomes an empty text.

Changed values: "run --watch" watches the variables (blocking queries) and key-value secrets (every --interval, default 5s). When values have changed, and then remain unchanged for --debounce, all of them are read; several sources are read until two reads in a row are equal. Then it acts, after a random delay of up to --splay:`,
  width,
)}

${twoColumns(
  [
    ['restart', 'stop the program (--kill-signal, KILL after --kill-timeout), start it with the new values'],
    ['signal:HUP', 'send a signal to the program, which must read new values itself, or from --files'],
    ['exit', 'stop the program, and return its exit code'],
  ],
  width,
).join('\n')}

${wrapText(
  `If a value is missing or cannot be read, the program keeps its values, with one warning. A program that exits without being stopped is not started again, nor is one after SIGINT, SIGTERM or SIGQUIT.

Files: --files writes each value to a file instead of the environment: $LANYARD_FILES/NAME, mode 0600, in a private directory in memory (tmpfs; Linux only). All files are replaced at once, and removed at the end.

Signals: the terminal sends ^C to the program itself. SIGINT, SIGTERM and SIGHUP to Lanyard are forwarded; "run" also forwards SIGQUIT, SIGUSR1, SIGUSR2 and SIGWINCH. With --watch, the program has a session and process group of its own: SIGINT, SIGTERM, SIGQUIT and --kill-signal reach all its processes, and those that it leaves behind are stopped.

Windows has no signals: --watch restart and exit end the program at once, but not the processes that it has started; --watch signal:SIG and --files are not available.

Exit code: that of the program, or 128 + n if signal n ended it. If the program cannot be started, the exit code is 2. Of a lock: 8 if it is not free within --wait, 6 if it is lost; then the program gets SIGTERM, and SIGKILL after --grace.`,
  width,
)}
`;

/** `--watch` and `wait`. @param width cells in a line. */
export const watching = (width: number): string => `${wrapText('Watching and waiting', width)}

${wrapText(
  `"chain get", "query exec", "var get", "var list", "kv get", "registry kv get", "registry service get" and "status" show their result again at each change with --watch, until interrupted (exit code 130). Text has a line with the time before each state. --field and --select show only the selected part, at each change. With -o jsonl each line is one event:`,
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
  `An object or a field that does not exist yet is waited for. An expression is false if its result is null, false or empty. All conditions must be met; with --any one of them. With --stable they must be met without interruption. --fail-if ends the wait. --timeout is the time to wait, not that of a request.

Exit codes of "wait": 0 met; 1 --fail-if; 2 invalid expression, or a field that the object never has; 4 or 5 access denied; 8 not met within --timeout, also if the service is unreachable. With --fail-fast an unreachable service is an error at once (7 or 8).`,
  width,
)}
`;
