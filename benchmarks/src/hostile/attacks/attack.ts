import type { Sender } from "../sender.js";
import type { Stage, Target } from "../stage.js";

export interface Attack {
  readonly title: string;
  /** Prepares the attack, in the measuring process. */
  readonly prepare?: (stage: Stage) => Promise<void>;
  /** The operator's dispatches include the attackers' sites, whose webhooks the service then has to notify. */
  readonly isDispatched?: true;
  /** Runs in its own process until the sender's time is over. */
  readonly run: (target: Target, sender: Sender) => Promise<unknown>;
}

export const keyOf = (key: string | undefined): Readonly<Record<string, string>> => ({
  "x-service-api-key": key ?? "",
});

export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

export const API = "/2022-04-15";
