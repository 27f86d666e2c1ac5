import { twoColumns } from './help-text.ts';
import { wrapText } from './wrap.ts';

/** Certificates of `ssh sign`, `ssh config` and `ssh proxy`. @param width cells in a line. */
export const sshCertificates = (width: number): string => `${wrapText('Certificates for SSH keys', width)}

${wrapText(
  `A certificate is renewed when a third of its validity period or less is left. "ssh sign --if-needed", "ssh config" and "ssh proxy" keep a certificate until then, if it is for the key and matches the request: exactly the given principals, extensions and critical options, the key ID, and a validity period of at most --ttl. If the service is unavailable, a certificate that is due for renewal stays in use until it expires, with a warning. Afterwards ssh uses your other keys.

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

Signals: the terminal sends ^C to the program itself. SIGINT, SIGTERM and SIGHUP to Lanyard are forwarded.

Exit code: that of the program, or 128 + n if signal n ended it. If the program cannot be started, the exit code is 2. Of a lock: 8 if it is not free within --wait, 6 if it is lost; then the program gets SIGTERM, and SIGKILL after --grace.`,
  width,
)}
`;
