import { Card } from "../../../ui/card.js";
import { Table } from "../../../ui/table.js";

const columns = [
  { name: "account", what: "Name of the participant. A new name makes a new account.", needed: true },
  { name: "site", what: "Name of the site.", needed: true },
  {
    name: "customer_location_id",
    what: "The owner's own identifier. Sites are known by it, else by their name.",
    needed: false,
  },
  { name: "dispatch_group", what: "Group that the site is dispatched with.", needed: false },
  { name: "timezone", what: "Time zone by its name, such as America/Chicago.", needed: false },
  { name: "meter", what: "Name of the meter. Several lines with the same site are its meters.", needed: true },
  { name: "asset_type", what: "load, generator, battery or poi; load unless given.", needed: false },
  { name: "program", what: "Name of a program that there is: the site is enrolled in it.", needed: null },
  { name: "commitment_kw", what: "What the site commits to reduce in it.", needed: null },
];

const example = [
  columns.map(({ name }) => name).join(","),
  "North Cold Storage,Warehouse 4711,4711,cold stores,America/Chicago,main,load,,",
  "North Cold Storage,Warehouse 4711,4711,cold stores,America/Chicago,roof,generator,,",
  'Acme Stores,"Store 1, Main Street",S-001,stores,America/New_York,main,load,,',
  "",
].join("\n");

/** What a file looks like. */
export const Format = () => (
  <Card
    flush
    title="What the file looks like"
    actions={
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(example)}`}
        download="curtail-import-example.csv"
        className="text-sm font-medium text-accent hover:underline"
      >
        Save an example
      </a>
    }
  >
    <p className="px-4 pb-2 text-muted">
      The first line names the columns, in any order, with commas or semicolons between. At most 2,000 lines. An empty
      cell leaves what is there as it is.
    </p>
    <Table
      label="Columns"
      rows={columns}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        { head: "Column", cell: ({ name }) => <code>{name}</code> },
        { head: "What it says", cell: ({ what }) => what },
        {
          head: "Cells",
          cell: ({ needed }) =>
            needed === null ? "the column may be missing" : needed ? "have to be filled" : "may be empty",
          wide: true,
        },
      ]}
    />
  </Card>
);
