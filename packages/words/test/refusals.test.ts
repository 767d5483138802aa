import { refusals } from "@curtail/contract/lists/refusals";
import { describe, expect, test } from "vitest";
import { moduleOf, refusalTexts, textsOf } from "../../../scripts/refusal-texts.mjs";
import { saidTexts } from "../../../scripts/said-texts.mjs";
import { readCatalogue, serviceWords } from "../src/catalogues.js";
import { LANGUAGES, wordsIn } from "../src/index.js";
import { refusalsIn } from "../src/refusal-words.js";

/** Refusals that no page has to say, by the file in the service and the text. */
const exceptions: ReadonlyArray<{ readonly of: RegExp; readonly text?: RegExp; readonly why: string }> = [
  {
    of: /^platform\/(refusal|period)|error-replies|caller-turns|request-rate|public-service/,
    text: /\{\}/,
    why: "made of the text of a caller",
  },
  { of: /sandbox\/http\/participant-scenario/, text: /^\{\}: \{\}$/, why: "as in sandbox/domain/scenario" },
  { of: /manage-users/, text: /^\{\}$/, why: "made of texts that are found where they are written" },
  { of: /manage-webhooks/, text: /^\{\};/, why: "made of the text of a caller" },
  { of: /validation/, text: /^\{\}/, why: "made of rules" },
  {
    of: /validation/,
    text: /^it must (\{\}|be \{\}|be given|be at (least|most)|be a (whole )?number|not be empty|have the form|have at most \{\} characters)/,
    why: "rules that api/fault-words of the pages says itself; a constant is no choice of a form",
  },
  { of: /near-match|running-dispatches/, text: /^Send confirm_/, why: "pages ask instead" },
  { of: /access\/http\/(api-key|operator)-check|app\/routes/, why: "callers with a key or a token, and paths" },
  { of: /participant-invitation|http\/claim/, why: "said by the page of the one-time link itself" },
  {
    of: /error-replies/,
    text: /could not be read|the body must be JSON|Content-Length|percent signs/,
    why: "what is no request of a page",
  },
  { of: /sign-in-by-identity/, why: "answered by a redirect to the sign-in" },
  { of: /notification\/http\/calendar/, text: /calendars? (were|was)|no calendar at/, why: "programs read calendars" },
  { of: /openadr-3\/http/, why: "clients of OpenADR 3" },
  {
    of: /openadr-3\/operations\/(client-volume|create-often|object-drafts|read-objects|record-object|refuse-references|register-ven|take-report|verify-callbacks|write-objects)/,
    why: "clients of OpenADR 3",
  },
  { of: /check-own-event/, text: /^\{\}/, why: "faults that the package openadr-3 words by members of OpenADR" },
  {
    of: /own-schedule/,
    text: /interval(s|\b)|give one of values/,
    why: "the form of an event sends values, no intervals",
  },
  { of: /operator-follower/, why: "of the command" },
  { of: /import-sites|import-meter-data/, text: /^nothing was imported/, why: "pages show the faults of a trial" },
  { of: /import-site|csv-table/, text: /^\{\}$/, why: "made of texts that are found where they are written" },
  { of: /report-accuracy/, why: "the page asks for sites of its own choice" },
  { of: /platform\/http\/(gzip-body|json-body|json-scan|singular-headers)/, why: "what is no request of a page" },
  { of: /platform\/idempotency/, text: /visible ASCII/, why: "pages make their own keys" },
  { of: /platform\/offences|telemetry\/domain\/reading|telemetry\/operations\/record-/, why: "uploads of programs" },
  { of: /baseline-method/, text: /^\{\}$/, why: "parameters that are edited as JSON, by their names" },
  { of: /public-service/, why: "the public sandbox has no pages" },
  { of: /telemetry\/domain\/energy/, text: /^the file would/, why: "downloads are links" },
  { of: /telemetry\/http\/(mapping-text|upload-body)/, text: /^(mapping (is|has)|the body)/, why: "pages write it" },
  { of: /^packages\/meter-data/, text: /^(\{\}(: )?)?$/, why: "made of texts that are found where they are written" },
  {
    of: /meter-data\/src\/(green-button|nem12|reading-type)/,
    why: "what is broken in a feed or a record, in the terms of its format",
  },
  { of: /table-tail/, text: /^this line .* are |^\{\} lines .* is /, why: "branches that do not occur together" },
  { of: /meter-data\/src\/choose-profile/, why: "pages state a profile with its own zone" },
  { of: /guess-number-form/, text: /^\{\} is \{\}$/, why: "said by the page, from both forms" },
  { of: /read-telemetry/, text: /^the request names/, why: "pages ask for a few sites" },
];

