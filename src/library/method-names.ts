/**
 * The methods whose name is not the operation's name with the verb of the command line (ADR 69). The first three belong
 * to `lanyard secrets read` and `write`.
 */
const exceptions = {
  readServiceWide: 'readServiceWide',
  writeServiceWide: 'writeServiceWide',
  writeSecret: 'writeSecret',
  remove: 'delete',
  readTransaction: 'applyReadOnlyTransaction',
  logIn: 'login',
  lookUpAccessor: 'lookupAccessor',
  lookUpLease: 'lookupLease',
  lookUpToken: 'lookupToken',
} as const;

/** The name of the method of an operation: `getKv` of `readKv`. */
export type MethodName<Operation> = Operation extends keyof typeof exceptions
  ? (typeof exceptions)[Operation]
  : Operation extends 'read' | 'write'
    ? Operation
    : Operation extends `read${infer Object}`
      ? `get${Object}`
      : Operation extends `write${infer Object}`
        ? `put${Object}`
        : Operation;

/** The same for a name at run time. */
export function methodName(operation: string): string {
  if (Object.hasOwn(exceptions, operation)) return exceptions[operation as keyof typeof exceptions];
  return operation.replace(/^read(?=[A-Z])/, 'get').replace(/^write(?=[A-Z])/, 'put');
}
