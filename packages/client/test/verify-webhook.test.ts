import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type ReceivedWebhook, verifyWebhook } from "../src/verify-webhook.js";

const SENT_AT = 1_782_928_800;
const secretOf = () => `whsec_${randomBytes(24).toString("base64")}`;
const [secret, other] = [secretOf(), secretOf()];
const created = '{"event":{"name":"dispatch.create"},"resource":"/2022-04-15/dispatches/dis_1"}';

const signatureOf = (by: string, body: string, id = "msg_1", at = SENT_AT): string => {
  const key = Buffer.from(by.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
};

const headersOf = (body = created): Record<string, string> => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(SENT_AT),
  "webhook-signature": signatureOf(secret, body),
});

const request = (changes: Partial<ReceivedWebhook> = {}, body = created): ReceivedWebhook => ({
  secrets: secret,
  headers: headersOf(body),
  body,
  nowMs: SENT_AT * 1000,
  ...changes,
});

const notice = { id: "msg_1", timestamp: SENT_AT, event: "dispatch.create", dispatchId: "dis_1" };

test("a signed notice is read, from text, bytes and either kind of headers", async () => {
  expect(await verifyWebhook(request())).toEqual({ ok: true, notice });
  expect(await verifyWebhook(request({ body: new TextEncoder().encode(created) }))).toEqual({ ok: true, notice });
  const headers = headersOf();
  expect(await verifyWebhook(request({ headers: new Headers(headers) }))).toMatchObject({
    ok: true,
  });
});

test("a changed body, id, time, secret or signature is not trusted", async () => {
  const wrong = { ok: false, fault: "signature_wrong" };
  const headers = headersOf();
  expect(await verifyWebhook(request({ body: `${created} ` }))).toEqual(wrong);
  expect(await verifyWebhook(request({ secrets: other }))).toEqual(wrong);
  expect(await verifyWebhook(request({ headers: { ...headers, "webhook-id": "msg_2" } }))).toEqual(wrong);
  expect(await verifyWebhook(request({ headers: { ...headers, "webhook-timestamp": `${SENT_AT + 1}` } }))).toEqual(
    wrong,
  );
  for (const signature of ["v1,", "v1,!!", "v2,AAAA", "AAAA"])
    expect(await verifyWebhook(request({ headers: { ...headers, "webhook-signature": signature } }))).toEqual(wrong);
});

test("while a secret is rotated, either one of the receiver and of the sender fits", async () => {
  const headers = headersOf();
  const both = `${signatureOf(other, created)} ${signatureOf(secret, created)}`;
  expect(await verifyWebhook(request({ headers: { ...headers, "webhook-signature": both } }))).toMatchObject({
    ok: true,
  });
  expect(await verifyWebhook(request({ secrets: [other, secret] }))).toMatchObject({ ok: true });
});

/** What is said of a request so many seconds after it was sent. */
const at = async (seconds: number, toleranceSeconds?: number) => {
  const nowMs = (SENT_AT + seconds) * 1000;
  const verified = await verifyWebhook(
    request({ nowMs, ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }) }),
  );
  return verified.ok ? "ok" : verified.fault;
};

test("a request is trusted up to the tolerance before and after now", async () => {
  expect([await at(300), await at(-300)]).toEqual(["ok", "ok"]);
  expect([await at(301), await at(-301)]).toEqual(["too_old_or_new", "too_old_or_new"]);
  // Whole seconds count, as for other libraries of the standard.
  expect([await at(300.9), await at(-300.5)]).toEqual(["ok", "too_old_or_new"]);
  expect([await at(5, 5), await at(6, 5)]).toEqual(["ok", "too_old_or_new"]);
});

test.for(["webhook-id", "webhook-timestamp", "webhook-signature"])("%s must be there", async (name) => {
  const headers = headersOf();
  expect(await verifyWebhook(request({ headers: { ...headers, [name]: undefined } }))).toEqual({
    ok: false,
    fault: "header_missing",
  });
});

test("a time that is no number of seconds is not trusted", async () => {
  const headers = headersOf();
  for (const time of ["now", "1e9", "-1", " 1", "9".repeat(13)])
    expect(await verifyWebhook(request({ headers: { ...headers, "webhook-timestamp": time } }))).toMatchObject({
      fault: "too_old_or_new",
    });
});

test("the test at registration is told from a notice; what is neither is refused", async () => {
  const test = '{"event":{"name":""},"resource":""}';
  expect(await verifyWebhook(request({}, test))).toMatchObject({ notice: { event: "test", dispatchId: null } });
  for (const body of ["", "null", "[]", "{}", '{"event":null}', created.replace("create", "explode")])
    expect(await verifyWebhook(request({}, body))).toEqual({ ok: false, fault: "body_unknown" });
});

test("names of headers are found in any case", async () => {
  const entries = Object.entries(headersOf());
  for (const named of [
    (name: string) => name.toUpperCase(),
    (name: string) => name.replace(/\b[a-z]/g, (a) => a.toUpperCase()),
  ])
    expect(
      await verifyWebhook(
        request({ headers: Object.fromEntries(entries.map(([name, value]) => [named(name), value])) }),
      ),
    ).toEqual({ ok: true, notice });
});

test("bytes of a body are read from every view of them", async () => {
  const bytes = new TextEncoder().encode(` ${created} `);
  const view = bytes.subarray(1, -1);
  for (const body of [view, Buffer.from(created), new TextEncoder().encode(created).buffer])
    expect(await verifyWebhook(request({ body }))).toEqual({ ok: true, notice });
});

/** What programs in JavaScript pass, whatever the types say. */
const mistakes: ReadonlyArray<readonly [string, object, string]> = [
  ["no secrets", { secrets: [] }, "Pass at least one secret"],
  ["a variable that is not set", { secrets: undefined }, "Is its environment variable set?"],
  ["a variable that is not set, in a list", { secrets: [secret, undefined] }, "Is its environment variable set?"],
  ["an empty secret", { secrets: "" }, "Is its environment variable set?"],
  ["half of a secret", { secrets: "whsec_" }, "Copy all of the secret"],
  ["a secret that is not base64", { secrets: "whsec_!" }, "Copy all of the secret"],
  ["bytes for a secret", { secrets: new Uint8Array(24) }, "not as its bytes"],
  ["a parsed body", { body: JSON.parse(created) as object }, "Pass the body as it arrived"],
  ["no body", { body: undefined }, "Pass the body as it arrived"],
  ["no headers", { headers: undefined }, "Pass the headers of the request"],
  ["text for headers", { headers: "webhook-id: msg_1" }, "Pass the headers of the request"],
];

test.for(mistakes)("%s: the error says what to do", async ([, change, words]) => {
  const failing = verifyWebhook({ ...request(), ...change });
  await expect(failing).rejects.toThrow(words);
  await expect(failing).rejects.not.toBeInstanceOf(TypeError);
});
