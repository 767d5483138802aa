import { join } from "node:path";
import { dispatchMemory } from "./dispatch-memory.js";
import { changeMessage, siteMessage, siteStates } from "./dispatch-messages.js";
import { dispatchStatus } from "./dispatch-status.js";
import { FailureLog } from "./failure.js";
import { DispatchFollower, type Following } from "./follow-dispatches.js";
import type { Message, NodeConfig, Red, RedNode } from "./red.js";
import { participantAt } from "./server-node.js";

interface DispatchConfig extends NodeConfig {
  readonly server?: string;
  /** Only this site on output 2; "": all sites. */
  readonly site?: string;
  /** Seconds between polls. */
  readonly interval?: string | number;
  readonly overlaps?: "sum" | "max";
}

const DEFAULT_INTERVAL_S = 30;
/** A key may poll 300 times a minute. */
const LEAST_INTERVAL_S = 1;

export const registerDispatch = (red: Red): void => {
  const construct = function (this: RedNode, config: DispatchConfig): void {
    red.nodes.createNode(this, config);
    const participant = participantAt(red, config.server);
    if (participant === null) this.status({ fill: "red", shape: "ring", text: red._("status.noServer") });
    else follow(red, this, config, participant);
  };
  red.nodes.registerType("curtail-dispatch", construct);
};

const follow = (red: Red, node: RedNode, config: DispatchConfig, participant: Following["participant"]): void => {
  const stopping = new AbortController();
  const memory = dispatchMemory(fileOf(red, node));
  const isWanted = ({ topic }: Message): boolean => (config.site ?? "").trim() === "" || topic === config.site?.trim();
  const sendSite = (message: Message): void => {
    if (isWanted(message)) node.send([null, message]);
  };
  const follower = new DispatchFollower({
    participant,
    memory,
    intervalMs: Math.max(LEAST_INTERVAL_S, Number(config.interval) || DEFAULT_INTERVAL_S) * 1000,
    overlaps: config.overlaps === "max" ? "max" : "sum",
    signal: stopping.signal,
    onChange: (change) => node.send([changeMessage(change), null]),
    onSignal: (signal, told) => sendSite(siteMessage(signal, told)),
    ...reports(red, node, participant),
  });
  const running = follower.run();
  node.on("input", (_message, _send, done) => {
    for (const message of siteStates(follower.state)) sendSite(message);
    done();
  });
  node.on("close", (isRemoved, done) => {
    stopping.abort();
    void running
      .then(() => (isRemoved ? memory.remove() : undefined))
      .catch((error: unknown) => node.warn(String(error)))
      .finally(done);
  });
};

/** The line under the node, and the log. */
const reports = (
  red: Red,
  node: RedNode,
  { clock }: Following["participant"],
): Pick<Following, "onState" | "onFailure"> => {
  const failures = new FailureLog((text) => node.error(text));
  return {
    onState: (windows, { followed }) => {
      failures.clear();
      node.status(dispatchStatus(windows, followed, { nowMs: clock.now(), translate: red._ }));
    },
    onFailure: (error) => node.status({ fill: "red", shape: "ring", text: failures.note(error) }),
  };
};

const fileOf = ({ settings }: Red, { id }: RedNode): string | null =>
  settings.userDir === undefined ? null : join(settings.userDir, "curtail", `dispatch-${id}.json`);
