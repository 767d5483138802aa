import type { participantConsole, ReplyOf } from "@curtail/contract";
import { useState } from "react";
import { useUser } from "../../../api/session.js";
import { useConsoleList } from "../../../api/use-call.js";
import { aheadAndOver, monthsOf } from "../../../rules/availability.js";
import { mayWrite } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Dialog } from "../../../ui/dialog.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import { BlockRow } from "./block-row.js";
import { AvailabilityMonth } from "./month.js";
import { NewBlock } from "./new-block.js";

type Block = ReplyOf<typeof participantConsole.listOwnSchedule>["items"][number];
type Site = participantConsole.SiteOverview;

/** The blocks of a site: current and upcoming, then past ones. */
export const Blocks = ({ site }: { readonly site: Site }) => {
  const writes = mayWrite(useUser());
  const [adding, setAdding] = useState(false);
  const list = useConsoleList("/sites/{id}/schedule", { params: { id: site.id } });
  return (
    <Card
      title={site.name}
      actions={
        writes && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Add block
          </Button>
        )
      }
    >
      <p className="text-sm text-muted">Times are in {site.timezone}.</p>
      {list.error !== null && <Fault error={list.error} />}
      {list.isPending ? <Waiting /> : <Listed blocks={list.items} site={site} writes={writes} />}
      {list.more !== null && (
        <Button onClick={list.more} busy={list.isLoadingMore && "Loading…"}>
          Show more
        </Button>
      )}
      <Dialog title={`${site.name} is not available`} open={adding} onClose={() => setAdding(false)}>
        <NewBlock site={site} onClose={() => setAdding(false)} />
      </Dialog>
    </Card>
  );
};

interface Shown {
  readonly blocks: readonly Block[];
  readonly site: Site;
  readonly writes: boolean;
}

const Listed = ({ blocks, site, writes }: Shown) => {
  const now = useNow();
  const { ahead, over } = aheadAndOver(blocks, now);
  return (
    <>
      <AvailabilityMonth blocks={blocks} timeZone={site.timezone} />
      {ahead.length === 0 && (
        <Empty>
          Always available. {writes && "Add a block for each period in which the site must not be dispatched."}
        </Empty>
      )}
      {[...monthsOf(ahead, site.timezone)].map(([month, ofMonth]) => (
        <section key={month} className="mt-3">
          <h3 className="text-sm font-semibold text-muted">{month}</h3>
          <ul className="divide-y divide-line">
            {ofMonth.map((block) => (
              <BlockRow key={block.id} block={block} timeZone={site.timezone} now={now} writes={writes} />
            ))}
          </ul>
        </section>
      ))}
      {over.length > 0 && (
        <details className="mt-4">
          <summary className="w-fit text-accent">Past ({over.length})</summary>
          <ul className="divide-y divide-line">
            {over.map((block) => (
              <BlockRow key={block.id} block={block} timeZone={site.timezone} now={now} writes={false} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
