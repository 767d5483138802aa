import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { strangers } from "@curtail/testing/watch-replies";
import { describe, expect, onTestFinished, test } from "vitest";
import { restAfter } from "../src/participant/rest.js";
import { Vtn, VtnAway } from "../src/participant/vtn.js";
import { answerOf } from "../src/participant/vtn-answer.js";

const event = (id: string, more: object = {}) => ({
  id,
  createdDateTime: "2026-07-01T18:00:00Z",
  modificationDateTime: "2026-07-01T18:00:00Z",
  ...more,
});

type Answering = (response: ServerResponse) => void;

const saying =
  (status: number, body: string, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, headers).end(body);
const json = (body: unknown, status = 200): Answering => saying(status, JSON.stringify(body));
const cut: Answering = (response) => {
  response.writeHead(200, { "content-length": 100 });
  response.write("[", () => response.socket?.destroy());
};

/** A VTN that answers each path as it is told; the token is always to be had. */
const vtnWith = async (answers: Readonly<Record<string, Answering>>): Promise<Vtn> => {
  const server = createServer(({ url = "" }, response) => {
    const told = answers[url.split("?")[0] ?? ""];
    if (told !== undefined) told(response);
    else if (url === "/auth/server") json({ tokenURL: `${at()}/token` })(response);
    else json({ access_token: "t" })(response);
  });
  strangers.add(server);
  const at = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Vtn({ url: at(), id: "c", secret: "s" }, fetch);
};

/** What is said in place of a VTN, or by one that is not well. */
const excuses: ReadonlyArray<readonly [string, Answering]> = [
  ["a page of maintenance", saying(200, "<html>")],
  ["an empty success", saying(204, "")],
  ["JSON that ends early", saying(200, '[{"id":"e1"')],
  ["a body that ends early", cut],
  ["404 of an ingress", saying(404, "default backend - 404")],
  ["404 of a gateway", json({ message: "no Route matched" }, 404)],
  ["502", saying(502, "")],
  ["null", json(null)],
  ["a list of something else", json([{}])],
  ["JSON of something else", json({ status: "ok" })],
];

describe("what is answered while a VTN is away", () => {
  test.for(excuses)("is no list: %s", async ([, excuse]) => {
    const vtn = await vtnWith({ "/events": excuse });
    await expect(vtn.events()).rejects.toBeInstanceOf(VtnAway);
  });

  test.for(excuses)("is no event, and no deletion of one: %s", async ([, excuse]) => {
    const vtn = await vtnWith({ "/events/e1": excuse });
    await expect(vtn.event("e1")).rejects.toBeInstanceOf(VtnAway);
  });

  test.for(excuses.slice(0, 7))("is no refusal where a token is asked for: %s", async ([, excuse]) => {
    for (const path of ["/auth/server", "/token"]) {
      const vtn = await vtnWith({ [path]: excuse, "/events": json([]) });
      await expect(vtn.events()).rejects.toBeInstanceOf(VtnAway);
    }
  });

  test("is no event if it is another one", async () => {
    const vtn = await vtnWith({ "/events/e1": json(event("e2")) });
    await expect(vtn.event("e1")).rejects.toBeInstanceOf(VtnAway);
  });
});

test("an event is deleted if the VTN says so with a problem, whichever of its members it has", async () => {
  for (const problem of [{ title: "Not Found" }, { detail: "no event e1" }, { status: 404 }, { type: "about:blank" }]) {
    const vtn = await vtnWith({ "/events/e1": json(problem, 404), "/events": json([event("e2")]) });
    expect(await vtn.event("e1")).toBeNull();
    expect(await vtn.events()).toEqual([event("e2")]);
  }
});

test("the secret is not sent without TLS for a VTN that has it", async () => {
  const asked: string[] = [];
  const faked = async (url: unknown) => {
    asked.push(String(url));
    return Response.json({ tokenURL: "http://tokens.example/token" });
  };
  const vtn = new Vtn({ url: "https://vtn.example/3.1.0", id: "c", secret: "s" }, faked);
  await expect(vtn.events()).rejects.toThrow("without TLS; its operator has to correct tokenURL");
  expect(asked).toEqual(["https://vtn.example/3.1.0/auth/server"]);
});

test("an answer is read up to a limit, and not beyond", async () => {
  expect((await answerOf(Response.json("x".repeat(98)), 100)).body).toHaveLength(98);
  await expect(answerOf(Response.json("x".repeat(99)), 100)).rejects.toThrow("longer than");
});

test.for([
  ["2592000", 3_600_000],
  ["99999999999", 5000],
  ["60", 60_000],
  ["1", 5000],
  ["-5", 5000],
  ["Wed, 21 Oct 2026 07:28:00 GMT", 5000],
  ["", 5000],
] as const)("Retry-After: %s is a rest of %d ms", async ([wish, restMs]) => {
  const { retryAfterSeconds } = await answerOf(new Response("{}", { status: 429, headers: { "retry-after": wish } }));
  expect(restAfter(5000, retryAfterSeconds)).toBe(restMs);
});
