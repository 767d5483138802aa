import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { refusalWords } from "../../api/refusal-words.js";
import { joined } from "../../format/and.js";
import { count, energy } from "../../format/quantity.js";
import { exact } from "../../format/time.js";
import { type MeterDataDraft, ownFaults, sumOf } from "../../rules/meter-data-draft.js";
import { Card, Facts } from "../../ui/card.js";
import { Checkbox } from "../../ui/field.js";
import { Table } from "../../ui/table.js";
import type { MeterDataScope } from "./scope.js";
import { SeriesTable } from "./series-table.js";

type Result = operator.MeterDataResult;

interface Shown {
  readonly result: Result;
  readonly scope: MeterDataScope;
  readonly draft: MeterDataDraft;
  readonly onChange: (draft: MeterDataDraft) => void;
}

/** What an import of the file would store, and what speaks against it. */
export const Outcome = ({ children, ...shown }: Shown & { readonly children: ReactNode }) => {
  const { result, scope, draft, onChange } = shown;
  return (
    <Card title={say("What is imported")}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {areOpen(result) ? (
          <p className="text-muted">{say("The energy is shown once the questions above are answered.")}</p>
        ) : (
          <>
            <Sum result={result} timezone={scope.timezone} />
            <SeriesTable {...shown} />
          </>
        )}
        <Checkbox
          label={say("Leave out estimated and substituted values")}
          checked={draft.leavesOutEstimated}
          onChange={({ target }) => onChange({ ...draft, leavesOutEstimated: target.checked })}
        />
        <NotImported result={result} />
        <Faults result={result} />
        <div className="flex flex-row-reverse">{children}</div>
      </div>
    </Card>
  );
};

const areOpen = ({ doubts = [] }: Result): boolean => doubts.length > 0;

const Sum = ({ result, timezone }: { readonly result: Result; readonly timezone: string }) => {
  const { energyKwh, start, end, meters } = sumOf(result);
  if (start === null || end === null) return null;
  return (
    <Facts
      facts={[
        [say("Energy"), energy(energyKwh)],
        [say("First interval"), say("from {start}", { start: exact(start, timezone) }, "a time")],
        [say("Last interval"), say("to {end}", { end: exact(end, timezone) }, "a time")],
        [meters.length === 1 ? say("Meter") : say("Meters"), joined(meters)],
      ]}
    />
  );
};

const NotImported = ({ result: { unmatched_intervals, left_out, notes } }: { readonly result: Result }) => {
  const isWhole = unmatched_intervals === 0 && left_out.length === 0 && notes.length === 0;
  return isWhole ? null : (
    <section aria-label={say("Left out and noted")} className="grid gap-1 text-sm">
      {unmatched_intervals > 0 && (
        <p className="text-warn">
          {say("{n, plural, one {# interval} other {# intervals}} left out: not all series of the meter have them.", {
            n: unmatched_intervals,
          })}
        </p>
      )}
      {left_out.map(({ name, line, reason }) => (
        <p key={`${line} ${name}`} className="text-muted">
          {say("{name} is not imported: {reason}.", { name, reason: refusalWords(reason) })}
        </p>
      ))}
      {notes.map(({ line, message }) => (
        <p key={`${line} ${message}`} className="text-warn">
          {say("Line {line}: {message}.", { line, message: refusalWords(message) })}
        </p>
      ))}
    </section>
  );
};

/** By line. Until all questions are answered, others may follow from them. */
const Faults = ({ result }: { readonly result: Result }) => {
  const faults = ownFaults(result);
  if (faults.length === 0) return null;
  const all = result.fault_count - (result.faults.length - faults.length);
  const table = (
    <>
      <Table
        label={say("Faults")}
        rows={faults.map((fault, at) => ({ ...fault, at }))}
        keyOf={({ at }) => at}
        empty={say("No faults.")}
        columns={[
          { head: say("Line", {}, "of a file"), cell: ({ line }) => count(line) },
          { head: say("Fault"), cell: ({ message }) => refusalWords(message) },
        ]}
      />
      {faults.length < all && (
        <p className="text-sm text-muted">{say("Showing the first {n}.", { n: count(faults.length) })}</p>
      )}
    </>
  );
  return areOpen(result) ? (
    <details>
      <summary className="min-h-6 text-sm font-medium text-accent">
        {say("{n, plural, one {# fault} other {# faults}} so far; answers may settle them", { n: all })}
      </summary>
      {table}
    </details>
  ) : (
    <section>
      <h3 className="font-medium text-bad">
        {say("{n, plural, one {# fault} other {# faults}}: nothing will be imported", { n: all })}
      </h3>
      {table}
    </section>
  );
};
