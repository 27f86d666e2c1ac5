import { usage } from '../errors.ts';

/** Whether a file is HCL, like the variable specifications of Nomad: by its name, or by a block of items. */
export const isHcl = (file: string, text: string): boolean =>
  /\.hcl$/i.test(file) || /^items[ \t]*(=[ \t]*)?\{[ \t]*\r?$/m.test(text);

/** The error for an HCL file. */
export const hclUnsupported = (name: string, hint = 'Convert it to JSON or YAML.') =>
  usage(`cannot read ${name}: HCL is not supported`, { hint });
