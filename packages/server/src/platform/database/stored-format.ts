import { NewerFormat } from "../newer-format.js";

/**
 * The newest format that this build writes and reads, of each thing that is stored as JSON of ours. A change that an
 * older reader would get wrong takes the next number; the reader then knows both, one version before it is written.
 */
export const FORMATS = { siteResult: 1, scenarioState: 1, scenarioCriteria: 1 } as const;

/** As JSON of ours is stored. */
export type Formatted<T> = T & { readonly format?: number };

/** What was written before there were formats is of the first. Throws `NewerFormat`. */
export const withoutFormat = <T extends object>(
  { format = 1, ...content }: Formatted<T>,
  newest: number,
  what: string,
): Omit<Formatted<T>, "format"> => {
  if (format > newest) throw new NewerFormat(what);
  return content;
};
