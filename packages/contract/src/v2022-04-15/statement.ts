import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { month, Terms } from "../operator-v1/terms.js";
import {
  accountName,
  byId,
  id,
  integer,
  moment,
  nullable,
  number,
  programName,
  siteName,
  string,
  timezone,
  version,
} from "../values.js";

const currency = string("Currency, a code of ISO 4217.", "USD");
const amount = (description: string, example = "1125.00") =>
  string(`${description} Decimal text in the currency; negative: the site pays.`, example);
const decimal = (description: string, example: string) => nullable(string(description, example));

const amounts = {
  capacity: amount("Payment for commitments."),
  energy: amount("Payment for delivered energy.", "60.00"),
  penalty: amount("Penalties.", "-12.50"),
  cap: amount("What limits take off the penalties.", "0.00"),
  total: amount("Sum of the above.", "1172.50"),
};

export const StatementTotal = Type.Object(
  { currency, ...amounts },
  { $id: "StatementTotal", description: "Sums of rounded lines in one currency." },
);

const kind = Type.Enum(["capacity", "energy", "penalty", "cap"], {
  description:
    "`capacity`: for the commitment. `energy`: for delivered energy. `penalty`: for missing energy. `cap`: a limit of the penalties.",
});

const dispatchOfLine = nullable(id("dispatch", "Dispatch of the line. null: the line is about the month."));

const SharedEnergy = Type.Object(
  {
    dispatch_id: id("dispatch", "The other dispatch, of this program or another one."),
    intervals: nullable(integer("Intervals of 30 seconds that both claim. null: both are open.", 60)),
    paid: Type.Enum(["here", "there"], {
      description: "Which of the two is paid for them: `here`, the dispatch of this line; `there`, the other one.",
    }),
  },
  { $id: "SharedEnergy", description: "A dispatch that claims the same energy of the site. It is paid once." },
);

const StatementLine = Type.Object(
  {
    kind,
    dispatch_id: dispatchOfLine,
    start_time: nullable(moment("Start of the dispatch.", "start")),
    version: nullable(integer("Version of the dispatch's result. null: not final yet, or no dispatch.", 1)),
    quantity: decimal("What is multiplied by the price, in `unit`. null: unknown.", "250.000"),
    unit: nullable(Type.Enum(["kW", "kWh"], { description: "Unit of the quantity." })),
    price: decimal("Price for a unit.", "4.5"),
    factor: decimal("Factor of the price.", "0.952381"),
    amount: amount("Quantity × price × factor, rounded half away from zero to the currency's minor unit."),
    words: string("What the line is for, or why its amount is zero.", "commitment of the month"),
    shared_with: Type.Array(SharedEnergy, {
      description: "Dispatches that overlap this one: an interval of a site is paid in one of them alone.",
    }),
  },
  { $id: "StatementLine", description: "A line of a statement, with everything that its amount is computed from." },
);

const StatementSite = Type.Object(
  {
    program_id: id("program"),
    site_id: id("site"),
    name: siteName,
    commitment_kw: nullable(
      number(
        "Commitment at the end of the month, in kW; null if none is agreed or the site is not enrolled then.",
        250,
      ),
    ),
    ...amounts,
    lines: Type.Array(StatementLine, { description: "Lines of the site, in order of the dispatches." }),
  },
  { $id: "StatementSite", description: "The part of a statement about a site in a program." },
);

const rulesVersion = integer(
  "Version of the rules that the month is settled by. 1: those of before rules had versions. 2: energy and capacity are paid once, and commitments count by days.",
  2,
);

const StatementProgram = Type.Object(
  {
    id: id("program"),
    name: programName,
    timezone: timezone("Time zone that the month is of."),
    from_month: month("Month from which the terms hold."),
    rules_version: rulesVersion,
    terms: Terms,
  },
  { $id: "StatementProgram", description: "A program of a statement, with the terms that were used." },
);

export const StatementChange = Type.Object(
  {
    program_id: id("program"),
    site_id: nullable(id("site", "Site of the line. null: the terms of the program changed.")),
    site_name: nullable(siteName),
    kind: nullable(kind),
    dispatch_id: dispatchOfLine,
    currency,
    from: nullable(amount("Amount in the version before; null: there was no such line.")),
    to: nullable(amount("Amount in this version; null: there is no such line any more.")),
    words: string("What changed besides the amount.", "result version 1 → 2; 40.000 → 20.000 kWh"),
  },
  { $id: "StatementChange", description: "What differs from the version before." },
);

