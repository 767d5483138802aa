import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseMessage } from "../src/parse.js";
import { answer, createdEvent } from "./support/examples.js";
import { NO_FIXTURES, openadrFixtures } from "./support/schema.js";

const OADR = `xmlns="http://openadr.org/oadr-2.0a/2012/07"`;
const NAMESPACES = `${OADR} xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110"
  xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"`;

const poll = (content: string): string =>
  `<oadrRequestEvent ${NAMESPACES}><pyld:eiRequestEvent>${content}</pyld:eiRequestEvent></oadrRequestEvent>`;
const acknowledgement = (content: string): string =>
  `<oadrCreatedEvent ${NAMESPACES}><pyld:eiCreatedEvent>${content}</pyld:eiCreatedEvent></oadrCreatedEvent>`;
const ID = "<pyld:requestID>7</pyld:requestID>";
const VEN = "<ei:venID>ven-1</ei:venID>";
const ENVELOPE = `<ei:eiResponse><ei:responseCode>200</ei:responseCode>${ID}</ei:eiResponse>`;
const QUALIFIED = `<ei:qualifiedEventID><ei:modificationNumber>0</ei:modificationNumber><ei:eventID>dispatch-1</ei:eventID></ei:qualifiedEventID>`;
const eventResponse = (optType: string): string =>
  `<ei:eventResponse><ei:optType>${optType}</ei:optType>${QUALIFIED}${ID}<ei:responseCode>200</ei:responseCode></ei:eventResponse>`;

const parse = (xml: string): ReturnType<typeof parseMessage> => parseMessage(Buffer.from(xml));
const polled = { kind: "requestEvent", requestId: "7", venId: "ven-1", replyLimit: null };

describe("rule 10: a message is read by name and namespace", () => {
  test.each([
    ["in another order", poll(VEN + ID)],
    ["with space around it and its values", `\n  ${poll(`${ID} <ei:venID>\n ven-1 \n</ei:venID>`)}\n`],
    ["with comments and CDATA", poll(`<!-- a > b <c> -->${ID}<ei:venID><![CDATA[ven-]]>1</ei:venID>`)],
    ["with elements and attributes nobody knows", poll(`<other xmlns="urn:x" a="1/>">2</other>${ID}${VEN}`)],
    [
      "with a declaration, a style sheet and attributes",
      `<?xml version="1.0"?><?xml-stylesheet href="a"?>${poll(ID + VEN)}`,
    ],
    ["with a schemaVersion", poll(ID + VEN).replace(OADR, `${OADR} schemaVersion="2.0a"`)],
    [
      "with other prefixes",
      poll(ID + VEN)
        .replaceAll("pyld:", "p1:")
        .replaceAll(":pyld=", ":p1="),
    ],
    ["with an empty replyLimit", poll(`${ID}${VEN}<pyld:replyLimit/>`)],
  ])("%s", (_, xml) => {
    expect(parse(xml)).toEqual(polled);
  });

  test.each(["", "<pyld:requestID/>", "<pyld:requestID> </pyld:requestID>"])(
    "the requestID may be '%s'",
    (requestId) => {
      expect(parse(poll(requestId + VEN))).toEqual({ ...polled, requestId: "" });
    },
  );

  test("an acknowledgement is read in any order, without its envelope too", () => {
    const responses = `<ei:eventResponses>${eventResponse("optOut")}</ei:eventResponses>`;
    const read = parse(acknowledgement(VEN + responses));
    const response = answer("dispatch-1", { responseDescription: null, requestId: "7", optType: "optOut" });
    expect(read).toEqual({ ...createdEvent(response), response: { ...createdEvent().response, requestId: "" } });
  });

  test("an acknowledgement of no event is read", () => {
    expect(parse(acknowledgement(ENVELOPE + VEN))).toMatchObject({ eventResponses: [], venId: "ven-1" });
    expect(parse(acknowledgement(`${ENVELOPE}<ei:eventResponses/>${VEN}`))).toMatchObject({ eventResponses: [] });
  });
});

