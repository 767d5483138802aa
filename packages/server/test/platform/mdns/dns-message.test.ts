import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nameBytes,
  type Query,
  readQuery,
  TYPE,
  twoBytes,
  writeAnswer,
} from "../../../src/platform/mdns/dns-message.js";
import { type AnnouncedService, answersTo, goodbyeOf, recordsOf } from "../../../src/platform/mdns/service-records.js";

const service: AnnouncedService = {
  type: "_openadr3._tcp",
  instance: "Curtail on gateway.7, port 8090",
  host: "gateway",
  port: 8090,
  txt: { version: "3.1.0", base_path: "openadr3/3.1.0" },
};
const type = ["_openadr3", "_tcp", "local"];
const instance = [service.instance, ...type];
const records = recordsOf(service, ["192.0.2.7", "2001:db8::7"]);

const header = (questions: number, answers = 0, flags = 0): Buffer =>
  Buffer.concat([7, flags, questions, answers, 0, 0].map(twoBytes));
const question = (name: readonly string[], asked: number, inClass = 1): Buffer =>
  Buffer.concat([nameBytes(name), twoBytes(asked), twoBytes(inClass)]);
const query = (name: readonly string[], asked: number): Query => ({
  id: 0,
  questions: [{ name, type: asked, isUnicast: false }],
  known: [],
});
const key = (each: { name: readonly string[]; type: number }) => `${each.name.join(".").toLowerCase()} ${each.type}`;
const typesOf = (found: ReturnType<typeof answersTo>) => [
  found?.answers.map((record) => record.type) ?? null,
  found?.additional.map((record) => record.type) ?? null,
];

