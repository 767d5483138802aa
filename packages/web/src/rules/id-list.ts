/** Ids of a field, separated by spaces, commas or lines. */
export const idsOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ""))];

/** Lines of a field, without empty ones and spaces around them. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];
