import { type BodyOf, operator, type ReplyOf } from "@curtail/contract";
import { expect } from "vitest";
import { recomputed } from "./recomputing.js";
import type { Running } from "./running.js";

type Terms = BodyOf<typeof operator.setTerms>;

/** Terms that pay a dollar for each kWh that is delivered. */
export const DOLLAR = { energy: { price_per_kwh: "1", counted: "net", highest_share: null } } as const;

/** What a site owes that delivers less than a share of its commitment: two dollars for each kWh. */
export const penaltyBelow = (below: string) =>
  ({ below, price_per_kwh: "2", counted: "capped", highest_per_month: null, within_earnings: false }) as const;

/** A store that was upgraded on 15 June 2026: by itself, the new rules hold from July on. */
export const upgradedInJune = ({ database }: Running) =>
  database.pool.query(
    "update rules_adoptions set from_month = null, adopted_at = '2026-06-15T00:00:00Z'; select note_change('rules.adopt', '')",
  );

export type AnyStatement = ReplyOf<typeof operator.getAnyStatement>;

/** Terms of a program from January 2026 on: USD, and nothing but the given parts. */
export const setTerms = (service: Running, id: string, terms: Partial<Terms>, from_month = "2026-01") =>
  service.made(operator.setTerms, {
    params: { id, from_month },
    body: { currency: "USD", capacity: null, energy: null, penalty: null, ...terms },
  });

/** Makes the statement of an account and month, and returns its id. Whatever the test is about, DuckDB computes the same lines. */
export const statementMade = async (service: Running, account_id: string, month: string): Promise<string> => {
  const { items } = await service.made(operator.makeStatements, { body: { month, account_id } });
  const [made] = items;
  if (made === undefined || items.length > 1) throw new Error(`made ${items.length} statements`);
  expect((await recomputed(service, made.id)).differences).toEqual([]);
  return made.id;
};

export const statementOf = (service: Running, id: string, version?: number): Promise<AnyStatement> =>
  service.made(operator.getAnyStatement, { params: { id }, query: version === undefined ? {} : { version } });
