import { type Command, Option } from "commander";
import { usageFault } from "../admin-io.js";
import { readSecret } from "../operator-client.js";
import { type Access, checkedUrl, checkKey, participantAddress } from "./access.js";
import { onRun, participantCommand, participantOf, type Run, withExamples } from "./participant-call.js";
import { failureOf } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import {
  checkProfileName,
  profilesFile,
  readProfiles,
  withoutProfile,
  withProfile,
  writeProfiles,
} from "./profiles.js";

interface LoginOptions {
  readonly url?: string;
  readonly withKey?: string;
  readonly keyHeader?: string;
}

export const loginCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "login", "Store an API key for this user of the machine.")
    .option("--url <url>", "Address of the service or its sandbox. Default: CURTAIL_URL.", participantAddress)
    .option("--with-key <file>", "Read the key from the first line of a file, or with - from standard input.")
    .addOption(new Option("--key-header <name>", "Header that carries the key, if the operator changed it."));
  withExamples(
    command,
    "curtail login --url https://curtail.example.com",
    "pass show curtail | curtail login --url https://sandbox.example.com --profile sandbox --with-key -",
  );
  return onRun<LoginOptions>(io, command, login);
};

const login = async (run: Run<LoginOptions>): Promise<void> => {
  const { io, options, print } = run;
  const file = profilesFile(io.configFolder);
  const before = readProfiles(file);
  const name = checkProfileName(options.profile ?? "default");
  const given = options.url ?? io.environment["CURTAIL_URL"] ?? "";
  const url = given === "" ? before.profiles[name]?.url : checkedUrl(given);
  if (url === undefined) throw usageFault("which service? Give its address with --url https://…");
  const key = checkKey(await keyFrom(io, options), sourceOf(options));
  const header = options.keyHeader === undefined ? {} : { api_key_header: options.keyHeader };
  const profile = { url, api_key: key, ...header };
  const sites = await sitesOf(io, { ...profile, from: "this login" });
  // Again: another login may have written meanwhile.
  writeProfiles(file, withProfile(readProfiles(file), name, profile));
  if (print.isJson) return print.line(JSON.stringify({ profile: name, url: profile.url, sites }));
  print.line(`Logged in to ${profile.url} as profile ${name}: ${sites} ${sites === 1 ? "site" : "sites"}.`);
  print.note(`The key is in ${file}.`);
};

const sourceOf = ({ withKey = "what was pasted" }: LoginOptions): string =>
  withKey === "-" ? "standard input" : withKey;

const keyFrom = async (io: ParticipantIo, { withKey }: LoginOptions): Promise<string> => {
  if (withKey === "-") return firstLine(io.stdin);
  if (withKey !== undefined) return readSecret(withKey);
  if (io.askSecret === null)
    throw usageFault("no terminal to ask for the key; give it with --with-key - or --with-key FILE");
  return (await io.askSecret("API key (not shown): ")).trim();
};

const LONGEST_INPUT = 10_000;

const firstLine = async (input: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n") || text.length > LONGEST_INPUT) break;
  }
  return (text.split("\n", 1)[0] ?? "").trim();
};

/** Number of sites that the key sees: nothing is stored that does not work. */
const sitesOf = async (io: ParticipantIo, access: Access): Promise<number> => {
  try {
    const { sites } = await (await participantOf(io, access, {})).listSites();
    return sites.length;
  } catch (error) {
    throw failureOf(error, access) ?? error;
  }
};

export const logoutCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(io, "logout", "Remove a stored API key from this machine.");
  withExamples(command, "curtail logout", "curtail logout --profile sandbox");
  return onRun(io, command, async ({ options, print }) => {
    const file = profilesFile(io.configFolder);
    const profiles = readProfiles(file);
    const name = options.profile ?? (io.environment["CURTAIL_PROFILE"] || profiles.current);
    if (name === null || !Object.hasOwn(profiles.profiles, name))
      throw usageFault(name === null ? "no key is stored" : `there is no profile ${name}`);
    const left = withoutProfile(profiles, name);
    writeProfiles(file, left);
    if (print.isJson) return print.line(JSON.stringify({ profile: name, current: left.current }));
    print.line(`Removed profile ${name}. The key itself stays valid until the operator revokes it.`);
  });
};
