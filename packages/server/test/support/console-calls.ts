import {
  changeSchedule,
  createScenario,
  createTestDispatch,
  createWebhook,
  operator,
  type participantConsole,
  saveMappingProfile,
} from "@curtail/contract";
import { lastingChatRooms } from "@curtail/testing/chat-rooms";
import { lastingReceiver } from "@curtail/testing/receiver";
import { expect, vi } from "vitest";
import { enableDisplay } from "./display.js";
import type { FakeClock } from "./fake-clock.js";
import { measuredProgram } from "./measuring.js";
import { goodCall, type Named, namesOf, type ParticipantCall } from "./participant-calls.js";
import { type Browser, newBrowser } from "./people.js";
import type { Participant, Running } from "./running.js";
import { program, sites } from "./scenario.js";
import { setTerms } from "./settling.js";

export type ConsoleEndpoint = (typeof participantConsole.consoleEndpoints)[number];

/** Ids for calls of the console, beyond those for calls of the participants' interface. */
export interface OwnNames extends Named {
  readonly deliveryId: string;
  readonly keyId: string;
  readonly contactId: string;
  readonly addressId: string;
  readonly blockId: string;
  readonly viewerId: string;
  readonly statementId: string;
  readonly scenarioId: string;
  readonly profileId: string;
}

/** An account that has one of everything, with its users. */
export interface PeopledAccount {
  readonly participant: Participant;
  readonly names: OwnNames;
  readonly admin: Browser;
  readonly viewer: Browser;
}

type OwnEndpointId = Exclude<ConsoleEndpoint["id"], Parameters<typeof goodCall>[0]["id"]>;

let invited = 0;
const profile = { name: "Utility portal", mapping: { delimiter: ";" as const } };

/** A valid call of every endpoint that only the console has. */
const calls: Record<OwnEndpointId, (names: OwnNames, clock: FakeClock) => Omit<ParticipantCall, "method">> = {
  getAccountOverview: () => ({ path: "/overview" }),
  listOwnOpenadrClients: () => ({ path: "/openadr3-clients" }),
  searchOwn: () => ({ path: "/search?q=a" }),
  listOwnOnboarding: () => ({ path: "/onboarding" }),
  getAccountCurve: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/performance/curve` }),
  listPastDispatches: () => ({ path: "/dispatches/past" }),
  recordPageRead: ({ dispatchId }) => ({
    path: `/dispatches/${dispatchId}/page-read`,
    body: { modification_number: 0 },
  }),
  getEnergyBars: () => ({ path: "/energy?by=day&from=2026-06-09&to=2026-06-11" }),
  getSiteEnergy: ({ siteId }) => ({ path: `/sites/${siteId}/energy` }),
  downloadSiteEnergy: ({ siteId }) => ({ path: `/sites/${siteId}/energy/download` }),
  importOwnMeterData: ({ siteId, meterId }) => ({
    path: `/sites/${siteId}/meter-data?meter_id=${meterId}`,
    body: "timestamp,kw\n2020-01-01T00:05:00Z,1.5\n2020-01-01T00:10:00Z,2.5\n",
  }),
  listMappingProfiles: () => ({ path: "/mapping-profiles" }),
  saveMappingProfile: () => ({ path: "/mapping-profiles", body: { ...profile, replace: true } }),
  deleteMappingProfile: ({ profileId }) => ({ path: `/mapping-profiles/${profileId}` }),
  listMappingLayouts: () => ({ path: "/mapping-layouts" }),
  listStatements: () => ({ path: "/statements" }),
  getStatement: ({ statementId }) => ({ path: `/statements/${statementId}` }),
  downloadStatementInputs: ({ statementId }) => ({ path: `/statements/${statementId}/inputs?table=sites` }),
  getSharedEnergy: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/shared-energy` }),
  getPerformanceReport: () => ({ path: "/reports/performance?from=2026-06-01&to=2026-06-30" }),
  downloadPerformanceReport: () => ({ path: "/reports/performance/download?from=2026-06-01&to=2026-06-30" }),
  getDemoState: () => ({ path: "/demo" }),
  getOwnAccount: () => ({ path: "/account" }),
  getOwnWebhook: ({ webhookId }) => ({ path: `/webhooks/${webhookId}` }),
  rotateOwnWebhookSecret: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/rotate-secret` }),
  testOwnWebhook: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/test` }),
  listOwnWebhookDeliveries: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/deliveries` }),
  listOwnDispatchDeliveries: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/deliveries` }),
  resendOwnDelivery: ({ deliveryId }) => ({ path: `/deliveries/${deliveryId}/resend` }),
  createOwnKey: () => ({ path: "/keys", body: { environment: "production" } }),
  listOwnKeys: () => ({ path: "/keys" }),
  revokeOwnKey: ({ keyId }) => ({ path: `/keys/${keyId}` }),
  listOwnRequests: () => ({ path: "/requests" }),
  createOwnContact: () => ({ path: "/contacts", body: { name: "Night shift", email: "night@example.com" } }),
  listOwnContacts: () => ({ path: "/contacts" }),
  getOwnPhoneChannels: () => ({ path: "/phone-channels" }),
  testOwnContact: ({ contactId }) => ({ path: `/contacts/${contactId}/test`, body: { channel: "sms" } }),
  deleteOwnContact: ({ contactId }) => ({ path: `/contacts/${contactId}` }),
  createOwnChannelAddress: () => ({
    path: "/channel-addresses",
    body: { channel: "chat", name: "Control room", address: rooms.open().address },
  }),
  listOwnChannelAddresses: () => ({ path: "/channel-addresses" }),
  testOwnChannelAddress: ({ addressId }) => ({ path: `/channel-addresses/${addressId}/test` }),
  deleteOwnChannelAddress: ({ addressId }) => ({ path: `/channel-addresses/${addressId}` }),
  listOwnBlocks: () => ({ path: "/schedule" }),
  changeAvailability: () => ({ path: "/schedule", body: { remove: [], add: [] } }),
  listOwnSchedule: ({ siteId }) => ({ path: `/sites/${siteId}/schedule` }),
  deleteOwnScheduleBlock: ({ blockId }) => ({ path: `/schedule/${blockId}` }),
  createOwnScenario: (_, clock) => ({ path: "/scenarios", body: scenarioAt(clock) }),
  listOwnScenarioDeliveries: ({ scenarioId }) => ({ path: `/scenarios/${scenarioId}/deliveries` }),
  listOwnScenarios: () => ({ path: "/scenarios" }),
  deleteOwnScenario: ({ scenarioId }) => ({ path: `/scenarios/${scenarioId}` }),
  reportOwnScenario: ({ scenarioId }) => ({ path: `/scenarios/${scenarioId}/report` }),
  listOwnCertificates: () => ({ path: "/integration-certificates" }),
  listOwnEvidence: ({ dispatchId }) => ({ path: `/dispatches/${dispatchId}/evidence` }),
  createOwnUser: () => ({
    path: "/users",
    body: { email: `new${++invited}@example.com`, name: "New", role: "participant-viewer" },
  }),
  listOwnUsers: () => ({ path: "/users" }),
  changeOwnUser: ({ viewerId }) => ({ path: `/users/${viewerId}`, body: { name: `Renamed ${++invited}` } }),
  inviteOwnUser: ({ viewerId }) => ({ path: `/users/${viewerId}/invitation` }),
  signOutOwnUser: ({ viewerId }) => ({ path: `/users/${viewerId}/sign-out` }),
};

