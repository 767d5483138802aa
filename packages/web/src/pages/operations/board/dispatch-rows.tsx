import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Fragment, useState } from "react";
import { openByDispatch } from "../../../rules/alarm-group.js";
import { type BoardRow, type BoardSum, boardRow } from "../../../rules/board.js";
import { useKeys } from "../../../ui/use-keys.js";
import { useNow } from "../../../ui/use-now.js";
import { DispatchRow } from "./dispatch-row.js";
import { OpenedRow } from "./opened-row.js";
import { SumRow } from "./sum-row.js";
import { useRowOrder } from "./use-row-order.js";

const KEYS = [
  { keys: "ArrowUp", label: say("row above") },
  { keys: "ArrowDown", label: say("row below") },
  { keys: "Space", label: say("open the row") },
  { keys: "Enter", label: say("page of the dispatch") },
];

/** Dispatches in progress, one line each, worst first, and their sum. */
export const DispatchRows = ({
  dispatches,
  sum,
  groups,
}: {
  readonly dispatches: readonly operator.DispatchOverview[];
  readonly sum: BoardSum;
  /** Alarms of all dispatches; null: not known yet. */
  readonly groups: readonly operator.AlarmGroup[] | null;
}) => {
  const now = useNow();
  const { ordered, on } = useRowOrder(
    dispatches.map((dispatch) => boardRow(dispatch, now)),
    now,
  );
  const [opened, setOpened] = useState<string | null>(null);
  useKeys(say("Board"), KEYS);
  const alarms = groups === null ? null : openByDispatch({ items: groups });
  const toggle = (id: string) => setOpened((before) => (before === id ? null : id));
  return (
    <section
      aria-label={say("Dispatches in progress")}
      className="mt-3 min-w-0 overflow-x-auto rounded-xl bg-surface ring-1 ring-line"
      {...on}
    >
      <table className="w-full border-collapse max-md:block">
        <Heads />
        <tbody className="max-md:block">
          {ordered.map((row) => (
            <Fragment key={row.dispatch.id}>
              <DispatchRow
                row={row}
                now={now}
                alarms={alarmsOf(alarms, row)}
                isOpen={opened === row.dispatch.id}
                onToggle={() => toggle(row.dispatch.id)}
              />
              {opened === row.dispatch.id && <OpenedRow row={row} now={now} groups={groups ?? []} />}
            </Fragment>
          ))}
        </tbody>
        {ordered.length > 1 && (
          <SumRow
            sum={sum}
            name={say("{n, plural, one {All # dispatch} other {All # dispatches}}", { n: ordered.length })}
            alarms={total(alarms)}
          />
        )}
      </table>
    </section>
  );
};

const alarmsOf = (alarms: ReadonlyMap<string, number> | null, { dispatch }: BoardRow): number | null =>
  alarms === null ? null : (alarms.get(dispatch.id) ?? 0);

const total = (alarms: ReadonlyMap<string, number> | null): number | null =>
  alarms === null ? null : [...alarms.values()].reduce((sum, count) => sum + count, 0);

const Heads = () => (
  <thead className="max-md:hidden">
    <tr className="text-xs align-bottom leading-tight text-muted [&>th]:px-1.5 [&>th]:pt-2 [&>th]:pb-1.5 [&>th]:font-medium xl:[&>th]:px-2">
      <th className="w-7">
        <span className="sr-only">{say("Open", {}, "verb")}</span>
      </th>
      <th className="min-w-28 text-left">{say("In progress, worst first")}</th>
      <th className="text-right">{say("Delivered / committed, kW")}</th>
      <th className="w-[7.5rem] text-left xl:w-[11.5rem]">{say("Start to end")}</th>
      <th className="text-right">{say("Share", {}, "noun")}</th>
      <th className="text-right">{say("Short, kW")}</th>
      <th className="text-right">{say("Time left")}</th>
      <th className="text-right">{say("Not notified")}</th>
      <th className="text-right max-xl:hidden">{say("Alarms")}</th>
      <th className="text-right">{say("5 min, kW")}</th>
    </tr>
  </thead>
);
