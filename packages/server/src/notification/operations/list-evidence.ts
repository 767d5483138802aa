import { localTime, localTimestamp } from "@curtail/measure";
import type { AccountStore } from "../../access/operations/access-stores.js";
import type { Dispatch } from "../../dispatch/domain/dispatch.js";
import type { DispatchStores } from "../../dispatch/operations/dispatch-stores.js";
import { everyItem, type Page, type PageRequest } from "../../platform/page.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { type Evidence, type EvidencePlace, revealed } from "../domain/evidence.js";
import type { EvidenceFilter, NotificationStores } from "./notification-stores.js";

type EvidencingStores = Pick<DispatchStores, "dispatches"> & Pick<NotificationStores, "evidence">;

interface EvidenceQuestion extends EvidenceFilter {
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

export type EvidenceFileStores = EvidencingStores & {
  readonly accounts: Pick<AccountStore, "namesOf" | "formerNamesOf">;
};

/** All evidence of a dispatch, with what rows need besides. */
interface EvidenceFile {
  readonly dispatch: Dispatch;
  /** The name that an account had then. */
  readonly accountNameAt: (accountId: string, at: Date) => string | null;
  /** A moment on the clocks of the program, with its offset. */
  readonly localTime: (at: Date) => string;
  readonly items: AsyncIterable<Evidence>;
}

export const evidenceFile = async (
  ports: Pick<Ports<EvidenceFileStores>, "stores" | "clock">,
  question: EvidenceQuestion,
): Promise<Result<EvidenceFile>> => {
  const dispatch = await ports.stores.dispatches.find(question.dispatchId);
  if (dispatch === null) return notFound("dispatch");
  const first = await listEvidence(ports, question, { after: null, limit: 1 });
  if (isRefusal(first)) return first;
  const accountIds = [...new Set(dispatch.sites.map(({ accountId }) => accountId))];
  const time = localTime(dispatch.program.timezone);
  return {
    dispatch,
    accountNameAt: await namesOverTime(ports.stores.accounts, accountIds),
    localTime: (at) => localTimestamp(at.getTime(), time),
    items: everyItem(async (page: PageRequest<EvidencePlace>) => {
      const found = await listEvidence(ports, question, page);
      // It was there a moment ago; dispatches are never deleted.
      if (isRefusal(found)) throw new Error(`the evidence of ${question.dispatchId} cannot be read: ${found.message}`);
      return found;
    }),
  };
};

const namesOverTime = async (
  accounts: EvidenceFileStores["accounts"],
  ids: readonly string[],
): Promise<EvidenceFile["accountNameAt"]> => {
  const [names, former] = [await accounts.namesOf(ids), await accounts.formerNamesOf(ids)];
  return (accountId, at) =>
    former.find((name) => name.accountId === accountId && name.until > at)?.name ?? names.get(accountId) ?? null;
};
