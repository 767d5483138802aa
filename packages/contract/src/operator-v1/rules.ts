import Type, { type Static } from "typebox";
import { NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { StatementChange, StatementTotal } from "../v2022-04-15/statement.js";
import { accountName, boolean, id, integer, moment, nullable, string, text, version } from "../values.js";
import { PageQuery, pageOf } from "./list.js";
import { month } from "./terms.js";

const rulesVersion = integer("Version of the rules by which results and statements are made.", 2);
const fromMonth = month("First month that the rules hold in, in the time zone of each program.");
const reason = (description: string) => string(description, "the settlement of October is by these rules");

const RulesAdoption = Type.Object(
  {
    rules_version: rulesVersion,
    from_month: fromMonth,
    adopted_at: moment("When it was decided: the moment of the upgrade, or of the operator's act.", "created"),
    by: nullable(
      string("Who adopted the rules earlier: `operator`, or a user for operators. null: the upgrade.", "operator"),
    ),
    reason: nullable(reason("Why they were adopted earlier. null: the upgrade brought them.")),
  },
  { $id: "RulesAdoption", description: "From when on rules of a version hold." },
);

const RulesAdoptions = Type.Object(
  { items: Type.Array(RulesAdoption, { description: "Oldest first. Before all of them, version 1 holds." }) },
  { $id: "RulesAdoptions", description: "Which rules hold from when on." },
);

export const listRules = endpoint({
  id: "listRules",
  method: "GET",
  path: "/rules",
  tag: "Settlement",
  summary: "List the rules of results and statements",
  description: "Returns from which month on which version of the rules holds. `docs/statements.md` says what differs.",
  reply: RulesAdoptions,
});

const RulesDifference = Type.Object(
  {
    statement_id: id("statement"),
    account_id: id("account"),
    account_name: accountName,
    month: month("Month of the statement."),
    version: version("The newest version, which is compared."),
    before: Type.Array(StatementTotal, { description: "Totals of that version, by currency." }),
    after: Type.Array(StatementTotal, { description: "Totals by the new rules, by currency." }),
    changes: Type.Array(StatementChange, { description: "Lines whose amount would differ; at most 200." }),
    change_count: integer("Number of changes, listed or not.", 1),
    measured_again: boolean(
      "Whether results were measured again for this. If not, since they are too many, what the new rules of measuring change is missing here.",
      true,
    ),
  },
  { $id: "RulesDifference", description: "What an account would get by the new rules for a month." },
);

export const previewRules = endpoint({
  id: "previewRules",
  method: "GET",
  path: "/rules/preview",
  tag: "Settlement",
  summary: "Preview the newest rules for earlier months",
  description:
    "Returns for each statement of the months from `from_month` on what it would be by the newest rules, and stores nothing. Results are measured again for it, so a page may end early and take some seconds. What adopting the rules would refuse is refused here, too.",
  query: Type.Object({ ...PageQuery.properties, from_month: fromMonth }),
  reply: pageOf(RulesDifference),
});

export const adoptRules = endpoint({
  id: "adoptRules",
  method: "POST",
  path: "/rules/adopt",
  once: "within",
  tag: "Settlement",
  summary: "Set the newest rules for earlier months",
  description:
    "Applies the newest rules from an earlier month than the first after the upgrade. Dispatches of these months are measured again, and their statements are made again. Approved results keep their version. A month with an approved statement is refused: what was settled keeps its rules. It cannot be undone.",
  body: Type.Object({
    from_month: fromMonth,
    reason: text(NAME_CHARACTERS, "Why they are adopted.", "agreed with all accounts", 1),
  }),
  reply: RulesAdoption,
});

export type RulesDifference = Static<typeof RulesDifference>;
export type RulesAdoptions = Static<typeof RulesAdoptions>;
