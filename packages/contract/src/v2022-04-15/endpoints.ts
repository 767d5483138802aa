import { createTestDispatch, getDispatch, listDispatches } from "./dispatch.js";
import { getDispatchPerformance, getSitePerformance, streamDispatchPerformance } from "./performance.js";
import { createScenario, deleteScenario, listScenarios, reportScenario } from "./scenario.js";
import { changeSchedule } from "./schedule.js";
import { listSites } from "./site.js";
import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "./telemetry.js";
import { createWebhook, deleteWebhook, listWebhooks } from "./webhook.js";

/** Current version of the participants' interface: the first path segment of every address. */
export const VERSION = "2022-04-15";

/** The twelve endpoints, in the order of the specification, then ours beside it. */
export const endpoints = [
  listDispatches,
  getDispatch,
  createTestDispatch,
  createScenario,
  changeSchedule,
  listSites,
  uploadTelemetry,
  uploadControllableLoad,
  readTelemetry,
  listWebhooks,
  createWebhook,
  deleteWebhook,
  getDispatchPerformance,
  getSitePerformance,
] as const;

/** Beyond the specification, in the sandbox only. */
export const sandboxEndpoints = [listScenarios, deleteScenario, reportScenario] as const;

/** Beyond the specification, in production only: what answers with server-sent events. */
export const participantStreams = [streamDispatchPerformance] as const;
