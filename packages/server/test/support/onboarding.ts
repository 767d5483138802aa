import { listDispatches, operator, participantConsole } from "@curtail/contract";
import { intervalsBetween, measuredProgram, uploadIntervals } from "./measuring.js";
import { type Browser, newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";
import { listeningToVens, type Vens } from "./vens.js";

// Production: "Each new site must pass a dispatch verification (a site-specific end-to-end test in production)."
export const NOW = "2026-06-10T18:00:00Z";
export const at = (minutes: number): string =>
  new Date(Date.parse(NOW) + minutes * 60_000).toISOString().replace(".000", "");

export let service: Running;
export let vens: Vens;
export let auditor: Browser;
export let anna: Participant;
export let viewer: Browser;
export let programId: string;

export const prepare = async () => {
  service = await running();
  vens = await listeningToVens(service);
  auditor = await newBrowser(service, "auditor");
};

export const prepareEach = async () => {
  service.clock.set(new Date(NOW));
  anna = await service.newParticipant();
  viewer = await newBrowser(service, "participant-viewer", anna.accountId);
  const baseline = { method: { kind: "meter_before", seconds: 900, anchor: "start" } };
  programId = await measuredProgram(service, [anna], { baseline, commitment: 40 });
};

export const siteId = (): string => anna.sites[0]?.id ?? "";
export const path = (): string => `/sites/${siteId()}/onboarding`;
export const onboarding = async () => (await service.operator("GET", path())).body;
export const verification = async () => (await onboarding()).verification;
export const doneOf = ({ steps }: { steps: Array<{ step: string; done: boolean }> }) =>
  steps.filter(({ done }) => done).map(({ step }) => step);

/** Readings of the site between two minutes from now. */
export const loads = (from: number, to: number, kw: number): Promise<void> =>
  uploadIntervals(
    anna,
    anna.sites[0]?.meters[0] ?? "",
    intervalsBetween([at(from), at(to)], 30, () => kw),
  );

export const verify = (body: object = {}) =>
  service.made(operator.verifySite, { params: { id: siteId() }, body: { program_id: programId, ...body } });

/** A finished test of the site that delivered this much of 40 kW; `learn` determines how the account learned of it. */
export const verified = async (kw: number, learn: (dispatchId: string) => Promise<unknown>, body: object = {}) => {
  await loads(-60, 0, 100);
  const { id } = await verify(body);
  await learn(id);
  service.clock.set(new Date(at(17)));
  await loads(0, 1, 100);
  await loads(1, 17, 100 - kw);
  return id;
};

export const poll = () => anna.call(listDispatches);

export const own = async (browser: Browser) => (await browser.console(participantConsole.listOwnOnboarding)).body.items;
