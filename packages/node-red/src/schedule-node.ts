import type { AvailabilityBlock } from "@curtail/client";
import { failureText } from "./failure.js";
import {
  doneAfter,
  type Message,
  type NodeConfig,
  type NodeStatus,
  type Outputs,
  type Red,
  type RedNode,
} from "./red.js";
import { participantAt } from "./server-node.js";
import { timestampOf } from "./timestamp.js";

interface ScheduleConfig extends NodeConfig {
  readonly server?: string;
  readonly site?: string;
}

export const registerSchedule = (red: Red): void => {
  const construct = function (this: RedNode, config: ScheduleConfig): void {
    red.nodes.createNode(this, config);
    const participant = participantAt(red, config.server);
    if (participant === null) {
      this.status({ fill: "red", shape: "ring", text: red._("status.noServer") });
      return;
    }
    const block = async (message: Message, send: (outputs: Outputs) => void): Promise<void> => {
      try {
        const payload = await participant.changeSchedule(blockOf(message, config.site ?? ""));
        this.status(doneStatus(red, payload));
        send([{ ...message, payload }]);
      } catch (error) {
        this.status({ fill: "red", shape: "ring", text: failureText(error) });
        throw new Error(failureText(error), { cause: error });
      }
    };
    this.on("input", (message, send, done) => void doneAfter(block(message, send), done));
  };
  red.nodes.registerType("curtail-schedule", construct);
};

/** @throws Error that says what is missing */
export const blockOf = ({ payload }: Message, configuredSite: string): AvailabilityBlock => {
  const {
    site_id = configuredSite.trim(),
    start_time,
    end_time,
    available = false,
  } = (payload ?? {}) as Partial<Record<keyof AvailabilityBlock, unknown>>;
  if (typeof site_id !== "string" || site_id === "")
    throw new Error("name the site, in the node or as payload.site_id");
  if (available !== false)
    throw new Error("available can only be false: a block cannot be taken back here; ask the operator");
  const [start, end] = [timestampOf(start_time), timestampOf(end_time)];
  if (start === null || end === null)
    throw new Error(
      "payload.start_time and payload.end_time must be RFC 3339 texts with an offset, Dates, or milliseconds",
    );
  return { site_id, available, start_time: start, end_time: end };
};

const doneStatus = (red: Red, { start_time, end_time }: AvailabilityBlock): NodeStatus => ({
  fill: "green",
  shape: "dot",
  text: red._("status.blocked", { start: start_time, end: end_time }),
});
