import {
  bad,
  type Check,
  type CommandIo,
  good,
  isColorless,
  printerOf,
  processCommandIo,
  reportChecks,
  runner,
  warning,
} from "@curtail/cli";
import {
  type Config,
  processEnvironment,
  readConfig,
  type Variables,
  warningsOf,
} from "../../platform/runtime/config.js";
import { configuredUrl } from "../addresses.js";
import { findKeys, identitiesOf, secretBox } from "../wire/secret-keys.js";
import { limitsOf } from "../wire/watched-standbys.js";
import { lookAtBackups } from "./doctor/backups.js";
import { lookAtBroker } from "./doctor/broker.js";
import { lookAtCertificates, lookAtProxyCertificate, lookAtVens } from "./doctor/certificates.js";
import { lookAtClock } from "./doctor/clock.js";
import { lookAtConnections, lookAtDatabase, lookAtNodes, lookAtStandbys } from "./doctor/database.js";
import { lookAtDisk } from "./doctor/disk.js";
import { hidden, secretsOf } from "./doctor/hide-secrets.js";
import { lookAtKeys } from "./doctor/keys.js";
import { type DoctorLook, sideBySide } from "./doctor/looks.js";
import { lookAtMail } from "./doctor/mail.js";
import { addressesToAsk, lookAtAddress } from "./doctor/public-address.js";
import { type Reached, type Read, reachDatabase } from "./doctor/reading.js";
import { lookAtFiles, lookAtSecretsKey } from "./doctor/secrets.js";

/** `curtail doctor service`. */
export const doctor = async ({ json }: { readonly json?: true }): Promise<void> => {
  const io = processCommandIo();
  await doctorOfService(io, processEnvironment(), json === true);
  // A server that does not answer would keep the process.
  io.leave(0);
};

/** Looks at the service of these settings, changes nothing, and says what to do. */
export const doctorOfService = (io: CommandIo, environment: Variables, isJson: boolean): Promise<void> =>
  runner(io)(async () => {
    const print = printerOf(io, { noColor: isColorless(environment) }, isJson);
    const read = readConfig(environment);
    if ("faults" in read) return reportChecks(print, { data_directory: null }, faultsOf(read.faults));
    const { config } = read;
    await reportChecks(print, { data_directory: config.dataDir }, checksOf(config, io.now()));
  })();

async function* faultsOf(faults: readonly string[]): AsyncGenerator<Check> {
  for (const fault of faults) yield bad("settings", fault, "correct the setting: the service does not start with it");
}

async function* checksOf(config: Config, now: Date): AsyncGenerator<Check> {
  const secrets = secretsOf(config);
  const reaching = reachDatabase(config);
  for await (const check of sideBySide(looksOf(config, now, reaching))) yield hidden(check, secrets);
  // What is still under way does not keep the process.
  void reaching.then(({ close }) => close()).catch(() => {});
}

/** In the order in which they are printed. What needs the database is left out if it cannot be read: one check says why. */
const looksOf = (config: Config, now: Date, reaching: Promise<Reached>): readonly DoctorLook[] => {
  const addresses = addressesToAsk(config);
  const publicUrl = config.publicUrl ?? configuredUrl(config);
  const asked = (name: string, look: (read: Read) => Promise<readonly Check[]>): DoctorLook => ({
    name,
    look: async () => {
      const { read } = await reaching;
      return read === null ? [] : look(read);
    },
  });
  const outside = config.databaseUrl !== null;
  return [
    { name: "settings", look: async () => settingsChecks(config) },
    { name: "clock", look: async () => lookAtClock((await reaching).read) },
    { name: "disk", look: () => lookAtDisk(config) },
    { name: "files", look: () => lookAtFiles(config) },
    { name: "database", look: async () => [(await reaching).check].filter((check) => check !== null) },
    asked("database", (read) => lookAtDatabase(read, config.databaseStandbys !== null)),
    asked("connections", (read) => lookAtConnections(read, config.databaseConnections)),
    ...(outside
      ? [asked("standbys", (read) => lookAtStandbys(read, limitsOf(config))), asked("nodes", lookAtNodes)]
      : []),
    asked("secrets", (read) => lookAtSecretsKey(config, read)),
    { name: "backups", look: async () => lookAtBackups(config, (await reaching).read, now) },
    { name: "certificates", look: () => lookAtCertificates(config, now) },
    asked("certificates", (read) => lookAtVens(read, now)),
    ...addresses.map(({ url }) => ({ name: "certificates", look: () => lookAtProxyCertificate(url, now) })),
    ...addresses.map((each) => ({
      name: "address",
      look: async () => lookAtAddress(each, await identitiesFor(config)),
    })),
    { name: "mail", look: () => lookAtMail(config.smtpUrl, publicUrl) },
    { name: "broker", look: async () => lookAtBroker(config, (await reaching).read, now) },
    asked("keys", (read) => lookAtKeys(read, now)),
  ];
};

const settingsChecks = (config: Config): readonly Check[] => {
  const doubts = warningsOf(config).map((doubt) => warning("settings", doubt, "see docs/configuration.md"));
  return doubts.length === 0 ? [good("settings", "valid")] : doubts;
};

/** Empty if the secrets key cannot be read: another check says so. */
const identitiesFor = async (config: Config): Promise<readonly string[]> => {
  const keys = await findKeys(config).catch(() => null);
  return keys === null ? [] : identitiesOf(secretBox(keys));
};
