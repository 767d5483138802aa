import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { diag } from "libxml2-wasm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_DEPTH, MAX_ELEMENTS, MAX_MESSAGE_BYTES } from "../src/guard.js";
import type { Fault } from "../src/invalid-data.js";
import { parseMessage } from "../src/parse.js";

const OPEN = `<oadrRequestEvent xmlns="http://openadr.org/oadr-2.0a/2012/07"
  xmlns:p="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"
  xmlns:e="http://docs.oasis-open.org/ns/energyinterop/201110">`;
const CLOSE = "</oadrRequestEvent>";
const POLL = "<p:eiRequestEvent><e:venID>ven-1</e:venID></p:eiRequestEvent>";
const around = (content: string): string => OPEN + content + CLOSE;
const nested = (levels: number): string => around(`${"<a>".repeat(levels)}${"</a>".repeat(levels)}${POLL}`);

const padded = (bytes: number): string => {
  const empty = around(`<!---->${POLL}`);
  return around(`<!--${"x".repeat(bytes - empty.length)}-->${POLL}`);
};
const elements = (count: number): string => around("<a/>".repeat(count - 3) + POLL);
const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join("");

const faultOf = (message: string | Uint8Array): Fault | "none" => {
  const read = parseMessage(typeof message === "string" ? Buffer.from(message) : message);
  return read.kind === "refusal" ? read.fault : "none";
};

const INTERNAL = `<!DOCTYPE a [<!ENTITY x "ven-1">]>`;
const EXTERNAL = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
const LAUGHS = `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from(
  { length: 30 },
  (_, level) => `<!ENTITY l${level + 1} "&l${level};&l${level};">`,
).join("")}]>`;

describe("a document type is refused before it is parsed", () => {
  test.each([
    ["with an entity of its own", INTERNAL + around("<p:x>&x;</p:x>")],
    ["with an external entity", EXTERNAL + around("<p:x>&x;</p:x>")],
    ["with a billion laughs", LAUGHS + around("<p:x>&l30;</p:x>")],
    ["with an external subset", `<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">${around(POLL)}`],
    ["without anything", `<!DOCTYPE oadrRequestEvent>${around(POLL)}`],
    ["after a declaration and a comment", `<?xml version="1.0"?>\n<!-- -->\n${INTERNAL}${around(POLL)}`],
    ["in lower case", `<!doctype a>${around(POLL)}`],
    ["in UTF-16", Buffer.from(`\uFEFF${INTERNAL}${around(POLL)}`, "utf16le")],
    ["after a comment that looks unfinished", `<!-- <!-- -->${INTERNAL}${around(POLL)}`],
  ])("%s", (_, message) => {
    expect(faultOf(message)).toBe("doctype");
  });

  test("but the word in a comment or as text is accepted", () => {
    expect(faultOf(`<!-- <!DOCTYPE a> -->${around(`<a><![CDATA[<!DOCTYPE a>]]></a>${POLL}`)}`)).toBe("none");
  });
});

describe("limits", () => {
  test.each<[string, string | Uint8Array, Fault | "none"]>([
    ["the most bytes", padded(MAX_MESSAGE_BYTES), "none"],
    ["one byte more", padded(MAX_MESSAGE_BYTES + 1), "too_large"],
    ["10 MB", new Uint8Array(10_000_000), "too_large"],
    ["the most levels", nested(MAX_DEPTH - 1), "none"],
    ["one level more", nested(MAX_DEPTH), "too_deep"],
    ["20,000 levels", nested(20_000), "too_deep"],
    ["20,000 levels that are never closed", "<a>".repeat(20_000), "too_deep"],
    ["20,000 levels that look closed", `<a b="/>">`.repeat(20_000), "too_deep"],
    ["the most elements", elements(MAX_ELEMENTS), "none"],
    ["one element more", elements(MAX_ELEMENTS + 1), "too_many_elements"],
  ])("%s", (_, message, fault) => {
    expect(faultOf(message)).toBe(fault);
  });
});

