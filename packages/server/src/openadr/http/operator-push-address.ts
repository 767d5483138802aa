import { X509Certificate } from "node:crypto";
import type { operator } from "@curtail/contract";
import { invalid, type Refusal, type Result } from "../../platform/refusal.js";
import { webAddressOf } from "../../platform/web-address.js";
import type { PushAddress } from "../domain/ven.js";

/** The push address of a VEN; null if it only polls. Whether the host may be reached is checked at delivery. */
export const pushAddress = (transport: operator.Ven["transport"]): Result<PushAddress | null> => {
  if (transport === "pull") return null;
  const { push_url, ca_certificate: ca = null } = transport;
  return refuseUrl(push_url) ?? refuseAuthority(ca) ?? { url: new URL(push_url).href, ca };
};

const refuseUrl = (text: string): Refusal | null => {
  const url = webAddressOf(text);
  // Both sides present a certificate, which plain http cannot.
  if (url?.protocol !== "https:")
    return invalid("transport.push_url must be a complete address without white space that begins with https://");
  return url.username === "" && url.password === ""
    ? null
    : invalid(
        "transport.push_url must not contain a user or password; the VEN authenticates this service by its certificate",
      );
};

const refuseAuthority = (pem: string | null): Refusal | null => {
  try {
    if (pem === null || new X509Certificate(pem).ca) return null;
  } catch {
    // Unreadable text is refused like a certificate that is no authority.
  }
  return invalid("transport.ca_certificate must be the certificate of an authority (CA:TRUE) in PEM");
};
