import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { nullable } from "../values.js";

export const MAX_SHOWN_FAULTS = 1000;
export const MAX_PREVIEW_LINES = 200;

const ImportCounts = Type.Object(
  { accounts: Type.Integer(), sites: Type.Integer(), meters: Type.Integer(), enrolments: Type.Integer() },
  { $id: "ImportCounts" },
);
export type ImportCounts = Static<typeof ImportCounts>;

const Outcome = Type.Enum(["new", "changed", "existing"]);

const ImportedLine = Type.Object(
  {
    line: Type.Integer({ description: "Line of the file; the header is 1." }),
    account_name: Type.String(),
    account: Type.Enum(["new", "existing"]),
    site_name: Type.String(),
    site: Outcome,
    meter_name: Type.String(),
    meter: Outcome,
    enrolment: nullable(Outcome),
  },
  { $id: "ImportedLine" },
);
export type ImportedLine = Static<typeof ImportedLine>;

const ImportFault = Type.Object(
  {
    line: Type.Integer(),
    column: nullable(Type.String({ description: "null: the whole line." })),
    message: Type.String({ description: "What is wrong, and what to do." }),
  },
  { $id: "ImportFault" },
);

export const ImportResult = Type.Object(
  {
    dry_run: Type.Boolean(),
    lines: Type.Integer({ description: "Lines below the header, as far as they were read." }),
    create: ImportCounts,
    change: ImportCounts,
    unchanged: ImportCounts,
    fault_count: Type.Integer({ description: "0 where the file can be imported." }),
    faults: Type.Array(ImportFault, { description: `In the order of lines, the first ${MAX_SHOWN_FAULTS}.` }),
    preview: Type.Array(ImportedLine, { description: `What becomes of the first ${MAX_PREVIEW_LINES} lines.` }),
  },
  { $id: "ImportResult" },
);
export type ImportResult = Static<typeof ImportResult>;

export const importSites = endpoint({
  id: "importSites",
  method: "POST",
  path: "/import",
  once: "within",
  tag: "Sites",
  summary: "Import accounts, sites and meters from CSV",
  description:
    "A line is a meter. The header names `account`, `site`, `customer_location_id`, `dispatch_group`, `timezone`, `meter`, `asset_type`, and perhaps `program` and `commitment_kw`, which enrol the site; any order, `,` or `;` between cells. Accounts are known by name, sites by `customer_location_id`, else by name, meters by name: what is there is changed where the file says something else, an empty cell says nothing, nothing is deleted, and the same file again changes nothing. At most 2,000 lines. With a fault nothing is written: a dry run answers 200 with all faults, else the answer is 400 and names the first.",
  body: Type.Object({
    csv: Type.String({ contentMediaType: "text/csv", description: "The file." }),
    dry_run: Type.Boolean({ description: "true: say what would be done, and what is wrong; write nothing." }),
  }),
  reply: ImportResult,
});
