import { compareCpu, compareWall, peakMemory, works } from './harness.ts';
import { clients, imported, isPackaged, nothing } from './programs.ts';
import { type Benchmark, type Finding, memory, timed } from './report.ts';

const lines = [['--version'], ['--help'], ['completion', 'bash']];

/** What needs no service should cost hardly more than the runtime itself. */
export const start: Benchmark = {
  title: 'To start: against node -e 0',
  async run(say) {
    const findings: Finding[] = [];
    for (const args of lines) {
      for (const program of clients(say, args)) {
        const most = isPackaged(program) ? 1.1 : 1.3;
        findings.push(timed(program.name, compareWall(program, nothing), most));
        findings.push(timed(`${program.name}, processor time`, compareCpu(program, nothing)));
        findings.push(memory(program.name, await peakMemory(program), await peakMemory(nothing)));
      }
    }
    if (works(imported)) findings.push(timed(imported.name, compareWall(imported, nothing)));
    return findings;
  },
};
