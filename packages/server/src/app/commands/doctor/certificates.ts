import { X509Certificate } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bad, type Check, endOfCertificate, good, warning } from "@curtail/cli";
import { conditionsOf } from "../../../oversight/storage/alarm-rule.js";
import { certificateExpiring } from "../../../oversight/storage/alarms/vens.js";
import type { Config } from "../../../platform/runtime/config.js";
import { LOOK_MS } from "./looks.js";
import type { Read } from "./reading.js";

/** A certificate whose end somebody has to see coming. */
export interface SeenCertificate {
  /** `the certificate authority of VENs`. */
  readonly what: string;
  readonly endsAt: Date;
  /** Warn when it has fewer days left. */
  readonly warnDays: number;
  /** What to do in time. */
  readonly advice: string;
}

const NAME = "certificates";
const DAY_MS = 86_400_000;

export const certificateCheck = ({ what, endsAt, warnDays, advice }: SeenCertificate, now: Date): Check => {
  const days = Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS);
  if (endsAt <= now) return bad(NAME, `${what} expired on ${dayOf(endsAt)}`, advice);
  const detail = `${what} is valid for ${days} more days`;
  return days < warnDays ? warning(NAME, detail, advice) : good(NAME, detail);
};

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** A file that the settings or the data directory name. */
interface CertificateFile extends Omit<SeenCertificate, "endsAt"> {
  readonly file: string;
}

const MONTH = 30;
/** All VENs need new certificates after it: that takes long. */
const AUTHORITY_DAYS = 180;

const RENEW = "renew it, and replace the file; it is read again by itself";

/** The service renews its own 30 days before: one that is older was not renewed. */
const ownFiles = (folder: string): readonly CertificateFile[] => [
  {
    what: "the certificate authority of VENs",
    file: join(folder, "ca.crt"),
    warnDays: AUTHORITY_DAYS,
    advice: "plan its replacement: all VENs need certificates of the next one (docs/openadr.md)",
  },
  {
    what: "the certificate of the listener for VENs",
    file: join(folder, "server.pem"),
    warnDays: MONTH - 2,
    advice: "start a process with the role vtn, which renews it, and read its log",
  },
];

const namedFiles = ({ openadr3Tls, openadr3MqttCertificate, openadr3MqttCa }: Config): readonly CertificateFile[] =>
  [
    { what: "the certificate of OpenADR 3.1", file: openadr3Tls?.certificate ?? null },
    { what: "the client certificate for the MQTT broker", file: openadr3MqttCertificate },
    { what: "the authority of the MQTT broker", file: openadr3MqttCa },
  ].flatMap(({ what, file }) => (file === null ? [] : [{ what, file, warnDays: MONTH, advice: RENEW }]));

/** @param now by this machine, whose clock verifies them */
export const lookAtCertificates = async (config: Config, now: Date): Promise<readonly Check[]> => {
  const folder = join(config.dataDir, "openadr");
  const own = new Set(await readdir(folder).catch(() => []));
  const files = [
    ...ownFiles(folder).filter(({ file }) => own.has(file.slice(folder.length + 1))),
    ...namedFiles(config),
  ];
  return Promise.all(files.map((each) => fileCheck(each, now)));
};

const fileCheck = async ({ file, ...seen }: CertificateFile, now: Date): Promise<Check> => {
  try {
    return certificateCheck({ ...seen, endsAt: firstEnd(await readFile(file, "utf8")) }, now);
  } catch {
    return bad(
      NAME,
      `${seen.what} (${file}) cannot be read as PEM`,
      "restore the file, and let the service's user read it",
    );
  }
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Of a chain, the end of what ends first. */
const firstEnd = (pem: string): Date => {
  const ends = (pem.match(PEM) ?? []).map((block) => Date.parse(new X509Certificate(block).validTo));
  if (ends.length === 0) throw new Error("there is no certificate");
  return new Date(Math.min(...ends));
};

/** By the rule of the alarm. */
export const lookAtVens = (read: Read, now: Date): Promise<readonly Check[]> =>
  read(async (client) => {
    const found = await conditionsOf(client, certificateExpiring, now);
    return venChecks(found.map(({ message }) => message));
  });

const SHOWN = 3;

/** @param messages one for each VEN whose certificate ends */
export const venChecks = (messages: readonly string[]): readonly Check[] => {
  if (messages.length === 0) return [good(NAME, "none of a VEN ends within 30 days")];
  const more = messages.length > SHOWN ? ` ${messages.length - SHOWN} more VENs.` : "";
  return [
    warning(NAME, `${messages.slice(0, SHOWN).join(" ")}${more}`, "see the alarms of the kind certificate_expiring"),
  ];
};

/** Of an https address; its proxy shows it. */
export const lookAtProxyCertificate = async (url: string, now: Date): Promise<readonly Check[]> => {
  if (!url.startsWith("https:")) return [];
  const end = await endOfCertificate(url, LOOK_MS - 1000);
  // Whether it is reached at all is another check.
  if (end === null) return [];
  const advice = "renew it at the proxy, and look why that was not done by itself";
  return [certificateCheck({ what: `the certificate of ${url}`, endsAt: new Date(end), warnDays: 14, advice }, now)];
};
