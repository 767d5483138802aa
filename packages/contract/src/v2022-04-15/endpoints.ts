import { createTestDispatch, getDispatch, listDispatches } from "./dispatch.js";
import { getDispatchPerformance, getSitePerformance, streamDispatchPerformance } from "./performance.js";
import { createScenario, deleteScenario, listScenarios, reportScenario } from "./scenario.js";
import { changeSchedule } from "./schedule.js";
import { listSites } from "./site.js";
import { downloadStatementInputs, getStatement, listStatements } from "./statement.js";
import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "./telemetry.js";
import { createWebhook, deleteWebhook, listWebhooks } from "./webhook.js";

/** Current version of the participants' interface: the first path segment of every address. */
export const VERSION = "2022-04-15";

/** The twelve endpoints in the order of the specification, then those that extend it. */
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

/** Extensions of the specification that only the sandbox has. */
export const sandboxEndpoints = [listScenarios, deleteScenario, reportScenario] as const;

/** Extensions of the specification that only production has. */
export const productionEndpoints = [listStatements, getStatement, downloadStatementInputs] as const;

/** Streams of server-sent events: extensions that only production has. */
export const participantStreams = [streamDispatchPerformance] as const;
