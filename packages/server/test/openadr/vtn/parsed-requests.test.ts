import { parseMessage } from "@curtail/openadr";
import { describe, expect, test } from "vitest";
import { ParsedRequests } from "../../../src/openadr/vtn/parsed-requests.js";
import { poll } from "../../support/polls-of-vens.js";

/** What each body is parsed to, one after the other, and what the parser makes of each by itself. */
const both = (...bodies: Buffer[]) => {
  const requests = new ParsedRequests();
  return {
    remembered: bodies.map((body) => requests.parse("ven_1", body, null)),
    parsed: bodies.map((body) => parseMessage(body, { charset: null })),
  };
};

// Of more VENs than are remembered: parsed-requests.long.test.ts.
describe("polls of a VEN", () => {
  test.each<readonly [string, Buffer[]]>([
    ["that differ by their requestID", [poll("1"), poll("22"), poll("req-3"), poll("a.b:c_d")]],
    [
      "that differ otherwise",
      [poll("1"), poll("1", { venId: "ven-2" }), poll("1", { rest: "<pyld:replyLimit>3</pyld:replyLimit>" })],
    ],
    [
      "whose requestID is no plain text",
      [poll("1"), poll("&lt;"), poll(" 2 "), poll(""), poll("<!-- 3 -->"), poll("ä")],
    ],
    ["that are broken", [poll("1"), poll("1").subarray(0, -5), Buffer.from(""), poll("<b>")]],
    [
      "that say the same elsewhere",
      [poll("ven-1"), poll("ven-2"), poll("7", { rest: "<!-->7<-->" }), poll("8", { rest: "<!-->8<-->" })],
    ],
    [
      "whose requestID stands in a comment as well",
      [poll(" 1 ", { rest: "<!--<a>1</a>-->" }), poll(" 1 ", { rest: "<!--<a>2</a>-->" })],
    ],
    ["that are long", [poll("1", { rest: " ".repeat(5000) }), poll("2", { rest: " ".repeat(5000) })]],
  ])("%s are read as by the parser", (_, bodies) => {
    const { remembered, parsed } = both(...bodies);
    expect(remembered).toEqual(parsed);
  });

  test("in another charset are read in that charset", () => {
    const requests = new ParsedRequests();
    const body = poll("1", { venId: "ö" });
    for (const charset of [null, "utf-8", "iso-8859-1"]) {
      expect(requests.parse("ven_1", body, charset)).toEqual(parseMessage(body, { charset }));
      expect(requests.parse("ven_1", body, charset)).toEqual(parseMessage(body, { charset }));
    }
  });
});
