import ipaddr from "ipaddr.js";
import {
  type DnsRecord,
  type KnownAnswer,
  keyOf,
  labelOf,
  type Name,
  nameBytes,
  type Query,
  type Question,
  TYPE,
  textBytes,
  twoBytes,
} from "./dns-message.js";

/** A service as DNS-SD announces it (RFC 6763). */
export interface AnnouncedService {
  /** For example `_openadr3._tcp`. */
  readonly type: string;
  /** Its name for people, at most 63 bytes. */
  readonly instance: string;
  /** Name of the machine for this service alone, without `.local`; one that others announce, too, would make them rename it. */
  readonly host: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** As RFC 6762 recommends: two minutes for what names a machine, 75 for the rest (section 10). */
const HOST_TTL_SECONDS = 120;
const OTHER_TTL_SECONDS = 4500;
const SERVICES: Name = ["_services", "_dns-sd", "_udp", "local"];
const MAX_TEXT_BYTES = 255;

/** All records of a service on a link where the machine has these addresses. */
export const recordsOf = (service: AnnouncedService, addresses: readonly string[]): readonly DnsRecord[] => {
  const type = [...service.type.split("."), "local"];
  const instance = [labelOf(service.instance), ...type];
  const host = [service.host, "local"];
  const shared = { type: TYPE.PTR, ttlSeconds: OTHER_TTL_SECONDS, isUnique: false };
  return [
    { ...shared, name: SERVICES, data: nameBytes(type) },
    { ...shared, name: type, data: nameBytes(instance) },
    { ...unique(instance, TYPE.SRV), ttlSeconds: HOST_TTL_SECONDS, data: srvData(service.port, host) },
    { ...unique(instance, TYPE.TXT), ttlSeconds: OTHER_TTL_SECONDS, data: txtData(service.txt) },
    ...addresses.map((address) => addressRecord(host, address)),
  ];
};

const unique = (name: Name, type: number) => ({ name, type, isUnique: true });

/** Without priority and weight: there is one server. */
const srvData = (port: number, host: Name): Buffer =>
  Buffer.concat([twoBytes(0), twoBytes(0), twoBytes(port), nameBytes(host)]);

const txtData = (txt: AnnouncedService["txt"]): Buffer =>
  Buffer.concat(
    Object.entries(txt)
      .map(([name, value]) => `${name}=${value}`)
      .filter((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES)
      .map(textBytes),
  );

const addressRecord = (host: Name, address: string): DnsRecord => {
  const parsed = ipaddr.parse(address);
  const type = parsed.kind() === "ipv4" ? TYPE.A : TYPE.AAAA;
  return { ...unique(host, type), ttlSeconds: HOST_TTL_SECONDS, data: Buffer.from(parsed.toByteArray()) };
};

/** What takes a service back: not its type, which other services have, too. */
export const goodbyeOf = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
  records.filter(({ name }) => keyOf(name) !== keyOf(SERVICES)).map((record) => ({ ...record, ttlSeconds: 0 }));

export interface Answers {
  /** The questions that are answered, each once. */
  readonly questions: readonly Question[];
  readonly answers: readonly DnsRecord[];
  /** What will be asked for next. */
  readonly additional: readonly DnsRecord[];
}

/** The records that a query asks for and does not know; null: none. */
export const answersTo = ({ questions, known }: Query, records: readonly DnsRecord[]): Answers | null => {
  const asked = new Map(questions.map((question) => [questionKey(question), question]));
  const answers = records.filter(
    (record) => keysAskingFor(record).some((key) => asked.has(key)) && !known.some((each) => isKnown(each, record)),
  );
  if (answers.length === 0) return null;
  const answered = new Set(answers.flatMap(keysAskingFor));
  const isPointed = answers.some(({ type, name }) => type === TYPE.PTR && keyOf(name) !== keyOf(SERVICES));
  const isLocated = isPointed || answers.some(({ type }) => type === TYPE.SRV);
  const additional = records.filter(
    (record) =>
      !answers.includes(record) &&
      ((isPointed && record.type !== TYPE.PTR) || (isLocated && [TYPE.A, TYPE.AAAA].includes(record.type as 1))),
  );
  return {
    questions: [...asked].flatMap(([key, question]) => (answered.has(key) ? [question] : [])),
    answers,
    additional,
  };
};

const questionKey = ({ name, type }: Pick<Question, "name" | "type">): string => `${type} ${keyOf(name)}`;

const keysAskingFor = ({ name, type }: DnsRecord): readonly string[] =>
  [type, TYPE.ANY].map((each) => questionKey({ name, type: each }));

/** A pointer is known while half of its time is left (RFC 6762, 7.1). */
const isKnown = ({ name, type, ttlSeconds, target }: KnownAnswer, record: DnsRecord): boolean =>
  type === TYPE.PTR &&
  record.type === TYPE.PTR &&
  ttlSeconds * 2 >= record.ttlSeconds &&
  keyOf(name) === keyOf(record.name) &&
  nameBytes(target).equals(record.data);
