import { createTestDispatch, getDispatch, listDispatches } from "../v2022-04-15/dispatch.js";
import { getDispatchPerformance, getSitePerformance } from "../v2022-04-15/performance.js";
import { changeSchedule } from "../v2022-04-15/schedule.js";
import { listSites } from "../v2022-04-15/site.js";
import { readTelemetry } from "../v2022-04-15/telemetry.js";
import { createWebhook, deleteWebhook, listWebhooks } from "../v2022-04-15/webhook.js";
import { downloadSiteEnergy, getSiteEnergy } from "./energy.js";
import { changeOwnUser, createOwnUser, inviteOwnUser, listOwnUsers } from "./user.js";

/** Every operation below /console/v1: what a participant's people do themselves, of the participants' interface. */
export const consoleEndpoints = [
  listDispatches,
  getDispatch,
  createTestDispatch,
  getDispatchPerformance,
  getSitePerformance,
  changeSchedule,
  listSites,
  readTelemetry,
  getSiteEnergy,
  downloadSiteEnergy,
  listWebhooks,
  createWebhook,
  deleteWebhook,
  createOwnUser,
  listOwnUsers,
  changeOwnUser,
  inviteOwnUser,
] as const;
