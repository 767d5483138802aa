import { baselineReason } from "@curtail/words/baseline-words";
import { english, pageWords } from "@curtail/words/page";
import { knownSentences, saidIn } from "@curtail/words/sentences";

/** What the service tells of a site on its way to production, and why a test did not pass. */
const ofOnboarding = [
  english("the site has no meters yet"),
  english("every meter sent at least 90 % of the last hour's readings"),
  english("every meter must send at least 90 % of the last hour's readings; received: {meters} and {n} more"),
  english("every meter must send at least 90 % of the last hour's readings; received: {meters}"),
  english("the operator enables data visibility once the site's data streams"),
  english("the site's data is visible"),
  english("no test dispatch for this site alone yet"),
  english("the site delivered the reduction that its program requires"),
  english("the test has not started yet"),
  english("the test is in progress"),
  english("the test was cancelled"),
  english(
    "the account was not notified of the test: it did not poll, fetch or acknowledge it, and no webhook accepted it",
  ),
  english("the result is being measured; check again in a moment"),
  english("the result could not be measured: {why}"),
  english("too few readings during the test"),
  english("the site did not reduce its load"),
  english("the site delivered less of its commitment than its program requires"),
];

/** Why a dispatch may not reach an account, or leaves a site out, in its preview. */
const ofPreview = [
  english("The account has no webhook and no VEN and has never polled: phone it, or it may not learn of the dispatch."),
  english(
    "The account has no webhook and no VEN and has not polled since {time}: phone it, or it may not learn of the dispatch.",
  ),
  english("The last delivery to webhook {url} failed."),
  english("VEN {ven} has no valid certificate, so it cannot be notified."),
  english("VEN {ven} has never polled."),
  english("VEN {ven} has not polled since {time}."),
  english("The last notification of OpenADR 3 client {name} failed."),
  english("OpenADR 3 client {name} has never polled."),
  english("OpenADR 3 client {name} has not polled since {time}."),
  english("Messages to {channel} {name} fail."),
  english("The account has no contacts: no mail can be sent when its webhooks fail."),
  english("not available: the dispatch overlaps an availability block of the site"),
  english("account disabled"),
];

const known = knownSentences([...ofOnboarding, ...ofPreview]);

/** A sentence of the service, in the language of the page. */
export const serviceSentence = (sentence: string): string => saidIn(pageWords(), known, sentence);

/** Why there is no baseline. */
export const whyNoBaseline = (reason: string): string => baselineReason(pageWords(), reason);
