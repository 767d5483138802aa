import type { ClaimKind } from "../../platform/http/claim.js";

/** Reveals a key once; null for a used, expired or unknown link. */
export type ClaimKey = (token: string) => Promise<string | null>;

export const keyClaims = (claim: ClaimKey): ClaimKind => ({
  path: "/claim",
  thing: "key",
  title: "Curtail API key",
  ask: "This link shows an API key once. Prepare a safe place to store it.",
  async claim(token) {
    const apiKey = await claim(token);
    return apiKey === null ? null : { json: { api_key: apiKey }, html: keyHtml(apiKey) };
  },
});

const keyHtml = (apiKey: string): string =>
  `<p>Your API key. It is not shown again: store it safely, and send it in the key header of every request.</p>
<output>${apiKey}</output>
<p>To use it from a command line, <a href="/downloads/">download <code>curtail</code></a> from this service; it asks for the key at
<code>curtail login</code>.</p>`;
