import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import type { Page, PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import { type Evidence, type EvidencePlace, revealed } from "../domain/evidence.js";
import type { EvidenceFilter } from "./delivery-ports.js";
import type { NotificationStores } from "./notification-stores.js";

/** Stores of a dispatch and its evidence. */
export type EvidencingStores = Pick<DispatchStores, "dispatches"> & Pick<NotificationStores, "evidence">;

export interface EvidenceQuestion extends EvidenceFilter {
  readonly dispatchId: string;
}

/** Who was notified of a dispatch, when and how, up to now. */
export const listEvidence = async (
  { stores, clock }: Pick<Ports<EvidencingStores>, "stores" | "clock">,
  { dispatchId, ...filter }: EvidenceQuestion,
  page: PageRequest<EvidencePlace>,
): Promise<Result<Page<Evidence, EvidencePlace>>> => {
  const subject = await stores.evidence.findSubject(dispatchId, filter);
  if (subject === null) return notFound("dispatch");
  // An empty list would look like proof that the account was not notified.
  if (subject.accountId === null) return invalid(nobodyMeant(filter));
  const isOfAll = filter.accountId === null && filter.siteId === null;
  const revisions = await stores.dispatches.revisions(dispatchId);
  const now = clock.now();
  const request = {
    dispatchId,
    accountId: isOfAll ? null : subject.accountId,
    revealed: revealed(subject, revisions, now),
    now,
  };
  return stores.evidence.list(request, page);
};

const nobodyMeant = ({ accountId, siteId }: EvidenceFilter): string => {
  if (siteId === null)
    return `account_id is ${quote(accountId ?? "")}, which is not part of this dispatch; check the id`;
  if (accountId === null) return `site_id is ${quote(siteId)}, which is not part of this dispatch; check the id`;
  return "this dispatch has no such site of that account; give either account_id or site_id";
};
