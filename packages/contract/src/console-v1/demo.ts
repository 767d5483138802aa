import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { Demo } from "../operator-v1/demo.js";

export const DemoState = Type.Object(
  { state: Demo.properties.state },
  { $id: "DemoState", description: "Whether the service simulates a fleet." },
);

export const getDemoState = endpoint({
  id: "getDemoState",
  method: "GET",
  path: "/demo",
  tag: "Account",
  summary: "Retrieve whether a demo is on",
  description: "While there is a demo, all accounts and readings are simulated. An operator starts and removes it.",
  reply: DemoState,
});
