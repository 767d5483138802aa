import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useMemo } from "react";
import { useConsole } from "../../../api/use-call.js";
import type { Curve } from "../../../chart/curve.js";
import { PowerChart } from "../../../chart/power-chart.js";
import { power } from "../../../format/quantity.js";
import { clock } from "../../../format/time.js";
import { useAtMostEvery } from "../../../live/use-at-most.js";
import { measuredWords, newestOf } from "../../../rules/account-curve.js";
import { dispatchedUntil, isDispatchedIn } from "../../../rules/judged.js";
import { Card } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";

type AccountCurve = participantConsole.AccountCurve;
type Cell = AccountCurve["curve"][number];

const CURVE_EVERY_MS = 3000;

/** Load and baseline of all sites of the account together, and how many of them are measured. */
export const AccountCurveCard = ({
  id,
  timeZone,
  version,
  measured,
}: {
  readonly id: string;
  readonly timeZone: string;
  readonly version: number | undefined;
  /** Changes with every measurement; the curve follows it. */
  readonly measured: unknown;
}) => {
  const query = version === undefined ? {} : { version };
  const asked = useConsole("/dispatches/{id}/performance/curve", { params: { id }, query });
  useAtMostEvery(CURVE_EVERY_MS, measured, () => void asked.refetch());
  return (
    <Card title={say("All your sites together")} flush>
      <Answered of={asked}>{(curve) => <Shown curve={curve} timeZone={timeZone} />}</Answered>
    </Card>
  );
};

const Shown = ({ curve: report, timeZone }: { readonly curve: AccountCurve; readonly timeZone: string }) => {
  const { curve, state, start_time } = report;
  const end = dispatchedUntil(report);
  const timestamps = useMemo(() => curve.map(({ timestamp }) => timestamp), [curve]);
  const curves = useMemo(() => curvesOf(curve, start_time, end), [curve, start_time, end]);
  const newest = newestOf(curve);
  return (
    <>
      <p className="px-4 pb-1 text-sm text-muted">
        {[
          ...(newest === null
            ? []
            : [
                say("At {time}: load {load}, expected {expected}.", {
                  time: clock(newest.timestamp, timeZone),
                  load: power(newest.load_kw),
                  expected: power(newest.baseline_kw),
                }),
              ]),
          measuredWords(report),
          ...(report.hidden_sites > 0
            ? [
                say("{n, plural, one {# site} other {# sites}} not visible and not counted.", {
                  n: report.hidden_sites,
                }),
              ]
            : []),
          say("Times are in {zone}.", { zone: timeZone }),
        ].join(" ")}
      </p>
      <PowerChart
        label={say("Load and baseline of all your sites together")}
        timestamps={timestamps}
        curves={curves}
        unit="kW"
        timeZone={timeZone}
        heightPx={320}
        band={[BASELINE, TARGET]}
        marks={[
          { at: start_time, label: say("start", {}, "of a dispatch") },
          ...(end === null
            ? []
            : [{ at: end, label: state === "cancelled" ? say("cancelled") : say("end", {}, "of a dispatch") }]),
        ]}
      />
    </>
  );
};

const [BASELINE, TARGET] = [say("Baseline"), say("Target")];

const curvesOf = (cells: readonly Cell[], start: string, end: string | null): Curve[] => {
  const isCalled = isDispatchedIn(start, end);
  return [
    { label: say("Load"), colour: "chart-1", values: cells.map(({ load_kw }) => load_kw) },
    { label: BASELINE, colour: "chart-2", values: cells.map(({ baseline_kw }) => baseline_kw) },
    {
      label: TARGET,
      colour: "chart-3",
      values: cells.map((cell) => (isCalled(cell) ? cell.target_kw : null)),
      dashed: true,
    },
  ];
};
