import { MAX_IMPORT_LINES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { Card } from "../../../ui/card.js";
import { Table } from "../../../ui/table.js";

const columns = [
  { name: "account", what: say("Name of the participant. A new name creates an account."), needed: true },
  { name: "site", what: say("Name of the site."), needed: true },
  {
    name: "customer_location_id",
    what: say("The owner's own identifier. Identifies the site; if empty, its name does."),
    needed: false,
  },
  { name: "dispatch_group", what: say("Dispatch group of the site."), needed: false },
  { name: "timezone", what: say("IANA time zone, such as America/Chicago."), needed: false },
  { name: "meter", what: say("Name of the meter. For several meters, repeat the site on each line."), needed: true },
  { name: "asset_type", what: say("load, generator, battery or poi. The default is load."), needed: false },
  { name: "program", what: say("Name of an existing program to enrol the site in."), needed: null },
  { name: "commitment_kw", what: say("The site's commitment in the program."), needed: null },
  { name: "kwh_means", what: say("charge (default) or energy: what uploaded kWh of a battery mean."), needed: null },
  { name: "latitude", what: say("Latitude of the site in degrees (WGS 84), for the map."), needed: null },
  { name: "longitude", what: say("Longitude of the site in degrees."), needed: null },
];

const example = [
  columns.map(({ name }) => name).join(","),
  "North Cold Storage,Warehouse 4711,4711,cold stores,America/Chicago,main,load,,,,41.878114,-87.629798",
  "North Cold Storage,Warehouse 4711,4711,cold stores,America/Chicago,roof,generator,,,,,",
  'Acme Stores,"Store 1, Main Street",S-001,stores,America/New_York,main,load,,,,,',
  "",
].join("\n");

/** The format of import files. */
export const Format = () => (
  <Card
    flush
    title={say("File format")}
    actions={
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(example)}`}
        download="curtail-import-example.csv"
        className="text-sm font-medium text-accent hover:underline"
      >
        {say("Download an example")}
      </a>
    }
  >
    <p className="px-4 pb-2 text-muted">
      {say(
        "The first line names the columns, in any order, separated by commas or semicolons. At most {n, plural, one {# line} other {# lines}}. An empty cell leaves the current value unchanged.",
        { n: MAX_IMPORT_LINES },
      )}
    </p>
    <Table
      label={say("Columns")}
      rows={columns}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        { head: say("Column"), cell: ({ name }) => <code>{name}</code> },
        { head: say("Meaning"), cell: ({ what }) => what },
        {
          head: say("Cells", {}, "of a table"),
          cell: ({ needed }) =>
            needed === null ? say("column optional") : needed ? say("required") : say("may be empty"),
          wide: true,
        },
      ]}
    />
  </Card>
);
