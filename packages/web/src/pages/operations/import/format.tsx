import { MAX_IMPORT_LINES } from "@curtail/contract/constants";
import { count } from "../../../format/quantity.js";
import { Card } from "../../../ui/card.js";
import { Table } from "../../../ui/table.js";

const columns = [
  { name: "account", what: "Name of the participant. A new name creates an account.", needed: true },
  { name: "site", what: "Name of the site.", needed: true },
  {
    name: "customer_location_id",
    what: "The owner's own identifier. Identifies the site; if empty, its name does.",
    needed: false,
  },
  { name: "dispatch_group", what: "Dispatch group of the site.", needed: false },
  { name: "timezone", what: "IANA time zone, such as America/Chicago.", needed: false },
  { name: "meter", what: "Name of the meter. For several meters, repeat the site on each line.", needed: true },
  { name: "asset_type", what: "load, generator, battery or poi. The default is load.", needed: false },
  { name: "program", what: "Name of an existing program to enrol the site in.", needed: null },
  { name: "commitment_kw", what: "The site's commitment in the program.", needed: null },
  { name: "kwh_means", what: "charge (default) or energy: what uploaded kWh of a battery mean.", needed: null },
  { name: "latitude", what: "Latitude of the site in degrees (WGS 84), for the map.", needed: null },
  { name: "longitude", what: "Longitude of the site in degrees.", needed: null },
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
    title="File format"
    actions={
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(example)}`}
        download="curtail-import-example.csv"
        className="text-sm font-medium text-accent hover:underline"
      >
        Download an example
      </a>
    }
  >
    <p className="px-4 pb-2 text-muted">
      The first line names the columns, in any order, separated by commas or semicolons. At most{" "}
      {count(MAX_IMPORT_LINES)} lines. An empty cell leaves the current value unchanged.
    </p>
    <Table
      label="Columns"
      rows={columns}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        { head: "Column", cell: ({ name }) => <code>{name}</code> },
        { head: "Meaning", cell: ({ what }) => what },
        {
          head: "Cells",
          cell: ({ needed }) => (needed === null ? "column optional" : needed ? "required" : "may be empty"),
          wide: true,
        },
      ]}
    />
  </Card>
);
