import { flag } from '../../../../command/command.ts';
import { scopeFlag } from '../find-scope.ts';

/** The flags of lists by scope. @param what such as `users` */
export const listFlags = (what: string) => ({
  scope: scopeFlag(`scope of the ${what}`),
  recursive: flag.boolean('also of the scopes below'),
  filter: flag.text('EXPR', 'filter expression, such as "/item/name" == "ops"'),
});

/** The query parameter of `--recursive`. */
export const recursiveOf = ({ recursive }: { readonly recursive: boolean }): 'true' | undefined =>
  recursive ? 'true' : undefined;
