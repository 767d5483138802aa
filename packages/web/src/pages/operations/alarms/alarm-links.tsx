import { say } from "@curtail/words/page";
import { namedIn } from "../../../rules/alarm.js";
import { TextLink } from "../../../ui/text-link.js";
import type { Alarm } from "./alarm.js";

/** Links to the pages on which the cause of an alarm can be fixed, by the ids in its subject and message. */
export const AlarmLinks = ({ alarm }: { readonly alarm: Alarm }) => {
  const [dispatch, ven] = [namedIn(alarm, "dis"), namedIn(alarm, "ven")];
  return (
    <div className="mt-1 flex flex-wrap gap-x-4 text-sm">
      {dispatch !== undefined && (
        <TextLink to="/operations/dispatches/$id" params={{ id: dispatch }}>
          {say("Show the dispatch")}
        </TextLink>
      )}
      {ven !== undefined && (
        <TextLink to="/operations/vens/$id" params={{ id: ven }}>
          {say("Show the VEN")}
        </TextLink>
      )}
      {alarm.kind === "telemetry_stale" && (
        <TextLink to="/operations/telemetry">{say("Show telemetry health")}</TextLink>
      )}
    </div>
  );
};
