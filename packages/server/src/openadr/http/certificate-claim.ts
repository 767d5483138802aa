import type { ClaimKind } from "../../platform/http/claim.js";
import { saidHtml } from "../../platform/said-html.js";
import { english, type Words } from "../../platform/words.js";
import type { ClaimedCertificate } from "../operations/manage-vens.js";
import { issuedToWire } from "./wire-ven.js";

/** Reveals a VEN's key and certificate once; null for a used, expired or unknown link. */
export type ClaimCertificate = (token: string) => Promise<ClaimedCertificate | null>;

export const certificateClaims = (claim: ClaimCertificate): ClaimKind => ({
  path: "/claim/ven",
  button: english("Show the key and certificate"),
  title: english("{service} VEN certificate"),
  ask: english(
    "This link creates a key and a certificate for a VEN and shows them once. Prepare a safe place to store them.",
  ),
  async claim(token) {
    const claimed = await claim(token);
    if (claimed === null) return null;
    const { venId, privateKey } = claimed;
    const issued = issuedToWire(claimed);
    return {
      json: { ven_id: venId, private_key: privateKey, ...issued },
      html: (words) => certificateHtml(words, claimed),
    };
  },
});

const SHOWN = english(
  "Key and certificate of the VEN <b>{ven}</b>. The key is not shown again: save all three files now.",
);
const FINGERPRINT = english("Fingerprint of the certificate: <code>{fingerprint}</code>");
const SAVE = english("Save {file}");

const code = (inside: string): string => `<code>${inside}</code>`;

const certificateHtml = (words: Words, claimed: ClaimedCertificate): string => {
  const { venId, privateKey, caCertificate } = claimed;
  const { certificate, short_fingerprint } = issuedToWire(claimed);
  const shown = saidHtml(words, SHOWN, { ven: venId, b: (inside) => `<b>${inside}</b>` });
  return `<p>${shown}</p>
${fileHtml(words, english("Private key of the VEN: keep it secret"), { name: `${venId}.key`, text: privateKey })}
${fileHtml(words, english("Certificate of the VEN"), { name: `${venId}.crt`, text: certificate })}
${fileHtml(words, english("Certificate of the authority, to verify this service"), { name: "ca.crt", text: caCertificate })}
<p>${saidHtml(words, FINGERPRINT, { fingerprint: short_fingerprint, code })}</p>`;
};

interface Saved {
  readonly name: string;
  readonly text: string;
}

/** PEM and VEN ids contain no characters that HTML would interpret. */
const fileHtml = (words: Words, what: string, { name, text }: Saved): string =>
  `<h2>${saidHtml(words, what)}</h2>
<p><a download="${name}" href="data:application/x-pem-file;base64,${Buffer.from(text).toString("base64")}">${saidHtml(words, SAVE, { file: name })}</a></p>
<output>${text}</output>`;
