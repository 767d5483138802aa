import { registerDispatch } from "./dispatch-node.js";
import type { Red } from "./red.js";
import { registerSchedule } from "./schedule-node.js";
import { registerServer } from "./server-node.js";
import { registerTelemetry } from "./telemetry-node.js";

/** What Node-RED calls when it loads the module. */
export const register = (red: Red): void => {
  registerServer(red);
  registerDispatch(red);
  registerTelemetry(red);
  registerSchedule(red);
};