describe("a query", () => {
  test("has its questions, whether they ask for an answer to themselves, and what is known", () => {
    const known = Buffer.concat([
      nameBytes(type),
      twoBytes(TYPE.PTR),
      twoBytes(1),
      Buffer.from([0, 0, 17, 148]),
      twoBytes(nameBytes(instance).length),
      nameBytes(instance),
    ]);
    const bytes = Buffer.concat([header(2, 1), question(type, TYPE.PTR, 0x8001), question(["x"], TYPE.A), known]);
    expect(readQuery(bytes)).toEqual({
      id: 7,
      questions: [
        { name: type, type: TYPE.PTR, isUnicast: true },
        { name: ["x"], type: TYPE.A, isUnicast: false },
      ],
      known: [{ name: type, type: TYPE.PTR, ttlSeconds: 4500, target: instance }],
    });
  });

  test("may point back to a name, but not to itself or forwards", () => {
    const pointing = (to: number) =>
      readQuery(Buffer.concat([header(2), question(type, TYPE.PTR), twoBytes(0xc000 | to), twoBytes(1), twoBytes(1)]));
    expect(pointing(12)?.questions[1]?.name).toEqual(type);
    const own = 12 + question(type, TYPE.PTR).length;
    for (const to of [own, own + 1, 4000]) expect(pointing(to)).toBeNull();
    const circle = Buffer.concat([header(1), Buffer.from([1, 97, 0xc0, 12]), twoBytes(1), twoBytes(1)]);
    expect(readQuery(circle)).toBeNull();
  });

  test("has names of 16 pointers at most: a chain of thousands would keep the service busy", () => {
    const start = question(type, TYPE.PTR);
    const after = (index: number) => (index === 0 ? 12 : 12 + start.length + (index - 1) * 6);
    const chained = (pointers: number) =>
      Array.from({ length: pointers }, (_, index) =>
        Buffer.concat([twoBytes(0xc000 | after(index)), twoBytes(TYPE.PTR), twoBytes(1)]),
      );
    const asked = (pointers: number) =>
      readQuery(Buffer.concat([header(1 + pointers), start, ...chained(pointers)]))?.questions.at(-1)?.name ?? null;
    expect(asked(16)).toEqual(type);
    expect(asked(17)).toBeNull();
  });

  test("has 2,000 labels at most, however short pointers make it", () => {
    const start = question(
      Array.from({ length: 99 }, () => "a"),
      TYPE.PTR,
    );
    const again = Buffer.concat([twoBytes(0xc000 | 12), twoBytes(TYPE.PTR), twoBytes(1)]);
    const asked = (...more: readonly Buffer[]) =>
      readQuery(Buffer.concat([header(20 + more.length), start, ...Array.from({ length: 19 }, () => again), ...more]))
        ?.questions.length;
    const last = Array.from({ length: 20 }, () => question(["a"], TYPE.PTR));
    expect(asked(...last)).toBe(40);
    expect(asked(...last, question(["a"], TYPE.PTR))).toBeUndefined();
  });

  test("has labels of any octets, which are written as they were read", () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), (labels) => {
        const name = Buffer.concat([
          ...labels.flatMap((each) => [Buffer.from([each.length]), Buffer.from(each)]),
          Buffer.from([0]),
        ]);
        const [asked] = readQuery(Buffer.concat([header(1), name, twoBytes(TYPE.PTR), twoBytes(1)]))?.questions ?? [];
        expect(nameBytes(asked?.name ?? ["not read"])).toEqual(name);
      }),
    );
  });

  test("that is cut anywhere, is an answer, or announces more than there may be, is none", () => {
    const whole = Buffer.concat([header(1), question(type, TYPE.PTR)]);
    expect(readQuery(whole)).not.toBeNull();
    for (let length = 0; length < whole.length; length++) expect(readQuery(whole.subarray(0, length))).toBeNull();
    expect(readQuery(Buffer.concat([header(1, 0, 0x8400), question(type, TYPE.PTR)]))).toBeNull();
    expect(readQuery(Buffer.concat([header(65_535), Buffer.alloc(8000)]))).toBeNull();
    expect(readQuery(Buffer.concat([whole, Buffer.alloc(9000)]))).toBeNull();
  });

  test("of any bytes, or of a message that was changed anywhere, is read or refused, and never throws", () => {
    const whole = Buffer.concat([header(2, 1), question(instance, TYPE.SRV), question(type, TYPE.ANY)]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.tuple(fc.nat(), fc.nat(255))), (any, changes) => {
        const changed = Buffer.from(whole);
        for (const [at, byte] of changes) changed[at % changed.length] = byte;
        for (const bytes of [Buffer.from(any), changed]) {
          const read = readQuery(bytes);
          expect(read?.questions.length ?? 0).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

describe("a service", () => {
  test("is pointed at by its type, with all that is needed to reach it", () => {
    expect(typesOf(answersTo(query(type, TYPE.PTR), records))).toEqual([
      [TYPE.PTR],
      [TYPE.SRV, TYPE.TXT, TYPE.A, TYPE.AAAA],
    ]);
    expect(typesOf(answersTo(query(["_OpenADR3", "_TCP", "LOCAL"], TYPE.ANY), records))[0]).toEqual([TYPE.PTR]);
  });

  test("is located by its name, and its machine by addresses", () => {
    expect(typesOf(answersTo(query(instance, TYPE.SRV), records))).toEqual([[TYPE.SRV], [TYPE.A, TYPE.AAAA]]);
    expect(typesOf(answersTo(query(instance, TYPE.TXT), records))).toEqual([[TYPE.TXT], []]);
    expect(typesOf(answersTo(query(["gateway", "local"], TYPE.A), records))).toEqual([[TYPE.A], []]);
    expect(typesOf(answersTo(query(["_services", "_dns-sd", "_udp", "local"], TYPE.PTR), records))).toEqual([
      [TYPE.PTR],
      [],
    ]);
  });

  test("is not told to who knows it for half of its time or longer, and nothing is told of others", () => {
    const knowing = (ttlSeconds: number, target = instance) =>
      answersTo({ ...query(type, TYPE.PTR), known: [{ name: type, type: TYPE.PTR, ttlSeconds, target }] }, records);
    expect(knowing(2250)).toBeNull();
    expect(knowing(2249)).not.toBeNull();
    expect(knowing(4500, ["Other", ...type])).not.toBeNull();
    expect(answersTo(query(["_http", "_tcp", "local"], TYPE.PTR), records)).toBeNull();
    expect(answersTo(query(["gateway", "local"], TYPE.TXT), records)).toBeNull();
  });

  test("takes back itself and its own name of the machine when it goes, and not its type, which others have, too", () => {
    const gone = goodbyeOf(records);
    expect(gone.map((record) => [record.type, record.ttlSeconds])).toEqual([
      [TYPE.PTR, 0],
      [TYPE.SRV, 0],
      [TYPE.TXT, 0],
      [TYPE.A, 0],
      [TYPE.AAAA, 0],
    ]);
    expect(gone[0]?.name).toEqual(type);
  });

  test("alone has the name that its addresses are told under", () => {
    const addresses = records.filter((record) => record.type === TYPE.A || record.type === TYPE.AAAA);
    expect(addresses.map(({ isUnique }) => isUnique)).toEqual([true, true]);
  });

  test("is found under a name of any letters", () => {
    const umlauts = recordsOf({ ...service, instance: "Zähler im Büro" }, []);
    const name = nameBytes(["Zähler im Büro", ...type].map((label) => Buffer.from(label).toString("latin1")));
    const asked = readQuery(Buffer.concat([header(1), name, twoBytes(TYPE.SRV), twoBytes(1)]));
    expect(asked === null ? null : typesOf(answersTo(asked, umlauts))[0]).toEqual([TYPE.SRV]);
  });

  test("names the questions that it answers, each once, however many others are asked", () => {
    const others = fc.record({ name: fc.array(fc.string({ maxLength: 9 })), type: fc.nat(255) });
    const upper = type.map((label) => label.toUpperCase());
    const own = fc.record({
      name: fc.constantFrom(type, upper, instance, ["gateway", "local"]),
      type: fc.constantFrom(...Object.values(TYPE)),
    });
    fc.assert(
      fc.property(fc.array(others, { maxLength: 50 }), fc.array(own, { maxLength: 50 }), (stranger, mine) => {
        const questions = [...stranger, ...mine].map((each) => ({ ...each, isUnicast: false }));
        const answered = answersTo({ id: 0, questions, known: [] }, records)?.questions ?? [];
        const alone = (each: (typeof questions)[number]) =>
          answersTo({ id: 0, questions: [each], known: [] }, records) !== null;
        expect(answered.map(key).toSorted()).toEqual([...new Set(questions.filter(alone).map(key))].toSorted());
      }),
    );
  });

  test("has no text that is longer than DNS-SD allows", () => {
    const [txt] = recordsOf({ ...service, txt: { long: "é".repeat(200), short: "1" } }, []).filter(
      (record) => record.type === TYPE.TXT,
    );
    expect(txt?.data.toString()).toBe("\u0007short=1");
  });

  test("is told to other resolvers for a short time, under their id and with their question", () => {
    const legacy = { id: 7, questions: query(type, TYPE.PTR).questions };
    const [first] = records.filter((record) => record.isUnique);
    const [multicast, unicast] = [null, legacy].map((each) =>
      writeAnswer(first === undefined ? [] : [first], [], each),
    );
    const end = (bytes: Buffer | undefined) => {
      const at = (bytes?.length ?? 0) - (first?.data.length ?? 0) - 8;
      return { class: bytes?.readUInt16BE(at), ttl: bytes?.readUInt32BE(at + 2) };
    };
    expect([multicast?.readUInt16BE(0), multicast?.readUInt16BE(4), end(multicast)]).toEqual([
      0,
      0,
      { class: 0x8001, ttl: 120 },
    ]);
    expect([unicast?.readUInt16BE(0), unicast?.readUInt16BE(4), end(unicast)]).toEqual([7, 1, { class: 1, ttl: 10 }]);
  });
});
