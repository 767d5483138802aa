import { verifyWebhook } from "@curtail/client";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";

const secret = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
const other = `whsec_${Buffer.alloc(24, 6).toString("base64")}`;
const body = '{"event":{"name":"dispatch.create"},"resource":"/2022-04-15/dispatches/dis_1"}';

interface Sent {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const sentAt = (secondsAgo: number): Sent => {
  const at = new Date(Date.now() - secondsAgo * 1000);
  const signature = new Webhook(secret).sign("msg_1", at, body);
  const seconds = String(Math.floor(at.getTime() / 1000));
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": seconds, "webhook-signature": signature };
  return { secret, headers, body };
};
const signatureOf = ({ headers }: Sent): string => headers["webhook-signature"] ?? "";
const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});
const withSignature = (sent: Sent, value: string): Sent => withHeader(sent, "webhook-signature", value);
const without = (sent: Sent, name: string): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([each]) => each !== name)),
});
const now = sentAt(0);

/** The cases of the library of the standard, and what is near them. */
const cases: ReadonlyArray<readonly [string, Sent, boolean]> = [
  ["a signed notice", now, true],
  ["a secret without its prefix", { ...now, secret: secret.slice("whsec_".length) }, true],
  [
    "names of headers in capitals",
    {
      ...now,
      headers: Object.fromEntries(Object.entries(now.headers).map(([name, value]) => [name.toUpperCase(), value])),
    },
    true,
  ],
  ["no id", without(now, "webhook-id"), false],
  ["no time", without(now, "webhook-timestamp"), false],
  ["no signature", without(now, "webhook-signature"), false],
  ["an empty id", withHeader(now, "webhook-id", ""), false],
  ["another id", withHeader(now, "webhook-id", "msg_2"), false],
  ["another secret", { ...now, secret: other }, false],
  ["another body", { ...now, body: `${body} ` }, false],
  ["another signature", withSignature(now, "v1,dawfeoifkpqwoekfpqoekf"), false],
  ["a part of the signature", withSignature(now, signatureOf(now).slice(0, 8)), false],
  ["an empty signature", withSignature(now, "v1,"), false],
  ["a version without a signature", withSignature(now, "v1"), false],
  ["a signature of another version", withSignature(now, signatureOf(now).replace("v1,", "v2,")), false],
  ["a signature without a version", withSignature(now, signatureOf(now).replace("v1,", "")), false],
  [
    "several signatures, one of them good",
    withSignature(
      now,
      `v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= ${signatureOf(now)}`,
    ),
    true,
  ],
  [
    "several signatures, none of them good",
    withSignature(now, "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,AAAA"),
    false,
  ],
  ["a time of 290 s ago", sentAt(290), true],
  ["a time of 310 s ago", sentAt(310), false],
  ["a time in 290 s", sentAt(-290), true],
  ["a time in 310 s", sentAt(-310), false],
  ["a time that is no number", withHeader(now, "webhook-timestamp", "now"), false],
];

const byLibrary = (of: Sent): boolean => {
  try {
    new Webhook(of.secret).verify(of.body, of.headers);
    return true;
  } catch {
    return false;
  }
};

test.for(cases)("the client and the library of the standard agree on %s", async ([, sent, isTrusted]) => {
  expect(byLibrary(sent)).toBe(isTrusted);
  const { secret: secrets, headers, body: text } = sent;
  expect((await verifyWebhook({ secrets, headers, body: text })).ok).toBe(isTrusted);
});
