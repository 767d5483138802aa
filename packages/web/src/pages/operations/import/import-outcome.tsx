import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { refusalWords } from "../../../api/refusal-words.js";
import { count } from "../../../format/quantity.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Card, Facts } from "../../../ui/card.js";
import { Table } from "../../../ui/table.js";
import { countWords } from "./count-words.js";

type Result = operator.ImportResult;

/** Faults of the file by line. */
export const ImportFaults = ({ result: { faults, fault_count } }: { readonly result: Result }) => (
  <Card
    flush
    title={
      <span className="text-bad">
        {say("{n, plural, one {# fault} other {# faults}}: nothing will be imported", { n: fault_count })}
      </span>
    }
  >
    <ByLine label={say("Faults")} head={say("Fault")} rows={faults} />
  </Card>
);

/** New objects that are almost the same as others; they are imported after a confirmation. */
export const NearMatches = ({ result: { near_matches } }: { readonly result: Result }) => (
  <Card
    flush
    title={
      <span className="text-warn">
        {say("{n, plural, one {# near match} other {# near matches}}", { n: near_matches.length })}
      </span>
    }
  >
    <ByLine label={say("Near matches")} head={say("Near match")} rows={near_matches} />
  </Card>
);

interface Lines {
  readonly label: string;
  readonly head: string;
  readonly rows: Result["faults"];
}

const ByLine = ({ label, head, rows }: Lines) => (
  <Table
    label={label}
    rows={rows}
    keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
    empty={say("None.")}
    columns={[
      { head: say("Line", {}, "of a file"), cell: ({ line }) => line },
      {
        head,
        cell: ({ column, message }) => (
          <>
            {column !== null && <code>{column}</code>} {refusalWords(message)}
          </>
        ),
      },
    ]}
  />
);

/** What the import does, or would do. */
export const ImportOutcome = ({ result }: { readonly result: Result }) => {
  const { dry_run, lines, create, change, unchanged, preview } = result;
  return (
    <Card flush title={dry_run ? say("Preview of the import") : say("Imported")}>
      <div className="px-4 pb-3">
        <Facts
          facts={[
            [say("Lines", {}, "of a file"), say("{n, plural, one {# line} other {# lines}}", { n: lines })],
            [say("New", {}, "objects of an import"), countWords(create)],
            [say("Changed", {}, "objects of an import"), countWords(change)],
            [say("Unchanged", {}, "objects of an import"), countWords(unchanged)],
          ]}
        />
      </div>
      <Table
        label={say("Lines", {}, "of a file")}
        rows={preview}
        keyOf={({ line }) => line}
        empty={say("The file has no lines below its header.")}
        columns={[
          { head: say("Line", {}, "of a file"), cell: ({ line }) => line },
          {
            head: say("Account"),
            cell: ({ account_name, account }) => <Named name={account_name} outcome={account} />,
          },
          { head: say("Site"), cell: ({ site_name, site }) => <Named name={site_name} outcome={site} /> },
          { head: say("Meter"), cell: ({ meter_name, meter }) => <Named name={meter_name} outcome={meter} /> },
          {
            head: say("Enrolment"),
            cell: ({ enrolment }) => (enrolment === null ? "–" : <Outcome of={enrolment} />),
            wide: true,
          },
        ]}
      />
      {preview.length < lines && (
        <p className="px-4 py-3 text-muted">
          {say("Showing the first {shown} of {n, plural, one {# line} other {# lines}}.", {
            shown: count(preview.length),
            n: lines,
          })}
        </p>
      )}
    </Card>
  );
};

const outcomes: Readonly<Record<string, readonly [Tone, string]>> = {
  new: ["good", say("new", {}, "object of an import")],
  changed: ["info", say("changed", {}, "object of an import")],
  existing: ["neutral", say("unchanged", {}, "object of an import")],
};

const Outcome = ({ of }: { readonly of: string }) => {
  const [tone, text] = outcomes[of] ?? ["neutral", of];
  return <Badge tone={tone}>{text}</Badge>;
};

const Named = ({ name, outcome }: { readonly name: string; readonly outcome: string }) => (
  <>
    {name} <Outcome of={outcome} />
  </>
);
