import type { DaysExplanation, BaselineExplanation as Explanation, SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { count, energy, power } from "../format/quantity.js";
import { leftOutWords } from "../rules/measured-meters.js";
import { whyNoBaseline } from "../rules/service-sentences.js";
import { Badge } from "../ui/badge.js";
import { Table } from "../ui/table.js";
import { droppedWords } from "./performance-days.js";
import { qualityWords } from "./performance-quality.js";
import { baselineWords, dayName } from "./performance-words.js";

/** How a site's baseline was computed: days used, days left out and why, and the adjustment. */
export const BaselineExplanation = ({
  detail: { site, meters, explanation },
  timeZone,
}: {
  readonly detail: Pick<SitePerformanceDetail, "site" | "meters" | "explanation">;
  readonly timeZone: string;
}) => (
  <div className="grid gap-3">
    {site.baseline === "none" && (
      <p>{say("No baseline: {reason}.", { reason: whyNoBaseline(site.baseline_reason ?? "") })}</p>
    )}
    {site.baseline === "provisional" && (
      <p>
        <Badge tone="info">{say("provisional", {}, "baseline")}</Badge>{" "}
        {say("The baseline may still change: some of its input is not available yet.")}
      </p>
    )}
    {site.quality !== null && qualityWords(site.quality).map((sentence) => <p key={sentence}>{sentence}</p>)}
    <Words explained={explanation} timeZone={timeZone} />
    {meters !== null && meters.left_out.length > 0 && <Meters meters={meters} />}
  </div>
);

const Meters = ({
  meters: { summed, left_out },
}: {
  readonly meters: NonNullable<SitePerformanceDetail["meters"]>;
}) => (
  <div className="text-sm">
    <p>
      {summed.length === 0
        ? say("No meter of the site is measured.")
        : say("The load is that of {meters}. Left out:", { meters: summed.map(({ name }) => name).join(", ") })}
    </p>
    <ul className="grid gap-1">
      {left_out.map(({ meter_id, name, reason }) => (
        <li key={meter_id} className="flex flex-wrap gap-x-3">
          <span>{name}</span>
          <span className="min-w-0 text-muted">{leftOutWords[reason]}</span>
        </li>
      ))}
    </ul>
  </div>
);

const Words = ({ explained, timeZone }: { readonly explained: Explanation; readonly timeZone: string }) => (
  <>
    <p className="max-w-prose">{baselineWords(explained, timeZone).join(" ")}</p>
    {explained.kind === "days" && <Days days={explained} />}
    {explained.kind === "meter_before" && explained.instead_of !== undefined && <Days days={explained.instead_of} />}
  </>
);

const Days = ({ days: { pool, chosen, dropped, timezone } }: { readonly days: DaysExplanation }) => (
  <>
    {pool.length > 0 && (
      <div className="overflow-hidden rounded-lg ring-1 ring-line">
        <Table
          label={say("Comparable days")}
          rows={pool}
          keyOf={({ date }) => date}
          empty={say("None.", {}, "days")}
          columns={[
            { head: say("Day ({zone})", { zone: timezone }), cell: ({ date }) => dayName(date) },
            {
              head: say("Average at the time of the dispatch"),
              number: true,
              cell: ({ event_mean_kw }) => power(event_mean_kw),
            },
            { head: say("Energy of the day"), number: true, wide: true, cell: ({ energy_kwh }) => energy(energy_kwh) },
            {
              head: say("Use", {}, "noun"),
              cell: ({ date }) =>
                chosen === null ? (
                  say("by interval")
                ) : chosen.includes(date) ? (
                  <Badge tone="accent">{say("chosen", {}, "day")}</Badge>
                ) : (
                  <span className="text-muted">{say("not chosen", {}, "day")}</span>
                ),
            },
          ]}
        />
      </div>
    )}
    {dropped.length > 0 && <Dropped dropped={dropped} />}
  </>
);

const Dropped = ({ dropped }: Pick<DaysExplanation, "dropped">) => (
  <details>
    <summary className="w-fit text-accent">
      {say("Excluded days and reasons ({n})", { n: count(dropped.length) })}
    </summary>
    <ul className="mt-2 grid max-h-72 gap-1 overflow-y-auto text-sm">
      {dropped.map((day) => (
        <li key={day.date} className="flex flex-wrap gap-x-3">
          <span className="w-36 shrink-0">{dayName(day.date)}</span>
          <span className="min-w-0 text-muted">{droppedWords(day)}</span>
        </li>
      ))}
    </ul>
  </details>
);
