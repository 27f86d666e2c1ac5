const sample = Array.from({ length: 1_000 }, (_, at) => {
  return { name: `name-${(at * 7919) % 1000}`, at, tags: ['a', 'b'], more: { third: at / 3 } };
});

/** A fixed amount of ordinary work, about 10 ms of a processor of 2025. The unit of costs that have no better one. */
export function ordinaryWork(): void {
  for (let round = 0; round < 15; round++) {
    const copy = JSON.parse(JSON.stringify(sample)) as typeof sample;
    copy.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
