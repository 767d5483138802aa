import { DATE_LOCALE } from "../format/locale.js";

interface Block {
  readonly start_time: string;
  readonly end_time: string;
}

const isOver = ({ end_time }: Block, now: Date): boolean => Date.parse(end_time) <= now.getTime();

/** Whether a block is in progress. */
export const lastsAt = (block: Block, now: Date): boolean =>
  Date.parse(block.start_time) <= now.getTime() && !isOver(block, now);

/** Current and upcoming blocks, soonest first, and past blocks, latest first. */
export const aheadAndOver = <B extends Block>(blocks: readonly B[], now: Date) => {
  const sorted = blocks.toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  return {
    ahead: sorted.filter((block) => !isOver(block, now)),
    over: sorted.filter((block) => isOver(block, now)).toReversed(),
  };
};

/** Blocks by the month in which they begin, `November 2026`, in the time zone of the site. */
export const monthsOf = <B extends Block>(
  blocks: readonly B[],
  timeZone: string,
): ReadonlyMap<string, readonly B[]> => {
  const format = new Intl.DateTimeFormat(DATE_LOCALE, { month: "long", year: "numeric", timeZone });
  const months = new Map<string, B[]>();
  for (const block of blocks) {
    const month = format.format(new Date(block.start_time));
    months.set(month, [...(months.get(month) ?? []), block]);
  }
  return months;
};
