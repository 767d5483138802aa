import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";

const FINGERPRINT_HEADER = "x-client-cert-fingerprint";

/** Identifies peers by the fingerprint of their certificate: SHA-256 in lower-case hex. */
export class VenIdentities {
  private readonly authority: X509Certificate;
  private readonly networks: ReadonlyArray<ReturnType<typeof ipaddr.parseCIDR>>;
  private readonly ofSockets = new WeakMap<object, string>();

  constructor(authorityPem: string, trustedProxies: readonly string[]) {
    this.authority = new X509Certificate(authorityPem);
    this.networks = trustedProxies.map((network) => ipaddr.parseCIDR(network));
  }

  /**
   * Whether a peer is admitted: it has a certificate of our authority, expired or not, or is a trusted proxy. Node's
   * own verdict is not enough: for an expired certificate it does not name the issuer.
   */
  admit(socket: TLSSocket): boolean {
    const certificate = socket.getPeerX509Certificate();
    if (certificate?.checkIssued(this.authority) && certificate.verify(this.authority.publicKey)) {
      this.ofSockets.set(socket, normalised(certificate.fingerprint256) ?? "");
      return true;
    }
    return this.isTrustedProxy(socket.remoteAddress);
  }

  /** null without one. A proxy acts for others, so its header takes precedence over its own certificate. */
  fingerprintOf({ socket, headers }: IncomingMessage): string | null {
    const header = headers[FINGERPRINT_HEADER];
    if (typeof header === "string" && this.isTrustedProxy(socket.remoteAddress)) return normalised(header);
    return this.ofSockets.get(socket) ?? null;
  }

  private isTrustedProxy(address: string | undefined): boolean {
    if (address === undefined || this.networks.length === 0) return false;
    const parsed = ipaddr.process(address);
    return this.networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  }
}

/** With or without colons, in upper or lower case; null if it is not a SHA-256. */
const normalised = (fingerprint: string): string | null => {
  const hex = fingerprint.replaceAll(":", "").toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? hex : null;
};
