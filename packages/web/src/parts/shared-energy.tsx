import type { SharedDispatches } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { counted } from "../format/quantity.js";
import { exact } from "../format/time.js";
import { Card } from "../ui/card.js";

type Sharing = SharedDispatches["items"][number];

/** Which other dispatches claim the energy of one; nothing without any. */
export const SharedEnergyCard = ({
  shared,
  timeZone,
  link,
}: {
  readonly shared: SharedDispatches | undefined;
  readonly timeZone: string;
  readonly link: (id: string, words: string) => ReactNode;
}) => {
  if (shared === undefined || shared.item_count === 0) return null;
  return (
    <div className="mb-4">
      <Card title={say("Energy that is paid once")}>
        <ul className="list-disc pl-5 text-sm">
          {shared.items.map((each) => (
            <li key={`${each.dispatch_id} ${each.paid}`}>
              {sharedWords(each, timeZone)} {link(each.dispatch_id, each.program_name)}
              {each.paid === "there" ? ", which comes first." : ", too, are paid here."}
            </li>
          ))}
        </ul>
        {shared.item_count > shared.items.length && (
          <p className="mt-2 text-sm text-muted">{counted(shared.item_count, "dispatch", "dispatches")} in all.</p>
        )}
      </Card>
    </div>
  );
};

const sharedWords = ({ intervals, sites, start_time, end_time, paid }: Sharing, timeZone: string): string => {
  const what = intervals === null ? say("Intervals") : counted(intervals, "interval");
  const until = end_time === null ? "" : ` to ${exact(end_time, timeZone)}`;
  const where = `${what} of ${counted(sites, "site")} from ${exact(start_time, timeZone)}${until}`;
  return paid === "there" ? `${where} are paid in` : `${where} that are claimed by`;
};
