import { createTestDispatch, getDispatch, listDispatches, streamDispatches } from "./dispatch.js";
import {
  deleteMappingProfile,
  listMappingLayouts,
  listMappingProfiles,
  saveMappingProfile,
} from "./mapping-profile.js";
import {
  downloadDispatchTable,
  getDispatchPerformance,
  getSitePerformance,
  streamDispatchPerformance,
} from "./performance.js";
import { getPerformanceDifference } from "./performance-difference.js";
import { downloadPerformanceReport, getPerformanceReport } from "./report.js";
import { listRequests } from "./request-log.js";
import { listResends } from "./resend.js";
import { createScenario, deleteScenario, listScenarios, reportScenario } from "./scenario.js";
import { changeSchedule } from "./schedule.js";
import { getSharedEnergy } from "./shared-energy.js";
import { listSites } from "./site.js";
import { downloadStatementInputs, getStatement, listStatements } from "./statement.js";
import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "./telemetry.js";
import { createWebhook, deleteWebhook, listWebhooks } from "./webhook.js";

/** Current version of the participants' interface: the first path segment of every address. */
export const VERSION = "2022-04-15";

/** The twelve endpoints of the specification, in its order. */
export const specified = [
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
] as const;

/** Those of the specification, then those that extend it. */
export const endpoints = [
  ...specified,
  getDispatchPerformance,
  getSitePerformance,
  getPerformanceDifference,
  downloadDispatchTable,
  listRequests,
  listResends,
] as const;

/** Extensions of the specification that only the sandbox has. */
export const sandboxEndpoints = [listScenarios, deleteScenario, reportScenario] as const;

/** Reports over dispatches: extensions that only production has. */
export const participantReports = [getPerformanceReport, downloadPerformanceReport] as const;

/** Statements of months: extensions that only production has. */
export const participantStatements = [listStatements, getStatement, downloadStatementInputs, getSharedEnergy] as const;

/** How files of meter data are read: extensions that only production has. */
export const participantProfiles = [
  listMappingProfiles,
  saveMappingProfile,
  deleteMappingProfile,
  listMappingLayouts,
] as const;

/** Streams of server-sent events: extensions of the specification. */
export const participantStreams = [streamDispatches] as const;

/** Streams that only production has. */
export const performanceStreams = [streamDispatchPerformance] as const;
