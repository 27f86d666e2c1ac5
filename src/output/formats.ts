/** The formats of `--output`. */
export const formats = ['text', 'json', 'jsonl', 'yaml', 'table', 'env'] as const;
export type Format = (typeof formats)[number];
