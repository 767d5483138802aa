import { say } from "@curtail/words/page";
import { lostAge, lostWords } from "../rules/lost-stream.js";
import { Badge } from "../ui/badge.js";
import { useNow } from "../ui/use-now.js";
import type { LostStream, StreamState } from "./event-stream.js";

/** Whether the data is live, so that old numbers do not look current. Live is normal, so it has no colour. */
export const LiveMark = ({ state }: { readonly state: StreamState }) => (
  <span role="status" className="text-[0.8125rem] whitespace-nowrap text-muted">
    {typeof state === "object" ? (
      <Lost {...state} />
    ) : state === "refused" ? (
      <Badge tone="bad">{say("Not live – sign in again")}</Badge>
    ) : (
      <>
        <Dot isFull={state === "live"} />
        {state === "live" ? say("Live") : say("Connecting…")}
      </>
    )}
  </span>
);

const Dot = ({ isFull }: { readonly isFull: boolean }) => (
  <span
    aria-hidden="true"
    className={`mr-1.5 inline-block size-2 rounded-full border border-current ${isFull ? "bg-current" : ""}`}
  />
);

/** Read out once: the age changes every second. */
const Lost = ({ heardAt }: LostStream) => {
  const now = useNow();
  return (
    <span className="font-medium text-warn">
      <Dot isFull={false} />
      <span className="sr-only">{say("{state}, reconnecting", { state: lostWords(heardAt, now) })}</span>
      <span aria-hidden="true">{say("{state}, reconnecting", { state: lostAge(heardAt, now) })}</span>
    </span>
  );
};
