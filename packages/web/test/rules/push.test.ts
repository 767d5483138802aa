import { describe, expect, test } from "vitest";
import { browserName } from "../../src/rules/browser-name.js";
import { pushOnSignIn } from "../../src/rules/push-owner.js";
import { type BrowserFacts, pushSupport } from "../../src/rules/push-support.js";

const current: BrowserFacts = {
  isSecure: true,
  hasPush: true,
  isIos: false,
  isInstalled: false,
  permission: "default",
};

describe("whether a browser can show notifications", () => {
  test("is decided without asking for permission", () => {
    expect(pushSupport(current)).toBe("ready");
    expect(pushSupport({ ...current, permission: "denied" })).toBe("denied");
    expect(pushSupport({ ...current, hasPush: false })).toBe("unsupported");
    expect(pushSupport({ ...current, hasPush: false, isSecure: false })).toBe("insecure");
  });

  test("on an iPhone depends on the installed app", () => {
    expect(pushSupport({ ...current, isIos: true, hasPush: false })).toBe("install_first");
    expect(pushSupport({ ...current, isIos: true, isInstalled: true })).toBe("ready");
    expect(pushSupport({ ...current, isIos: true, isInstalled: true, hasPush: false })).toBe("unsupported");
  });
});

describe("the registration of a browser", () => {
  const ana = { userId: "usr_a", sessionId: "ses_1", subscriptionId: "psh_1" };

  test("goes on when the same person signs in again, and ends when another one does", () => {
    expect(pushOnSignIn(null, ana)).toBe("none");
    expect(pushOnSignIn(ana, ana)).toBe("keep");
    expect(pushOnSignIn(ana, { ...ana, sessionId: "ses_2" })).toBe("renew");
    expect(pushOnSignIn(ana, { userId: "usr_b", sessionId: "ses_3" })).toBe("end");
  });
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8", "Browser"],
])("the browser %s is called %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