const isOwn = (id: ConsoleEndpoint["id"]): id is OwnEndpointId => Object.hasOwn(calls, id);

/** A valid call of an endpoint, with the account's objects. */
export const callOn = ({ names }: PeopledAccount, endpoint: ConsoleEndpoint, clock: FakeClock): ParticipantCall => {
  const { id, method } = endpoint;
  if (isOwn(id)) return { method, ...calls[id](names, clock) };
  return goodCall(endpoint as Parameters<typeof goodCall>[0], names, clock);
};

const hook = await lastingReceiver();
const rooms = await lastingChatRooms();

const inHours = ({ clock }: Running, hours: number): string =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString();

export const newPeopledAccount = async (service: Running, name: string, meter: string): Promise<PeopledAccount> => {
  const participant = await service.newParticipant({ name, sites: [[meter]] });
  await enableDisplay(service, participant);
  const webhook = await participant.call(createWebhook, {
    body: { url: hook.url, events: [{ name: "dispatch.create" }] },
  });
  const period = { start_time: inHours(service, 1), end_time: inHours(service, 2) };
  const dispatch = await participant.call(createTestDispatch, { body: period });
  const admin = await newBrowser(service, "participant-admin", participant.accountId);
  const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
  const person = { name: "Day shift", email: "day@example.com", phone: "+1 555 010 0200" };
  const contact = await service.made(operator.createContact, { params: { id: participant.accountId }, body: person });
  const address = await service.made(operator.createChannelAddress, {
    params: { id: participant.accountId },
    body: { channel: "chat", name: "Control room", address: rooms.open().address },
  });
  const { siteId } = namesOf(participant, "");
  const block = { available: false, start_time: inHours(service, 72), end_time: inHours(service, 73) };
  await participant.call(changeSchedule, { params: { site_id: siteId }, body: block });
  const blocks = await service.made(operator.listSchedule, { params: { id: siteId } });
  const names = {
    ...namesOf(participant, dispatch.body.id, webhook.body.id),
    deliveryId: await deliveredTo(service, webhook.body.id),
    keyId: participant.keyId,
    contactId: contact.id,
    addressId: address.id,
    blockId: blocks.items[0]?.id ?? "",
    viewerId: viewer.id,
    statementId: await statementOf(service, participant),
    scenarioId: await scenarioOf(service, participant),
    profileId: (await participant.call(saveMappingProfile, { body: profile })).body.id,
  };
  return { participant, names, admin, viewer };
};

/** The account's statement of this month: a site that is paid for its commitment. */
const statementOf = async (service: Running, participant: Participant): Promise<string> => {
  const program = await measuredProgram(service, [participant], { commitment: 7 });
  await setTerms(service, program, { capacity: { price_per_kw: "2", factor: null } });
  const body = { month: service.clock.now().toISOString().slice(0, 7), account_id: participant.accountId };
  return (await service.made(operator.makeStatements, { body })).items[0]?.id ?? "";
};

const scenarioAt = (clock: FakeClock) => ({
  scenario_type: "basic" as const,
  start_time: new Date(clock.now().getTime() + 3_600_000).toISOString(),
  end_time: new Date(clock.now().getTime() + 7_200_000).toISOString(),
  sites,
  program,
});

const scenarioOf = async (service: Running, participant: Participant): Promise<string> => {
  const call = await service.sandboxCall(participant);
  return (await call(createScenario, { body: scenarioAt(service.clock) })).body.id;
};

/** The only delivery to a webhook, once it is delivered and no longer changes by itself. */
const deliveredTo = (service: Running, webhookId: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const { items } = (await service.operator(operator.listWebhookDeliveries, { params: { id: webhookId } })).body;
      expect(items).toMatchObject([{ state: "delivered" }]);
      return items[0]?.id as string;
    },
    { timeout: 15_000 },
  );
