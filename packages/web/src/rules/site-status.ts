import type { SitePerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Status = SitePerformance["status"];

/** Words of the service in the language of the page. */
const known: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "no commitment": say("no commitment"),
    "well below commitment": say("well below commitment"),
    "below commitment": say("below commitment"),
    "well above commitment": say("well above commitment"),
    "on commitment": say("on commitment"),
    "above the firm service level": say("above the firm service level"),
    "at times above the firm service level": say("at times above the firm service level"),
    "at or below the firm service level": say("at or below the firm service level"),
    "no reading due yet": say("no reading due yet"),
    "no readings": say("no readings"),
    "readings are late": say("readings are late"),
    "no baseline": say("no baseline"),
    "too few readings": say("too few readings"),
    "not evaluated: the dispatch was cancelled": say("not evaluated: the dispatch was cancelled"),
  }),
);

/** How a site is judged; words of a newer version of the service stay as they are. */
export const statusWords = ({ words }: Status): string => known.get(words) ?? words;
