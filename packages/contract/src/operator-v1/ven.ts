import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { id, nullable, Timestamp } from "../values.js";
import { byId, PageQuery, pageOf } from "./list.js";

const PEM = "application/x-pem-file";

const VenId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$",
  description:
    "The VEN's own id: letters, digits, dots, hyphens and underscores, beginning with a letter or digit. It polls at an " +
    "address with it, and its certificates name it. No other VEN of the service may have it.",
  examples: ["store-12"],
});

const Environment = Type.Enum(["production", "sandbox"], {
  description: "Whose events it gets; production unless given.",
});

const Sites = Type.Union(
  [Type.Literal("all"), Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 10_000 })],
  { description: "Sites whose dispatches it gets: all of the account, those to come too, unless their ids are given." },
);

const Transport = Type.Union(
  [
    Type.Literal("pull"),
    Type.Object({
      push_url: Type.String({
        maxLength: 2048,
        description: "Where its events are sent as they change; it may poll too.",
      }),
      ca_certificate: Type.Optional(
        nullable(
          Type.String({
            maxLength: 65_536,
            contentMediaType: PEM,
            description: "Authority (PEM) of the server there; those that the machine trusts unless given.",
          }),
        ),
      ),
    }),
  ],
  { description: "How it gets its events: pull unless it has an address to push to." },
);

const Targets = Type.Object(
  {
    resource: Type.Optional(
      Type.Enum(["site_id", "customer_location_id"], {
        description: "What a site is called in events; site_id unless given, and where a site has no other.",
      }),
    ),
    ven_id: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Whether events name the VEN as well; true unless given. Some opt out otherwise.",
      }),
    ),
  },
  { description: "What its events are aimed at." },
);

const MarketContext = Type.Enum(["*", "program"], {
  description: "Market context of its events: * unless each program is to be its own.",
});

const PollInterval = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: "How often it polls, in seconds; 60 unless given. After three times as long it counts as silent.",
});

export const VenCertificate = Type.Object(
  {
    fingerprint: Type.String({ description: "SHA-256 of the certificate, in hex." }),
    short_fingerprint: Type.String({ description: "Last ten bytes, as VENs show it.", examples: ["01:02:…:0A"] }),
    state: Type.Enum(["valid", "revoked", "expired"]),
    expires_at: Timestamp,
    revoked_at: nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: "VenCertificate" },
);
export type VenCertificate = Static<typeof VenCertificate>;

/** An OpenADR client of an account, as it was set up, and what was last heard of it. */
export const Ven = Type.Object(
  {
    id: id("ven", "Id of the VEN in this interface."),
    account_id: id("account", "Account it belongs to."),
    ven_id: VenId,
    environment: Environment,
    sites: Sites,
    transport: Transport,
    targets: Type.Object({
      resource: Type.Enum(["site_id", "customer_location_id"]),
      ven_id: Type.Boolean(),
    }),
    market_context: MarketContext,
    poll_interval_seconds: PollInterval,
    created_at: Timestamp,
    last_poll: nullable(Timestamp),
    last_acknowledgement: nullable(Timestamp),
    certificates: Type.Array(VenCertificate, { description: "Newest first." }),
  },
  { $id: "Ven" },
);
export type Ven = Static<typeof Ven>;

/** An event as a VEN knows it. */
export const VenEvent = Type.Object(
  {
    dispatch_id: id("dispatch", "The dispatch; the VEN calls it its event id."),
    first_shown_at: Timestamp,
    modification_number: Type.Integer({ description: "The last modification that it was shown." }),
    modification_shown_at: Timestamp,
    acknowledgement: nullable(
      Type.Object(
        {
          modification_number: Type.Integer(),
          opt: Type.Enum(["optIn", "optOut"]),
          response_code: Type.String({
            description: "The VEN's own code: 200 as a rule. An error is no acknowledgement.",
          }),
          at: Timestamp,
        },
        { description: "The newest modification that it answered, and how; null until it answers." },
      ),
    ),
  },
  { $id: "VenEvent" },
);
export type VenEvent = Static<typeof VenEvent>;

