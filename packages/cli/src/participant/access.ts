import { createHash } from "node:crypto";
import { basePaths } from "@curtail/client";
import { usageFault } from "../admin-io.js";
import { serviceAddress } from "../service-address.js";
import type { Environment } from "./participant-io.js";
import { type Profile, type Profiles } from "./profiles.js";

/** Address and key of the service, and where they were found. */
export interface Access extends Profile {
  /** `profile NAME`, or `the environment`. */
  readonly from: string;
}

const notSet = "run `curtail login`, or set CURTAIL_URL and CURTAIL_API_KEY";

/** The first of: `--profile`, the environment's key, `CURTAIL_PROFILE`, the current profile. */
export const accessOf = (asked: string | undefined, environment: Environment, read: () => Profiles): Access => {
  if (asked !== undefined) return ofProfile(asked, read());
  // What was copied or read from a file often ends with a line feed.
  const key = (environment["CURTAIL_API_KEY"] ?? "").trim();
  // Without the file: a damaged one does no harm then.
  if (key !== "") return ofEnvironment(key, environment);
  const profiles = read();
  const name = environment["CURTAIL_PROFILE"] || profiles.current;
  if (name === null) throw usageFault(`no address and key; ${notSet}`);
  return ofProfile(name, profiles);
};

const ofProfile = (name: string, { profiles }: Profiles): Access => {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return { ...profile, from: `profile ${name}` };
  const known = Object.keys(profiles).join(", ");
  throw usageFault(`there is no profile ${name}; ${known === "" ? notSet : `there are ${known}`}`);
};

const ofEnvironment = (key: string, environment: Environment): Access => {
  const url = (environment["CURTAIL_URL"] ?? "").trim();
  if (url === "") throw usageFault("CURTAIL_API_KEY is set without CURTAIL_URL; set both, or use --profile");
  const header = environment["CURTAIL_API_KEY_HEADER"] ?? "";
  return {
    url: checkedUrl(url),
    api_key: checkKey(key, "CURTAIL_API_KEY"),
    ...(header === "" ? {} : { api_key_header: header }),
    from: "the environment",
  };
};

/**
 * Tells whose readings are kept or sent, without the key: a profile, which keeps them when its key is replaced, or a key
 * of the environment.
 */
export const ownerOf = ({ url, api_key, from }: Access): string =>
  createHash("sha256")
    .update(`${url} ${from.startsWith("profile") ? from : api_key}`)
    .digest("hex")
    .slice(0, 16);

/** The address in `CURTAIL_URL`. */
export const checkedUrl = (url: string): string => {
  try {
    return participantAddress(url);
  } catch {
    throw usageFault("CURTAIL_URL must be an address beginning with http:// or https://");
  }
};

/** The address of a service; documents often name it with the path of the interface. */
export const participantAddress = (text: string): string => {
  const address = serviceAddress(text);
  return address.endsWith(basePaths.participant) ? address.slice(0, -basePaths.participant.length) : address;
};

/** Visible characters only, so that it can be sent in a header. */
export const checkKey = (key: string, from: string): string => {
  if (!/^[\x21-\x7e]{1,500}$/.test(key)) throw usageFault(`${from} does not hold an API key: paste it as it was shown`);
  return key;
};