const isExcepted = ({ file, text }: { readonly file: string; readonly text: string }): boolean =>
  exceptions.some(({ of, text: which = /^/ }) => of.test(file) && which.test(text));

const withoutNames = (text: string): string => text.replaceAll(/\{\w+\}/g, "{}");

/** `Main meter: an interval has 45 s; …`: what a series has is said by itself. */
const isListed = (text: string): boolean =>
  listed.has(text) || (text.startsWith("{}: ") && listed.has("{}: {}") && listed.has(text.slice("{}: ".length)));

const composed = refusalTexts().map((each) => ({ ...each, file: each.file.replace("packages/server/src/", "") }));
const listed = new Set(refusals.map(withoutNames));

const english = wordsIn("en", "en-GB", {});

describe("the list of refusals", () => {
  test("has each one that a page can meet", () => {
    const unknown = composed.filter((each) => !isListed(each.text) && !isExcepted(each));
    expect(unknown.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
  });

  test("has none that the service does not compose", () => {
    const texts = new Set(composed.flatMap(({ text }) => [text, text.replace(/^\{\}: /, "")]));
    expect(refusals.filter((text) => !texts.has(withoutNames(text)))).toEqual([]);
  });

  test("has each text once, and in no catalogue of pages", () => {
    expect(refusals.length).toBe(listed.size);
    const elsewhere = new Set(saidTexts().flatMap(({ key, file }) => (file.includes("/refusals/") ? [] : [key])));
    expect(refusals.filter((text) => elsewhere.has(text))).toEqual([]);
  });

  test("excepts nothing that is gone", () => {
    const unused = exceptions.filter(
      ({ of, text = /^/ }) => !composed.some((each) => of.test(each.file) && text.test(each.text)),
    );
    expect(unused.map(({ why }) => why)).toEqual([]);
  });
});

describe("refusals are found in the code", () => {
  test.each([
    ['invalid("the site is gone")', "the site is gone"],
    ["conflict(`the site ${name} is gone`)", "the site {} is gone"],
    ['notFound("ven")', "No such ven; check the id."],
    ['tooMany("too many tests were sent", 5)', "too many tests were sent; wait {} seconds"],
    ['new HttpError(404, "gone: " + why)', "gone: {}"],
    ['const GONE = "the site is gone"; invalid(GONE)', "the site is gone"],
    ["const faultOf = (n: number) => (n > 1 ? `has ${n} sites` : null); invalid(faultOf(2))", "has {} sites"],
    ['const fault = faultOf(2); function faultOf() { return "the site is gone" } invalid(fault)', "the site is gone"],
    ['const nouns: Nouns = { a: "site", b: "meter" }; invalid(`the ${nouns[kind]} is gone`)', "the meter is gone"],
    ['invalid(`the site is gone${late ? ", and its meters too" : ""}`)', "the site is gone, and its meters too"],
  ])("%s", (source, text) => {
    expect(textsOf(moduleOf("planted.ts", source)).map((each) => each.text)).toContain(text);
  });

  test("and one that no list has is told", () => {
    const [planted] = textsOf(moduleOf("dispatch/domain/planted.ts", 'invalid("the dispatch is planted")'));
    expect(planted !== undefined && !listed.has(planted.text) && !isExcepted(planted)).toBe(true);
  });
});

describe.each(LANGUAGES.filter((language) => language !== "en"))("refusals in %s", (language) => {
  const texts = readCatalogue(language, ["refusals"]);
  const say = refusalsIn(serviceWords(language), texts, (iso) => `<${iso}>`);

  test("are recognized, and not taken for another one", () => {
    const own = wordsIn(language, language, texts);
    const plain = refusalsIn(serviceWords(language), texts);
    const wrong = refusals.filter((text) => {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const values = Object.fromEntries(names.map((name) => [name, `any_${name}`]));
      return plain(english.say(text, values)) !== own.say(text, values);
    });
    // Its English is the same but for the fault.
    expect(wrong.filter((text) => !text.endsWith(": {fault}"))).toEqual([]);
  });

  test("say one within another", () => {
    const inner = say("end_time must be after start_time") ?? "";
    expect(inner).not.toBe("");
    expect(say("add[2]: end_time must be after start_time")).toMatch(new RegExp(`^\\S+ 2\\s?: ${inner}$`));
  });

  test("have the reader's times, and leave what is not known", () => {
    expect(say("until is more than 72 hours from now; the latest is 2026-07-01T18:00:00Z")).toContain(
      "<2026-07-01T18:00:00Z>",
    );
    expect(say("words of a newer service")).toBe(null);
  });
});
