import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../../../api/session.js";
import { blocksOn } from "../../../rules/availability-day.js";
import { draftOf, newDraft } from "../../../rules/availability-draft.js";
import { mayWrite } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { BlockForm } from "./block-form.js";
import { BlockRow } from "./block-row.js";
import type { Block, OwnSite } from "./own-blocks.js";

/** One day: its blocks, and the form of a new one or of a change. */
export const AvailabilityDayPanel = ({
  date,
  blocks,
  shown,
  sites,
  now,
  onClose,
}: {
  readonly date: string;
  /** All that are loaded, for series. */
  readonly blocks: readonly Block[];
  /** The sites of the calendar, which a new block is for. */
  readonly shown: readonly OwnSite[];
  readonly sites: readonly OwnSite[];
  readonly now: Date;
  readonly onClose: () => void;
}) => {
  const writes = mayWrite(useUser());
  const [changed, setChanged] = useState<Block | null>(null);
  const onDay = blocksOn(date, blocks, shown);
  const siteOf = (block: Block) => sites.find(({ id }) => id === block.site_id);
  const zone = changed === null ? "UTC" : (siteOf(changed)?.timezone ?? "UTC");
  const draft =
    changed === null
      ? newDraft(
          date,
          shown.map(({ id }) => id),
        )
      : draftOf(changed, zone);
  return (
    <>
      {onDay.length === 0 ? (
        <p className="mb-3 text-muted">
          {shown.length === 1 ? say("Available all day.") : say("All sites are available all day.")}
        </p>
      ) : (
        <ul className="mb-3 divide-y divide-line" aria-label={say("Blocks of the day")}>
          {onDay.map((block) => (
            <BlockRow
              key={block.id}
              block={block}
              siteName={sites.length > 1 ? (siteOf(block)?.name ?? null) : null}
              timeZone={siteOf(block)?.timezone ?? "UTC"}
              now={now}
              writes={writes}
              series={blocks}
              onChange={draftOf(block, siteOf(block)?.timezone ?? "UTC") === null ? null : () => setChanged(block)}
            />
          ))}
        </ul>
      )}
      {writes && draft !== null && (
        <>
          <h3 className="mb-2 border-t border-line pt-3 font-semibold">
            {changed === null
              ? say("Add a block")
              : sites.length > 1
                ? say("Change the block of {site}", { site: siteOf(changed)?.name ?? "" })
                : say("Change the block")}
          </h3>
          <BlockForm
            key={changed?.id ?? "new"}
            start={draft}
            changed={changed}
            series={blocks}
            sites={sites}
            now={now}
            onClose={onClose}
          />
        </>
      )}
      {!writes && <Button onClick={onClose}>{say("Close")}</Button>}
    </>
  );
};
