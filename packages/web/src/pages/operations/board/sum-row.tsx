import { say } from "@curtail/words/page";
import { count, percent, plain } from "../../../format/quantity.js";
import type { BoardSum } from "../../../rules/board.js";
import { Cell, FIGURE, NotNotified, ROW, Short, Trend } from "./row-cells.js";

/** What all rows have together. */
export const SumRow = ({
  sum,
  name,
  alarms,
}: {
  readonly sum: BoardSum;
  readonly name: string;
  readonly alarms: number | null;
}) => (
  <tfoot className="max-md:block">
    <tr className={`h-[38px] max-md:h-auto ${ROW} border-t-2 border-line-strong`}>
      <th scope="row" colSpan={2} className="text-left text-[0.9375rem] md:!pl-11 font-semibold">
        {name}
      </th>
      <td className="text-right whitespace-nowrap">
        <span className={`font-semibold ${FIGURE}`}>{plain(sum.deliveredKw)}</span>{" "}
        <span className="text-muted">/ {plain(sum.committedKw)}</span>
      </td>
      <td colSpan={2} className={`text-right font-medium max-md:col-start-3 max-md:row-start-1 ${FIGURE}`}>
        {percent(sum.share)}
      </td>
      <Cell words={say("short", {}, "of kW")} className="max-md:col-start-1 max-md:row-start-2 max-md:text-left">
        <Short kw={sum.shortKw} urgency="none" isRamping={false} />
      </Cell>
      <Cell words={say("not notified", {}, "accounts")} span={2} className="max-md:row-start-2">
        <NotNotified number={sum.notNotified} of={sum.accounts} />
      </Cell>
      <td className="text-right font-semibold max-xl:hidden">{alarms === null ? "–" : count(alarms)}</td>
      <Cell words={say("in 5 min")} className="max-md:row-start-2">
        <Trend kw={sum.trendKw} />
      </Cell>
    </tr>
  </tfoot>
);
