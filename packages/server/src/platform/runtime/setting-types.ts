import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import Type, { type TSchema } from "typebox";
import { accentOf } from "../accent.js";
import { type BackupRecipient, parseRecipient } from "../backup-keys.js";
import type { BrandLink } from "../brand.js";
import type { EmailTrust } from "../email-trust.js";
import { webAddressOf } from "../web-address.js";
import { parseKeys } from "./secret-cipher.js";

/** What a setting has in addition to its type, as keywords of its schema. */
export type About<Default = string> = {
  /** The environment variable that holds it. */
  readonly variable: string;
  /** Meaning, as in docs/configuration.md. */
  readonly description: string;
} & (
  | { readonly default: Default }
  /** For an optional setting: what takes its place, in the words of docs/configuration.md. */
  | { readonly unset: string }
);

/** A setting is optional if it says what takes its place. */
type Setting<Schema extends TSchema, A> = A extends { readonly unset: string } ? Type.TOptional<Schema> : Schema;

const setting = <Schema extends TSchema, A extends object>(about: A, schema: Schema): Setting<Schema, A> =>
  ("unset" in about ? Type.Optional(schema) : schema) as Setting<Schema, A>;

/** `fault` follows the variable in messages, unless a refinement has a message that depends on the value. */
const string = (about: About, fault: string, options: Type.TStringOptions = {}) =>
  Type.String({ ...options, ...about, fault });

const checked = (about: About, fault: string, isRight: (text: string) => boolean) =>
  Type.Refine(string(about, fault), isRight, () => fault);

const filled = (about: About) => string(about, "must not be empty", { pattern: "\\S" });

export const nonEmpty = <A extends About>(about: A) => setting(about, filled(about));

const path = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(filled(about), (given) => resolve(given)),
  );

export const folder = path;

/** What a setting of a folder says for none. A folder of this name is `./off`. */
export const OFF = "off";
export const folderOrOff = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(filled(about), (given) => (given === OFF ? OFF : resolve(given))),
  );

const isWithin = (text: string, maximum: number): boolean => /^[1-9]\d{0,8}$/.test(text) && Number(text) <= maximum;

/** A whole number, or none. */
export const countOrOff = <A extends About>(maximum: number, about: A) =>
  setting(
    about,
    Type.Decode(
      checked(
        about,
        `must be a whole number from 1 to ${maximum}, or ${OFF}`,
        (text) => text === OFF || isWithin(text, maximum),
      ),
      (text): number | typeof OFF => (text === OFF ? OFF : Number(text)),
    ),
  );

export const file = path;

export const headerName = (about: About) =>
  string(about, "must be the name of an HTTP header, such as X-Service-API-Key", {
    pattern: "^[A-Za-z][A-Za-z0-9-]*$",
  });

export const shortName = <A extends About>(about: A) =>
  setting(about, string(about, "must be a text of 1 to 128 characters", { pattern: "^(?=.*\\S).{1,128}$" }));

/** Control characters break lines and headers; those of direction turn the words around a text. */
const UNSHOWN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/** Code units of a character: a family of four with tones of skin has nineteen. */
const MAX_UNITS = 20;

/** Characters as people count them: an emoji of several parts is one. */
const isAtMost = (most: number, text: string): boolean =>
  text.length <= most * MAX_UNITS && [...new Intl.Segmenter().segment(text.trim())].length <= most;

/** A text for people to read, in any script. */
export const shownText = <A extends About>(most: number, about: A) => {
  const fault = `must be a text of 1 to ${most} characters without line breaks or marks of direction`;
  return setting(
    about,
    Type.Decode(
      checked(about, fault, (text) => /\S/.test(text) && isAtMost(most, text) && !UNSHOWN.test(text.trim())),
      (text) => text.trim(),
    ),
  );
};

/** A colour with shades that can be read. */
export const brandColour = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(
      Type.Refine(
        string(about, "must be a colour such as #1d4ed8"),
        (text) => isColour(text) && accentOf(text) !== null,
        (text) =>
          isColour(text)
            ? `must not be black, white or grey, which could not be told from words: give a colour such as #1d4ed8`
            : "must be a colour such as #1d4ed8",
      ),
      (text) => ({ given: text, accent: accentOf(text) }),
    ),
  );

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

const MAX_LINKS = 8;
const MAX_LINK_LABEL = 60;

