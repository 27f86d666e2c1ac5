// The completion scripts, man pages and guides, imported as text.
declare module '*.bash' {
  const text: string;
  export default text;
}
declare module '*.zsh' {
  const text: string;
  export default text;
}
declare module '*.fish' {
  const text: string;
  export default text;
}
declare module '*.ps1' {
  const text: string;
  export default text;
}
declare module '*.1' {
  const text: string;
  export default text;
}
declare module '*.5' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
// The schemas of results. Their own type would be large.
declare module '*/lanyard-results-v1.schema.json' {
  import type { ResultSchemas } from '../commands/schema/lib/result-schemas.ts';

  const schemas: ResultSchemas;
  export default schemas;
}
