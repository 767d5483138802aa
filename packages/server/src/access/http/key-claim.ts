import type { ClaimKind } from "../../platform/http/claim.js";
import { saidHtml } from "../../platform/said-html.js";
import { english, type Words } from "../../platform/words.js";

/** Reveals a key once; null for a used, expired or unknown link. */
export type ClaimKey = (token: string) => Promise<string | null>;

export const keyClaims = (claim: ClaimKey): ClaimKind => ({
  path: "/claim",
  button: english("Show the key"),
  title: english("{service} API key"),
  ask: english("This link shows an API key once. Prepare a safe place to store it."),
  async claim(token) {
    const apiKey = await claim(token);
    return apiKey === null ? null : { json: { api_key: apiKey }, html: (words) => keyHtml(words, apiKey) };
  },
});

const SHOWN = english(
  "Your API key. It is not shown again: store it safely, and send it in the key header of every request.",
);
const COMMANDS = english(
  "To use it from a command line, <link>download <code>curtail</code></link> from this service; it asks for the key at <code>curtail login</code>.",
);

const keyHtml = (words: Words, apiKey: string): string => {
  const commands = saidHtml(words, COMMANDS, {
    link: (inside) => `<a href="/downloads/">${inside}</a>`,
    code: (inside) => `<code>${inside}</code>`,
  });
  return `<p>${saidHtml(words, SHOWN)}</p>
<output>${apiKey}</output>
<p>${commands}</p>`;
};
