/** The formats of `--output`. */
export const formats = ['text', 'json', 'jsonl', 'yaml', 'table', 'env', 'dotenv', 'github-env'] as const;
export type Format = (typeof formats)[number];

/** The formats that write environment variables, one for each field of an object. */
export type VariableFormat = 'env' | 'dotenv' | 'github-env';

export const isVariableFormat = (format: Format | undefined): format is VariableFormat =>
  format === 'env' || format === 'dotenv' || format === 'github-env';