/** `Imprint=https://…;Privacy=https://…` */
export const brandLinks = <A extends About>(about: A) => {
  const fault = `must name up to ${MAX_LINKS} links as Imprint=https://…;Privacy=https://…, each with a name of at most ${MAX_LINK_LABEL} characters and an https address`;
  return setting(
    about,
    Type.Decode(
      checked(about, fault, (text) => linksOf(text) !== null),
      (text): readonly BrandLink[] => linksOf(text) ?? [],
    ),
  );
};

const linksOf = (text: string): readonly BrandLink[] | null => {
  const parts = text.split(";").filter((part) => /\S/.test(part));
  const links = parts.flatMap((part): BrandLink[] => {
    const [, label = "", given = ""] = /^([^=]+)=(.*)$/.exec(part.trim()) ?? [];
    const url = webAddressOf(given.trim());
    const isShown = label.trim() !== "" && isAtMost(MAX_LINK_LABEL, label) && !UNSHOWN.test(label);
    return isShown && url?.protocol === "https:" ? [{ label: label.trim(), url: url.href }] : [];
  });
  return links.length === parts.length && links.length > 0 && links.length <= MAX_LINKS ? links : null;
};

export const countryCode = <A extends About>(about: A) =>
  setting(
    about,
    string(about, "must be a country such as US, or a part of it such as US-TX", {
      pattern: "^[A-Z]{2}(-[A-Z0-9]{1,3})?$",
    }),
  );

export const secret = <A extends About>(about: A) =>
  setting(about, string(about, "must have at least 16 characters and no spaces", { pattern: "^[\\x21-\\x7e]{16,}$" }));

export const emailTrust = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(
      string(about, "must be true, false or the name of a claim", { pattern: "^[\\x21-\\x7e]{1,200}$" }),
      (text): EmailTrust => (text === "true" ? "all" : text === "false" ? "verified" : { claim: text }),
    ),
  );

