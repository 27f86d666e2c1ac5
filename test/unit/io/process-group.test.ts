import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { newMembers } from '../../../src/io/process-group.ts';

test.skipIf(process.platform === 'win32')(
  'finds what a child in the same group has started, also if the parent of that has ended, and nothing else',
  async () => {
    const before = spawn('sleep', ['300']);
    const find = await newMembers();
    // Prints the process IDs of a child of the child, and of one whose parent has ended.
    const child = spawn('sh', ['-c', 'sleep 300 & echo $!; (sleep 300 & echo $!); echo end; wait']);
    const sibling = spawn('sleep', ['300']);
    onTestFinished(() => {
      for (const { pid } of [before, sibling]) process.kill(pid as number);
    });
    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.includes('end')) break;
    }
    const started = [child.pid, ...output.trim().split('\n').slice(0, 2).map(Number)];
    const found = await find(child.pid as number);
    expect(found).toEqual(expect.arrayContaining(started));
    for (const { pid } of [before, sibling]) expect(found).not.toContain(pid);
    expect(found).not.toContain(process.pid);
    for (const pid of started) process.kill(pid as number);
  },
);
