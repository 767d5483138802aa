import { digestOfText } from "./digest.js";
import type { Sample } from "./table-sample.js";

/** Of names and their places, so that titles and dates above do not count. */
export const headerDigest = ({ delimiter, names, headerLines }: Sample): string => {
  const shown =
    headerLines === 0 ? `${names.length} columns` : names.map((name) => name.toLowerCase().trim()).join("\n");
  return digestOfText(`${delimiter}\n${shown}`);
};
