import type { ClaimKind } from "../../platform/http/claim.js";

/** Reveals a key once; null for a used, expired or unknown link. */
export type ClaimKey = (token: string) => Promise<string | null>;

export const keyClaims = (claim: ClaimKey): ClaimKind => ({
  path: "/claim",
  thing: "key",
  title: "Curtail API key",
  ask: "This link shows an API key once. Have a safe place ready to keep it.",
  async claim(token) {
    const apiKey = await claim(token);
    return apiKey === null ? null : { json: { api_key: apiKey }, html: keyHtml(apiKey) };
  },
});

const keyHtml = (apiKey: string): string =>
  `<p>Your API key. It is not shown again: keep it safe, and send it in the key header of every request.</p>
<output>${apiKey}</output>`;
