import { test } from 'vitest';
import { expand } from '../../../../../src/services/secrets/ssh/templates.ts';
import { expectLinear } from '../../../../support/measure.ts';

const anna = { id: 'e-1', name: 'anna', metadata: {}, aliases: [] };

test.each(['{{', '{{a', '{{identity.entity.name}}'])('many %s expand in linear time', async (piece) => {
  await expectLinear((size) => expand(piece.repeat(size), anna), 80_000);
});
