import { escaped } from "./escaped-html.js";
import type { Words } from "./words.js";

interface Markup {
  readonly html: string;
}

type Element = (inside: string) => string;

/** A text as HTML: its `<tags>` are elements, all else is escaped. */
export const saidHtml = (
  { sayParts }: Words,
  text: string,
  values: Readonly<Record<string, string | number | Element>> = {},
): string => {
  const given = Object.entries(values).map(([name, value]) => [name, typeof value === "function" ? tag(value) : value]);
  return htmlOf(sayParts<Markup>(text, Object.fromEntries(given)));
};

const tag =
  (element: Element) =>
  (inside: readonly (string | Markup)[]): Markup => ({ html: element(htmlOf(inside)) });

const htmlOf = (parts: readonly (string | Markup)[]): string =>
  parts.map((part) => (typeof part === "object" ? part.html : escaped(part))).join("");
