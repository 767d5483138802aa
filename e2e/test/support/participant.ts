import {
  claimKey,
  type Endpoint,
  type InputArguments,
  operatorClient,
  participantClient,
  type ReplyOf,
} from "@curtail/client";
import { operator, type QueryOf, readTelemetry } from "@curtail/contract";
import { wireProgram } from "@curtail/testing/wire-forms";
import { OPERATOR_TOKEN } from "./service-process.js";

export interface Site {
  readonly id: string;
  readonly meterId: string;
}

/** An account with sites of one meter each, and its key. */
export interface Participant {
  readonly accountId: string;
  readonly key: string;
  readonly sites: readonly Site[];
}

/** Calls the operator API; throws unless it succeeds. */
export const operate = <E extends Endpoint>(
  url: string,
  endpoint: E,
  ...input: InputArguments<E>
): Promise<ReplyOf<E>> => operatorClient({ url, token: OPERATOR_TOKEN }).call(endpoint, ...input);

/** Creates an API key of the account, and claims it as the participant would. */
export const newKey = async (
  url: string,
  accountId: string,
  environment: "production" | "sandbox" = "production",
): Promise<string> => {
  const { claim_url } = await operate(url, operator.createKey, { params: { id: accountId }, body: { environment } });
  return (await claimKey(claim_url)).api_key;
};

export interface ParticipantOptions {
  /** Name of each site's meter. */
  readonly meter?: string;
  /** Environment that accepts its key. */
  readonly environment?: "production" | "sandbox";
}

export const newParticipant = async (
  url: string,
  sites: number,
  { meter = "main", environment = "production" }: ParticipantOptions = {},
): Promise<Participant> => {
  const account = await operate(url, operator.createAccount, { body: { name: "Participant" } });
  const created: Site[] = [];
  for (let index = 0; index < sites; index++) {
    const body = { name: `Site ${index}`, meters: [{ name: meter }] };
    const site = await operate(url, operator.createSite, { params: { id: account.id }, body });
    created.push({ id: site.id, meterId: site.meters[0]?.id ?? "" });
  }
  return { accountId: account.id, key: await newKey(url, account.id, environment), sites: created };
};

/** Creates a program; returns its id. */
export const newProgram = async (url: string, changes: Parameters<typeof wireProgram>[0] = {}): Promise<string> =>
  (await operate(url, operator.createProgram, { body: wireProgram(changes) })).id;

export type IntervalSeconds = NonNullable<QueryOf<typeof readTelemetry>["interval_seconds"]>;

export interface Point {
  readonly timestamp: string;
  readonly value: number;
}

/** Stored points of the sites' meters, by meter id. */
export const readPoints = async (
  url: string,
  { key, sites }: Participant,
  window: { readonly start: string; readonly end: string; readonly intervalSeconds?: IntervalSeconds },
): Promise<Map<string, Point[]>> => {
  const { data } = await participantClient({ url, key }).call(readTelemetry, {
    query: {
      site_id: sites.map(({ id }) => id),
      start_time: window.start,
      end_time: window.end,
      ...(window.intervalSeconds === undefined ? {} : { interval_seconds: window.intervalSeconds }),
    },
  });
  return new Map(data.sites.flatMap((site) => site.meters.map((meter) => [meter.meter_id, meter.telemetry])));
};
