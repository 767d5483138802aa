import { expect, test } from "vitest";
import { PacketLimit } from "../../../src/openadr-3/worker/packet-limit.js";

/** A publication with so many bytes after its fixed header; its length takes two bytes. */
const publication = (bytes: number) =>
  Buffer.concat([Buffer.from([0x30, (bytes & 0x7f) | 0x80, bytes >> 7]), Buffer.alloc(bytes, 0xff)]);
const ping = Buffer.from([0xc0, 0]);

test("packets up to the limit pass, one that is a byte longer does not", () => {
  expect(new PacketLimit(1000).take(publication(1000))).toBe(true);
  expect(new PacketLimit(1000).take(publication(1001))).toBe(false);
});

test("packets are told apart however they are cut", () => {
  const bytes = Buffer.concat([publication(300), ping, publication(200), ping, publication(1001)]);
  for (const size of [1, 2, 3, 7, 301, bytes.length]) {
    const limit = new PacketLimit(1000);
    const verdicts = [];
    for (let at = 0; at < bytes.length; at += size) verdicts.push(limit.take(bytes.subarray(at, at + size)));
    expect(verdicts.indexOf(false)).toBe(Math.floor((bytes.length - 1001 - 1) / size));
  }
});

test("a length that does not end is none", () => {
  const limit = new PacketLimit(Number.POSITIVE_INFINITY);
  expect(limit.take(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80]))).toBe(false);
});
