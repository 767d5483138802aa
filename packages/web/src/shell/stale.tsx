import { say } from "@curtail/words/page";
import type { StreamState } from "../live/event-stream.js";
import { asOfWords, type Staleness, stalenessOf } from "../rules/lost-stream.js";
import { usePageZone } from "../ui/page-zone.js";
import { useAtNow } from "../ui/use-now.js";

/** How old the numbers of the page are; `recent` while they are live. */
export const useStaleness = (state: StreamState): Staleness =>
  useAtNow((now) => (typeof state === "object" ? stalenessOf(state.heardAt, now) : "recent"));

/** Across the page, once its numbers are too old to act on. */
export const OldNumbers = ({ state }: { readonly state: StreamState }) => {
  const zone = usePageZone();
  const words = useAtNow((now) =>
    typeof state !== "object" || state.heardAt === null || stalenessOf(state.heardAt, now) !== "old"
      ? null
      : asOfWords(state.heardAt, now, zone),
  );
  if (words === null) return null;
  return (
    <p
      role="status"
      className="sticky top-[53px] z-20 border-b border-line bg-warn-soft px-4 py-1.5 font-medium text-warn sm:px-6 md:top-0 print:hidden"
    >
      {say("All figures are {asOf}. Phone to confirm what has changed since.", { asOf: words })}
    </p>
  );
};
