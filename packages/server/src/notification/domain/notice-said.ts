import type { DispatchSite } from "../../dispatch/domain/dispatch.js";
import type { Said } from "./channel-address.js";
import { AS_AGREED, kilowatts, type Situation, situationOf } from "./dispatch-words.js";
import { type NoticeContent, noticeSentence } from "./notice-sentence.js";

/** A room is read at a glance; the page has the others. */
const MAX_LISTED_SITES = 10;

/** A notice as people at an address read it; `pages` is the base address of participants' pages. */
export const noticeSaid = (content: NoticeContent, pages: string): Said => {
  const { id, sites } = content.dispatch;
  const situation = situationOf(content);
  const lines = sites.slice(0, MAX_LISTED_SITES).map((site) => siteLine(site, situation));
  const more = sites.length - lines.length;
  return {
    title: noticeSentence(content),
    lines: more === 0 ? lines : [...lines, `and ${more} more ${more === 1 ? "site" : "sites"}`],
    link: `${pages}/dashboard/dispatches/${id}`,
  };
};

/** A figure below "stop reducing" would read as one to reach. */
const siteLine = ({ name, commitmentKw }: DispatchSite, situation: Situation): string =>
  situation === "created" || situation === "changed"
    ? `${name}: ${commitmentKw === null ? AS_AGREED : kilowatts(commitmentKw)}`
    : name;

/** What is sent to an address before it is added, and when somebody asks for it. */
export const testSaid = (accountName: string): Said => ({
  title: `Test message from Curtail for ${accountName}`,
  lines: ["Dispatches and their changes will be announced here."],
  link: null,
});
