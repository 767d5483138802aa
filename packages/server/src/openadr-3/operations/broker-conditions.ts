import type { Condition } from "../../platform/alarm.js";
import type { Publications } from "./publication-ports.js";

/** How long a change may wait for the outside broker before a person has to look. */
const BEHIND_MS = 60_000;

/** The alarm for an outside broker that takes no changes, whichever process publishes. */
export const brokerConditions = async (
  publications: Pick<Publications, "waitingSince">,
  now: Date,
): Promise<readonly Condition[]> => {
  const since = await publications.waitingSince();
  if (since === null || now.getTime() - since.getTime() <= BEHIND_MS) return [];
  return [
    {
      kind: "broker_behind",
      subject: "CURTAIL_OPENADR3_MQTT_URL",
      accountId: null,
      message:
        `The MQTT broker has not taken changes of OpenADR 3.1 since ${since.toISOString()}. VENs that rely on it hear of ` +
        "nothing. Start it again, or see the log for why it takes no messages; the changes wait, and follow in order.",
    },
  ];
};
