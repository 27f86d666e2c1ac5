import { declarations } from './declarations.ts';
import { libraryModel } from './model.ts';
import { reference } from './reference.ts';

/** The generated files of the library, by their path in the repository. */
export function generatedForLibrary(): Readonly<Record<string, string>> {
  const model = libraryModel();
  const types = declarations(model);
  return { 'types/index.d.ts': types, ...reference(model, types) };
}
