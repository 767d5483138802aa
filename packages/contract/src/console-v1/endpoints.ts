import { createTestDispatch, getDispatch, listDispatches } from "../v2022-04-15/dispatch.js";
import {
  deleteMappingProfile,
  listMappingLayouts,
  listMappingProfiles,
  saveMappingProfile,
} from "../v2022-04-15/mapping-profile.js";
import {
  downloadDispatchTable,
  getDispatchPerformance,
  getSitePerformance,
  streamDispatchPerformance,
} from "../v2022-04-15/performance.js";
import { getPerformanceDifference } from "../v2022-04-15/performance-difference.js";
import { downloadPerformanceReport, getPerformanceReport } from "../v2022-04-15/report.js";
import { changeSchedule } from "../v2022-04-15/schedule.js";
import { getSharedEnergy } from "../v2022-04-15/shared-energy.js";
import { listSites } from "../v2022-04-15/site.js";
import { downloadStatementInputs, getStatement, listStatements } from "../v2022-04-15/statement.js";
import { readTelemetry } from "../v2022-04-15/telemetry.js";
import { getOwnAccount } from "./account.js";
import { streamOwnChanges } from "./change.js";
import * as channelAddress from "./channel-address.js";
import * as contact from "./contact.js";
import { getDemoState } from "./demo.js";
import { listPastDispatches } from "./dispatch.js";
import { downloadSiteEnergy, getEnergyBars, getSiteEnergy } from "./energy.js";
import * as evidence from "./evidence.js";
import * as key from "./key.js";
import { importOwnMeterData } from "./meter-data.js";
import { listOwnOnboarding } from "./onboarding.js";
import { listOwnOpenadrClients } from "./openadr3-client.js";
import { getAccountOverview } from "./overview.js";
import { recordPageRead } from "./page-read.js";
import { getAccountCurve } from "./performance.js";
import * as phone from "./phone.js";
import { listOwnRequests } from "./request-log.js";
import * as sandbox from "./sandbox.js";
import * as schedule from "./schedule.js";
import { searchOwn } from "./search.js";
import { changeOwnUser, createOwnUser, inviteOwnUser, listOwnUsers, signOutOwnUser } from "./user.js";
import * as webhook from "./webhook.js";

/** Every operation below /console/v1, where users of a participant act for their account. */
export const consoleEndpoints = [
  getOwnAccount,
  listOwnOpenadrClients,
  getDemoState,
  getAccountOverview,
  searchOwn,
  listOwnOnboarding,
  listDispatches,
  listPastDispatches,
  getDispatch,
  recordPageRead,
  createTestDispatch,
  getDispatchPerformance,
  getAccountCurve,
  getSitePerformance,
  listStatements,
  getStatement,
  downloadStatementInputs,
  getSharedEnergy,
  getPerformanceDifference,
  downloadDispatchTable,
  getPerformanceReport,
  downloadPerformanceReport,
  changeSchedule,
  listSites,
  readTelemetry,
  getEnergyBars,
  getSiteEnergy,
  downloadSiteEnergy,
  importOwnMeterData,
  listMappingProfiles,
  saveMappingProfile,
  deleteMappingProfile,
  listMappingLayouts,
  webhook.listOwnWebhooks,
  webhook.createOwnWebhook,
  webhook.getOwnWebhook,
  webhook.rotateOwnWebhookSecret,
  webhook.testOwnWebhook,
  webhook.listOwnWebhookDeliveries,
  webhook.listOwnDispatchDeliveries,
  webhook.resendOwnDelivery,
  webhook.deleteOwnWebhook,
  key.createOwnKey,
  key.listOwnKeys,
  key.revokeOwnKey,
  listOwnRequests,
  contact.createOwnContact,
  contact.listOwnContacts,
  phone.getOwnPhoneChannels,
  phone.testOwnContact,
  contact.deleteOwnContact,
  channelAddress.createOwnChannelAddress,
  channelAddress.listOwnChannelAddresses,
  channelAddress.testOwnChannelAddress,
  channelAddress.deleteOwnChannelAddress,
  schedule.listOwnBlocks,
  schedule.changeAvailability,
  schedule.listOwnSchedule,
  schedule.deleteOwnScheduleBlock,
  evidence.listOwnEvidence,
  sandbox.createOwnScenario,
  sandbox.listOwnScenarios,
  sandbox.listOwnScenarioDeliveries,
  sandbox.reportOwnScenario,
  sandbox.deleteOwnScenario,
  sandbox.listOwnCertificates,
  createOwnUser,
  listOwnUsers,
  changeOwnUser,
  inviteOwnUser,
  signOutOwnUser,
] as const;

/** Streams of server-sent events, in addition to `consoleEndpoints`. */
export const consoleStreams = [streamOwnChanges, streamDispatchPerformance] as const;