describe("what is missing or wrong is named", () => {
  test.each([
    ["no venID", poll(ID), /ei:venID/],
    ["an empty venID", poll(`${ID}<ei:venID/>`), /ei:venID/],
    ["a venID of another namespace", poll(`${ID}<venID>ven-1</venID>`), /ei:venID/],
    ["a negative replyLimit", poll(`${ID}${VEN}<pyld:replyLimit>-1</pyld:replyLimit>`), /pyld:replyLimit/],
    ["a replyLimit past 32 bits", poll(`${ID}${VEN}<pyld:replyLimit>4294967296</pyld:replyLimit>`), /pyld:replyLimit/],
    [
      "an unknown optType",
      acknowledgement(`${VEN}<ei:eventResponses>${eventResponse("maybe")}</ei:eventResponses>`),
      /optIn, optOut/,
    ],
    ["no responseCode", acknowledgement(`<ei:eiResponse>${ID}</ei:eiResponse>${VEN}`), /ei:responseCode/],
    ["a responseCode of letters", acknowledgement(ENVELOPE.replace("200", "20x") + VEN), /three digits/],
    ["a message without content", `<oadrRequestEvent ${OADR}/>`, /pyld:eiRequestEvent/],
  ])("%s", (_, xml, description) => {
    expect(parse(xml)).toEqual({
      kind: "refusal",
      responseCode: "454",
      fault: "invalid_content",
      description: expect.stringMatching(description) as string,
    });
  });
});

describe("encodings", () => {
  const named = (encoding: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?>${poll(`${ID}<ei:venID>Zürich</ei:venID>`)}`;
  const undeclared = poll(`${ID}<ei:venID>Zürich</ei:venID>`);
  const utf16 = Buffer.from(`\uFEFF${named("UTF-16")}`, "utf16le");

  test.each([
    ["UTF-8 that is declared", Buffer.from(named("UTF-8")), null],
    ["UTF-8 that nobody names", Buffer.from(undeclared), null],
    ["UTF-8 that nobody names, whatever the content type says", Buffer.from(undeclared), "ISO-8859-1"],
    ["UTF-8 under a charset of no name", Buffer.from(undeclared), "no-such-charset"],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${named("utf-8")}`), "ISO-8859-1"],
    ["UTF-8 that is declared, whatever the content type says", Buffer.from(named("UTF-8")), "ISO-8859-1"],
    ["ISO-8859-1 that is declared", Buffer.from(named("ISO-8859-1"), "latin1"), null],
    ["ISO-8859-1 that only the content type names", Buffer.from(undeclared, "latin1"), "iso-8859-1"],
    ["ISO-8859-1 of the content type that calls itself UTF-8", Buffer.from(named("UTF-8"), "latin1"), "ISO-8859-1"],
    ["UTF-16, little end first", utf16, null],
    ["UTF-16, big end first", Buffer.from(utf16).swap16(), null],
  ])("%s is read", (_, bytes, charset) => {
    expect(parseMessage(bytes, { charset })).toEqual({ ...polled, venId: "Zürich" });
  });

  test.each([
    ["bytes that are no UTF-8", Buffer.from(named("UTF-8"), "latin1")],
    ["UTF-16 without a byte order mark", Buffer.from(named("UTF-16"), "latin1")],
    ["UTF-7", Buffer.from(named("UTF-7"))],
    ["EBCDIC", Buffer.from(named("IBM037"))],
    ["an encoding of no name", Buffer.from(named("constructor"))],
  ])("%s: refused", (_, bytes) => {
    expect(parseMessage(bytes)).toMatchObject({ kind: "refusal", responseCode: "454", fault: "encoding" });
  });
});

const sample = (name: string): Buffer => readFileSync(`${openadrFixtures}/samples/${name}.xml`);

if (openadrFixtures === null) test.skip(`messages from the field: ${NO_FIXTURES}`, () => {});
else {
  test("a VEN that sends its venID before its answers is understood", () => {
    const requestId = "c0d005d4-8260-47e5-bf75-445f16449e93";
    expect(parseMessage(sample("argonne-oadrCreatedEvent-WRONG-ORDER"))).toEqual({
      ...createdEvent(answer("evt-1", { requestId })),
      response: { responseCode: "200", responseDescription: "OK", requestId },
      venId: "ven_nr",
    });
  });

  test.each([
    ["argonne-2.0a-oadrRequestEvent", "412d1e07-e46f-4a9d-a5d5-7b8996c4e385", "ven_nr"],
    ["openleadr-issue-155-oadrRequestEvent", "FCFB4D0617944DE3B8DACC477435D07D", "XXX"],
  ])("%s is understood", (name, requestId, venId) => {
    expect(parseMessage(sample(name))).toEqual({ kind: "requestEvent", requestId, venId, replyLimit: null });
  });
}
