import type { Tour } from './tour.ts';

/** A box from a file to a release, and back to a file whose checksum is right. */
export async function boxStop({ file, say, line }: Tour): Promise<void> {
  await say('Fourth stop: boxes, published in one step. What stands in for an image here is a file of text.');
  await file('app.box', 'an image\n');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--public', '--quiet');
  await say('Run again, it finds nothing to do:');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--quiet');
  await line('box', 'download', 'dev/app', '--out', 'copy.box', '--quiet');
}
