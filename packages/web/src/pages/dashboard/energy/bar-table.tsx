import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { percent, plain } from "../../../format/quantity.js";
import { barName, within } from "../../../rules/energy-bars.js";
import { Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import type { MarkedDispatch } from "./shown-bars.js";

type Bars = participantConsole.EnergyBars;

/** The values of the bars, with the dispatches in them. */
export const BarTable = ({
  bars: { bars, by, timezone },
  others,
  otherName,
  dispatches,
}: {
  readonly bars: Bars;
  readonly others: Bars | null;
  readonly otherName: string;
  readonly dispatches: readonly MarkedDispatch[];
}) => {
  const [open, setOpen] = useState(false);
  return (
    <details className="pb-2 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="mx-4 w-fit text-muted">{say("Show as table")}</summary>
      {open && (
        <Table
          label={say("Energy as a table")}
          rows={bars.map((bar, index) => ({ ...bar, other: others?.bars[index]?.energy_kwh ?? null }))}
          keyOf={({ start_time }) => start_time}
          empty={say("No intervals.")}
          columns={[
            {
              head: say("From ({zone})", { zone: timezone }),
              cell: ({ start_time }) => barName(start_time, by, timezone, true),
            },
            { head: "kWh", number: true, cell: ({ energy_kwh }) => plain(energy_kwh) },
            ...(others === null
              ? []
              : [
                  {
                    head: `${otherName} (kWh)`,
                    number: true,
                    cell: ({ other }: { readonly other: number | null }) => plain(other),
                  },
                ]),
            { head: say("Coverage"), number: true, cell: ({ coverage }) => percent(coverage) },
            {
              head: say("Dispatches"),
              cell: (bar) => (
                <span className="flex flex-wrap gap-x-2">
                  {within(dispatches, bar).map(({ id, program }) => (
                    <TextLink key={id} to="/dashboard/dispatches/$id" params={{ id }}>
                      {program.name}
                    </TextLink>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
    </details>
  );
};
