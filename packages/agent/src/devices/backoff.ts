const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** How long to wait after so many failures in a row: 1, 2, 4 … 60 seconds, each up to a quarter less, at random. */
export const backoffMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 10), LONGEST_MS) * (1 - random() / 4);
