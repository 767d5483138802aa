import { say } from "@curtail/words/page";
import { callConsole } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";
import { DATE_LOCALE } from "../../../format/locale.js";
import { power } from "../../../format/quantity.js";
import { duration, period } from "../../../format/time.js";
import { lastsAt } from "../../../rules/availability.js";
import { laterInSeries } from "../../../rules/availability-draft.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { usePageZone } from "../../../ui/page-zone.js";
import type { Block } from "./own-blocks.js";

interface Row {
  readonly block: Block;
  /** null: it goes without saying. */
  readonly siteName: string | null;
  readonly timeZone: string;
  readonly now: Date;
  readonly writes: boolean;
  /** Blocks among which the others of its series are. */
  readonly series: readonly Block[];
  /** Opens the form; null: it cannot be changed there. */
  readonly onChange: (() => void) | null;
}

/** One block: first day, period, what is left, and what can be done with it. */
export const BlockRow = ({ block, siteName, timeZone, now, writes, series, onChange }: Row) => {
  const { start_time, end_time, available_kw } = block;
  const start = new Date(start_time);
  const lasts = lastsAt(block, now);
  // Blocks lie on days of their site.
  const pageZone = usePageZone();
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(DATE_LOCALE, { ...options, timeZone }).format(start);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div aria-hidden="true" className="w-12 shrink-0 overflow-hidden rounded-lg text-center ring-1 ring-line">
        <div className="bg-accent-soft text-xs text-accent">{part({ weekday: "short" })}</div>
        <div className="text-lg font-semibold">{part({ day: "numeric" })}</div>
      </div>
      <div className="min-w-0 flex-1">
        <div className="font-medium">
          {period(start, end_time, timeZone)}
          {timeZone !== pageZone && ` (${timeZone})`} {lasts && <Badge tone="warn">{say("active now")}</Badge>}
        </div>
        <div className="text-sm text-muted">
          {siteName !== null && `${siteName}: `}
          {[
            available_kw === null ? say("not available") : say("at most {power}", { power: power(available_kw) }),
            duration(Date.parse(end_time) - start.getTime()),
            ...(block.series_id === null ? [] : [say("one of a series")]),
          ].join(", ")}
        </div>
      </div>
      {writes && (
        <div className="flex flex-wrap gap-1.5">
          {onChange !== null && <Button onClick={onChange}>{say("Change")}</Button>}
          <Remove block={block} lasts={lasts} />
          {block.series_id !== null && <RemoveSeries blocks={laterInSeries(series, block)} />}
        </div>
      )}
    </li>
  );
};

const Remove = ({ block: { id }, lasts }: { readonly block: Block; readonly lasts: boolean }) => {
  const remove = useChange(() => callConsole("DELETE", "/schedule/{id}", { params: { id } }), {
    done: say("Block deleted."),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      title={say("Delete this block?")}
      action={say("Delete block")}
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {lasts
        ? say("The site can be dispatched again from now on. Existing dispatches do not change.")
        : say("The site can be dispatched in that period again. Existing dispatches do not change.")}
    </ConfirmButton>
  );
};

const RemoveSeries = ({ blocks }: { readonly blocks: readonly Block[] }) => {
  const remove = useChange(
    () => callConsole("POST", "/schedule", { body: { remove: blocks.map(({ id }) => id), add: [] } }),
    { done: say("Series deleted.") },
  );
  return (
    blocks.length > 1 && (
      <ConfirmButton
        label={say("Delete series")}
        title={say("Delete this and the later blocks of the series?")}
        action={say("Delete {n, plural, one {# block} other {# blocks}}", { n: blocks.length })}
        run={() => remove.run(undefined)}
        busy={remove.isPending}
      >
        {say(
          "{n, plural, one {# block} other {# blocks}}, of all sites of the series, from this day on. The sites can be dispatched in these periods again. Existing dispatches do not change.",
          { n: blocks.length },
        )}
      </ConfirmButton>
    )
  );
};
