import { twoColumns } from '../../src/cli/help/help-text.ts';
import { wrapText } from '../../src/cli/help/wrap.ts';

// Sections of man pages: summaries of the guides ssh-certificates and running-programs.

/** Certificates of `ssh sign`, `ssh config` and `ssh proxy`. @param width cells in a line. */
export const sshCertificates = (width: number): string => `${wrapText('Certificates for SSH keys', width)}

${wrapText(
  `A certificate is due for renewal at a random point, different for each certificate, between a quarter and two thirds of its validity period, so that many hosts do not renew at the same time. "ssh sign --if-needed", "ssh config" and "ssh proxy" keep a certificate until then, if it is for the key and matches the request: exactly the given principals, extensions and critical options, the key ID, and a validity period of at most --ttl.

If the service is unavailable, a certificate that is due for renewal stays in use until it expires, with a warning. The next attempt follows after a random delay, at first about 1/16 of the validity period and twice as long after each failure, at most 3/8 of the remaining validity; in the last tenth and the last minute every login tries. The delay is stored next to the certificate (FILE-cert.pub.retry). "ssh sign" without --if-needed signs immediately. Afterwards ssh uses your other keys.

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