/** Minutes after midnight. */
export const timeOfDay = (about: About) =>
  Type.Decode(
    string(about, "must be a time such as 02:30", { pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" }),
    (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
  );

/** Public keys of backups. */
export const recipients = <A extends About<readonly string[]>>(about: A) =>
  setting(
    about,
    Type.Decode(
      Type.Array(
        Type.Refine(
          Type.String(),
          (part) => parseRecipient(part) !== null,
          () => "must name public keys that `curtail backup keygen` printed (cbr_…), separated by commas",
        ),
        { minItems: 1, maxItems: 16, ...about, fault: "must name 1 to 16 public keys" },
      ),
      (given): readonly BackupRecipient[] => given.flatMap((part) => parseRecipient(part) ?? []),
    ),
  );

/** One or several, separated by commas. */
export const encryptionKeys = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(
      checked(
        about,
        "must be 32 bytes in base64, or several such keys separated by commas",
        (text) => parseKeys(text) !== null,
      ),
      (text): readonly Buffer[] => parseKeys(text) ?? [],
    ),
  );

const hasScheme = (schemes: readonly string[], text: string): boolean =>
  schemes.includes(webAddressOf(text)?.protocol.slice(0, -1) ?? "");

const addressIn = (schemes: readonly string[]): string =>
  `address beginning with ${schemes.map((each) => `${each}://`).join(" or ")}`;

/** What a setting of an address says for none. */
export const NONE = "none";
export const addressOrNone = <A extends About>(schemes: readonly string[], about: A) =>
  setting(
    about,
    checked(
      about,
      `must be \`${NONE}\` or an ${addressIn(schemes)}`,
      (text) => text === NONE || hasScheme(schemes, text),
    ),
  );

/** A URL with one of `schemes`, without a trailing slash. */
export const address = <A extends About>(schemes: readonly string[], about: A) =>
  setting(
    about,
    Type.Decode(
      checked(about, `must be an ${addressIn(schemes)}`, (text) => hasScheme(schemes, text)),
      (text) => text.replace(/\/+$/, ""),
    ),
  );

const listOf = (isRight: (part: string) => boolean, no: string, options: Type.TArrayOptions) =>
  Type.Array(
    Type.Refine(Type.String(), isRight, (part) => `holds "${part}", which is ${no}`),
    options,
  );

/** The address of one tile of a template; null for what is none. */
export const tileAddress = (template: string): URL | null =>
  ["z", "x", "y"].every((each) => template.includes(`{${each}}`))
    ? webAddressOf(template.replaceAll(/\{[zxy]\}/g, "1"))
    : null;

/** An address with `{z}`, `{x}` and `{y}`, none of them in its host. */
export const tileTemplate = <A extends About>(about: A) =>
  setting(
    about,
    checked(
      about,
      "must be an address of tiles beginning with https:// or http://, with {z}, {x} and {y} in its path, such as https://tiles.example.com/{z}/{x}/{y}.png",
      (text) => {
        const tile = tileAddress(text);
        return (
          tile !== null &&
          /^https?:$/.test(tile.protocol) &&
          !/[{}]/.test(text.replaceAll(/\{[zxy]\}/g, "")) &&
          !/^\w+:\/\/[^/]*\{/.test(text)
        );
      },
    ),
  );

/** One or several URLs with one of `schemes`. */
export const addresses = <A extends About<readonly string[]>>(schemes: readonly string[], about: A) =>
  setting(
    about,
    listOf((part) => hasScheme(schemes, part), `no ${addressIn(schemes)}`, {
      minItems: 1,
      ...about,
      fault: "must name at least one address",
    }),
  );

/** The issuer of OpenID Connect exactly as given: a trailing slash may be part of it. */
export const issuerAddress = <A extends About>(about: A) =>
  setting(
    about,
    checked(about, "must be an address beginning with https:// (http:// only on this machine)", (text) => {
      const url = webAddressOf(text);
      return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
    }),
  );

/** Whether a host name or address of a URL is this machine's own. */
export const isLoopback = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (ipaddr.isValid(bare) && ipaddr.parse(bare).range() === "loopback");
};

export const wholeNumber = <A extends About<number>>(minimum: number, maximum: number, about: A) =>
  setting(
    about,
    Type.Integer({ minimum, maximum, ...about, fault: `must be a whole number from ${minimum} to ${maximum}` }),
  );

/** 0 selects a free port. */
export const port = <A extends About<number>>(about: A) => wholeNumber(0, 65_535, about);

/** From 0 to 1. */
export const share = (about: About) =>
  Type.Decode(string(about, "must be a number from 0 to 1", { pattern: "^(0|1|0?\\.\\d{1,9}|1\\.0{1,9})$" }), Number);

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with values encoded as in addresses. */
export const headerList = <A extends About>(about: A) =>
  setting(
    about,
    Type.Decode(
      checked(about, "must name headers as name=value, separated by commas", (text) => headersOf(text) !== null),
      (text): Readonly<Record<string, string>> => headersOf(text) ?? {},
    ),
  );

const headersOf = (text: string): Readonly<Record<string, string>> | null => {
  try {
    const parts = text.split(",").map((part) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(part));
    const headers = parts.map((part) => [part?.[1] ?? "", decodeURIComponent(part?.[2] ?? "")] as const);
    const isRight = headers.every(([name, value]) => name !== "" && /^[\x20-\x7e]+$/.test(value));
    return isRight ? Object.fromEntries(headers) : null;
  } catch {
    // An encoding that is none.
    return null;
  }
};

export const trueOrFalse = (about: About<boolean>) => Type.Boolean({ ...about, fault: "must be true or false" });

export const oneOf = <const T extends string>(allowed: readonly T[], about: About<T>) =>
  Type.Enum(allowed, { ...about, fault: `must be one of ${allowed.join(", ")}` });

/** In the order of `allowed`, each once. */
export const someOf = <const T extends string, A extends About<readonly T[]>>(allowed: readonly T[], about: A) =>
  setting(
    about,
    Type.Decode(
      Type.Array(Type.Enum(allowed), {
        minItems: 1,
        ...about,
        fault: `must be one or more of ${allowed.join(", ")}, separated by commas`,
      }),
      (given) => allowed.filter((each) => given.some((one) => one === each)),
    ),
  );

export const networks = (about: About<readonly string[]>) =>
  listOf((part) => ipaddr.isValidCIDR(part), "not a network such as 10.0.0.0/8", { ...about });

const isHostname = (text: string): boolean => /^(\*\.)?[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(text);

export const hostnames = <A extends About<readonly string[]>>(about: A) =>
  setting(
    about,
    listOf((part) => ipaddr.isValid(part) || isHostname(part), "not a host name or address", {
      minItems: 1,
      ...about,
      fault: "must name at least one host",
    }),
  );
