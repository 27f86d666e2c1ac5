/** Whether a pattern matches anywhere in a text. */
export type Pattern = (text: string) => boolean;

/** Compiles a pattern; undefined: it is invalid. */
export type CompilePattern = (source: string) => Pattern | undefined;

/** Patterns as the services have them: RE2, linear in text and pattern. */
export async function patternCompiler(): Promise<CompilePattern> {
  const { RE2JS, RE2JSSyntaxException } = await import('re2js');
  return (source) => {
    try {
      const compiled = RE2JS.compile(source);
      return (text) => compiled.matcher(text).find();
    } catch (error) {
      if (error instanceof RE2JSSyntaxException) return undefined;
      throw error;
    }
  };
}
