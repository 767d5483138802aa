import type { KeyObject } from "node:crypto";
import type { Clock } from "../../platform/clock.js";
import { mapResult } from "../../platform/refusal.js";
import type { Certified, Certifying, VenAuthority } from "../operations/manage-vens.js";
import { openAuthority } from "./authority-files.js";
import { type CertificateAuthority, certify, fingerprintOf, leafKeyUsage } from "./certificate-authority.js";
import { LEAF_BITS, makeRsaKeys, pemOf } from "./make-keys.js";
import { type ServerCertificate, serverCertificate } from "./server-certificate.js";
import { keyOfRequest } from "./sign-request.js";
import { ExtendedKeyUsage, ExtendedKeyUsageExtension } from "./x509.js";

/** The authority in `folder`, opened or created on first use. */
export class OpenadrAuthority implements VenAuthority {
  #opening: Promise<CertificateAuthority> | undefined;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** Throws, with what to do, if the authority cannot be used; the next call tries again. */
  open(): Promise<CertificateAuthority> {
    this.#opening ??= openAuthority(this.folder, this.clock.now()).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async certificate(): Promise<string> {
    return (await this.open()).pem;
  }

  /** What the listener presents; renewed in time, so call once a day. */
  async serverCertificate(hostnames: readonly string[]): Promise<ServerCertificate> {
    return serverCertificate({ authority: await this.open(), folder: this.folder, hostnames }, this.clock.now());
  }

  async sign(csr: string, certifying: Certifying): ReturnType<VenAuthority["sign"]> {
    return mapResult(keyOfRequest(csr), (key) => this.certify(key, certifying));
  }

  async issue(certifying: Certifying): ReturnType<VenAuthority["issue"]> {
    const { publicKey, privateKey } = await makeRsaKeys(LEAF_BITS);
    return { ...(await this.certify(publicKey, certifying)), privateKey: pemOf(privateKey) };
  }

  async certify(publicKey: KeyObject, { venId, days, now }: Certifying): Promise<Certified> {
    const extensions = [leafKeyUsage(publicKey), new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])];
    const subject = { publicKey, commonName: venId, days, extensions };
    const certificate = await certify(await this.open(), subject, now);
    return {
      fingerprint: fingerprintOf(certificate.rawData),
      pem: `${certificate.toString("pem")}\n`,
      notBefore: certificate.notBefore,
      expiresAt: certificate.notAfter,
    };
  }
}
