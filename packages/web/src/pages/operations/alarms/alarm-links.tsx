import { TextLink } from "../../../ui/text-link.js";
import type { Alarm } from "./alarm.js";

/** Where the cause of an alarm is seen to. Subject and message name what it is of, sometimes several things. */
export const AlarmLinks = ({ alarm: { subject, message, kind } }: { readonly alarm: Alarm }) => {
  const named = (prefix: string) => new RegExp(`\\b${prefix}_\\w+`).exec(`${subject} ${message}`)?.[0];
  const [dispatch, ven] = [named("dis"), named("ven")];
  return (
    <div className="mt-1 flex flex-wrap gap-x-4 text-sm">
      {dispatch !== undefined && (
        <TextLink to="/operations/dispatches/$id" params={{ id: dispatch }}>
          Show the dispatch
        </TextLink>
      )}
      {ven !== undefined && (
        <TextLink to="/operations/vens/$id" params={{ id: ven }}>
          Show the VEN
        </TextLink>
      )}
      {kind === "telemetry_stale" && <TextLink to="/operations/telemetry">Show telemetry health</TextLink>}
    </div>
  );
};
