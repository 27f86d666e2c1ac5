/** The formats of `--output` that every command with a result has. */
export const formats = ['text', 'json', 'jsonl', 'yaml', 'table', 'env', 'dotenv', 'github-env'] as const;
/** `markdown`: of commands whose result has a form for comments on pull requests. */
export type Format = (typeof formats)[number] | 'markdown';

/** The formats that write environment variables, one for each field of an object. */
export type VariableFormat = 'env' | 'dotenv' | 'github-env';

export const isVariableFormat = (format: Format | undefined): format is VariableFormat =>
  format === 'env' || format === 'dotenv' || format === 'github-env';
