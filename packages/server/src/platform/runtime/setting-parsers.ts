import ipaddr from "ipaddr.js";
import { parseKeys } from "./secret-cipher.js";

/** Parses a setting; returns the value or the fault. */
export type Parser<T> = (text: string) => { readonly value: T } | { readonly fault: string };

const value = <T>(parsed: T) => ({ value: parsed });
const fault = (text: string) => ({ fault: text });

export const wholeNumber =
  (min: number, max: number): Parser<number> =>
  (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? value(number) : fault(`must be a whole number from ${min} to ${max}`);
  };

/** 0 selects a free port. */
export const port: Parser<number> = wholeNumber(0, 65_535);

export const trueOrFalse: Parser<boolean> = (text) =>
  text === "true" || text === "false" ? value(text === "true") : fault("must be true or false");

export const nonEmpty: Parser<string> = (text) => (text.trim() === "" ? fault("must not be empty") : value(text));

export const headerName: Parser<string> = (text) =>
  /^[A-Za-z][A-Za-z0-9-]*$/.test(text)
    ? value(text)
    : fault("must be the name of an HTTP header, such as X-Service-API-Key");

export const secret: Parser<string> = (text) =>
  /^[\x21-\x7e]{16,}$/.test(text) ? value(text) : fault("must have at least 16 characters and no spaces");

/** One or several, separated by commas. */
export const encryptionKeys: Parser<readonly Buffer[]> = (text) => {
  const keys = parseKeys(text);
  return keys === null ? fault("must be 32 bytes in base64, or several such keys separated by commas") : value(keys);
};

/** A URL with one of `schemes`, without a trailing slash. */
export const address =
  (...schemes: string[]): Parser<string> =>
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !schemes.includes(url.protocol.slice(0, -1))) {
      return fault(`must be an address beginning with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`);
    }
    return value(text.replace(/\/+$/, ""));
  };

/** The issuer of OpenID Connect exactly as given: a trailing slash may be part of it. */
export const issuerAddress: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLoopback = url !== null && (url.hostname === "localhost" || isLoopbackAddress(url.hostname));
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)
    ? value(text)
    : fault("must be an address beginning with https:// (http:// only on this machine)");
};

const isLoopbackAddress = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) && ipaddr.parse(bare).range() === "loopback";
};

const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

export const networks: Parser<readonly string[]> = (text) => {
  const parts = list(text);
  const wrong = parts.find((part) => !ipaddr.isValidCIDR(part));
  return wrong === undefined ? value(parts) : fault(`holds "${wrong}", which is not a network such as 10.0.0.0/8`);
};

const isHostname = (text: string): boolean => /^(\*\.)?[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(text);

export const hostnames: Parser<readonly string[]> = (text) => {
  const parts = list(text);
  const wrong = parts.find((part) => !ipaddr.isValid(part) && !isHostname(part));
  if (wrong !== undefined) return fault(`holds "${wrong}", which is not a host name or address`);
  return parts.length === 0 ? fault("must name at least one host") : value(parts);
};

export const oneOf =
  <const T extends string>(...allowed: T[]): Parser<T> =>
  (text) => {
    const found = allowed.find((each) => each === text);
    return found === undefined ? fault(`must be one of ${allowed.join(", ")}`) : value(found);
  };

export const someOf =
  <const T extends string>(...allowed: T[]): Parser<readonly T[]> =>
  (text) => {
    const parts = list(text);
    const known = allowed.filter((each) => parts.includes(each));
    const isKnown = parts.length > 0 && parts.every((part) => known.some((each) => each === part));
    return isKnown ? value(known) : fault(`must be one or more of ${allowed.join(", ")}, separated by commas`);
  };
