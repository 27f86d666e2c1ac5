import { usage } from '../errors.ts';

/** Is it HCL, as the specification files of Nomad are: by the name of the file, or by a block of items? */
export const isHcl = (file: string, text: string): boolean =>
  /\.hcl$/i.test(file) || /^items[ \t]*(=[ \t]*)?\{[ \t]*\r?$/m.test(text);

/** The error for a file of HCL. */
export const hclUnsupported = (name: string, hint = 'Convert it to JSON or YAML.') =>
  usage(`cannot read ${name}: HCL is not supported`, { hint });
