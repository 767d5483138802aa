import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import * as sharing from "../v2022-04-15/shared-energy.js";
import * as participant from "../v2022-04-15/statement.js";
import { byId, givenId, id, integer, text, version } from "../values.js";
import { PageQuery, pageOf } from "./list.js";
import { month } from "./terms.js";

const MadeStatement = Type.Object(
  {
    id: id("statement"),
    account_id: id("account"),
    month: month("Month of the statement."),
    version: integer("Newest version.", 1),
    outcome: Type.Enum(["made", "restated", "unchanged"], {
      description: "`unchanged`: nothing differs from the newest version.",
    }),
  },
  { $id: "MadeStatement", description: "A statement that was made." },
);

const MadeStatements = Type.Object(
  { items: Type.Array(MadeStatement, { description: "One statement per account." }) },
  { $id: "MadeStatements", description: "The statements that were made." },
);

export const makeStatements = endpoint({
  id: "makeStatements",
  method: "POST",
  path: "/statements",
  once: "within",
  tag: "Settlement",
  summary: "Create the statements of a month",
  description:
    "Makes a statement for every account with sites that were enrolled or dispatched in programs with terms, or for one account. Present statements are made again; only differences make another version. They are kept up to date until they are approved. Without terms, or with nothing to settle, the reply is 400.",
  body: Type.Object({
    month: month("Month to settle, in the time zone of each program."),
    account_id: Type.Optional(givenId("account", "Account to settle. Default: all accounts.")),
  }),
  reply: MadeStatements,
});

export const listAllStatements = endpoint({
  id: "listAllStatements",
  method: "GET",
  path: "/statements",
  tag: "Settlement",
  summary: "List statements",
  description: "Returns the statements of all accounts, the newest first, as of the versions that stand.",
  query: Type.Object({
    ...PageQuery.properties,
    month: Type.Optional(month("Only statements of this month.")),
    account_id: Type.Optional(id("account", "Only statements of this account.")),
    state: Type.Optional(
      Type.Enum(["provisional", "complete", "approved"], { description: "Only statements in this state." }),
    ),
  }),
  reply: pageOf(participant.StatementItem),
});

export const getAnyStatement = endpoint({
  ...participant.getStatement,
  id: "getAnyStatement",
  summary: "Retrieve a statement",
  description:
    "Returns the statement with its lines. `csv`: one row per line. `html`: a document to print. `docs/statements.md` shows how to compute it again.",
});

export const downloadAnyStatementInputs = endpoint({
  ...participant.downloadStatementInputs,
  id: "downloadAnyStatementInputs",
  summary: "Download what a statement is computed from",
});

export const getAnySharedEnergy = endpoint({
  ...sharing.getSharedEnergy,
  id: "getAnySharedEnergy",
  summary: "Retrieve which dispatches share energy with a dispatch",
  description:
    "Energy of a site is paid once: of the dispatches that overlap, the one that was created first. Returns the dispatches that claim energy of sites in this one, as the terms of their months settle it; of tests, void dispatches and months by earlier rules, none.",
});

export const StatementVersionQuery = Type.Object(participant.statementQuery);

const ApprovedStatement = Type.Object(
  { id: id("statement"), version: integer("The approved version.", 2) },
  { $id: "ApprovedStatement", description: "A statement that was approved." },
);
export type ApprovedStatement = Static<typeof ApprovedStatement>;

export const approveStatement = endpoint({
  id: "approveStatement",
  method: "POST",
  path: "/statements/{id}/approve",
  once: "within",
  tag: "Settlement",
  summary: "Approve a statement",
  description:
    "Makes a version of its own of the newest one, which no longer changes. Later changes are listed with it. Approve again to include them. A version that is not the newest, or a month that is not over, gets 400.",
  params: byId("statement"),
  body: Type.Object({
    version: version("The newest version, which you have looked at."),
    note: text(NAME_CHARACTERS, "Why it is approved.", "agreed with the account", 1),
  }),
  reply: ApprovedStatement,
});
