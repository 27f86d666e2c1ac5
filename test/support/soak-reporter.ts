import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Prints for each file and each of its suites how many tests were tried and how many of them failed. */
export class SoakReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped');
    for (const [row, own] of Map.groupBy(tests, (test) => rowOf(module, test))) {
      const failed = own.filter((test) => test.result().state !== 'passed').length;
      process.stdout.write(`${row}: ${own.length} tried, ${failed} failed\n`);
    }
    for (const { message } of module.errors())
      process.stdout.write(`${module.relativeModuleId}: ${message}\n`);
  }
}

function rowOf({ relativeModuleId }: TestModule, { parent }: TestCase): string {
  return parent.type === 'suite' ? `${relativeModuleId} > ${parent.fullName}` : relativeModuleId;
}
