import type { Tour } from './tour.ts';

/** Publishes a box, and downloads and verifies it. */
export async function boxStop({ file, say, line }: Tour): Promise<void> {
  await say('4. Boxes: publish an image in one step. A text file is used as the image here.');
  await file('app.box', 'an image\n');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--public', '--quiet');
  await say('Running the command again changes nothing:');
  await line('box', 'publish', 'dev/app', '1.0.0', 'qemu', 'app.box', '--quiet');
  await say('Download the image and verify its checksum:');
  await line('box', 'download', 'dev/app', '--out', 'copy.box', '--quiet');
}
