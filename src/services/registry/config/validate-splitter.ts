import type { ServiceSplitter } from './entry.ts';
import { metaErrors, rejectAll, rejectIf } from './reject-if.ts';
import { weightSteps } from './weight.ts';

const allSteps = 10_000;

/** @throws HttpError 500 */
export function validateSplitter({ Name, Splits = [], Meta }: ServiceSplitter): void {
  rejectIf(Splits.length === 0, 'no splits configured');
  rejectAll(metaErrors(Meta));
  const destinations = new Set<string>();
  for (const split of Splits) {
    const { Weight, Service = Name, ServiceSubset = '', Namespace = '', Partition = '' } = split;
    rejectIf(Weight < 0, `split weight must be from 0 to 100, not ${Weight}`);
    rejectIf(Partition, 'splits cannot set Partition: partitions are not supported');
    // Splits with header edits are distinct: different edits may go to one destination.
    if (split.RequestHeaders || split.ResponseHeaders) continue;
    const destination = [
      `service=${JSON.stringify(Service)}`,
      `subset=${JSON.stringify(ServiceSubset)}`,
      `namespace=${JSON.stringify(Namespace)}`,
      `partition=${JSON.stringify(Partition)}`,
    ].join(', ');
    rejectIf(destinations.has(destination), `split destination occurs more than once: ${destination}`);
    destinations.add(destination);
  }
  const steps = Splits.reduce((sum, { Weight }) => sum + weightSteps(Weight), 0);
  rejectIf(
    steps !== allSteps,
    `the sum of all split weights must be 100, not ${Math.fround(steps / 100).toFixed(6)}`,
  );
}
