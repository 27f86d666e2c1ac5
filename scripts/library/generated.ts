import { declarations } from './declarations.ts';
import { libraryModel } from './model.ts';
import { reference } from './reference.ts';
import { requiredFields } from './required-fields.ts';

/** The generated files of the library, by their path in the repository. */
export function generatedForLibrary(): Readonly<Record<string, string>> {
  const model = libraryModel();
  const types = declarations(model);
  return {
    'src/library/required-fields.ts': requiredFields(model),
    'types/index.d.ts': types,
    ...reference(model, types),
  };
}
