import { Badge } from "../ui/badge.js";
import type { StreamState } from "./event-stream.js";

const shown = {
  connecting: ["neutral", "Connecting…"],
  live: ["good", "Live"],
  lost: ["warn", "Connection lost – data may be outdated, reconnecting"],
  refused: ["bad", "Not live – sign in again"],
} as const;

/** Whether the data is live, so that old numbers do not look current. */
export const LiveMark = ({ state }: { readonly state: StreamState }) => {
  const [tone, text] = shown[state];
  return (
    <span role="status">
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
};
