import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { idsOf, linesOf } from "./id-list.js";

export type Openadr3Client = operator.Openadr3Client;
type Scope = Openadr3Client["scopes"][number];

export const clientRoleWords: Readonly<Record<Openadr3Client["role"], string>> = {
  ven: "VEN",
  bl: say("Business logic"),
};

/** The settings of a client of OpenADR 3 in the form. */
export interface Openadr3ClientDraft {
  readonly name: string;
  readonly environment: Openadr3Client["environment"];
  /** Ids; empty: all sites of the account. */
  readonly sites: string;
  readonly targets: string;
  readonly scopes: readonly Scope[];
}

/** What a client of a role may have. */
export const SCOPES_OF: Readonly<Record<Openadr3Client["role"], readonly Scope[]>> = {
  ven: ["read_all", "read_targets", "read_ven_objects", "write_reports", "write_subscriptions", "write_vens"],
  bl: [
    "read_all",
    "read_bl",
    "read_targets",
    "read_ven_objects",
    "write_programs",
    "write_events",
    "write_subscriptions",
    "write_vens",
  ],
};

export const newClientDraft = (role: Openadr3Client["role"]): Openadr3ClientDraft => ({
  name: "",
  environment: "production",
  sites: "",
  targets: "",
  scopes: SCOPES_OF[role],
});

export const clientDraftOf = ({ name, environment, sites, targets, scopes }: Openadr3Client): Openadr3ClientDraft => ({
  name,
  environment,
  sites: sites === "all" ? "" : sites.join("\n"),
  targets: targets.join("\n"),
  scopes,
});

/** The request body; business logic has neither sites nor targets. */
export const clientSettingsOf = (draft: Openadr3ClientDraft, role: Openadr3Client["role"]) => {
  const common = { name: draft.name.trim(), scopes: SCOPES_OF[role].filter((scope) => draft.scopes.includes(scope)) };
  if (role === "bl") return common;
  const sites = idsOf(draft.sites);
  return { ...common, sites: sites.length === 0 ? ("all" as const) : sites, targets: linesOf(draft.targets) };
};
