import { expect, test } from 'vitest';
import type { ServiceName } from '../../../../src/wire/services.ts';
import { sized } from '../../../support/soak.ts';
import { fill, kinds } from './kinds.ts';
import { Running, TurnCounter } from './support.ts';

const [few, many] = [16, sized(20_000, 160)];
/** Units more, among ten times as many: the steps of searches, longer numbers, an expired object. */
const slack = 40;

test.each(Object.keys(kinds) as ServiceName[])(
  '%s: creating an object is as much work among many as among few',
  async (service) => {
    const running = await Running.start();
    const grown: string[] = [];
    for (const kind of kinds[service]) {
      if (kind.most !== undefined) continue;
      await kind.before?.(running);
      await fill(running, kind, 0, few);
      const counter = new TurnCounter();
      const among = async (count: number): Promise<number> => {
        const costs: number[] = [];
        for (let turn = 0; turn < 3; turn++) {
          const at = count + turn * (kind.width ?? 1);
          costs.push(await counter.totalOf(() => running.load(service, kind.create(at))));
        }
        return Math.min(...costs);
      };
      const small = await among(few);
      await fill(running, kind, few + 3 * (kind.width ?? 1), many);
      const large = await among(many);
      counter.stop();
      if (large > small + slack) grown.push(`${kind.name}: ${small} among ${few}, ${large} among ${many}`);
    }
    expect(grown).toEqual([]);
  },
);
