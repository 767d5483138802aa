import { say } from "@curtail/words/page";

/** The first that the header names; those that also name another come first. */
const products = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const systems = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** `Firefox on Android`, from the User-Agent header. */
export const browserName = (userAgent: string): string => {
  const named = (names: typeof products | typeof systems) => names.find(([mark]) => mark.test(userAgent))?.[1];
  const [product, system] = [named(products) ?? say("Browser"), named(systems)];
  return system === undefined ? product : say("{browser} on {system}", { browser: product, system });
};
