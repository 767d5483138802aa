import { setTimeout as sleep } from "node:timers/promises";
import { BASE_PATH } from "@curtail/openadr-3";
import { describe, expect, test } from "vitest";
import { runningVtn, type Vtn } from "../support/openadr-3.js";
import { askedByMulticast, browseVtns, withoutMulticast, withoutZeroconf } from "../support/vtn-browser.js";

const noMulticast = await withoutMulticast();
const named = (what: string, ...reasons: ReadonlyArray<string | null>): string => {
  const reason = reasons.find((each) => each !== null);
  return reason === undefined ? what : `${what} (skipped: ${reason})`;
};

const ANNOUNCED = { CURTAIL_OPENADR3_MDNS: "true" };
const portOf = ({ vtnUrl }: Vtn): number => Number(new URL(vtnUrl).port);

/** A resolver that knows nothing of multicast DNS: id 7, one question, PTR of `_openadr3._tcp.local`. */
const QUERY = Buffer.from("000700000001000000000000095f6f70656e61647233045f746370056c6f63616c00000c0001", "hex");

/** Asks until an answer holds this text: other services on this machine may answer first, and the announcement takes a moment. */
const answerWith = async (text: string): Promise<Buffer | null> => {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await askedByMulticast(QUERY);
    if (answer?.includes(text) === true) return answer;
    await sleep(100);
  }
  return null;
};

describe.skipIf(noMulticast !== null)(named("a VTN on site", noMulticast), () => {
  test("answers who asks for VTNs on its network, with its address and what the specification names", async () => {
    const vtn = await runningVtn(ANNOUNCED);
    const answer = await answerWith(`, port ${portOf(vtn)}`);
    expect(answer?.readUInt16BE(0)).toBe(7);
    for (const text of ["version=3.1.0", "base_path=openadr3/3.1.0", "requires_auth=True", "program_names="])
      expect(answer?.includes(text), text).toBe(true);
    expect(answer?.includes(Buffer.from([127, 0, 0, 1]))).toBe(true);
  });

  test("says nothing unless that is set", async () => {
    const vtn = await runningVtn();
    const announced = await runningVtn(ANNOUNCED);
    expect(await answerWith(`, port ${portOf(announced)}`)).not.toBeNull();
    for (let tries = 0; tries < 5; tries++)
      expect((await askedByMulticast(QUERY))?.includes(`, port ${portOf(vtn)}`) ?? false).toBe(false);
  });

  describe.skipIf(withoutZeroconf !== null)(named("for python3-zeroconf", withoutZeroconf), () => {
    test("is found with programs that are for everybody, reached, and gone once it has stopped", async () => {
      const vtn = await runningVtn(ANNOUNCED);
      const bl = await vtn.bl();
      await bl.programs.made({ programName: "For all" });
      await bl.programs.made({ programName: "For some", targets: ["few"] });
      const browser = browseVtns();
      const { found, port, addresses, host, texts } = await browser.next((each) => each.port === portOf(vtn));
      expect(texts).toMatchObject({
        version: "3.1.0",
        base_path: "openadr3/3.1.0",
        local_url: `http://${String(host).replace(/\.$/, "")}:${port}/openadr3/3.1.0`,
        requires_auth: "True",
      });
      expect(texts?.["program_names"]).not.toContain("For some");
      // As a VEN does with what it found.
      const answer = await fetch(`http://${addresses?.[0]}:${port}/${texts?.["base_path"]}/programs`);
      expect([answer.status, `/${texts?.["base_path"]}`]).toEqual([401, BASE_PATH]);
      // A program is told a while after it was made.
      vtn.clock.advance({ minutes: 1 });
      const renewed = await browser.next((each) => each.texts?.["program_names"]?.includes("For all") === true);
      expect(renewed.found).toBe(found);
      await vtn.stop();
      expect(await browser.next(({ gone }) => gone === found)).toEqual({ gone: found });
    });
  });
});
