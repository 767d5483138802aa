import * as account from "./account.js";
import { getAddresses } from "./addresses.js";
import * as alarm from "./alarm.js";
import * as alarmGroup from "./alarm-group.js";
import { getDispatchAttention } from "./attention.js";
import { listAudit } from "./audit.js";
import { getBaselineAccuracy } from "./baseline-accuracy.js";
import { listAccountCertificates } from "./certificate.js";
import { streamChanges } from "./change.js";
import * as channelAddress from "./channel-address.js";
import * as contact from "./contact.js";
import * as delivery from "./delivery.js";
import * as deliveryHold from "./delivery-hold.js";
import * as demo from "./demo.js";
import * as dispatch from "./dispatch.js";
import * as dispatchResult from "./dispatch-result.js";
import { downloadAnySiteEnergy, getAnySiteEnergy } from "./energy.js";
import * as enrolment from "./enrolment.js";
import { downloadEvidence, listEvidence } from "./evidence.js";
import * as excludedDay from "./excluded-day.js";
import { getFirstSteps } from "./first-steps.js";
import * as follower from "./follower.js";
import * as holidays from "./holidays.js";
import { importSites } from "./import.js";
import * as key from "./key.js";
import { getPortfolioLoad } from "./load.js";
import * as mappingProfile from "./mapping-profile.js";
import { importMeterData } from "./meter-data.js";
import * as onboarding from "./onboarding.js";
import * as openadr3Client from "./openadr3-client.js";
import * as openadr3Event from "./openadr3-event.js";
import * as openadr3Program from "./openadr3-program.js";
import { getOverview } from "./overview.js";
import * as performance from "./performance.js";
import { getAnyPerformanceDifference } from "./performance-difference.js";
import * as phone from "./phone.js";
import { recordPhoneCall } from "./phone-call.js";
import * as program from "./program.js";
import { listReplayEvents } from "./replay.js";
import { downloadAnyPerformanceReport, getAnyPerformanceReport } from "./report.js";
import { listAccountRequests } from "./request-log.js";
import * as rules from "./rules.js";
import * as scenario from "./scenario.js";
import * as schedule from "./schedule.js";
import { search } from "./search.js";
import * as shiftReport from "./shift-report.js";
import * as simulatedSite from "./simulated-site.js";
import * as site from "./site.js";
import * as siteMap from "./site-map.js";
import * as statement from "./statement.js";
import { getTelemetryHealth, listTelemetryHealth } from "./telemetry-health.js";
import * as terms from "./terms.js";
import { getDispatchTimeline } from "./timeline.js";
import * as user from "./user.js";
import * as ven from "./ven.js";
import * as webhook from "./webhook.js";

