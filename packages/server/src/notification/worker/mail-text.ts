import { escaped } from "../../platform/escaped-html.js";
import type { Words } from "../../platform/words.js";

/** Content of a mail, rendered as text and as HTML. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "facts"; readonly rows: ReadonlyArray<readonly [name: string, text: string]> }
  | { readonly kind: "list"; readonly title: string; readonly items: readonly string[] };

export const asText = (words: Words, blocks: readonly Block[]): string =>
  `${blocks.map((block) => blockAsText(words, block)).join("\n\n")}\n`;

export const asHtml = (words: Words, blocks: readonly Block[]): string =>
  `<!doctype html>\n<html lang="${words.language}"><body>\n${blocks.map((block) => blockAsHtml(words, block)).join("\n")}\n</body></html>\n`;

const blockAsText = (words: Words, block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "facts":
      return block.rows.map(([name, text]) => `${headOf(words, name)} ${text}`).join("\n");
    case "list":
      return [block.title, ...block.items.map((item) => `- ${item}`)].join("\n");
  }
};

/** French has a space before a colon. */
const headOf = (words: Words, name: string): string => words.say("{name}:", { name });

const blockAsHtml = (words: Words, block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escaped(block.text)}</p>`;
    case "facts":
      return `<p>${block.rows.map(([name, text]) => `<b>${escaped(headOf(words, name))}</b> ${escaped(text)}`).join("<br>\n")}</p>`;
    case "list":
      return `<p>${escaped(block.title)}</p>\n<ul>\n${block.items.map((item) => `<li>${escaped(item)}</li>`).join("\n")}\n</ul>`;
  }
};
