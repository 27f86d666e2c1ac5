import * as s from '../../core/openapi/schema.ts';

const region = s.text('Only `global`.', { default: 'global' });
const pretty = s.boolean('Indent the JSON of the response.', { allowEmptyValue: true });

/** Query parameters of every request. */
export const commonQuery = { region };

/** Query parameters of every read. */
export const readQuery = { region, pretty };

/** Query parameters of a read that can wait for a change. */
export const blockingQuery = {
  ...readQuery,
  index: s.integer('Wait for a result with a higher index; 0: respond at once.', { minimum: 0, default: 0 }),
  wait: s.text('The longest time to wait, as a duration with a unit; at most 300s.', { default: '300s' }),
};

export const prefix = s.text('Only objects whose name or ID begins with this text.');

export const namespace = s.text('Namespace of the variable.', { default: 'default' });
