import { lostAge, lostWords } from "../rules/lost-stream.js";
import { Badge } from "../ui/badge.js";
import { useNow } from "../ui/use-now.js";
import type { LostStream, StreamState } from "./event-stream.js";

const shown = {
  connecting: ["neutral", "Connecting…"],
  live: ["good", "Live"],
  refused: ["bad", "Not live – sign in again"],
} as const;

/** Whether the data is live, so that old numbers do not look current. */
export const LiveMark = ({ state }: { readonly state: StreamState }) => (
  <span role="status">
    {typeof state === "object" ? <Lost {...state} /> : <Badge tone={shown[state][0]}>{shown[state][1]}</Badge>}
  </span>
);

/** Read out once: the age changes every second. */
const Lost = ({ heardAt }: LostStream) => {
  const now = useNow();
  return (
    <Badge tone="warn">
      {lostWords(heardAt, now)}
      <span aria-hidden="true" className="whitespace-pre">
        {lostAge(heardAt, now)}
      </span>
      , reconnecting
    </Badge>
  );
};
