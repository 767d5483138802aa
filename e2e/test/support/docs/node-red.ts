import { expect } from "vitest";
import { filledIn } from "./placeholders.js";
import type { RecipeTest } from "./recipe-test.js";

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly func?: string;
  readonly method?: string;
  readonly url?: string;
  readonly wires?: readonly (readonly string[])[];
}

interface Message {
  readonly payload: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a message through the flow: functions are run, requests are sent. */
export const testNodeRed = async ({ blocks: [block], values }: RecipeTest): Promise<void> => {
  const flow = JSON.parse(filledIn(block?.text ?? "", values)) as readonly FlowNode[];
  const env = { get: () => values.apiKey };
  const statuses: number[] = [];
  const follow = async (node: FlowNode, message: Message): Promise<void> => {
    const [next] = await outcomeOf(node, message);
    for (const id of node.wires?.[0] ?? []) {
      const target = flow.find((each) => each.id === id);
      if (target !== undefined && next !== undefined) await follow(target, next);
    }
  };
  const outcomeOf = async (
    { type, func = "", method, url = "" }: FlowNode,
    message: Message,
  ): Promise<readonly Message[]> => {
    // The flow is ours, and what Node-RED does with a function node.
    // oxlint-disable-next-line no-implied-eval, no-new-func
    if (type === "function") return [new Function("msg", "env", func)(message, env) as Message];
    if (type !== "http request") return [message];
    const body = method === "POST" ? { body: JSON.stringify(message.payload) } : {};
    const response = await fetch(url, { method: method ?? "GET", headers: message.headers ?? {}, ...body });
    statuses.push(response.status);
    expect(response.status, url).toBe(200);
    return [{ payload: response.headers.get("content-length") === "0" ? "" : await response.json().catch(() => "") }];
  };
  for (const inject of flow.filter(({ type }) => type === "inject")) await follow(inject, { payload: 412.5 });
  expect(statuses).toEqual([200, 200]);
};
