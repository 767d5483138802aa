import { type BodyOf, operator, type ReplyOf } from "@curtail/contract";
import type { Running } from "./running.js";

type Terms = BodyOf<typeof operator.setTerms>;

export type AnyStatement = ReplyOf<typeof operator.getAnyStatement>;

/** Terms of a program from January 2026 on: USD, and nothing but the given parts. */
export const setTerms = (service: Running, id: string, terms: Partial<Terms>, from_month = "2026-01") =>
  service.made(operator.setTerms, {
    params: { id, from_month },
    body: { currency: "USD", capacity: null, energy: null, penalty: null, ...terms },
  });

/** Makes the statement of an account and month, and returns its id. */
export const statementMade = async (service: Running, account_id: string, month: string): Promise<string> => {
  const { items } = await service.made(operator.makeStatements, { body: { month, account_id } });
  const [made] = items;
  if (made === undefined || items.length > 1) throw new Error(`made ${items.length} statements`);
  return made.id;
};

export const statementOf = (service: Running, id: string, version?: number): Promise<AnyStatement> =>
  service.made(operator.getAnyStatement, { params: { id }, query: version === undefined ? {} : { version } });
