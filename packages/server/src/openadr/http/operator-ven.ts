import { X509Certificate } from "node:crypto";
import { type BodyOf, operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import type { Within } from "../../platform/answer-once.js";
import { serve } from "../../platform/http/endpoint.js";
import { given } from "../../platform/http/given.js";
import { listed } from "../../platform/http/page.js";
import type { PublicAddress } from "../../platform/http/public-url.js";
import { type OncePorts, type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, invalid, isRefusal, mapResult, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { webAddressOf } from "../../platform/web-address.js";
import type { PushAddress, Ven, VenCertificate } from "../domain/ven.js";
import {
  certifyVen,
  changeVen,
  createVen,
  deleteVen,
  offerCertificate,
  revokeCertificate,
  type VenManagingStores,
  type VenPorts,
  type VenSettings,
} from "../operations/manage-vens.js";
import type { PreviewVen } from "../operations/ven-channel.js";
import { issuedToWire, venEventToWire, venToWire } from "./wire-ven.js";

const defaults: VenSettings = {
  siteIds: null,
  push: null,
  targetResource: "site_id",
  targetVenId: true,
  marketContext: "*",
  pollIntervalSeconds: 60,
};
const DEFAULT_DAYS = 365;

/** The settings in a request. */
const settingsFrom = (body: BodyOf<typeof operator.changeVen>): Result<Partial<VenSettings>> => {
  const { sites, transport, targets, market_context, poll_interval_seconds } = body;
  const push = transport === undefined ? undefined : pushAddress(transport);
  if (isRefusal(push)) return push;
  return given({
    siteIds: sites === "all" ? null : sites && [...new Set(sites)],
    push,
    targetResource: targets?.resource,
    targetVenId: targets?.ven_id,
    marketContext: market_context,
    pollIntervalSeconds: poll_interval_seconds,
  });
};

export type VenRoutePorts = RepeatablePorts<VenManagingStores> & { readonly previewVen: PreviewVen };

export const venRoutes = (app: FastifyInstance, ports: VenRoutePorts): void => {
  const withCertificates = async (ven: Result<Ven>): Promise<Result<operator.Ven>> =>
    isRefusal(ven) ? ven : venToWire(ven, await ports.stores.venCertificates.ofVens([ven.id]), ports.clock.now());

  serveOnce(app, operator.createVen, ports, async ({ params, body, request }, ports) => {
    const settings = settingsFrom(body);
    if (isRefusal(settings)) return settings;
    const identity = { accountId: params.id, venId: body.ven_id, environment: body.environment ?? "production" };
    const ven = await createVen(ports, actorOf(request), { ...defaults, ...settings, ...identity });
    return isRefusal(ven) ? ven : venToWire(ven, [], ports.clock.now());
  });
  serve(app, operator.listVens, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    let certificates: readonly VenCertificate[] = [];
    const list = async (page: { after: number | null; limit: number }) => {
      const vens = await ports.stores.vens.list(params.id, page);
      certificates = await ports.stores.venCertificates.ofVens(vens.items.map((ven) => ven.id));
      return vens;
    };
    return listed(query, list, (ven) => venToWire(ven, certificates, ports.clock.now()));
  });
  serve(app, operator.getVen, async ({ params }) =>
    withCertificates((await ports.stores.vens.find(params.id)) ?? notFound("VEN")),
  );
  serve(app, operator.changeVen, async ({ params, body, request }) => {
    const change = settingsFrom(body);
    return isRefusal(change) ? change : withCertificates(await changeVen(ports, actorOf(request), params.id, change));
  });
  serve(app, operator.deleteVen, ({ params, request }) => done(deleteVen(ports, actorOf(request), params.id)));
  serve(app, operator.previewVen, async ({ params }) => {
    const ven = await ports.stores.vens.find(params.id);
    return ven === null ? notFound("VEN") : { xml: await ports.previewVen(ven) };
  });
  serve(app, operator.listVenEvents, async ({ params, query }) => {
    if ((await ports.stores.vens.find(params.id)) === null) return notFound("VEN");
    return listed(query, (page) => ports.stores.venEvents.ofVen(params.id, page), venEventToWire);
  });
};

export type VenCertificateRoutePorts = VenPorts &
  OncePorts<Within<VenManagingStores>> &
  PublicAddress & {
    /** Our id in OpenADR messages. */
    readonly vtnId: string;
  };

export const venCertificateRoutes = (app: FastifyInstance, ports: VenCertificateRoutePorts): void => {
  serveOnce(app, operator.certifyVen, ports, async ({ params, body: { csr, days = DEFAULT_DAYS }, request }, ports) => {
    if (csr !== undefined) {
      return mapResult(certifyVen(ports, actorOf(request), params.id, { csr, days }), issuedToWire);
    }
    const offered = await offerCertificate(ports, actorOf(request), params.id, days);
    if (isRefusal(offered)) return offered;
    return {
      claim_url: `${ports.publicUrl}/claim/ven/${offered.claimToken}`,
      claim_expires_at: formatTimestamp(offered.claim.expiresAt),
    };
  });
  serve(app, operator.revokeVenCertificate, async ({ params, request }) => {
    // Tools write it in capitals and with colons.
    const fingerprint = params.fingerprint.replaceAll(":", "").toLowerCase();
    return done(revokeCertificate(ports, actorOf(request), params.id, fingerprint));
  });
  serve(app, operator.getOpenadrAuthority, async () => ({
    certificate: await ports.authority.certificate(),
    vtn_id: ports.vtnId,
  }));
};

/** The push address of a VEN; null if it only polls. Whether the host may be reached is checked at delivery. */
const pushAddress = (transport: operator.Ven["transport"]): Result<PushAddress | null> => {
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
