import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './sources.ts';

/** How many seconds a file takes, of those that take some; `npm run durations` measures them. */
const seconds: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(root, 'test/durations.json'), 'utf8'),
);

/** In this order: a worker that changes to another project starts again, and the files of `unit` are the shortest. */
const projects = ['alone', 'whole', 'unit'];

/** Starts the slowest files first, so that at the end no worker waits for another. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    const duration = ({ moduleId }: TestSpecification): number => seconds[moduleId.slice(root.length)] ?? 0;
    return files.toSorted((one, other) => place(one) - place(other) || duration(other) - duration(one));
  }
}
