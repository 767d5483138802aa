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

/** `Firefox on Android`, from the User-Agent header. The service keeps it, and others read it in their language. */
export const browserName = (userAgent: string): string => {
  const named = (names: typeof products | typeof systems) => names.find(([mark]) => mark.test(userAgent))?.[1];
  const [product, system] = [named(products) ?? "Browser", named(systems)];
  return system === undefined ? product : `${product} on ${system}`;
};

/** A name that a browser was given when it was registered, in the language of the page. */
export const browserWords = (name: string): string => {
  const [, browser, system, renewed] = /^(\w+) on (\w+)( \(renewed\))?$/.exec(name) ?? [];
  if (browser === undefined || system === undefined) return name;
  return renewed === undefined
    ? say("{browser} on {system}", { browser, system })
    : say("{browser} on {system} (renewed)", { browser, system });
};
