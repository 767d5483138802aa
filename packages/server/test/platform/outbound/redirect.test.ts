import { describe, expect, test } from "vitest";
import { nextUrl } from "../../../src/platform/outbound/post-attempt.js";
import { answering, canary, message, onlyPublic, rawReceiver, receiver, send } from "./receiver.js";

describe("301 and 302 are followed by hand (G30)", () => {
  test.each([301, 302])("%i keeps method, body and signature (L14)", async (status) => {
    const end = await receiver(answering(200, {}, "done"));
    const start = await receiver(answering(status, { location: end.url }, "moved"));
    expect(await send(start.url)).toMatchObject({ ok: true, status: 200, responseBody: "done" });
    const [first] = start.requests;
    const [second] = end.requests;
    expect(second).toMatchObject({ method: "POST", body: message("").body, path: "/hook" });
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type", "user-agent"]) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
  });

  test("a relative Location is followed", async () => {
    const { url, requests } = await receiver((response, { path }) =>
      path === "/hook"
        ? answering(302, { location: "../new?x=1" })(response, requests[0] ?? neverSent)
        : response.end(),
    );
    expect(await send(url)).toMatchObject({ ok: true });
    expect(requests.map(({ path }) => path)).toEqual(["/hook", "/new?x=1"]);
  });

  test.each([
    [3, { ok: true, status: 200, error: null }],
    [4, { ok: false, status: 302, error: "too_many_redirects" }],
  ])("%i redirects in a row", async (redirects, expected) => {
    const { url, requests } = await receiver((response) => {
      const isLast = requests.length > redirects;
      response.writeHead(isLast ? 200 : 302, { location: `/${requests.length}` }).end();
    });
    expect(await send(url)).toMatchObject(expected);
    expect(requests).toHaveLength(4);
  });

  test("the time holds for all hops together", async () => {
    const { url } = await receiver(
      (response) => void setTimeout(() => answering(302, { location: "/on" })(response, neverSent), 120),
    );
    const outcome = await send(url, { attemptMs: 200 });
    expect(outcome).toMatchObject({ ok: false, error: "timeout", status: null });
    expect(outcome.durationMs).toBeLessThan(5000);
  });

  test("the body of a redirect is not that of the attempt", async () => {
    const end = await rawReceiver((socket) => void socket.once("data", () => socket.end()));
    const start = await receiver(answering(302, { location: end, "content-type": "text/html" }, "moved"));
    const unanswered = { status: null, responseType: null, responseBody: null };
    expect(await send(start.url)).toMatchObject({ error: "connection_reset", ...unanswered });
  });

  test("the body of a redirect is not waited for", async () => {
    const end = await receiver(answering(204));
    const head = `HTTP/1.1 302 Found\r\nLocation: ${end.url}\r\nContent-Length: 99\r\n\r\n`;
    const start = await rawReceiver((socket) => void socket.once("data", () => socket.write(head)));
    expect(await send(start)).toMatchObject({ ok: true, status: 204 });
  });
});

const neverSent = { method: "", path: "", headers: {}, body: "" };

describe("redirects that are not followed", () => {
  test("one without Location", async () => {
    const { url } = await receiver(answering(302));
    expect(await send(url)).toMatchObject({ ok: false, status: 302, error: "redirect_without_location" });
  });

  test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://a:b@127.0.0.1/"])(
    "one to %s",
    async (location) => {
      const { url } = await receiver(answering(301, { location }));
      expect(await send(url)).toMatchObject({ ok: false, status: 301, error: "redirect_refused" });
    },
  );

  test.each([
    "127.0.0.2",
    "127.2",
    "2130706434",
    "0x7f.2",
    "0177.0.0.2",
    "127%E3%80%820%E3%80%820%E3%80%822",
    "0",
    "0.0.0.0",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "localhost",
    "localhost.",
    "internal.test",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "metadata.google.internal",
  ])("one into a closed network as %s, when only the first address is allowed (L7, L8)", async (host) => {
    const { port, connections } = await canary();
    const start = await receiver(answering(302, { location: `http://${host}:${port}/` }));
    const outcome = await send(start.url, {
      policy: { ...onlyPublic, allowedNetworks: ["127.0.0.1/32"] },
      resolve: async () => [{ address: "127.0.0.2" }],
    });
    expect(outcome).toMatchObject({ ok: false, status: null, error: "blocked_address" });
    expect(start.requests).toHaveLength(1);
    expect(connections()).toBe(0);
  });
});

describe("where a Location leads", () => {
  const secure = new URL("https://receiver.test/a/b");
  const plain = new URL("http://receiver.test/a/b");

  test.each([
    [secure, "http://receiver.test/", "redirect_refused"],
    [secure, ["https://a.test/", "https://b.test/"], "redirect_refused"],
    [secure, "https://user@receiver.test/", "redirect_refused"],
    [secure, "data:text/plain,x", "redirect_refused"],
    [secure, "", "redirect_without_location"],
    [secure, undefined, "redirect_without_location"],
  ])("from %s to %s: %s", (from, location, error) => {
    expect(nextUrl(from, location)).toBe(error);
  });

  test.each([
    [secure, "https://other.test/", "https://other.test/"],
    [secure, "//other.test/c", "https://other.test/c"],
    [secure, "c", "https://receiver.test/a/c"],
    [plain, "https://receiver.test/", "https://receiver.test/"],
    [plain, "http://other.test/", "http://other.test/"],
  ])("from %s to %s: %s", (from, location, to) => {
    expect(String(nextUrl(from, location))).toBe(to);
  });
});
