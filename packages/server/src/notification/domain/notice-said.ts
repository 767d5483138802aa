import type { DispatchSite } from "../../dispatch/domain/dispatch.js";
import type { Words } from "../../platform/words.js";
import type { Said } from "./channel-address.js";
import { asAgreed, kilowatts, type Situation, situationOf } from "./dispatch-words.js";
import { type NoticeContent, noticeSentence } from "./notice-sentence.js";

/** A room is read at a glance; the page has the others. */
const MAX_LISTED_SITES = 10;

/** A notice as people at an address read it; `pages` is the base address of participants' pages. */
export const noticeSaid = (words: Words, content: NoticeContent, pages: string): Said => {
  const { id, sites } = content.dispatch;
  const situation = situationOf(content);
  const lines = sites.slice(0, MAX_LISTED_SITES).map((site) => siteLine(words, site, situation));
  const more = sites.length - lines.length;
  return {
    title: noticeSentence(words, content),
    lines:
      more === 0
        ? lines
        : [...lines, words.say("and {n, plural, one {# more site} other {# more sites}}", { n: more })],
    link: `${pages}/dashboard/dispatches/${id}`,
    linkName: words.say("Open the dispatch"),
  };
};

/** A figure below "stop reducing" would read as one to reach. */
const siteLine = (words: Words, { name, commitmentKw }: DispatchSite, situation: Situation): string =>
  situation === "created" || situation === "changed"
    ? words.say("{name}: {value}", {
        name,
        value: commitmentKw === null ? asAgreed(words) : kilowatts(words, commitmentKw),
      })
    : name;

/** What is sent to an address before it is added, and when somebody asks for it. */
export const testSaid = (words: Words, accountName: string, service: string): Said => ({
  title: words.say("Test message from {service} for {account}", { service, account: accountName }),
  lines: [words.say("Dispatches and their changes will be announced here.")],
  link: null,
  linkName: "",
});
