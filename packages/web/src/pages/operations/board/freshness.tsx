import { say } from "@curtail/words/page";
import { count } from "../../../format/quantity.js";
import { clockWithSeconds } from "../../../format/time.js";
import { staleFor } from "../../../rules/wall.js";
import { useOwnMark } from "../../../ui/own-mark.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { useNow } from "../../../ui/use-now.js";

/** How old the figures are: a full dot while they are fresh, a hollow one once they are not. */
export const Freshness = ({ receivedAtMs }: { readonly receivedAtMs: number }) => {
  const now = useNow();
  const timeZone = usePageZone();
  useOwnMark();
  const oldMs = staleFor(receivedAtMs, now.getTime());
  return (
    <span className="inline-flex items-center gap-1.5 text-[0.8125rem] whitespace-nowrap text-muted">
      <span
        aria-hidden="true"
        className={`size-2 rounded-full ${oldMs === null ? "bg-line-strong" : "ring-1 ring-warn ring-inset"}`}
      />
      {oldMs === null ? (
        say("Live, {n} s old", { n: count(Math.max(0, Math.round((now.getTime() - receivedAtMs) / 1000))) })
      ) : (
        <span className="text-warn">
          {say("No update for {n} s, as of {time}", {
            n: count(Math.round(oldMs / 1000)),
            time: clockWithSeconds(new Date(receivedAtMs), timeZone),
          })}
        </span>
      )}
    </span>
  );
};
