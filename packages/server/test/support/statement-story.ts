import { operator } from "@curtail/contract";
import {
  dispatchBetween,
  intervalsBetween,
  meanOfDays,
  measuredProgram,
  untilLooked,
  untilVersions,
  uploadIntervals,
} from "./measuring.js";
import { firstOf } from "./metering.js";
import { type Participant, type Running, running } from "./running.js";
import { type AnyStatement, setTerms, statementMade, statementOf } from "./settling.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

const CAPACITY = { price_per_kw: "4.5", factor: { lowest: "0", highest: "1" } };
export const ENERGY = { price_per_kwh: "0.1", counted: "net", highest_share: null } as const;
export const PENALTY = {
  below: "0.8",
  price_per_kwh: "0.5",
  counted: "capped",
  highest_per_month: null,
  within_earnings: false,
} as const;
export const ALL = { capacity: CAPACITY, energy: ENERGY, penalty: PENALTY };

export const hour = (day: string, from = 18) =>
  [`2026-06-${day}T${from}:00:00Z`, `2026-06-${day}T${from + 1}:00:00Z`] as const;
export const at = (time: string): void => service.clock.set(new Date(time));

interface Settled {
  readonly participant: Participant;
  readonly siteId: string;
  readonly programId: string;
  /** Dispatches on 10 and 11 June with final results, of 40 kW and 10 kW. */
  readonly first: string;
  readonly second: string;
  /** Uploads the load of an hour anew. */
  load(period: readonly [string, string], kw: number): Promise<void>;
}

/** An account whose site, committed to 40 kW, delivered in two dispatches of an hour in June. */
export const delivered = async (terms: Partial<Parameters<typeof setTerms>[2]> = ALL): Promise<Settled> => {
  at("2026-05-31T00:00:00Z");
  const participant = await service.newParticipant();
  const { siteId, meterId } = firstOf(participant);
  const programId = await measuredProgram(service, [participant], { baseline: meanOfDays(3), commitment: 40 });
  at("2026-06-12T00:00:00Z");
  const load = (period: readonly [string, string], kw: number) =>
    uploadIntervals(
      participant,
      meterId,
      intervalsBetween(period, 300, () => kw),
    );
  await load(["2026-06-05T00:00:00Z", "2026-06-12T00:00:00Z"], 100);
  await load(hour("10"), 60);
  await load(hour("11"), 90);
  await setTerms(service, programId, terms);
  const first = await dispatchBetween(service, programId, hour("10"));
  const second = await dispatchBetween(service, programId, hour("11"));
  for (const id of [first, second]) await untilVersions(service, id, 1);
  return { participant, siteId, programId, first, second, load };
};

export const made = ({ participant }: Settled): Promise<string> =>
  statementMade(service, participant.accountId, "2026-06");

/** Moves the clock until the newest version of a statement has that number. */
export const untilVersion = (id: string, version: number) =>
  untilLooked(service, async () => (await statementOf(service, id)).versions.length === version);

export const linesOf = ({ sites }: AnyStatement) =>
  sites.flatMap((site) =>
    site.lines.map(({ kind, dispatch_id, version, amount }) => [kind, dispatch_id, version, amount]),
  );

export const approve = (id: string, version: number, note = "agreed") =>
  service.operator(operator.approveStatement, { params: { id }, body: { version, note } });