describe("nothing of it is XML of ours", () => {
  test.each<[string, string, Fault]>([
    ["nothing at all", "", "not_well_formed"],
    ["space", " \n ", "not_well_formed"],
    ["JSON", `{"kind":"requestEvent"}`, "not_well_formed"],
    ["an unclosed element", OPEN + POLL, "not_well_formed"],
    ["two roots", around(POLL) + around(POLL), "not_well_formed"],
    ["an unknown entity", around(`<p:x>&x;</p:x>${POLL}`), "not_well_formed"],
    ["a NUL", around(`<a>\0</a>${POLL}`), "not_well_formed"],
    ["a NUL as a reference", around(`<a>&#0;</a>${POLL}`), "not_well_formed"],
    ["a prefix of no namespace", around(`<x:a/>${POLL}`), "not_well_formed"],
    ["an attribute twice", around(`<a b="1" b="2"/>${POLL}`), "not_well_formed"],
    ["a processing instruction", around(`<?php a ?>${POLL}`), "processing_instruction"],
    ["OpenADR 2.0b", around(POLL).replaceAll("oadr-2.0a", "oadr-2.0b"), "unknown_message"],
    ["no namespace", "<oadrRequestEvent/>", "unknown_message"],
    ["a message of another name", around(POLL).replaceAll("oadrRequestEvent", "oadrPoll"), "unknown_message"],
    ["only a part of a message", around("").replaceAll("oadrRequestEvent", "oadrEvent"), "unknown_message"],
  ])("%s: refused", (_, message, fault) => {
    expect(faultOf(message)).toBe(fault);
  });

  test("what is refused is not repeated", () => {
    const read = parseMessage(Buffer.from(around(`<secret-${"x".repeat(50)}`)));
    expect(JSON.stringify(read)).not.toContain("secret");
  });
});

describe("whatever arrives, nothing is thrown", () => {
  test("any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => typeof parseMessage(bytes).kind === "string"));
  });

  test("a message of which a part was replaced", () => {
    const message = Buffer.from(around(POLL));
    const edit = fc.record({
      at: fc.nat({ max: message.length }),
      length: fc.nat({ max: 20 }),
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom("<", "</", "<!", "<?", "&", "]]>", "-->", '"', "xmlns:").map((text) => Buffer.from(text)),
      ),
    });
    fc.assert(
      fc.property(edit, ({ at, length, bytes }) => {
        const edited = Buffer.concat([message.subarray(0, at), bytes, message.subarray(at + length)]);
        return typeof parseMessage(edited).kind === "string";
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe("the costliest messages within the limits are refused or read soon", () => {
  test.each([
    ["19,000 prefixes of no namespace", around("<x:a/>".repeat(19_000))],
    ["20,000 attributes", around(`<a ${many(20_000, (index) => ` a${index}=""`)}/>`)],
    [
      "500 namespaces around 19,000 elements",
      `<a ${many(500, (index) => ` xmlns:a${index}="u"`)}>${"<a499:b/>".repeat(19_000)}</a>`,
    ],
    ["50,000 references", around(`<a>${"&#65;".repeat(50_000)}</a>`)],
    ["37,000 comments", around("<!---->".repeat(37_000))],
    ["250,000 opening brackets", "<".repeat(250_000)],
    ["60,000 unfinished comments", "<!--".repeat(60_000)],
    ["an unfinished value", around(`<a b="${"<a>".repeat(80_000)}`)],
    ["an unfinished declaration", `<?xml ${"encoding=".repeat(28_000)}`],
  ])("%s", (_, message) => {
    const started = performance.now();
    expect(parseMessage(Buffer.from(message)).kind).toBe("refusal");
    // Measured: 5 to 40 ms. The limit only distinguishes linear from quadratic on a busy machine.
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("memory", () => {
  beforeAll(() => diag.configure({ enabled: true }));
  afterAll(() => diag.configure({ enabled: false }));

  test("no document outlives its reading, refused or not", () => {
    const messages = [around(POLL), around(""), around("<x:a/>"), "<oadrRequestEvent/>", "<a>"];
    for (const message of messages) parseMessage(Buffer.from(message));
    expect(diag.report()).toEqual({});
  });
});