const issued = {
  certificate: Type.String({ description: "The VEN's certificate (PEM)." }),
  ca_certificate: Type.String({ description: "The authority's certificate (PEM), which the VEN checks us against." }),
  fingerprint: Type.String({ description: "SHA-256 of the certificate, in hex." }),
  short_fingerprint: Type.String({ description: "Last ten bytes, as VENs show it." }),
  expires_at: Timestamp,
};

export const IssuedCertificate = Type.Object(issued, { $id: "IssuedCertificate" });
export type IssuedCertificate = Static<typeof IssuedCertificate>;

export const CertificateClaim = Type.Object(
  {
    claim_url: Type.String({
      description: "One-time link: opening it and pressing the button makes and shows the key and certificate, once.",
    }),
    claim_expires_at: Timestamp,
  },
  { $id: "CertificateClaim" },
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
  summary: "Set up a VEN of an account",
  params: byId,
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
  params: byId,
  query: PageQuery,
  reply: pageOf(Ven),
});
export const getVen = endpoint({
  id: "getVen",
  method: "GET",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Retrieve a VEN",
  params: byId,
  reply: Ven,
});
export const changeVen = endpoint({
  id: "changeVen",
  method: "PATCH",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Change how a VEN gets its events",
  description: "Its ven_id and environment stay as they are: set up another VEN instead.",
  params: byId,
  body: Type.Object(settings),
  reply: Ven,
});
export const deleteVen = endpoint({
  id: "deleteVen",
  method: "DELETE",
  path: "/vens/{id}",
  tag: "VENs",
  summary: "Delete a VEN for good",
  description: "Its certificates and links end at once; its ven_id may be given to another.",
  params: byId,
  status: 204,
});
export const listVenEvents = endpoint({
  id: "listVenEvents",
  method: "GET",
  path: "/vens/{id}/events",
  tag: "VENs",
  summary: "List the events that a VEN knows, newest first",
  params: byId,
  query: PageQuery,
  reply: pageOf(VenEvent),
});
export const previewVen = endpoint({
  id: "previewVen",
  method: "GET",
  path: "/vens/{id}/preview",
  tag: "VENs",
  summary: "Retrieve the message that a VEN would get now",
  description: "Nothing is recorded: the VEN does not count as told.",
  params: byId,
  reply: Type.Object(
    {
      xml: Type.String({
        contentMediaType: "application/xml",
        description: "An oadrDistributeEvent with all its events; the ids of the request and the answer are made up.",
      }),
    },
    { $id: "VenPreview" },
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
    "With `csr` its key is certified, and nothing else that the request asks for. Without, a one-time link is made: it " +
    "shows a new key with its certificate once, within 24 hours. Certificates that the VEN has stay good.",
  params: byId,
  body: Type.Object({
    csr: Type.Optional(
      Type.String({
        contentMediaType: PEM,
        description: "Certificate request (PKCS#10, PEM), made with the VEN's key.",
      }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: "How long the certificate is good, 365 unless given; never longer than the authority's own.",
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
  summary: "Revoke a certificate of a VEN at once",
  params: Type.Object({ id: Type.String(), fingerprint: Type.String() }),
  status: 204,
});
export const getOpenadrAuthority = endpoint({
  id: "getOpenadrAuthority",
  method: "GET",
  path: "/openadr/ca",
  tag: "VENs",
  summary: "Retrieve what every VEN needs to know of this service",
  reply: Type.Object(
    {
      certificate: Type.String({ description: "The authority's certificate (PEM), which VENs check us against." }),
      vtn_id: Type.String({ description: "What we call ourselves in messages." }),
    },
    { $id: "OpenadrAuthority" },
  ),
});
