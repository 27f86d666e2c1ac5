/** Whether the long tests run in full size, as `npm run test:soak` has it. */
const isSoak = process.env.LANYARD_SOAK === '1';

/** How many rounds, or how large: all of them in a soak, else enough to test the same behaviour once. */
export const sized = (full: number, small: number): number => (isSoak ? full : small);
