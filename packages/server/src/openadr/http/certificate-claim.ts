import type { ClaimKind } from "../../platform/http/claim.js";
import type { ClaimedCertificate } from "../operations/manage-vens.js";
import { issuedToWire } from "./wire-ven.js";

/** Reveals a VEN's key and certificate once; null for a used, expired or unknown link. */
export type ClaimCertificate = (token: string) => Promise<ClaimedCertificate | null>;

export const certificateClaims = (claim: ClaimCertificate): ClaimKind => ({
  path: "/claim/ven",
  thing: "key and certificate",
  title: "Curtail VEN certificate",
  ask: "This link creates a key and a certificate for a VEN and shows them once. Prepare a safe place to store them.",
  async claim(token) {
    const claimed = await claim(token);
    if (claimed === null) return null;
    const { venId, privateKey } = claimed;
    const issued = issuedToWire(claimed);
    return { json: { ven_id: venId, private_key: privateKey, ...issued }, html: certificateHtml(claimed) };
  },
});

/** PEM and VEN ids contain no characters that HTML would interpret. */
const certificateHtml = (claimed: ClaimedCertificate): string => {
  const { venId, privateKey, caCertificate } = claimed;
  const { certificate, short_fingerprint } = issuedToWire(claimed);
  return `<p>Key and certificate of the VEN <b>${venId}</b>. The key is not shown again: save all three files now.</p>
${fileHtml("Private key of the VEN: keep it secret", `${venId}.key`, privateKey)}
${fileHtml("Certificate of the VEN", `${venId}.crt`, certificate)}
${fileHtml("Certificate of the authority, to verify this service", "ca.crt", caCertificate)}
<p>Fingerprint of the certificate: <code>${short_fingerprint}</code></p>`;
};

const fileHtml = (what: string, name: string, text: string): string =>
  `<h2>${what}</h2>
<p><a download="${name}" href="data:application/x-pem-file;base64,${Buffer.from(text).toString("base64")}">Save ${name}</a></p>
<output>${text}</output>`;
