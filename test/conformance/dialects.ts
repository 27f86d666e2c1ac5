export const exitCodeDialects: readonly { product: string; step: string; code: number }[] = [];
