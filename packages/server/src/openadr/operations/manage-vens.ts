import type { Actor } from "../../access/domain/account.js";
import { CLAIM_HOURS } from "../../access/domain/api-key.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { KeySecrets } from "../../access/operations/manage-keys.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import type { PortfolioStores } from "../../portfolio/operations/portfolio-stores.js";
import { refuseForeignSites } from "../../portfolio/operations/refuse-foreign-sites.js";
import type { Ven, VenCertificate, VenClaim } from "../domain/ven.js";
import type { OpenadrStores } from "./ven-ports.js";

export type VenManagingStores = OpenadrStores &
  Pick<DispatchStores, "venNotices"> &
  Pick<PortfolioStores, "sites"> &
  Pick<AccessStores, "accounts" | "audit">;

export type VenSettings = Pick<
  Ven,
  "siteIds" | "push" | "targetResource" | "targetVenId" | "marketContext" | "pollIntervalSeconds"
>;
export type NewVen = VenSettings & Pick<Ven, "accountId" | "venId" | "environment">;

export const createVen = ({ transact, clock, newId }: Ports<VenManagingStores>, actor: Actor, input: NewVen) =>
  transact(async (stores): Promise<Result<Ven>> => {
    if ((await stores.accounts.find(input.accountId)) === null) return notFound("account");
    const refusal = await refuseForeignSites(stores, input);
    if (refusal !== null) return refusal;
    const at = clock.now();
    const ven: Ven = { id: newId("ven"), ...input, createdAt: at, lastPollAt: null, lastAcknowledgementAt: null };
    if (!(await stores.vens.insert(ven))) {
      return invalid(
        `ven_id ${quote(input.venId)} belongs to another VEN; choose another id, or delete that VEN first`,
      );
    }
    await stores.audit.append({ actor, at }, "ven.create", ven, { after: audited(ven) });
    return ven;
  });

export const changeVen = (
  { transact, clock }: Ports<VenManagingStores>,
  actor: Actor,
  id: string,
  change: Partial<VenSettings>,
) =>
  transact(async (stores): Promise<Result<Ven>> => {
    const before = await stores.vens.lock(id);
    if (before === null || changesNothing(before, change)) return before ?? notFound("VEN");
    const after = { ...before, ...change };
    const refusal = await refuseForeignSites(stores, after);
    if (refusal !== null) return refusal;
    const at = clock.now();
    // Notices that are due were for the VEN as it was.
    await stores.venNotices.record(at);
    await stores.vens.save(after);
    const audit = { before: audited(before), after: audited(after) };
    await stores.audit.append({ actor, at }, "ven.change", after, audit);
    return after;
  });

/** Its certificates are refused from now on. */
export const deleteVen = ({ transact, clock }: Ports<VenManagingStores>, actor: Actor, id: string) =>
  transact(async (stores): Promise<Result<Ven>> => {
    const at = clock.now();
    const ven = await stores.vens.remove(id, at);
    if (ven === null) return notFound("VEN");
    await stores.audit.append({ actor, at }, "ven.delete", ven, { before: audited(ven) });
    return ven;
  });

/** Its activity is no change of the VEN. */
const audited = ({ lastPollAt: _polled, lastAcknowledgementAt: _acknowledged, ...ven }: Ven) => ven;

/** The subject of a certificate, and its validity from now on. */
export interface Certifying {
  readonly venId: string;
  readonly days: number;
  readonly now: Date;
}

/** A certificate as created. */
export type NewCertificate = Pick<VenCertificate, "fingerprint" | "pem" | "notBefore" | "expiresAt">;

/** Issues certificates for VENs. */
export interface VenAuthority {
  /** Its certificate (PEM). */
  certificate(): Promise<string>;
  /** Certifies the key of a request (PKCS#10, PEM) and ignores everything else in it. */
  sign(csr: string, certifying: Certifying): Promise<Result<NewCertificate>>;
  /** Creates a key (PEM) and certifies it. */
  issue(certifying: Certifying): Promise<NewCertificate & { readonly privateKey: string }>;
}

export type VenPorts = Ports<VenManagingStores> & { readonly authority: VenAuthority; readonly secrets: KeySecrets };

