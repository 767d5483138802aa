import Type, { type Static } from "typebox";
import { ADDRESS_CHARACTERS, MAX_CERTIFICATE_DAYS, MAX_POLL_SECONDS, VEN_ID_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { boolean, byId, id, integer, moment, nullable, string } from "../values.js";
import { environments, PageQuery, pageOf } from "./list.js";

const PEM = "application/x-pem-file";
const pemOf = (label: string) => `-----BEGIN ${label}-----\nMIIBszCCAVmgAwIBAgIU…\n-----END ${label}-----\n`;
const fingerprint = string(
  "SHA-256 of the certificate, in hex.",
  "3f9a1c5e7b2d4f6089abcdef0123456789abcdef0123456789abcdef01234567",
);
const shortFingerprint = string("Last ten bytes of the fingerprint, as VENs show it.", "CD:EF:01:23:45:67:89:AB:CD:EF");

const VenId = Type.String({
  minLength: 1,
  maxLength: VEN_ID_CHARACTERS,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$",
  description:
    "The VEN's own id: letters, digits, dots, hyphens and underscores, beginning with a letter or digit. The VEN's polling address and certificates contain it. It is unique within the service.",
  examples: ["store-12"],
});

const Environment = Type.Enum([...environments], {
  description: "Environment whose events the VEN receives. Default: `production`.",
});

export const Sites = Type.Union(
  [
    Type.Literal("all"),
    Type.Array(Type.String({ maxLength: 50, description: "Id of a site.", examples: ["site_9d4f7g2h5j8k"] }), {
      minItems: 1,
      maxItems: 10_000,
    }),
  ],
  {
    description:
      "Sites whose dispatches the VEN receives: `all`, including future sites, or their ids. Default: `all`.",
  },
);

const Transport = Type.Union(
  [
    Type.Literal("pull"),
    Type.Object({
      push_url: Type.String({
        format: "uri",
        maxLength: ADDRESS_CHARACTERS,
        description: "Address that events are pushed to as they change. The VEN may poll as well.",
        examples: ["https://ven.example.com/OpenADR2/Simple"],
      }),
      ca_certificate: Type.Optional(
        nullable(
          Type.String({
            maxLength: 65_536,
            contentMediaType: PEM,
            description: "CA certificate (PEM) of the server at `push_url`. Default: the CAs that the machine trusts.",
            examples: [pemOf("CERTIFICATE")],
          }),
        ),
      ),
    }),
  ],
  { description: "How the VEN receives events: by polling (`pull`), or pushed to an address. Default: `pull`." },
);

const resource = Type.Enum(["site_id", "customer_location_id"], {
  description:
    "Identifier of sites in events. Sites without a `customer_location_id` are named by `site_id`. Default: `site_id`.",
});
const namesVenDescription =
  "Whether events name the VEN as a target, too. Some VENs opt out of events that do not. Default: `true`.";

const Targets = Type.Object(
  {
    resource: Type.Optional(resource),
    ven_id: Type.Optional(Type.Boolean({ default: true, description: namesVenDescription, examples: [true] })),
  },
  { description: "Targets named in the VEN's events." },
);

const MarketContext = Type.Enum(["*", "program"], {
  description: "Market context of events: `*`, or one per program. Default: `*`.",
});

const PollInterval = integer(
  "Expected time between polls, in seconds. A VEN that is silent for three times as long raises an alarm. Default: 60.",
  60,
  { minimum: 1, maximum: MAX_POLL_SECONDS },
);

export const VenCertificate = Type.Object(
  {
    fingerprint,
    short_fingerprint: shortFingerprint,
    state: Type.Enum(["valid", "revoked", "expired"], { description: "State of the certificate." }),
    expires_at: moment("When the certificate expires.", "nextYear"),
    revoked_at: nullable(moment("When the certificate was revoked; null unless it was.", "later")),
    created_at: moment("When the certificate was issued.", "created"),
  },
  { $id: "VenCertificate", description: "A certificate of a VEN." },
);
export type VenCertificate = Static<typeof VenCertificate>;

/** An OpenADR client of an account: its settings and when it was last seen. */
export const Ven = Type.Object(
  {
    id: id("ven", "Identifier of the VEN in this interface."),
    account_id: id("account", "Account of the VEN."),
    ven_id: VenId,
    environment: Environment,
    sites: Sites,
    transport: Transport,
    targets: Type.Object(
      { resource, ven_id: boolean(namesVenDescription, true) },
      { description: "Targets named in the VEN's events." },
    ),
    market_context: MarketContext,
    poll_interval_seconds: PollInterval,
    created_at: moment("When the VEN was created.", "created"),
    last_poll: nullable(moment("When the VEN last polled; null if never.")),
    last_acknowledgement: nullable(moment("When the VEN last acknowledged an event; null if never.")),
    certificates: Type.Array(VenCertificate, { description: "Certificates of the VEN, newest first." }),
  },
  { $id: "Ven", description: "An OpenADR 2.0a client (virtual end node) of an account." },
);
export type Ven = Static<typeof Ven>;

/** A dispatch as a VEN received it. */
export const VenEvent = Type.Object(
  {
    dispatch_id: id("dispatch", "The dispatch: the event id in OpenADR."),
    first_shown_at: moment("When the VEN first received the event.", "notified"),
    modification_number: integer("Last modification that the VEN received.", 1),
    modification_shown_at: moment("When the VEN received this modification.", "notified"),
    acknowledgement: nullable(
      Type.Object(
        {
          modification_number: integer("Modification that the VEN acknowledged.", 1),
          opt: Type.Enum(["optIn", "optOut"], { description: "Whether the VEN participates." }),
          response_code: string(
            "The VEN's response code, usually 200. An error does not acknowledge the event.",
            "200",
          ),
          at: moment("When the VEN answered.", "notified"),
        },
        { description: "The VEN's answer to the newest modification that it answered; null until it answers." },
      ),
    ),
  },
  { $id: "VenEvent", description: "A dispatch as a VEN received it." },
);
export type VenEvent = Static<typeof VenEvent>;

const caCertificate = (description: string) => string(description, pemOf("CERTIFICATE"));

export const IssuedCertificate = Type.Object(
  {
    certificate: string("Certificate of the VEN (PEM).", pemOf("CERTIFICATE")),
    ca_certificate: caCertificate("CA certificate (PEM) with which the VEN verifies the service."),
    fingerprint,
    short_fingerprint: shortFingerprint,
    expires_at: moment("When the certificate expires.", "nextYear"),
  },
  { $id: "IssuedCertificate", description: "A certificate for the key of the CSR." },
);
export type IssuedCertificate = Static<typeof IssuedCertificate>;

export const CertificateClaim = Type.Object(
  {
    claim_url: Type.String({
      format: "uri",
      description: "One-time link. It generates and shows a key and its certificate once, after a click on its button.",
      examples: ["https://dr.example.com/claim/pL7wT4nZ9vK2xQ8d"],
    }),
    claim_expires_at: moment("When the link expires.", "later"),
  },
  { $id: "CertificateClaim", description: "A one-time link to a new key and certificate." },
);
export type CertificateClaim = Static<typeof CertificateClaim>;

const settings = {
  sites: Type.Optional(Sites),
  transport: Type.Optional(Transport),
  targets: Type.Optional(Targets),
  market_context: Type.Optional(MarketContext),
  poll_interval_seconds: Type.Optional(PollInterval),
};

export const createVen = endpoint({
  id: "createVen",
  method: "POST",
  path: "/accounts/{id}/vens",
  once: "within",
  tag: "VENs",
  summary: "Create a VEN",
  description:
    "The VEN cannot connect until it has a certificate; issue one next. A `ven_id` that another VEN has, or a site that the account does not have, gets 400.",
  params: byId("account"),
  body: Type.Object({ ven_id: VenId, environment: Type.Optional(Environment), ...settings }),
  reply: Ven,
  status: 201,
});
export const listVens = endpoint({
  id: "listVens",
  method: "GET",
  path: "/accounts/{id}/vens",
  tag: "VENs",
  summary: "List an account's VENs",
  description: "Returns the VENs of both environments with their certificates and when they were last seen.",
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(Ven),
});
export const getVen = endpoint({
  id: "getVen",
  method: "GET",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Retrieve a VEN",
  description: "Returns the VEN with its certificates and when it was last seen.",
  params: byId("ven"),
  reply: Ven,
});
export const changeVen = endpoint({
  id: "changeVen",
  method: "PATCH",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Change a VEN",
  description:
    "Members that are left out keep their value. `ven_id` and environment cannot be changed; create another VEN instead.",
  params: byId("ven"),
  body: Type.Object(settings),
  reply: Ven,
});
export const deleteVen = endpoint({
  id: "deleteVen",
  method: "DELETE",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Delete a VEN",
  description:
    "Its certificates and links stop working at once, and its `ven_id` may be used again. This cannot be undone.",
  params: byId("ven"),
  status: 204,
});
export const listVenEvents = endpoint({
  id: "listVenEvents",
  method: "GET",
  path: "/vens/{id}/events",
  tag: "VENs",
  summary: "List the events of a VEN, newest first",
  description: "Returns the events that the VEN has received, with its newest acknowledgement of each.",
  params: byId("ven"),
  query: PageQuery,
  reply: pageOf(VenEvent),
});
export const previewVen = endpoint({
  id: "previewVen",
  method: "GET",
  path: "/vens/{id}/preview",
  tag: "VENs",
  summary: "Preview the message to a VEN",
  description:
    "Returns the message that a poll of the VEN would get now. Nothing is recorded, and the VEN is not notified.",
  params: byId("ven"),
  reply: Type.Object(
    {
      xml: Type.String({
        contentMediaType: "application/xml",
        description:
          "An oadrDistributeEvent with all events of the VEN. The request and response ids are placeholders.",
        examples: ['<oadrDistributeEvent xmlns="http://openadr.org/oadr-2.0a/2012/07">…</oadrDistributeEvent>'],
      }),
    },
    { $id: "VenPreview", description: "The message that a VEN would get now." },
  ),
});
export const certifyVen = endpoint({
  id: "certifyVen",
  method: "POST",
  path: "/vens/{id}/certificates",
  once: "within",
  tag: "VENs",
  summary: "Certify a VEN",
  description:
    "With `csr`, certifies the key of the request and returns the certificate; anything else in the request is ignored. Without `csr`, returns a one-time link, which shows a new key and its certificate once, within 24 hours. Existing certificates of the VEN stay valid.",
  params: byId("ven"),
  body: Type.Object({
    csr: Type.Optional(
      Type.String({
        contentMediaType: PEM,
        description: "Certificate signing request (PKCS#10, PEM) for the key of the VEN.",
        examples: [pemOf("CERTIFICATE REQUEST")],
      }),
    ),
    days: Type.Optional(
      integer("Validity of the certificate in days, limited by that of the CA. Default: 365.", 365, {
        minimum: 1,
        maximum: MAX_CERTIFICATE_DAYS,
      }),
    ),
  }),
  reply: Type.Union([IssuedCertificate, CertificateClaim]),
  status: 201,
});
export const revokeVenCertificate = endpoint({
  id: "revokeVenCertificate",
  method: "DELETE",
  path: "/vens/{id}/certificates/{fingerprint}",
  tag: "VENs",
  summary: "Revoke a certificate of a VEN",
  description: "The VEN's next request with the certificate is refused. This cannot be undone.",
  params: Type.Object({ id: id("ven"), fingerprint }),
  status: 204,
});
export const getOpenadrAuthority = endpoint({
  id: "getOpenadrAuthority",
  method: "GET",
  path: "/openadr/ca",
  tag: "VENs",
  summary: "Retrieve the CA certificate and the VTN id",
  description: "Returns what every VEN needs in order to connect to this service.",
  reply: Type.Object(
    {
      certificate: caCertificate("CA certificate (PEM) with which VENs verify the service."),
      vtn_id: string("Id of the service as a VTN.", "Curtail-VTN"),
    },
    { $id: "OpenadrAuthority", description: "What every VEN needs in order to connect." },
  ),
});
