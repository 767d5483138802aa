import { createPrivateKey, X509Certificate as NodeCertificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import { readText, replaceFile } from "../../platform/private-file.js";
import { type CertificateAuthority, certify, leafKeyUsage } from "./certificate-authority.js";
import { LEAF_BITS, makeRsaKeys, pemOf } from "./make-keys.js";
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from "./x509.js";

/** What the listener presents to VENs and, when pushing events, to their servers. */
export interface ServerCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM: the certificate, then its authority's. */
  readonly chain: string;
  readonly expiresAt: Date;
}

export interface ServerCertificateRequest {
  readonly authority: CertificateAuthority;
  readonly folder: string;
  /** Names and addresses at which VENs reach us. */
  readonly hostnames: readonly string[];
}

const DAYS = 365;
const RENEW_BEFORE_MS = 30 * 86_400_000;

/**
 * Returns the certificate in `folder` if it is valid for 30 more days, for these names and by this authority; otherwise
 * creates one. Cheap while it is valid: call once a day and pass the result to the listener.
 */
export const serverCertificate = async (request: ServerCertificateRequest, now: Date): Promise<ServerCertificate> => {
  const file = join(request.folder, "server.pem");
  const kept = await readText(file);
  const usable = kept === null ? null : usableOf(kept, request, now);
  if (usable !== null) return usable;
  await replaceFile(file, await makeServerCertificate(request, now));
  // Another process may have written one meanwhile; either is valid.
  const made = usableOf((await readText(file)) ?? "", request, now);
  if (made === null)
    throw new Error(
      `${file} is written by another process with different host names; configure the same host names for both`,
    );
  return made;
};

const makeServerCertificate = async (
  { authority, hostnames }: ServerCertificateRequest,
  now: Date,
): Promise<string> => {
  const { publicKey, privateKey } = await makeRsaKeys(LEAF_BITS);
  const extensions = [
    leafKeyUsage(publicKey),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
    namesExtension(hostnames),
  ];
  const subject = { publicKey, commonName: commonNameOf(hostnames), days: DAYS, extensions };
  const certificate = await certify(authority, subject, now);
  return `${pemOf(privateKey)}${certificate.toString("pem")}\n${authority.pem}`;
};

const usableOf = (
  text: string,
  { authority, hostnames }: ServerCertificateRequest,
  now: Date,
): ServerCertificate | null => {
  const at = text.indexOf("-----BEGIN CERTIFICATE-----");
  if (at < 0) return null;
  const [key, chain] = [text.slice(0, at), text.slice(at)];
  try {
    const certificate = new NodeCertificate(chain);
    const isOurs = chain.endsWith(authority.pem) && certificate.verify(new NodeCertificate(authority.pem).publicKey);
    const isWhole = certificate.checkPrivateKey(createPrivateKey(key)) && hasNames(certificate, hostnames);
    const expiresAt = new Date(certificate.validTo);
    return isOurs && isWhole && isFresh(expiresAt, authority, now) ? { key, chain, expiresAt } : null;
  } catch {
    // Files that cannot be read are created again.
    return null;
  }
};

/** Renewing does not help if the authority itself expires. */
const isFresh = (expiresAt: Date, { certificate }: CertificateAuthority, now: Date): boolean =>
  expiresAt.getTime() - now.getTime() > RENEW_BEFORE_MS || expiresAt >= certificate.notAfter;

const hasNames = ({ raw }: NodeCertificate, hostnames: readonly string[]): boolean => {
  const names = new X509Certificate(raw).getExtension(SubjectAlternativeNameExtension);
  return names !== null && Buffer.from(names.value).equals(Buffer.from(namesExtension(hostnames).value));
};

const namesExtension = (hostnames: readonly string[]): SubjectAlternativeNameExtension =>
  new SubjectAlternativeNameExtension(
    hostnames.map((value) => ({ type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const), value })),
  );

/** A common name is limited to 64 characters; clients look at the other names first. */
const commonNameOf = (hostnames: readonly string[]): string =>
  hostnames.find((name) => name.length <= 64) ?? "Curtail VTN";
