import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import { readFingerprint } from "../domain/fingerprint.js";

const FINGERPRINT_HEADER = "x-client-cert-fingerprint";

export interface Identified {
  /** null without one. */
  readonly fingerprint: string | null;
  /** What is wrong with the header of a trusted proxy; null: nothing. */
  readonly fault: string | null;
}

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
      this.ofSockets.set(socket, certificate.fingerprint256.replaceAll(":", "").toLowerCase());
      return true;
    }
    return this.isTrustedProxy(socket.remoteAddress);
  }

  /** A proxy acts for others, so its header takes precedence over its own certificate. */
  identify({ socket, headers }: IncomingMessage): Identified {
    const header = headers[FINGERPRINT_HEADER];
    if (typeof header !== "string" || !this.isTrustedProxy(socket.remoteAddress)) {
      return { fingerprint: this.ofSockets.get(socket) ?? null, fault: null };
    }
    const read = readFingerprint(header);
    return read.ok ? { fingerprint: read.fingerprint, fault: null } : { fingerprint: null, fault: read.fault };
  }

  private isTrustedProxy(address: string | undefined): boolean {
    if (address === undefined || this.networks.length === 0) return false;
    const parsed = ipaddr.process(address);
    return this.networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  }
}
