import type { EmbeddedTargets } from '../embedded.ts';
import { nameOf } from '../recording.ts';
import { type Comparison, compareRaw } from './agreement.ts';
import { type RawRecording, type RawResponse, rawRecordings } from './recording.ts';
import type { RequestList } from './request.ts';
import { requestLists } from './requests.ts';
import { sendAll } from './send.ts';

/** A recording, and how the embedded service responds to its requests. */
export interface Compared {
  /** The name of the recording's folder. */
  readonly name: string;
  readonly recording: RawRecording;
  readonly list: RequestList;
  readonly embedded: readonly RawResponse[];
  readonly comparisons: readonly Comparison[];
}

/** Sends the requests of every recording to fresh embedded services. */
export async function compareAll({ targets }: EmbeddedTargets): Promise<readonly Compared[]> {
  const all = rawRecordings();
  return Promise.all(
    requestLists.map(async (list): Promise<Compared> => {
      const recording = all.find(({ service }) => service === list.service);
      if (recording === undefined) throw new Error(`no recording of raw requests to ${list.service}`);
      const { address, token = '' } = targets[list.service];
      const embedded = await sendAll(list, { address, token });
      return {
        name: nameOf(recording),
        recording,
        list,
        embedded,
        comparisons: compareRaw(recording, list, embedded),
      };
    }),
  );
}
