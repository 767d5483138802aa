import Type, { type Static } from "typebox";
import { MAX_IMPORT_LINES } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { accountName, boolean, integer, meterName, nullable, siteName, string } from "../values.js";

export const MAX_SHOWN_FAULTS = 1000;
export const MAX_PREVIEW_LINES = 200;

const line = integer("Line of the file; the header is line 1.", 2);

const ImportCounts = Type.Object(
  {
    accounts: integer("Number of accounts.", 1),
    sites: integer("Number of sites.", 12),
    meters: integer("Number of meters.", 14),
    enrolments: integer("Number of enrolments.", 12),
  },
  { $id: "ImportCounts", description: "Number of objects: to create, to change, or unchanged." },
);
export type ImportCounts = Static<typeof ImportCounts>;

const outcome = (object: string) =>
  Type.Enum(["new", "changed", "existing"], {
    description: `Whether the ${object} is created, changed, or stays as it is.`,
  });

const ImportedLine = Type.Object(
  {
    line,
    account_name: accountName,
    account: Type.Enum(["new", "existing"], { description: "Whether the account is created, or exists." }),
    site_name: siteName,
    site: outcome("site"),
    meter_name: meterName,
    meter: outcome("meter"),
    enrolment: nullable(outcome("enrolment"), "The same for the enrolment; null without a program."),
  },
  { $id: "ImportedLine", description: "What the import does for a line." },
);
export type ImportedLine = Static<typeof ImportedLine>;

const ImportFault = Type.Object(
  {
    line,
    column: nullable(string("Column of the error; null for the whole line.", "timezone")),
    message: string("What is wrong, and how to correct it.", 'timezone is "Chicago"; use an IANA name'),
  },
  { $id: "ImportFault", description: "An error in the file." },
);

export const ImportResult = Type.Object(
  {
    dry_run: boolean("Whether the import was a dry run, which writes nothing.", true),
    lines: integer("Lines read below the header.", 14),
    create: ImportCounts,
    change: ImportCounts,
    unchanged: ImportCounts,
    fault_count: integer("Number of errors; 0 if the file can be imported.", 0),
    faults: Type.Array(ImportFault, { description: `The first ${MAX_SHOWN_FAULTS} errors, by line.` }),
    near_matches: Type.Array(ImportFault, {
      description: `What is new, but almost the same as something else, in the form of errors; the first ${MAX_SHOWN_FAULTS}, by line. Names are compared without regard to case and kinds of spaces, identifiers also without leading zeros. An import creates it only if \`confirm_near_matches\` is true.`,
    }),
    preview: Type.Array(ImportedLine, {
      description: `What the import does for each of the first ${MAX_PREVIEW_LINES} lines.`,
    }),
  },
  { $id: "ImportResult", description: "What an import did, or would do." },
);
export type ImportResult = Static<typeof ImportResult>;

export const importSites = endpoint({
  id: "importSites",
  method: "POST",
  path: "/import",
  once: "within",
  tag: "Sites",
  summary: "Import accounts, sites and meters from CSV",
  description: `Each line is a meter. The header names \`account\`, \`site\`, \`customer_location_id\`, \`dispatch_group\`, \`timezone\`, \`meter\` and \`asset_type\` in any order, and optionally \`program\` and \`commitment_kw\`, which enrol the site, \`kwh_means\` of batteries: \`charge\` (the default) or \`energy\`, and \`latitude\` and \`longitude\` of the site in degrees (WGS 84). The separator is \`,\` or \`;\`. A file has at most ${MAX_IMPORT_LINES.toLocaleString("en")} lines.\n\nAccounts are matched by name, sites by \`customer_location_id\` or else by name, meters by name. Existing objects are changed where the file differs; an empty value changes nothing, and nothing is deleted. Importing the same file again changes nothing.\n\nIf the file has an error, nothing is written: a dry run returns 200 with all errors, an import 400 with the first.`,
  body: Type.Object({
    csv: Type.String({
      contentMediaType: "text/csv",
      description: "The file.",
      examples: [
        "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type\nNorthgate Foods,Northgate Store 12,store-12,north,America/Chicago,Main meter,load\n",
      ],
    }),
    dry_run: boolean("`true`: write nothing; return what the import would do, and all errors.", true),
    confirm_near_matches: Type.Optional(
      boolean("`true`: create what is listed in `near_matches`; without it, such an import is a 400.", false),
    ),
  }),
  reply: ImportResult,
});
