import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpacked } from "../../../src/platform/http/gzip-body.js";

// G73, G10.
test("unpacking an upload costs no more than the limit, whatever it would become", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000_000), { level: 9 });
  const lying = Buffer.from(bomb);
  for (const declared of [0, 1000, 4_294_967_295]) {
    lying.writeUInt32LE(declared, lying.length - 4);
    const held: number[] = [];
    const before = process.cpuUsage();
    const limit = 10_485_760;
    const unpacking = unpacked(lying, limit, {
      add: (bytes) => (held.push(bytes), null),
      onRefused() {},
      arrived() {},
    });
    await expect(unpacking).rejects.toMatchObject({ status: 400 });
    expect(held).toEqual([Math.min(declared, limit)]);
    const { user, system } = process.cpuUsage(before);
    // 1 GB takes two seconds.
    expect((user + system) / 1000).toBeLessThan(500);
  }
});
