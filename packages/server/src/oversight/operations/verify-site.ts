import type { Actor } from "../../access/domain/account.js";
import { startsInPast } from "../../dispatch/domain/dispatch.js";
import { type CreatedDispatch, createDispatch, type IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";

export interface NewVerification {
  readonly programId: string;
  /** null: in a minute. */
  readonly start: Date | null;
  readonly lengthSeconds: number;
  /** undefined: that of the enrolment. */
  readonly commitmentKw: number | null | undefined;
}

const LEAD_MS = 60_000;

/** Issues a test dispatch of a single site: the end-to-end test of its integration, in production. */
export const verifySite = async (
  ports: Ports<IssuingStores>,
  actor: Actor,
  siteId: string,
  { programId, start: asked, lengthSeconds, commitmentKw }: NewVerification,
): Promise<Result<CreatedDispatch>> => {
  if ((await ports.stores.sites.find(siteId)) === null) return notFound("site");
  const start = asked ?? new Date(ports.clock.now().getTime() + LEAD_MS);
  if (startsInPast({ start }, ports.clock.now())) {
    return invalid("start_time is more than 5 minutes in the past; give a later one, or leave it out");
  }
  const end = new Date(start.getTime() + lengthSeconds * 1000);
  const sites = [{ siteId, commitmentKw }];
  const settings = { notification: null, test: true, confirmPast: false };
  return createDispatch(ports, actor, { programId, start, end, sites, ...settings });
};
