import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { ScenarioType } from "../v2022-04-15/scenario.js";
import { byId, id, moment, nullable } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

const NoticeChannel = Type.Enum(["webhook", "polling", "openadr"], {
  description:
    "`webhook`: a webhook accepted the notification. `polling`: a dispatch was read with GET. `openadr`: a VEN received it.",
});

/** What an account's newest certificate says. */
export const CertifiedIntegration = Type.Object(
  {
    certified_at: moment("When the last required scenario was passed.", "later"),
    scenarios: Type.Array(Type.Enum(["update", "cancellation"]), {
      description: "The scenarios that were passed.",
      examples: [["update", "cancellation"]],
    }),
    channels: Type.Array(NoticeChannel, { description: "How the account learned of their dispatches." }),
  },
  { $id: "CertifiedIntegration", description: "The newest certificate of the account's systems in the sandbox." },
);
export type CertifiedIntegration = Static<typeof CertifiedIntegration>;

const CertificatePass = Type.Object(
  {
    scenario_id: id("scenario"),
    scenario_type: ScenarioType,
    passed_at: moment("When the report became final.", "later"),
    channels: Type.Array(NoticeChannel, { description: "How the account learned of the scenario's dispatches." }),
    key_id: nullable(id("key", "Sandbox key that acted last in the scenario; null if only a VEN did.")),
  },
  { $id: "CertificatePass", description: "A scenario of which every criterion was passed." },
);

/** Members of a certificate. */
export const integrationCertificate = {
  id: id("certificate"),
  account_id: id("account", "Account whose systems were certified."),
  certified_at: moment("When the last required scenario was passed.", "later"),
  passes: Type.Array(CertificatePass, { description: "The required scenarios: `update` and `cancellation`." }),
};

export const IntegrationCertificate = Type.Object(integrationCertificate, {
  $id: "IntegrationCertificate",
  description: "Says that the account's systems passed the required scenarios in the sandbox.",
});
export type IntegrationCertificate = Static<typeof IntegrationCertificate>;

/** How certificates come about. */
export const certificateRules =
  "A certificate is stored when every criterion of a scenario of type `update` and of one of type `cancellation` is passed. It is kept when the scenarios are removed. Passing both again makes a new one.";

export const listAccountCertificates = endpoint({
  id: "listAccountCertificates",
  method: "GET",
  path: "/accounts/{id}/integration-certificates",
  tag: "Sandbox",
  summary: "List an account's certificates of the sandbox, newest first",
  description: certificateRules,
  params: byId("account"),
  query: PageQuery,
  reply: pageOf(IntegrationCertificate),
});