/** Every operation below /operator/v1. */
export const operatorEndpoints = [
  getOverview,
  getPortfolioLoad,
  search,
  getAddresses,
  account.createAccount,
  account.listAccounts,
  account.downloadAccounts,
  account.getAccount,
  account.changeAccount,
  contact.createContact,
  contact.listContacts,
  phone.getPhoneChannels,
  phone.testContact,
  contact.deleteContact,
  channelAddress.createChannelAddress,
  channelAddress.listChannelAddresses,
  channelAddress.testChannelAddress,
  channelAddress.deleteChannelAddress,
  key.createKey,
  key.listKeys,
  key.revokeKey,
  listAccountRequests,
  site.createSite,
  site.listAccountSites,
  site.listAllSites,
  site.downloadSites,
  siteMap.getSiteMap,
  siteMap.listShortSites,
  site.getSite,
  site.changeSite,
  getTelemetryHealth,
  getFirstSteps,
  demo.getDemo,
  demo.startDemo,
  demo.removeDemo,
  simulatedSite.getSimulatedSite,
  simulatedSite.addSimulatedSite,
  simulatedSite.removeSimulatedSite,
  onboarding.listOnboarding,
  onboarding.getOnboarding,
  onboarding.verifySite,
  getAnySiteEnergy,
  downloadAnySiteEnergy,
  listTelemetryHealth,
  site.createMeter,
  site.changeMeter,
  importSites,
  importMeterData,
  mappingProfile.listAccountMappingProfiles,
  mappingProfile.saveAccountMappingProfile,
  mappingProfile.deleteAccountMappingProfile,
  mappingProfile.listAccountMappingLayouts,
  program.createProgram,
  program.listPrograms,
  program.getProgram,
  program.changeProgram,
  holidays.getProgramHolidays,
  holidays.confirmHolidays,
  holidays.listHolidayCalendars,
  holidays.getHolidayCalendar,
  program.listEnrolments,
  program.listSiteEnrolments,
  program.enrolSite,
  program.withdrawSite,
  enrolment.enrolSites,
  enrolment.withdrawSites,
  dispatch.createDispatch,
  dispatch.cancelTests,
  dispatch.previewDispatch,
  dispatch.listAllDispatches,
  dispatch.getAnyDispatch,
  dispatch.changeDispatch,
  listEvidence,
  recordPhoneCall,
  getDispatchAttention,
  getDispatchTimeline,
  listReplayEvents,
  downloadEvidence,
  dispatchResult.listDispatchResults,
  dispatchResult.downloadDispatchResults,
  dispatchResult.downloadSiteResults,
  performance.getAnyDispatchPerformance,
  performance.getDispatchCurve,
  performance.getMomentaryPerformance,
  performance.downloadAnyDispatchTable,
  performance.approvePerformance,
  performance.decideSite,
  performance.getAnySitePerformance,
  getAnyPerformanceDifference,
  getBaselineAccuracy,
  terms.setTerms,
  terms.listTerms,
  terms.deleteTerms,
  rules.listRules,
  rules.previewRules,
  rules.adoptRules,
  statement.makeStatements,
  statement.listAllStatements,
  statement.getAnyStatement,
  statement.downloadAnyStatementInputs,
  statement.approveStatement,
  statement.getAnySharedEnergy,
  excludedDay.listExcludedDays,
  excludedDay.excludeDay,
  excludedDay.includeDay,
  getAnyPerformanceReport,
  downloadAnyPerformanceReport,
  schedule.listSchedule,
  schedule.deleteScheduleBlock,
  webhook.listAccountWebhooks,
  webhook.rotateWebhookSecret,
  webhook.testWebhook,
  delivery.listWebhookDeliveries,
  delivery.listDispatchDeliveries,
  delivery.resendDelivery,
  deliveryHold.getDeliveryHold,
  deliveryHold.releaseDelivery,
  ven.createVen,
  ven.listVens,
  ven.getVen,
  ven.changeVen,
  ven.deleteVen,
  ven.listVenEvents,
  ven.previewVen,
  ven.certifyVen,
  ven.revokeVenCertificate,
  ven.getOpenadrAuthority,
  openadr3Client.createOpenadrClient,
  openadr3Client.listOpenadrClients,
  openadr3Client.createBusinessLogic,
  openadr3Client.listBusinessLogic,
  openadr3Client.getOpenadrClient,
  openadr3Client.changeOpenadrClient,
  openadr3Client.rotateOpenadrSecret,
  openadr3Client.revokeOpenadrClient,
  openadr3Program.createOpenadrProgram,
  openadr3Program.listOpenadrPrograms,
  openadr3Program.getOpenadrProgram,
  openadr3Program.changeOpenadrProgram,
  openadr3Program.deleteOpenadrProgram,
  openadr3Event.createOpenadrEvent,
  openadr3Event.listOpenadrEvents,
  openadr3Event.getOpenadrEvent,
  openadr3Event.changeOpenadrEvent,
  openadr3Event.endOpenadrEvent,
  openadr3Event.deleteOpenadrEvent,
  scenario.listAccountScenarios,
  scenario.getScenarioReport,
  scenario.listScenarioDeliveries,
  listAccountCertificates,
  alarm.listAlarms,
  alarmGroup.listAlarmGroups,
  alarmGroup.acknowledgeAlarmGroup,
  alarmGroup.unacknowledgeAlarmGroup,
  alarmGroup.assignAlarmGroup,
  alarmGroup.shelveAlarmGroup,
  alarmGroup.unshelveAlarmGroup,
  alarm.acknowledgeAlarm,
  alarm.noteAlarm,
  follower.listFollowers,
  follower.retryFollower,
  shiftReport.draftShiftReport,
  shiftReport.keepShiftReport,
  shiftReport.listShiftReports,
  shiftReport.getShiftReport,
  shiftReport.changeShiftReport,
  user.createUser,
  user.listUsers,
  user.getUser,
  user.changeUser,
  user.inviteUser,
  user.signOutUser,
  user.deleteUser,
  listAudit,
] as const;

/** Streams of server-sent events, in addition to `operatorEndpoints`. */
export const operatorStreams = [streamChanges, performance.streamAnyDispatchPerformance] as const;
