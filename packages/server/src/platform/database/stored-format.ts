import { NewerFormat } from "../newer-format.js";

/**
 * The newest format that this build writes and reads, for each kind of JSON we store. If an older reader would misread
 * a change, the change gets the next number, and readers support it one version before it is written.
 */
export const FORMATS = { siteResult: 1, scenarioState: 1, scenarioCriteria: 1, certificatePasses: 1 } as const;

/** JSON as we store it. */
export type Formatted<T> = T & { readonly format?: number };

/** JSON without a number has format 1. Throws `NewerFormat`. */
export const withoutFormat = <T extends object>(
  { format = 1, ...content }: Formatted<T>,
  newest: number,
  what: string,
): Omit<Formatted<T>, "format"> => {
  if (format > newest) throw new NewerFormat(what);
  return content;
};
