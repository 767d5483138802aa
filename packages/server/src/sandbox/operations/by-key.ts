import type { Caller } from "../../access/operations/caller.js";
import type { SandboxService } from "./scenario-service.js";

/** Serves each caller from the service of its key; the services need not check it again. */
export const byKey = (serviceOf: (caller: Caller) => SandboxService): SandboxService => ({
  listDispatches: (caller, sight) => serviceOf(caller).listDispatches(caller, sight),
  findDispatch: (caller, id, sight) => serviceOf(caller).findDispatch(caller, id, sight),
  dispatchPerformance: (caller, id, version) => serviceOf(caller).dispatchPerformance(caller, id, version),
  sitePerformance: (caller, id, siteId, version) => serviceOf(caller).sitePerformance(caller, id, siteId, version),
  performanceDifference: (caller, id, compared) => serviceOf(caller).performanceDifference(caller, id, compared),
  dispatchTable: (caller, id, version) => serviceOf(caller).dispatchTable(caller, id, version),
  createTestDispatch: (caller, period, within) => serviceOf(caller).createTestDispatch(caller, period, within),
  createScenario: (caller, request, within) => serviceOf(caller).createScenario(caller, request, within),
  listScenarios: (caller) => serviceOf(caller).listScenarios(caller),
  deleteScenario: (caller, id) => serviceOf(caller).deleteScenario(caller, id),
  reportScenario: (caller, id) => serviceOf(caller).reportScenario(caller, id),
  listRequests: (caller, filter, page) => serviceOf(caller).listRequests(caller, filter, page),
  listSites: (caller) => serviceOf(caller).listSites(caller),
  changeSchedule: (caller, change) => serviceOf(caller).changeSchedule(caller, change),
  recordTelemetry: (caller, upload) => serviceOf(caller).recordTelemetry(caller, upload),
  recordControllableLoad: (caller, uploaded) => serviceOf(caller).recordControllableLoad(caller, uploaded),
  readTelemetry: (caller, siteIds, window) => serviceOf(caller).readTelemetry(caller, siteIds, window),
  listWebhooks: (caller) => serviceOf(caller).listWebhooks(caller),
  registerWebhook: (caller, webhook) => serviceOf(caller).registerWebhook(caller, webhook),
  deleteWebhook: (caller, id) => serviceOf(caller).deleteWebhook(caller, id),
  listResends: (caller, page) => serviceOf(caller).listResends(caller, page),
});
