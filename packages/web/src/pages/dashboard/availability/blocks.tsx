import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../../../api/session.js";
import { localDay, startOfDay } from "../../../format/local-time.js";
import { DATE_LOCALE } from "../../../format/locale.js";
import { aheadAndOver, monthsOf } from "../../../rules/availability.js";
import { draftOf } from "../../../rules/availability-draft.js";
import { monthAfter } from "../../../rules/calendar.js";
import { mayWrite } from "../../../rules/role.js";
import { Card } from "../../../ui/card.js";
import { Dialog } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import { BlockRow } from "./block-row.js";
import { AvailabilityDayPanel } from "./day.js";
import { AvailabilityMonth } from "./month.js";
import { NewBlock } from "./new-block.js";
import { type Block, type OwnSite, useBlocks } from "./own-blocks.js";

/** The calendar of one site or of all, and their blocks: current and upcoming, then past ones of the months shown. */
export const Blocks = ({ sites, site }: { readonly sites: readonly OwnSite[]; readonly site: OwnSite | null }) => {
  const now = useNow();
  const zone = (site ?? sites[0])?.timezone ?? "UTC";
  const [month, setMonth] = useState(() => localDay(now, zone).slice(0, 7));
  const [day, setDay] = useState<string | null>(null);
  const thisMonth = localDay(now, zone).slice(0, 7);
  // A day before the month, as other sites may be in a zone to the east.
  const first = monthAfter(month < thisMonth ? month : thisMonth, -1);
  const list = useBlocks((startOfDay(`${first}-01`, "UTC") ?? now).toISOString(), site?.id ?? null);
  const shown = site === null ? sites : [site];
  const open = (date: string) => setDay(date);
  return (
    <div className="grid items-start gap-4 2xl:grid-cols-2">
      <Card title={site?.name ?? say("All sites")} actions={site !== null && <AddPeriod site={site} />}>
        {list.error !== null && <Fault error={list.error} onRetry={list.retry} />}
        {list.isPending ? (
          <Waiting />
        ) : (
          <AvailabilityMonth
            month={month}
            onMonth={(steps) => setMonth(monthAfter(month, steps))}
            blocks={list.items}
            sites={shown}
            onDay={open}
          />
        )}
        <p className="mt-1 text-sm text-muted">
          {site === null ? say("Days are local to each site.") : say("Times are in {zone}.", { zone: site.timezone })}{" "}
          {say("Choose a day to add or change a block.")}
        </p>
      </Card>
      {!list.isPending && <Listed blocks={list.items} sites={shown} onDay={open} />}
      <Dialog title={day === null ? "" : dayName(day)} open={day !== null} onClose={() => setDay(null)}>
        {day !== null && (
          <AvailabilityDayPanel
            key={day}
            date={day}
            blocks={list.items}
            shown={shown}
            sites={site === null ? sites : shown}
            now={now}
            onClose={() => setDay(null)}
          />
        )}
      </Dialog>
    </div>
  );
};

/** A block of any length, from a moment to a moment. */
const AddPeriod = ({ site }: { readonly site: OwnSite }) => {
  const writes = mayWrite(useUser());
  return (
    writes && (
      <DialogButton look="primary" label={say("Add block")} title={say("{site} is not available", { site: site.name })}>
        {(close) => <NewBlock site={site} onClose={close} />}
      </DialogButton>
    )
  );
};

const dayName = (date: string): string =>
  new Intl.DateTimeFormat(DATE_LOCALE, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );

const Listed = ({
  blocks,
  sites,
  onDay,
}: {
  readonly blocks: readonly Block[];
  readonly sites: readonly OwnSite[];
  readonly onDay: (date: string) => void;
}) => {
  const now = useNow();
  const writes = mayWrite(useUser());
  const { ahead, over } = aheadAndOver(blocks, now);
  const zoneOf = ({ site_id }: Block) => sites.find(({ id }) => id === site_id)?.timezone ?? "UTC";
  const row = (block: Block, isOver: boolean) => (
    <BlockRow
      key={block.id}
      block={block}
      siteName={sites.length > 1 ? (sites.find(({ id }) => id === block.site_id)?.name ?? null) : null}
      timeZone={zoneOf(block)}
      now={now}
      writes={writes && !isOver}
      series={blocks}
      onChange={
        draftOf(block, zoneOf(block)) === null ? null : () => onDay(localDay(new Date(block.start_time), zoneOf(block)))
      }
    />
  );
  return (
    <Card title={say("Blocks")}>
      {ahead.length === 0 && (
        <Empty>
          {say("Always available.")}{" "}
          {writes &&
            say("Choose a day to add a block for a period in which a site must not be dispatched, or for less.")}
        </Empty>
      )}
      {[...monthsOf(ahead, sites[0]?.timezone ?? "UTC")].map(([month, ofMonth]) => (
        <section key={month} className="mt-2">
          <h3 className="text-sm font-semibold text-muted">{month}</h3>
          <ul className="divide-y divide-line">{ofMonth.map((block) => row(block, false))}</ul>
        </section>
      ))}
      {over.length > 0 && (
        <details className="mt-4">
          <summary className="w-fit text-accent">{say("Past ({n})", { n: over.length })}</summary>
          <ul className="divide-y divide-line">{over.map((block) => row(block, true))}</ul>
        </details>
      )}
    </Card>
  );
};