export interface Issued {
  readonly certificate: VenCertificate;
  /** The authority's certificate (PEM). */
  readonly caCertificate: string;
}

export interface SigningRequest {
  readonly csr: string;
  readonly days: number;
}

export const certifyVen = ({ transact, clock, authority }: VenPorts, actor: Actor, id: string, input: SigningRequest) =>
  transact(async (stores): Promise<Result<Issued>> => {
    const ven = await stores.vens.lock(id);
    if (ven === null) return notFound("VEN");
    const at = clock.now();
    const certified = await authority.sign(input.csr, { venId: ven.venId, days: input.days, now: at });
    if (isRefusal(certified)) return certified;
    const certificate = await keepCertificate(stores, ven, { actor, at, certified });
    return { certificate, caCertificate: await authority.certificate() };
  });

interface Kept {
  readonly actor: Actor;
  readonly at: Date;
  readonly certified: NewCertificate;
}

const keepCertificate = async (
  stores: VenManagingStores,
  ven: Ven,
  { actor, at, certified }: Kept,
): Promise<VenCertificate> => {
  const { fingerprint, pem, notBefore, expiresAt } = certified;
  const certificate = { fingerprint, ven: ven.id, pem, notBefore, expiresAt, revokedAt: null, createdAt: at };
  await stores.venCertificates.insert(certificate);
  await stores.audit.append({ actor, at }, "ven.certify", ven, { after: { fingerprint, expiresAt } });
  return certificate;
};

/** Prepares a key and certificate, which are created when the one-time link is claimed. */
export const offerCertificate = ({ transact, clock, secrets }: VenPorts, actor: Actor, id: string, days: number) =>
  transact(async (stores): Promise<Result<{ claim: VenClaim; claimToken: string }>> => {
    const ven = await stores.vens.find(id);
    if (ven === null) return notFound("VEN");
    const at = clock.now();
    const expiresAt = new Date(at.getTime() + CLAIM_HOURS * 3_600_000);
    const claim: VenClaim = { ven: id, days, createdAt: at, expiresAt };
    const claimToken = secrets.newClaimToken();
    await stores.venClaims.insert(claim, secrets.hashClaimToken(claimToken));
    await stores.audit.append({ actor, at }, "ven.offer_certificate", ven, { after: { days, expiresAt } });
    return { claim, claimToken };
  });

/** What a one-time link reveals. */
export interface ClaimedCertificate extends Issued {
  readonly venId: string;
  /** PEM. */
  readonly privateKey: string;
}

/** Creates and reveals a key and its certificate once; null for a used, expired or unknown link. */
export const claimCertificate = async (
  { transact, clock, secrets, authority }: VenPorts,
  claimToken: string,
): Promise<ClaimedCertificate | null> => {
  const claimed = await transact(async (stores): Promise<Result<ClaimedCertificate>> => {
    const at = clock.now();
    const claim = await stores.venClaims.use(secrets.hashClaimToken(claimToken), at);
    const ven = claim === null ? null : await stores.vens.lock(claim.ven);
    if (claim === null || ven === null) return notFound("link");
    const certified = await authority.issue({ venId: ven.venId, days: claim.days, now: at });
    const certificate = await keepCertificate(stores, ven, { actor: `ven:${ven.id}`, at, certified });
    const { privateKey } = certified;
    return { venId: ven.venId, privateKey, certificate, caCertificate: await authority.certificate() };
  });
  return isRefusal(claimed) ? null : claimed;
};

/** The VEN is refused with it from the next request on. */
export const revokeCertificate = (
  { transact, clock }: Ports<VenManagingStores>,
  actor: Actor,
  id: string,
  fingerprint: string,
) =>
  transact(async (stores): Promise<Result<VenCertificate>> => {
    const ven = await stores.vens.lock(id);
    if (ven === null) return notFound("VEN");
    const at = clock.now();
    const certificate = await stores.venCertificates.revoke(ven, fingerprint, at);
    if (certificate === null) return notFound("certificate");
    const { revokedAt, expiresAt } = certificate;
    await stores.audit.append({ actor, at }, "ven.revoke", ven, { after: { fingerprint, revokedAt, expiresAt } });
    return certificate;
  });
