import { operator } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};
export let anna: Participant;
export let programId: string;

export const program = wireProgram();

export const prepareAccount = async () => {
  anna = await service.newParticipant();
  programId = (await service.made(operator.createProgram, { body: program })).id;
};

/** The queries of operations that require one. */
export const goodQueries: Readonly<Record<string, string>> = {
  getMomentaryPerformance: "?at=2026-06-10T18:00:00Z",
  getBaselineAccuracy: "?program_id=prg_0&start=14:00&minutes=60",
};

/** A body that each operation with an id in its path accepts. */
export const goodBodies: Readonly<Record<string, unknown>> = {
  changeAccount: { name: "x" },
  createContact: { name: "x", email: "a@b.example" },
  createChannelAddress: { channel: "chat", name: "x", address: "https://chat.example/x" },
  saveAccountMappingProfile: { name: "x", mapping: { delimiter: ";" } },
  testContact: { channel: "sms" },
  createKey: { environment: "production" },
  createSite: { name: "x" },
  changeSite: { name: "x" },
  createMeter: { name: "x" },
  changeMeter: { name: "x" },
  changeProgram: { name: "x" },
  confirmHolidays: { version: "3.37.0", to_year: 2028 },
  enrolSite: { commitment: 1 },
  enrolSites: { site_ids: ["site_x"] },
  withdrawSites: { site_ids: ["site_x"] },
  changeDispatch: { authorized: false },
  recordPhoneCall: { account_id: "x", person: "x", note: "x" },
  noteAlarm: { note: "x" },
  acknowledgeAlarmGroup: {},
  unacknowledgeAlarmGroup: { acknowledged_at: "2026-07-01T18:00:00Z" },
  assignAlarmGroup: { assigned_to: "x" },
  shelveAlarmGroup: { until: "2026-07-01T18:00:00Z" },
  unshelveAlarmGroup: {},
  approvePerformance: { version: 1, note: "x" },
  decideSite: { counts: null, reason: "x" },
  excludeDay: { reason: "x" },
  createVen: { ven_id: "ven-1" },
  changeVen: { market_context: "program" },
  certifyVen: {},
  createOpenadrClient: { name: "x" },
  changeOpenadrClient: { name: "x" },
  rotateOpenadrSecret: {},
  changeOpenadrProgram: { name: "x" },
  changeOpenadrEvent: { name: "x" },
  changeShiftReport: { version: 1 },
  changeUser: { name: "x" },
  verifySite: { program_id: "x" },
  setTerms: { currency: "USD", capacity: null, energy: null, penalty: null },
  approveStatement: { version: 1, note: "x" },
};

/** The operations with an id in their path. */
export const paths = operator.operatorEndpoints.filter((each) => each.path.includes("{"));
