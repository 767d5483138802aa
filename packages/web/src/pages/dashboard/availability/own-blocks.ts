import type { participantConsole, ReplyOf } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { useConsoleList } from "../../../api/use-call.js";
import { useWhole } from "../../../api/use-whole.js";

export type Block = ReplyOf<typeof participantConsole.listOwnBlocks>["items"][number];
export type OwnSite = participantConsole.SiteOverview;

/** All blocks of the account's sites, or of one, from a moment on. */
export const useBlocks = (from: string, siteId: string | null) =>
  useWhole(
    useConsoleList("/schedule", {
      query: { limit: MAX_PAGE, start_time: from, ...(siteId === null ? {} : { site_id: siteId }) },
    }),
  );
