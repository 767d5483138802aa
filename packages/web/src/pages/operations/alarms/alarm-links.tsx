import { Link } from "@tanstack/react-router";
import type { Alarm } from "./alarm-list.js";

const shape = "text-sm font-medium text-accent hover:underline";

/** Where the cause of an alarm is seen to. A subject may be of two ids, as of a VEN and a dispatch. */
export const AlarmLinks = ({ alarm: { subject, message, kind } }: { readonly alarm: Alarm }) => {
  const dispatchId = /\bdis_\w+/.exec(`${subject} ${message}`)?.[0];
  return (
    <div className="mt-1 flex flex-wrap gap-x-4">
      {dispatchId !== undefined && (
        <Link to="/operations/dispatches/$id" params={{ id: dispatchId }} className={shape}>
          Show the dispatch
        </Link>
      )}
      {kind === "telemetry_stale" && (
        <Link to="/operations/telemetry" className={shape}>
          Show telemetry health
        </Link>
      )}
    </div>
  );
};