const StatementVersion = Type.Object(
  {
    version: integer("Number of the version.", 2),
    at: moment("When it was made.", "later"),
    reason: Type.Enum(["made", "restated", "approved"], {
      description:
        "`made`: the first. `restated`: results, terms or enrolments changed. `approved`: an operator approved the version before.",
    }),
    standing: Type.Enum(["standing", "superseded", "beside"], {
      description:
        "`standing`: the one that applies. `superseded`: an earlier one. `beside`: later than the approved one, and changes nothing.",
    }),
    by: nullable(
      string("Who approved it: `operator`, or a user for operators. null: the service made it.", "operator"),
    ),
    note: nullable(string("Why it was approved.", "agreed with the account")),
    totals: nullable(
      Type.Array(StatementTotal, { description: "Totals by currency." }),
      "Totals by currency. null if not all sites are visible.",
    ),
    changes: Type.Array(StatementChange, {
      description:
        "Lines whose amount differs from the version before, sites that are gone, and changed terms; at most 200.",
    }),
    change_count: integer("Number of changes, listed or not.", 1),
    traces: Type.Array(StatementChange, {
      description:
        "Lines whose amount is the same, but not the result or the quantity that it is traced to; at most 200.",
    }),
    trace_count: integer("Number of traces, listed or not.", 0),
  },
  { $id: "StatementVersion", description: "A version of a statement; it never changes." },
);

const state = Type.Enum(["provisional", "complete", "approved"], {
  description:
    "`provisional`: the month is not over, or results are not final. `complete`: it may be approved. `approved`: it does not change any more.",
});

const head = {
  id: id("statement"),
  account_id: id("account"),
  account_name: accountName,
  month: month("Month of the statement, in the time zone of each program."),
  state,
};

export const StatementItem = Type.Object(
  {
    ...head,
    version: integer("Version that applies.", 1),
    newest_version: integer("Newest version; later than the one that applies if something changed after approval.", 1),
    waiting: integer("Number of dispatches without a final result.", 0),
    totals: nullable(
      Type.Array(StatementTotal, { description: "Totals by currency." }),
      "Totals by currency. null if not all sites are visible.",
    ),
  },
  { $id: "StatementItem", description: "A statement in a list, as of the version that applies." },
);
export type StatementItem = Static<typeof StatementItem>;

export const Statement = Type.Object(
  {
    ...head,
    version: integer("The version that is returned.", 1),
    versions: Type.Array(StatementVersion, { description: "All versions, oldest first." }),
    waiting: Type.Array(
      Type.Object({
        dispatch_id: id("dispatch"),
        program_id: id("program"),
        start_time: moment("Start of the dispatch.", "start"),
      }),
      { description: "Dispatches without a final result. Their lines are zero until then." },
    ),
    programs: Type.Array(StatementProgram, { description: "Programs with the terms that were used." }),
    totals: Type.Array(StatementTotal, { description: "Totals by currency." }),
    hidden_sites: integer("Number of sites that are left out because their data is not visible.", 0),
    sites: Type.Array(StatementSite, { description: "Sites, program by program, by name." }),
  },
  { $id: "Statement", description: "What is owed to an account, or by it, for a month, traced to results." },
);
export type Statement = Static<typeof Statement>;

export const statementQuery = {
  version: Type.Optional(version("Version of the statement. Default: the one that applies.")),
};

const isExtension = "An extension of the interface.";

export const listStatements = endpoint({
  id: "listStatements",
  method: "GET",
  path: "/statements",
  tag: "Settlement",
  summary: "List your statements",
  description: `${isExtension} Returns the statements of your account, the newest first, those that are provisional among them.`,
  query: Type.Object({
    ...PageQuery.properties,
    month: Type.Optional(month("Only the statement of this month.")),
  }),
  reply: pageOf(StatementItem),
});

export const getStatement = endpoint({
  id: "getStatement",
  method: "GET",
  path: "/statements/{id}",
  tag: "Settlement",
  summary: "Retrieve one of your statements",
  description: `${isExtension} Returns the statement with its lines. \`csv\`: one row per line. \`html\`: a document to print.`,
  params: byId("statement"),
  query: Type.Object({
    ...statementQuery,
    format: Type.Optional(
      Type.Enum(["json", "csv", "html"], { description: "Form of the statement. Default: `json`." }),
    ),
  }),
  reply: Statement,
  otherForms: ["text/csv", "text/html"],
});

export const downloadStatementInputs = endpoint({
  id: "downloadStatementInputs",
  method: "GET",
  path: "/statements/{id}/inputs",
  tag: "Settlement",
  summary: "Download what one of your statements is computed from",
  description: `${isExtension} \`results\`: one row per site and dispatch, with what was delivered. \`sites\`: the sites with their commitments at the end of the month. \`terms\`: the terms of each program. Numbers are not rounded. In CSV, an apostrophe precedes names that a spreadsheet would take for a formula.`,
  params: byId("statement"),
  query: Type.Object({
    ...statementQuery,
    table: Type.Optional(
      Type.Enum(["results", "shared", "sites", "commitments", "terms"], {
        description: "Table to download. Default: `results`.",
      }),
    ),
  }),
  files: ["text/csv"],
});
